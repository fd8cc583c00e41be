// Package clean makes a reading copy of a scanned book and maps it back to the
// source: every span of the copy has a selector that can be checked against the
// unchanged source, byte for byte.
//
// Read removes running heads, page numbers, page marks and footnotes. It joins
// words broken at line ends and paragraphs split by a page, and turns hard line
// wraps into spaces. It learns from the book itself: a running head by its
// repetition and position, a broken word by its other occurrences. A text that
// needs no repair is returned unchanged.
package clean

import (
	"embed"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"verbatim"
)

// A Reading is the reading copy of a book. Copy is its own Document, with blank
// lines between paragraphs. Source is the only way from a span of Copy to the
// source.
type Reading struct {
	Copy     *verbatim.Document
	Repairs  []Repair        // in source order, without overlaps
	Headings []verbatim.Span // in Copy, in order

	source *verbatim.Document
	// copied[i] is where the text of Repairs[i] starts in Copy.
	copied []int
}

// A Repair replaces the source bytes of its Span with Text.
type Repair struct {
	Kind Kind
	verbatim.Span
	Text string
}

// A Kind is the reason for a repair.
type Kind uint8

// The kinds of repair.
const (
	_           Kind = iota
	BOM              // byte order mark at the start of the file
	Header           // Project Gutenberg header
	Footer           // Project Gutenberg footer, with its license
	PageMark         // <page 12>, a form feed, or [12] where it counts the pages
	PageNumber       // on a line of its own
	RunningHead      // title at the top or bottom of a page, with or without its number
	Signature        // printer's signature mark at the bottom of a page: 13*, G
	Note             // footnote
	NoteMark         // reference to a footnote: *, [3]
	Hyphen           // word broken at a line end
	BrokenWord       // the same, but the scan lost the hyphen
	PageJoin         // paragraph split by a page break
	LineWrap         // line end inside a paragraph
	Paragraph        // end of a paragraph without a blank line
	Space            // before punctuation or inside quotation marks
	Entity           // HTML entity: &amp;quot;
	kinds
)

var kindNames = [kinds]string{"", "BOM", "header", "footer", "page mark", "page number", "running head", "signature mark",
	"note", "note mark", "hyphen", "broken word", "page join", "line wrap", "paragraph", "space", "entity"}

func (k Kind) String() string {
	if k < kinds {
		return kindNames[k]
	}
	return "unknown"
}

// KindNames returns the name of every kind of repair, in the order of the constants.
func KindNames() []string { return slices.Clone(kindNames[1:]) }

// Read makes the reading copy of a document. It never fails: text that it is
// not sure about stays unchanged.
func Read(doc *verbatim.Document) *Reading {
	b := &book{knowledge: english, text: doc.Text}
	b.findLines()
	b.markGutenberg()
	b.measure()
	b.findPages()
	b.findHeads()
	b.findPageLabels()
	b.findNotes()
	b.findHeadings()
	b.findParagraphs()
	b.joinWords()
	return b.write(doc)
}

// A book is the text being cleaned: its lines, and what was decided about each.
type book struct {
	*knowledge
	text  string
	lines []line // non-blank lines
	pages []page // empty if the text has no pages
	width int    // bytes in a typical full line
	bare  bool   // there are no blank lines between paragraphs
	cut   bool   // pages or heads were found, so the text is a scan

	printed bool // lines end as in the printed book, with its hyphens

	marks     []verbatim.Span // marks of the notes that were found, in order
	bracketed bool            // note marks look like [1]
	labels    []verbatim.Span // bracketed page numbers inside lines, in order
	lastNote  int             // number of the last note found

	unfinishedNote bool // the last page ended inside a note
}

// A line is one line of the source, without surrounding white space.
type line struct {
	start, end int
	blank      int32  // blank lines before it
	kind       Kind   // why it is removed; 0 for text that stays
	link       link   // what separates it from the kept line before it
	broken     broken // whether its last word continues on the next kept line
	heading    bool
	newPage    bool // first line of a page
	feed       bool // a form feed comes before it
}

// link is what separates a line from the kept line before it.
type link uint8

const (
	paragraph link = iota // a blank line
	wrap                  // a space
	verse                 // a line break by the author
)

func (b *book) str(i int) string { return b.text[b.lines[i].start:b.lines[i].end] }

// kept gives the lines that stay. A line that is removed meanwhile is skipped.
func (b *book) kept() iter.Seq2[int, *line] {
	return func(yield func(int, *line) bool) {
		for i := range b.lines {
			if l := &b.lines[i]; l.kind == 0 && !yield(i, l) {
				return
			}
		}
	}
}

// Heading reports whether a span of Copy overlaps a heading.
func (r *Reading) Heading(s verbatim.Span) bool {
	i := sort.Search(len(r.Headings), func(i int) bool { return r.Headings[i].End > s.Start })
	return i < len(r.Headings) && r.Headings[i].Start < s.End
}

