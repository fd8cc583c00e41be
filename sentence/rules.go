package sentence

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

//go:embed english/*.txt
var embedded embed.FS

var english = func() *Rules {
	rules, err := NewRules(nil)
	if err != nil {
		panic(err) // a test reads the embedded files
	}
	return rules
}()

// Rules is what the splitter knows about a language: word lists from text files.
type Rules struct {
	words    map[string]kind
	longest  int // bytes of the longest word; longer ones are not looked up
	examples []example
}

// A kind is the set of lists that contain a word.
type kind uint32

const (
	title kind = 1 << iota
	neverEnd
	mayEnd
	endsBeforeCapital
	clock
	beforeNumber
	month
	opener
	saying
	perhapsSaying
	adverb
	heading
	numberWord
	noteWord

	capitalOnly // the list has the word with a capital: `Ill` is a state, `ill` is not

	abbreviation = title | neverEnd | mayEnd | endsBeforeCapital | clock | month
)

var listNames = map[string]kind{
	"titles": title, "never-end": neverEnd, "may-end": mayEnd, "ends-before-capital": endsBeforeCapital,
	"clock": clock, "before-number": beforeNumber, "months": month, "openers": opener, "saying": saying,
	"perhaps-saying": perhapsSaying, "adverbs": adverb, "headings": heading, "number-words": numberWord, "note-words": noteWord,
}

// NewRules reads the English word lists with a folder on top: a file with the
// name of an embedded file replaces it, any other *.txt adds to the lists. A
// nil folder gives the English lists alone. Errors have file and line.
func NewRules(fsys fs.FS) (*Rules, error) {
	files, err := layer(fsys)
	if err != nil {
		return nil, err
	}
	r := &Rules{words: make(map[string]kind)}
	lists := make(map[kind]map[string]bool)
	var problems []error
	for _, f := range files {
		problems = append(problems, r.read(f.name, f.text, lists)...)
	}
	for list, words := range lists {
		for word, in := range words {
			if in { // and not removed by a `not:` line
				r.add(word, list)
			}
		}
	}
	return r, errors.Join(problems...)
}

// Hash changes if a list changes, not with comments, examples or order.
func (r *Rules) Hash() string {
	sum := sha256.New()
	for _, word := range slices.Sorted(maps.Keys(r.words)) {
		fmt.Fprintf(sum, "%s %d\n", word, r.words[word])
	}
	return hex.EncodeToString(sum.Sum(nil))
}

type file struct{ name, text string }

// layer returns the files in reading order: the embedded ones, each replaced by
// the folder's file of the same name, then the folder's others.
func layer(fsys fs.FS) ([]file, error) {
	ours, err := fs.Sub(embedded, "english")
	if err != nil {
		return nil, err
	}
	var files []file
	for _, folder := range []fs.FS{ours, fsys} {
		if folder == nil {
			continue
		}
		names, err := fs.Glob(folder, "*.txt") // sorted
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			text, err := fs.ReadFile(folder, name)
			if err != nil {
				return nil, fmt.Errorf("reading sentence lists: %w", err)
			}
			i := slices.IndexFunc(files, func(old file) bool { return old.name == name })
			if i < 0 {
				i, files = len(files), append(files, file{})
			}
			files[i] = file{name, string(text)}
		}
	}
	return slices.DeleteFunc(files, func(f file) bool { return f.name == "README.txt" }), nil
}

// read adds one file to the lists and returns every mistake in it.
func (r *Rules) read(file, text string, lists map[kind]map[string]bool) (problems []error) {
	var words map[string]bool // of the current list
	var block string
	wrong := func(line int, format string, args ...any) {
		problems = append(problems, fmt.Errorf("%s:%d: %s", file, line, fmt.Sprintf(format, args...)))
	}
	number := 0
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		key, value, found := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		if !found || value == "" {
			wrong(number, "%q is not `key: value`; start a comment with #", line)
			continue
		}
		switch key {
		case "list":
			list, known := listNames[value]
			if !known {
				wrong(number, "there is no list %q; the lists are %s", value, strings.Join(slices.Sorted(maps.Keys(listNames)), ", "))
			}
			if lists[list] == nil {
				lists[list] = make(map[string]bool)
			}
			words, block = lists[list], value
		case "case":
			words, block = nil, value
		case "words", "not":
			if words == nil {
				wrong(number, "`%s:` is not in a list; add a line such as `list: titles` above it", key)
				continue
			}
			for word := range strings.FieldsSeq(value) {
				if strings.HasSuffix(word, ".") {
					wrong(number, "write %q without its last period: %q", word, strings.TrimRight(word, "."))
				}
				words[word] = key == "words"
			}
		case "example":
			if block == "" {
				wrong(number, "this example is not in a list or case; add a `list:` or `case:` line above it")
			}
			r.examples = append(r.examples, example{file: file, line: number, of: block, marked: value})
		case "does":
		default:
			wrong(number, "unknown key %q; the keys are list, case, does, words, not, example", key)
		}
	}
	return problems
}

// add adds a word to a list.
func (r *Rules) add(word string, list kind) {
	first, _ := utf8.DecodeRuneInString(word)
	if unicode.IsUpper(first) {
		list |= capitalOnly
	}
	word = strings.ToLower(word)
	known, there := r.words[word]
	if there && known&capitalOnly == 0 || there && list&capitalOnly == 0 {
		list, known = list&^capitalOnly, known&^capitalOnly
	}
	r.words[word] = known | list
	r.longest = max(r.longest, len(word))
}

// kind returns the lists that contain a word. It does not allocate.
func (r *Rules) kind(word string) kind {
	var buffer [24]byte
	if len(word) == 0 || len(word) > min(r.longest, len(buffer)) {
		return 0
	}
	for i := range len(word) {
		c := word[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		buffer[i] = c
	}
	k := r.words[string(buffer[:len(word)])]
	if k&capitalOnly != 0 && !('A' <= word[0] && word[0] <= 'Z') {
		return 0
	}
	return k &^ capitalOnly
}

// An example is a text from a file, with // where its sentences end.
type example struct {
	file   string
	line   int
	of     string // its list or case
	marked string
}

// Check tests the examples in the files. The error has every file and line.
func (r *Rules) Check() error {
	var problems []error
	for _, e := range r.examples {
		if got := r.mark(unmark(e.marked)); got != e.marked {
			problems = append(problems, fmt.Errorf("%s:%d: %s: the example says\n\t%s\nbut the splitter gives\n\t%s",
				e.file, e.line, e.of, e.marked, got))
		}
	}
	return errors.Join(problems...)
}

// unmark turns an example into a text; ¶ is a blank line, ⏎ a line break.
func unmark(marked string) string {
	text := strings.ReplaceAll(strings.ReplaceAll(marked, " // ", " "), "// ", "")
	return strings.NewReplacer(" ⏎ ", "\n", " ¶ ", "\n\n").Replace(text)
}

// mark splits a text and marks its sentences as in an example.
func (r *Rules) mark(text string) string {
	var out strings.Builder
	done := 0
	for sentence := range r.SplitText(text) {
		gap := text[done:sentence.Start]
		switch {
		case sentence.Number == 0:
		case gap == "":
			out.WriteString("// ")
		case strings.Contains(gap, "\n\n"):
			out.WriteString(" ¶ // ")
		case gap == "\n":
			out.WriteString(" ⏎ // ")
		default:
			out.WriteString(" // ")
		}
		out.WriteString(strings.ReplaceAll(text[sentence.Start:sentence.End], "\n", " ⏎ "))
		done = sentence.End
	}
	return out.String()
}
