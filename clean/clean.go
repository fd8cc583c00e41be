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
	"iter"
	"slices"
	"sort"

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
	PageMark         // <page 12> or a form feed
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
