package clean

import (
	"bufio"
	"embed"
	"fmt"
	"io/fs"
	"strings"
)

// What people know about books lies in plain text files, so that those who
// know books can add to it.
//
//go:embed knowledge/*.txt
var embedded embed.FS

// Knowledge is what the cleaner knows of printed English beyond the book it
// reads: words that cannot end a paragraph, how headings open, how a digital
// library marks its pages. All else is learnt from the book.
type Knowledge struct {
	unfinished map[string]bool

	numbered map[string]bool // CHAPTER, with a number
	alone    map[string]bool // PREFACE
	counts   map[string]bool // ONE, FIRST

	start, end, credits []string // of Project Gutenberg's header and footer

	pageLines, pageInside []string // <page #>

	beforeFigure map[string]bool // page 3

	joinBefore      map[string]bool // -ness
	keepAfter       map[string]bool // half-
	keepAfterKnown  map[string]bool // new-, before a word of the book
	keepBefore      map[string]bool // -headed
	keepBeforeKnown map[string]bool // -corn, after a word of the book
	joinAfter       map[string]bool // under-
}

var standard = func() *Knowledge {
	files, err := fs.Sub(embedded, "knowledge")
	if err == nil {
		var k *Knowledge
		if k, err = LoadKnowledge(files); err == nil {
			return k
		}
	}
	panic(err) // the embedded files are tested
}()

// LoadKnowledge reads the cleaner's files from a folder: unfinished.txt,
// headings.txt, gutenberg.txt, pagemarks.txt, notes.txt and hyphens.txt. A
// mistake in one of them is an error that names file and line.
func LoadKnowledge(files fs.FS) (*Knowledge, error) {
	k := &Knowledge{}
	words := func(set *map[string]bool) func(string) {
		*set = map[string]bool{}
		return func(value string) {
			for _, w := range strings.Fields(value) {
				(*set)[strings.ToLower(w)] = true
			}
		}
	}
	list := func(l *[]string) func(string) { return func(value string) { *l = append(*l, value) } }
	for _, file := range []struct {
		name string
		keys map[string]func(string)
	}{
		{"unfinished.txt", map[string]func(string){"": words(&k.unfinished)}},
		{"headings.txt", map[string]func(string){
			"number": words(&k.numbered),
			"alone":  words(&k.alone),
			"count":  words(&k.counts),
		}},
		{"gutenberg.txt", map[string]func(string){
			"start":  list(&k.start),
			"end":    list(&k.end),
			"credit": list(&k.credits),
		}},
		{"pagemarks.txt", map[string]func(string){
			"line":   list(&k.pageLines),
			"inside": list(&k.pageInside),
		}},
		{"notes.txt", map[string]func(string){"before a figure": words(&k.beforeFigure)}},
		{"hyphens.txt", map[string]func(string){
			"join before":                     words(&k.joinBefore),
			"keep after":                      words(&k.keepAfter),
			"keep after, before a known word": words(&k.keepAfterKnown),
			"keep before":                     words(&k.keepBefore),
			"keep before, after a known word": words(&k.keepBeforeKnown),
			"join after":                      words(&k.joinAfter),
		}},
	} {
		if err := readList(files, file.name, file.keys); err != nil {
			return nil, err
		}
	}
	return k, nil
}

// readList reads lines of `key: value`, or bare values where the only key is
// empty. A line that begins with # and a space, or with # alone, is a remark.
func readList(files fs.FS, name string, keys map[string]func(string)) error {
	f, err := files.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	for n := 1; in.Scan(); n++ {
		text := strings.TrimSpace(in.Text())
		if text == "" || text == "#" || strings.HasPrefix(text, "# ") {
			continue
		}
		key, value := "", text
		if _, bare := keys[""]; !bare {
			key, value, _ = strings.Cut(text, ":")
		}
		take, ok := keys[strings.TrimSpace(key)]
		if !ok {
			return fmt.Errorf("%s:%d: %q is not known here; a line is one of the keys that this file already uses, a colon, and its words", name, n, key)
		}
		take(strings.TrimSpace(value))
	}
	return in.Err()
}
