// Package clean makes a reading copy of a scanned book and keeps the way back:
// every span of the copy has a selector that proves itself against the
// untouched source, byte for byte.
//
// Running heads, page numbers and page marks are removed, notes at the foot of
// a page too; words broken at a line's end are joined, paragraphs cut by a page
// are made whole, hard line wraps become spaces. What is a head and what is a
// broken word is learnt from the book itself: a head by its repetition and its
// place, a word by its standing elsewhere in the book. A text that needs no
// repair comes back as it was.
package clean

import (
	"sort"

	"verbatim"
)

// A Reading is a book as one reads it. Copy is a Document of its own, whose
// paragraphs are parted by blank lines; spans of it find their source by
// Source and by nothing else.
type Reading struct {
	Copy     *verbatim.Document
	Repairs  []Repair        // in the order of the source, never overlapping
	Headings []verbatim.Span // in Copy, in order

	source *verbatim.Document
	// copied[i] is where in Copy the text of Repairs[i] begins.
	copied []int
}

// A Repair put Text in the place of the source bytes of its Span.
type Repair struct {
	Kind Kind
	verbatim.Span
	Text string
}

// A Kind says why a repair was made.
type Kind uint8

// The kinds, as a reader of books would call them.
const (
	_           Kind = iota
	BOM              // the byte order mark at a file's start
	Header           // Project Gutenberg's
	Footer           // Project Gutenberg's, with its licence
	PageMark         // <page 12>, a form feed
	PageNumber       // alone on its line
	RunningHead      // the title over the page, with or without its number
	Signature        // the binder's mark at the foot of a page: 13*, G
	Note             // a note at the foot of a page
	NoteMark         // what points to it: *, [3]
	Hyphen           // a word broken at a line's end
	BrokenWord       // the same, where the scan lost the hyphen
	PageJoin         // a paragraph that a page had cut
	LineWrap         // a line's end inside a paragraph
	Paragraph        // a paragraph's end that had no blank line
	Space            // before a stop, inside quotation marks
	Entity           // &amp;quot;
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

// Read makes the reading copy of a document. It never fails: what it is not
// sure of it leaves alone.
func Read(doc *verbatim.Document) *Reading { return standard.Read(doc) }

// Read makes the reading copy of a document with knowledge of one's own.
func (k *Knowledge) Read(doc *verbatim.Document) *Reading {
	b := &book{Knowledge: k, text: doc.Text}
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

// book is the work on one text: its lines, and what is decided about each.
type book struct {
	*Knowledge
	text  string
	lines []line // those that are not blank
	pages []page // empty where the text has no pages
	width int    // bytes in a usual full line
	bare  bool   // paragraphs have no blank lines between them
	cut   bool   // pages or heads were found: the text is a scan

	printed bool // lines end as in the print, with its hyphens

	marks     []verbatim.Span // note marks whose notes were found, in order
	bracketed bool            // notes are marked [1]
	lastNote  int             // the figure of the note found last

	unfinishedNote bool // the last page ended within a note
}

// A line is one line of the source without the white space around it.
type line struct {
	start, end int
	blank      int32  // blank lines before it
	kind       Kind   // why it is to go; 0 for text that stays
	link       link   // how it hangs on the kept line before it
	broken     broken // whether its last word goes on in the next kept line
	heading    bool
	newPage    bool // the first of a page
	feed       bool // a form feed stands before it
}

// link says what stands between a line and the kept line before it.
type link uint8

const (
	paragraph link = iota // a blank line
	wrap                  // a space
	verse                 // a line's end that is the author's
)

func (b *book) str(i int) string { return b.text[b.lines[i].start:b.lines[i].end] }

// Heading says whether a span of Copy lies in a heading or crosses one.
func (r *Reading) Heading(s verbatim.Span) bool {
	i := sort.Search(len(r.Headings), func(i int) bool { return r.Headings[i].End > s.Start })
	return i < len(r.Headings) && r.Headings[i].Start < s.End
}
