package workspace

import (
	"crypto/sha256"
	"fmt"
	"slices"

	"verbatim"
	"verbatim/tag"
)

// A Drawn is a sentence or clause that a question could mask.
type Drawn struct {
	Category string
	Index    int    // of its sentence
	Text     string // what would be masked
	Sentence string
	lot      [32]byte
}

// DrawTags draws n sentences or clauses of a book, in the order of the book. The
// place of each in the draw depends only on its own text, so one more candidate
// moves no other.
func DrawTags(t *tag.Tagger, doc *verbatim.Document, n int, seed, purpose string) []Drawn {
	var all []Drawn
	for s := range t.Lines(t.Open(doc)) {
		for _, tag := range s.Tags {
			text := verbatim.FoldSpace(s.Sentence[tag.SentenceStart:tag.SentenceEnd])
			lot := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%s\x00%s\x00%s", seed, doc.ID, tag.Name, text, purpose))
			all = append(all, Drawn{tag.Name, s.Index, text, verbatim.FoldSpace(s.Sentence), lot})
		}
	}
	slices.SortFunc(all, func(a, b Drawn) int { return slices.Compare(a.lot[:], b.lot[:]) })
	all = all[:min(len(all), max(0, n))]
	slices.SortFunc(all, func(a, b Drawn) int { return a.Index - b.Index })
	return all
}
