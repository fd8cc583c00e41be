package distractor

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"verbatim"
)

//go:embed english/*.txt
var english embed.FS

// Lures say which sentences of a book make good wrong answers, and which slips
// damage a text. They are text files with examples that a user's folder can
// replace.
type Lures struct {
	reasons []reason
	slips   []slip
	weights map[string]float64
	lists   map[string]map[string]bool
	hash    string
}

// A reason sets candidates aside.
type reason struct {
	lureCard
	test     func(s *scene, c *lure) string // what it found, or nothing
	severity int                            // never, or the order in which candidates come back
}

// never is the severity of candidates that do not come back.
const never = 1 << 20

// A slip is something that is wrong with a text.
type slip struct {
	lureCard
	test   func(s *slips, report func(verbatim.Span))
	weight int
}

// A lureCard is what reasons and slips have in common.
type lureCard struct {
	name, file string
	line       int
	yes, no    []lureExample
}

type lureExample struct {
	line int
	text string
}

// LureFiles are the names of the files that LoadLures reads.
func LureFiles() []string {
	names, _ := fs.Glob(english, "english/*.txt") // the pattern is good
	for i, name := range names {
		names[i] = path.Base(name)
	}
	return names
}

// LureFile is the text of a built-in file, for users who want to change it.
func LureFile(name string) (string, error) {
	text, err := english.ReadFile("english/" + name)
	if err != nil {
		return "", fmt.Errorf("there is no file %q; the files are %s", name, strings.Join(LureFiles(), ", "))
	}
	return string(text), nil
}

// LoadLures reads the files of a folder. Files that it lacks are the built-in
// ones. The error names every mistake, but does not test the examples: Check does.
func LoadLures(folder fs.FS) (*Lures, error) {
	l := &Lures{weights: map[string]float64{}, lists: map[string]map[string]bool{}}
	sum := sha256.New()
	var wrong []error
	for _, name := range LureFiles() {
		text, err := []byte(nil), fs.ErrNotExist
		if folder != nil {
			text, err = fs.ReadFile(folder, name)
		}
		if errors.Is(err, fs.ErrNotExist) {
			text, err = english.ReadFile("english/" + name)
		}
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(sum, "%s\x00%s\x00", name, text)
		wrong = append(wrong, l.read(name, strings.TrimPrefix(string(text), "\uFEFF"))...)
	}
	for _, name := range []string{"fit", "topic", "near"} {
		if _, set := l.weights[name]; !set {
			wrong = append(wrong, fmt.Errorf("lures.txt: there is no weight: %s; add it, 0 if it should not count", name))
		}
	}
	for _, name := range neededLists {
		if l.lists[name] == nil {
			wrong = append(wrong, fmt.Errorf("lures.txt: there is no list: %s; add it", name))
		}
	}
	l.hash = hex.EncodeToString(sum.Sum(nil))
	return l, errors.Join(wrong...)
}

// neededLists are the word lists that the tests use.
var neededLists = []string{"he", "he means", "she", "she means", "i", "i means", "we", "we means", "you", "you means", "they", "they means", "pointing words", "past", "present", "verbs", "clipped", "definite", "grammar", "adverbs", "or nouns", "relatives", "after a lost T", "endings without a topic"}

// Hash identifies the content of the files.
func (l *Lures) Hash() string { return l.hash }

// usual are the built-in lures.
var usual = func() *Lures {
	l, err := LoadLures(nil)
	if err != nil {
		panic(err) // the built-in files; a test reads them
	}
	return l
}()

// DefaultLures are the built-in ones.
func DefaultLures() *Lures { return usual }

// A lureBlock is a paragraph of a file: its fields, in order.
type lureBlock struct {
	file   string
	fields []lureField
}

type lureField struct {
	key, value string
	line       int
}

func (b lureBlock) fail(line int, what, remedy string) error {
	return &verbatim.LineError{File: b.file, Line: line, What: what, Remedy: remedy}
}

// read adds the paragraphs of a file.
func (l *Lures) read(file, text string) (wrong []error) {
	block := lureBlock{file: file}
	flush := func() {
		if len(block.fields) > 0 {
			wrong = append(wrong, l.add(block)...)
		}
		block.fields = nil
	}
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		switch key, value, found := strings.Cut(line, ":"); {
		case line == "":
			flush()
		case strings.HasPrefix(line, "#"):
		case !found:
			wrong = append(wrong, block.fail(number, fmt.Sprintf("%q is not of the form `key: value`", line), "write a key and a colon before it"))
		default:
			block.fields = append(block.fields, lureField{strings.TrimSpace(key), strings.TrimSpace(value), number})
		}
	}
	flush()
	return wrong
}

