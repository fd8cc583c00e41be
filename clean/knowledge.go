package clean

import (
	"bufio"
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
)

// Knowledge about books is in plain text files, so that people who know books
// can extend it.
//
//go:embed knowledge/*.txt
var embedded embed.FS

// knowledge is what the cleaner knows about printed English apart from the
// book: words that cannot end a paragraph, words that start headings, page
// marks of digital libraries. It learns everything else from the book.
type knowledge struct {
	unfinished map[string]bool

	numbered map[string]bool // CHAPTER, followed by a number
	alone    map[string]bool // PREFACE
	counts   map[string]bool // ONE, FIRST

	start, end, credits []string // lines of the Project Gutenberg header and footer

	pageLines, pageInside []string // <page #>

	beforeFigure map[string]bool // page 3

	joinBefore      map[string]bool // -ness
	keepAfter       map[string]bool // half-
	keepAfterKnown  map[string]bool // new-, before a word that occurs in the book
	keepBefore      map[string]bool // -headed
	keepBeforeKnown map[string]bool // -corn, after a word that occurs in the book
	joinAfter       map[string]bool // under-
}

var english = func() *knowledge {
	files, err := fs.Sub(embedded, "knowledge")
	if err == nil {
		var k *knowledge
		if k, err = loadKnowledge(files); err == nil {
			return k
		}
	}
	panic(err) // a test reads the embedded files
}()

// loadKnowledge reads the cleaner's files: unfinished.txt, headings.txt,
// gutenberg.txt, pagemarks.txt, notes.txt and hyphens.txt. A mistake is an
// error with file and line.
func loadKnowledge(files fs.FS) (*knowledge, error) {
	k := &knowledge{}
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

// readList reads lines of `key: value`, or only values if the one key is empty.
// A line that starts with # and a space, or is only #, is a comment.
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
			return fmt.Errorf("%s:%d: unknown key %q; use one of: %s", name, n, key, strings.Join(slices.Sorted(maps.Keys(keys)), "; "))
		}
		take(strings.TrimSpace(value))
	}
	return in.Err()
}