// Source returns the selector of a span of Copy in the source. Its status is
// exact if the source has the same bytes, otherwise mapped, with the repairs
// inside it. The source of a sentence split by a page includes the running
// head. A note mark belongs to the text before it.
func (r *Reading) Source(s verbatim.Span) verbatim.Selector {
	text := r.Copy.Quote(s)
	if len(r.Repairs) == 0 {
		return r.source.Select(s, nil, text)
	}
	src, first, last := r.sourceSpan(s)
	var changes []verbatim.Change
	if r.source.Quote(src) != text {
		for _, rep := range r.Repairs[first:last] {
			if src.Contains(rep.Span) && !(isWhite(rep.Text) && isWhite(r.source.Quote(rep.Span))) {
				changes = append(changes, verbatim.Change{Span: rep.Span, Text: rep.Text})
			}
		}
	}
	return r.source.Select(src, changes, text)
}

// SourceSpan returns the source bytes of a span of Copy.
func (r *Reading) SourceSpan(s verbatim.Span) verbatim.Span {
	if len(r.Repairs) == 0 {
		return s
	}
	span, _, _ := r.sourceSpan(s)
	return span
}

// Prove checks a selector against the source, as Selector.Prove does, and
// against this reading: everything that the selector removes must be something
// that the cleaner removes (page heads, notes, marks), not words of the author.
func (r *Reading) Prove(sel *verbatim.Selector, text string) error {
	if err := sel.Prove(r.source, text); err != nil {
		return err
	}
	for _, cut := range sel.Cuts(r.source) {
		if !r.drops(cut) {
			return fmt.Errorf("it removes %q (bytes %d-%d), which is text of the book, not a page head, note or mark",
				r.source.Quote(cut), cut.Start, cut.End)
		}
	}
	return nil
}

// drops reports whether no byte of a source span is in Copy.
func (r *Reading) drops(s verbatim.Span) bool {
	for i := sort.Search(len(r.Repairs), func(i int) bool { return r.Repairs[i].End > s.Start }); s.Start < s.End; i++ {
		if i == len(r.Repairs) || r.Repairs[i].Start > s.Start || r.Repairs[i].Text != "" {
			return false
		}
		s.Start = r.Repairs[i].End
	}
	return true
}

// sourceSpan returns the source of a span of Copy, and the repairs in it.
func (r *Reading) sourceSpan(s verbatim.Span) (src verbatim.Span, first, last int) {
	// The first repair whose text ends after the start of the span: text
	// removed just before the span is not part of it.
	first = sort.Search(len(r.Repairs), func(i int) bool { return r.copied[i]+len(r.Repairs[i].Text) > s.Start })
	for first < len(r.Repairs) && len(r.Repairs[first].Text) == 0 && r.copied[first] == s.Start {
		first++
	}
	src.Start = r.offset(first, s.Start)
	if s.Start == s.End {
		return verbatim.Span{Start: src.Start, End: src.Start}, first, first
	}
	last = sort.Search(len(r.Repairs), func(i int) bool { return r.copied[i] >= s.End })
	src.End = r.offset(last, s.End)
	if last > 0 && r.copied[last-1]+len(r.Repairs[last-1].Text) > s.End {
		src.End = r.Repairs[last-1].End // inside inserted white space
	}
	if first < len(r.Repairs) && r.copied[first] < s.Start {
		src.Start = r.Repairs[first].Start // also inside inserted white space
	}
	for last < len(r.Repairs) && r.Repairs[last].Kind == NoteMark && r.Repairs[last].Start == src.End {
		src.End = r.Repairs[last].End
		last++
	}
	return src, first, last
}

// offset maps a byte of Copy between repairs i-1 and i to its source byte.
func (r *Reading) offset(i, copied int) int {
	if i == 0 {
		return copied
	}
	return r.Repairs[i-1].End + copied - r.copied[i-1] - len(r.Repairs[i-1].Text)
}

// place maps a source byte to Copy; inside a repair, to the start of its text.
func (r *Reading) place(source int) int {
	i := sort.Search(len(r.Repairs), func(i int) bool { return r.Repairs[i].End > source })
	if i < len(r.Repairs) && r.Repairs[i].Start <= source {
		return r.copied[i]
	}
	if i == 0 {
		return source
	}
	return r.copied[i-1] + len(r.Repairs[i-1].Text) + source - r.Repairs[i-1].End
}

// isWhite reports whether a text is white space and not empty.
func isWhite(s string) bool { return s != "" && strings.TrimSpace(s) == "" }

// A Place is a repair with the source text around it, for display.
type Place struct {
	Repair
	Source        string // the replaced text
	Before, After string // source text on both sides
}

// Places returns every repair, with up to `around` bytes of source on each side.
func (r *Reading) Places(around int) iter.Seq[Place] {
	return func(yield func(Place) bool) {
		text := r.source.Text
		for _, rep := range r.Repairs {
			start, end := max(0, rep.Start-around), min(len(text), rep.End+around)
			for start < rep.Start && !utf8.RuneStart(text[start]) {
				start++
			}
			for end > rep.End && end < len(text) && !utf8.RuneStart(text[end]) {
				end--
			}
			if !yield(Place{rep, text[rep.Start:rep.End], text[start:rep.Start], text[rep.End:end]}) {
				return
			}
		}
	}
}

// A Count is how often a kind of repair was made.
type Count struct {
	Kind    Kind
	Repairs int
}

// Counts returns the kinds of repair that were made, in their order.
func (r *Reading) Counts() []Count {
	var all [kinds]Count
	for _, rep := range r.Repairs {
		all[rep.Kind].Kind = rep.Kind
		all[rep.Kind].Repairs++
	}
	return slices.DeleteFunc(all[:], func(c Count) bool { return c.Repairs == 0 })
}

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