// add takes one paragraph: a reason, a slip, a weight or a list.
func (l *Lures) add(b lureBlock) []error {
	first := b.fields[0]
	switch first.key {
	case "list":
		return l.addList(b)
	case "weight":
		name, figure, _ := strings.Cut(first.value, " ")
		value, err := strconv.ParseFloat(strings.TrimSpace(figure), 64)
		if err != nil || value < 0 || value > 100 || !slices.Contains([]string{"fit", "topic", "near"}, name) {
			return []error{b.fail(first.line, fmt.Sprintf("%q is no weight", first.value), "write fit, topic or near, and a number from 0 to 100")}
		}
		l.weights[name] = value
		return nil
	case "reason":
		return l.addReason(b)
	case "slip":
		return l.addSlip(b)
	}
	return []error{b.fail(first.line, fmt.Sprintf("a paragraph cannot start with %q", first.key), "start it with reason, slip, weight or list")}
}

func (l *Lures) addList(b lureBlock) (wrong []error) {
	words := map[string]bool{}
	for _, f := range b.fields[1:] {
		switch f.key {
		case "does":
		case "words":
			for word := range strings.FieldsSeq(f.value) {
				words[strings.ToLower(word)] = true
			}
		default:
			wrong = append(wrong, b.fail(f.line, fmt.Sprintf("a list has no %q", f.key), "use does or words"))
		}
	}
	l.lists[b.fields[0].value] = words
	return wrong
}

// card reads the fields that reasons and slips share; other gets the rest.
func (b lureBlock) card(other func(f lureField) error) (c lureCard, wrong []error) {
	c = lureCard{name: b.fields[0].value, file: b.file, line: b.fields[0].line}
	for _, f := range b.fields[1:] {
		switch f.key {
		case "does":
		case "yes":
			c.yes = append(c.yes, lureExample{f.line, f.value})
		case "no":
			c.no = append(c.no, lureExample{f.line, f.value})
		default:
			if err := other(f); err != nil {
				wrong = append(wrong, err)
			}
		}
	}
	return c, wrong
}

func (l *Lures) addReason(b lureBlock) []error {
	r := reason{severity: -1}
	var wrong []error
	r.lureCard, wrong = b.card(func(f lureField) error {
		switch f.key {
		case "test":
			if r.test = reasonTests[f.value]; r.test == nil {
				return b.fail(f.line, fmt.Sprintf("there is no test %q for a reason", f.value), "use one of: "+names(reasonTests))
			}
		case "severity":
			n, err := strconv.Atoi(f.value)
			if r.severity = n; f.value == "never" {
				r.severity = never
			} else if err != nil || n < 1 || n > 99 {
				return b.fail(f.line, fmt.Sprintf("%q is no severity", f.value), "write never, or a number from 1 to 99")
			}
		default:
			return b.fail(f.line, fmt.Sprintf("a reason has no %q", f.key), "use does, test, severity, yes or no")
		}
		return nil
	})
	if len(wrong) == 0 && (r.test == nil || r.severity < 0) {
		wrong = append(wrong, b.fail(r.line, "the reason "+r.name+" is not complete", "give it a test and a severity"))
	}
	l.reasons = append(l.reasons, r)
	return wrong
}

func (l *Lures) addSlip(b lureBlock) []error {
	var s slip
	var wrong []error
	s.lureCard, wrong = b.card(func(f lureField) error {
		switch f.key {
		case "test":
			if s.test = slipTests[f.value]; s.test == nil {
				return b.fail(f.line, fmt.Sprintf("there is no test %q for a slip", f.value), "use one of: "+names(slipTests))
			}
		case "weight":
			n, err := strconv.Atoi(f.value)
			if err != nil || n < 0 || n > 99 {
				return b.fail(f.line, fmt.Sprintf("%q is no weight", f.value), "write a number from 0 to 99")
			}
			s.weight = n
		default:
			return b.fail(f.line, fmt.Sprintf("a slip has no %q", f.key), "use does, test, weight, yes or no")
		}
		return nil
	})
	if len(wrong) == 0 && s.test == nil {
		wrong = append(wrong, b.fail(s.line, "the slip "+s.name+" is not complete", "give it a test and a weight"))
	}
	l.slips = append(l.slips, s)
	return wrong
}

// names lists the keys of a table of tests.
func names[T any](tests map[string]T) string {
	var all []string
	for name := range tests {
		all = append(all, name)
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}
