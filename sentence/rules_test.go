package sentence

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"verbatim"
)

func ExampleSplit() {
	doc, _ := verbatim.NewDocument("ferry", `"Is it far?" Mr. Dale asked. "No. It is nine miles."`)
	for s := range Split(doc) {
		fmt.Println(doc.Quote(s.Span))
	}
	// Output:
	// "Is it far?" Mr. Dale asked.
	// "No.
	// It is nine miles."
}

// A scholar's folder adds a title, takes out an abbreviation, and brings its
// own proof.
func ExampleNewRules() {
	rules, err := NewRules(fstest.MapFS{"mine.txt": {Data: []byte(`
list:    titles
does:    Ranks of the Ruritanian army.
words:   Obrst Hptm
example: Obrst. Falk sent Hptm. Weil away. // Nobody knew why.
`)}})
	if err == nil {
		err = rules.Check()
	}
	fmt.Println(err)
	for s := range rules.SplitText("Obrst. Falk rose.") {
		fmt.Println(s.Start, s.End)
	}
	// Output:
	// <nil>
	// 0 17
}

// Every example in english/*.txt does what it says.
func TestExamples(t *testing.T) {
	if len(english.examples) < 80 {
		t.Errorf("only %d examples were read", len(english.examples))
	}
	if err := english.Check(); err != nil {
		t.Error(err)
	}
}

// Every list has a file that says what it does and shows it.
func TestEveryListHasAnExample(t *testing.T) {
	shown := make(map[string]bool)
	for _, e := range english.examples {
		shown[e.of] = true
	}
	for name := range listNames {
		if !shown[name] {
			t.Errorf("no example shows what the list %s does", name)
		}
	}
}

func TestWrongExample(t *testing.T) {
	rules, err := NewRules(folder("mine.txt", "case: wishful\n\nexample: Mr. // Dale came.\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := "mine.txt:3: wishful: the example says\n\tMr. // Dale came.\nbut the rules give\n\tMr. Dale came."
	if got := fmt.Sprint(rules.Check()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestMistakesInFiles(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"no key", "list: titles\nMr Mrs\n", "mine.txt:2: \"Mr Mrs\" is not `key: value`"},
		{"unknown key", "lists: titles\n", `mine.txt:1: unknown key "lists"; the keys are list, case, does, words, not, example`},
		{"unknown list", "# mine\nlist: tittles\n", `mine.txt:2: there is no list "tittles"; the lists are adverbs, before-number`},
		{"words without a list", "words: Mr\n", "mine.txt:1: `words:` belongs to no list; put a line such as `list: titles` above it"},
		{"a stop too many", "list: titles\nwords: Obrst.\n", `mine.txt:2: write "Obrst." without its last stop: "Obrst"`},
		{"an example of nothing", "example: So.\n", "mine.txt:1: an example belongs to a list or a case"},
		{"an empty value", "list: titles\nwords:\n", "mine.txt:2: \"words:\" is not `key: value`"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := NewRules(folder("mine.txt", c.text))
			if err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("%q gives %v, not %s", c.text, err, c.want)
			}
		})
	}
}

func TestFolderOverEnglish(t *testing.T) {
	for _, c := range []struct {
		name   string
		folder fs.FS
		text   string
		want   string
	}{
		{"nothing of one's own", nil, "He saw Hptm. Weil.", "He saw Hptm. // Weil."},
		{"a word more", folder("mine.txt", "list: titles\nwords: Hptm\n"), "He saw Hptm. Weil and Mr. Dale.", "He saw Hptm. Weil and Mr. Dale."},
		{"a word less", folder("mine.txt", "list: titles\nnot: mr\n"), "He saw Mr. Dale.", "He saw Mr. // Dale."},
		{"a file replaced", folder("titles.txt", "list: titles\nwords: Hptm\n"), "He saw Hptm. Weil and Mrs. Dale.", "He saw Hptm. Weil and Mrs. // Dale."},
		{"a mark at the start of the file", folder("mine.txt", "\ufefflist: titles\r\nwords: Hptm\r\n"), "He saw Hptm. Weil.", "He saw Hptm. Weil."},
	} {
		t.Run(c.name, func(t *testing.T) {
			rules, err := NewRules(c.folder)
			if err != nil {
				t.Fatal(err)
			}
			if got := rules.mark(c.text); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func folder(name, text string) fs.FS { return fstest.MapFS{name: {Data: []byte(text)}} }

// Two folders that split alike have one hash, and a word more makes another.
func TestHash(t *testing.T) {
	hash := func(text string) string {
		rules, err := NewRules(fstest.MapFS{"mine.txt": {Data: []byte(text)}})
		if err != nil {
			t.Fatal(err)
		}
		return rules.Hash()
	}
	plain := hash("list: titles\nwords: Obrst Hptm\n")
	if plain != hash("# ranks\nlist: titles\nwords: Hptm\nwords: Obrst\n") {
		t.Error("a remark or another order makes another hash")
	}
	for _, other := range []string{"", "list: titles\nwords: Obrst\n", "list: never-end\nwords: Obrst Hptm\n", "list: titles\nwords: obrst Hptm\n"} {
		if plain == hash(other) {
			t.Errorf("%q has the hash of another list", other)
		}
	}
}
