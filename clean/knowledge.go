package clean

import (
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
// book. It learns everything else from the book.
type knowledge struct {
	unfinished wordSet // words that cannot end a paragraph

	numbered wordSet // CHAPTER, followed by a number
	alone    wordSet // PREFACE
	counts   wordSet // ONE, FIRST

	start, end, credits texts // lines of the Project Gutenberg header and footer

	pageLines, pageInside texts // <page #>

	beforeFigure wordSet // page 3

	joinBefore      wordSet // -ness
	keepAfter       wordSet // half-
	keepAfterKnown  wordSet // new-, before a word that occurs in the book
	keepBefore      wordSet // -headed
	keepBeforeKnown wordSet // -corn, after a word that occurs in the book
	joinAfter       wordSet // under-
}

type wordSet map[string]bool

func (w *wordSet) add(value string) {
	if *w == nil {
		*w = wordSet{}
	}
	for _, word := range strings.Fields(value) {
		(*w)[strings.ToLower(word)] = true
	}
}

type texts []string

func (t *texts) add(value string) { *t = append(*t, value) }

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

// loadKnowledge reads the cleaner's files. Errors have file and line.
func loadKnowledge(files fs.FS) (*knowledge, error) {
	k := &knowledge{}
	keys := map[string]map[string]interface{ add(string) }{
		"unfinished.txt": {"": &k.unfinished},
		"headings.txt":   {"number": &k.numbered, "alone": &k.alone, "count": &k.counts},
		"gutenberg.txt":  {"start": &k.start, "end": &k.end, "credit": &k.credits},
		"pagemarks.txt":  {"line": &k.pageLines, "inside": &k.pageInside},
		"notes.txt":      {"before a figure": &k.beforeFigure},
		"hyphens.txt": {
			"join before": &k.joinBefore, "join after": &k.joinAfter,
			"keep after": &k.keepAfter, "keep after, before a known word": &k.keepAfterKnown,
			"keep before": &k.keepBefore, "keep before, after a known word": &k.keepBeforeKnown,
		},
	}
	for _, name := range slices.Sorted(maps.Keys(keys)) {
		if err := readList(files, name, keys[name]); err != nil {
			return nil, err
		}
	}
	return k, nil
}

// readList reads lines of `key: value`, or only values if the one key is empty.
// A line that starts with # and a space, or is only #, is a comment.
func readList(files fs.FS, name string, keys map[string]interface{ add(string) }) error {
	data, err := fs.ReadFile(files, name)
	if err != nil {
		return err
	}
	number := 0
	for line := range strings.Lines(string(data)) {
		number++
		key, value := "", strings.TrimSpace(line)
		if value == "" || value == "#" || strings.HasPrefix(value, "# ") {
			continue
		}
		if keys[""] == nil {
			key, value, _ = strings.Cut(value, ":")
		}
		list, ok := keys[strings.TrimSpace(key)]
		if !ok {
			return fmt.Errorf("%s:%d: unknown key %q; use one of: %s", name, number, key, strings.Join(slices.Sorted(maps.Keys(keys)), "; "))
		}
		list.add(strings.TrimSpace(value))
	}
	return nil
}
