package sentence

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

// Every example in english/*.txt passes.
func TestExamples(t *testing.T) {
	if len(english.examples) < 80 {
		t.Errorf("only %d examples were read", len(english.examples))
	}
	if err := english.Check(); err != nil {
		t.Error(err)
	}
}

// Every list has an example.
func TestEveryListHasAnExample(t *testing.T) {
	shown := make(map[string]bool)
	for _, e := range english.examples {
		shown[e.of] = true
	}
	for name := range listNames {
		if !shown[name] {
			t.Errorf("the list %s has no example", name)
		}
	}
}

func TestWrongExample(t *testing.T) {
	rules, err := NewRules(folder("mine.txt", "case: wishful\n\nexample: Mr. // Dale came.\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := "mine.txt:3: wishful: the example says\n\tMr. // Dale came.\nbut the splitter gives\n\tMr. Dale came."
	if got := fmt.Sprint(rules.Check()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestMistakesInFiles(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"no key", "list: titles\nMr Mrs\n", "mine.txt:2: \"Mr Mrs\" is not `key: value`"},
		{"unknown key", "lists: titles\n", `mine.txt:1: unknown key "lists"; the keys are list, case, does, words, not, example`},
		{"unknown list", "# mine\nlist: tittles\n", `mine.txt:2: there is no list "tittles"; the lists are adverbs, before-number`},
		{"words without a list", "words: Mr\n", "mine.txt:1: `words:` is not in a list; add a line such as `list: titles` above it"},
		{"period after a word", "list: titles\nwords: Obrst.\n", `mine.txt:2: write "Obrst." without its last period: "Obrst"`},
		{"example without a list", "example: So.\n", "mine.txt:1: this example is not in a list or case"},
		{"empty value", "list: titles\nwords:\n", "mine.txt:2: \"words:\" is not `key: value`"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := NewRules(folder("mine.txt", c.text))
			if err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("%q: got %v, want %s", c.text, err, c.want)
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
		{"no folder", nil, "He saw Hptm. Weil.", "He saw Hptm. // Weil."},
		{"added word", folder("mine.txt", "list: titles\nwords: Hptm\n"), "He saw Hptm. Weil and Mr. Dale.", "He saw Hptm. Weil and Mr. Dale."},
		{"removed word", folder("mine.txt", "list: titles\nnot: mr\n"), "He saw Mr. Dale.", "He saw Mr. // Dale."},
		{"replaced file", folder("titles.txt", "list: titles\nwords: Hptm\n"), "He saw Hptm. Weil and Mrs. Dale.", "He saw Hptm. Weil and Mrs. // Dale."},
		{"byte order mark", folder("mine.txt", "\ufefflist: titles\r\nwords: Hptm\r\n"), "He saw Hptm. Weil.", "He saw Hptm. Weil."},
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

// Folders that split alike have the same hash; another word gives another hash.
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
		t.Error("a comment or another order changed the hash")
	}
	for _, other := range []string{"", "list: titles\nwords: Obrst\n", "list: never-end\nwords: Obrst Hptm\n", "list: titles\nwords: obrst Hptm\n"} {
		if plain == hash(other) {
			t.Errorf("%q has the same hash", other)
		}
	}
}
