// Package cloze makes cloze questions of a book: it finds the sentences and
// clauses that carry an argument, draws some, hides each in its passage and
// puts wrong answers beside it.
//
// What to count on: every text of a draft that comes from the book carries its
// place there; the mask is set by that place and never by a search; and every
// draw has a generator of its own, so that one candidate more, another order
// of work or a resumed run moves no other draw.
package cloze

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"iter"
	"slices"
	"strings"

	"verbatim"
	"verbatim/clean"
	"verbatim/cue"
	"verbatim/sentence"
)

// A Book is a text with its candidates.
type Book struct {
	Barcode string
	Source  *verbatim.Document
	Reading *clean.Reading
	// Candidates by category, in the order of the text.
	Candidates map[string][]Candidate

	sentences []verbatim.Sentence
	seed      int64
}

// A Candidate is a sentence or clause that could be hidden. Its span is of the
// reading copy.
type Candidate struct {
	verbatim.Span
	Category  string
	Sentence  int // the number of the sentence that it is or ends
	Connector string
	Word      int // the white-space word at which it begins
	Tier      string
	Card      string // the card that decided the sense
	Sure      bool   // the rules need no language model to decide the sense
	Text      string // with white space folded
	CheckedBy string // who confirmed the sense: rules, or a language model
}

// Open reads a book: its copy, its sentences and its candidates. seed is the
// one of --seed; split are the splitter's English rules if nil.
func Open(doc *verbatim.Document, cards *cue.Cards, split *sentence.Rules, seed int64) *Book {
	b := &Book{Barcode: doc.ID, Source: doc, Reading: clean.Read(doc), Candidates: map[string][]Candidate{}, seed: seed}
	if split == nil {
		b.sentences = slices.Collect(sentence.Split(b.Reading.Copy))
	} else {
		b.sentences = slices.Collect(split.Split(b.Reading.Copy))
	}
	tagger := cards.NewReader()
	previous := ""
	for i, s := range b.sentences {
		text := b.Reading.Copy.Quote(s.Span)
		if b.Reading.Heading(s.Span) {
			previous = ""
			continue
		}
		tags, _ := tagger.Tags(previous, text)
		for _, tag := range tags {
			b.add(i, tag)
		}
		previous = text
	}
	return b
}

func (b *Book) add(i int, tag cue.Tag) {
	category, known := CategoryOf(tag.Name)
	if !known {
		return
	}
	s := b.sentences[i]
	span := verbatim.Span{Start: s.Start + tag.Scope.Start, End: s.Start + tag.Scope.End}
	if !category.Clause() {
		span = s.Span // the whole sentence, with quotation marks that the tagger may leave out
	}
	b.Candidates[category.Name] = append(b.Candidates[category.Name], Candidate{
		Span: span, Category: category.Name, Sentence: i, Connector: tag.Connector, Word: tag.Word,
		Tier: tag.Tier, Card: tag.Card, Sure: tag.Sure, Text: verbatim.FoldSpace(b.Reading.Copy.Quote(span)), CheckedBy: "rules",
	})
}

// Confirm keeps the candidates that a file of tagged sentences still has, and
// takes over who confirmed them: by is empty for one that is gone, because a
// language model or a person refused it.
func (b *Book) Confirm(by func(sentence int, category string) string) {
	for name, list := range b.Candidates {
		var kept []Candidate
		for _, c := range list {
			if c.CheckedBy = by(c.Sentence, c.Category); c.CheckedBy != "" {
				kept = append(kept, c)
			}
		}
		b.Candidates[name] = kept
	}
}

// Fits says whether a line of tagged sentences is about the sentence that the
// book has at its number: by its words, or by its place where they were mended.
func (b *Book) Fits(line *verbatim.Tagged) bool {
	if line.Index < 0 || line.Index >= len(b.sentences) {
		return false
	}
	at := b.sentences[line.Index].Span
	return b.Reading.Copy.Quote(at) == line.Sentence || b.Reading.SourceSpan(at) == line.Span
}

// Tagged is the sentence of a draft with its tag, and the sentence before it,
// for those who must judge its sense.
func (b *Book) Tagged(d *Draft) (previous string, s verbatim.Tagged, tag verbatim.Tag) {
	c := d.candidate
	at := b.sentences[c.Sentence]
	if c.Sentence > 0 && !b.heading(c.Sentence-1) {
		previous = b.Reading.Copy.Quote(b.sentences[c.Sentence-1].Span)
	}
	tag = verbatim.Tag{Name: c.Category, Connector: c.Connector, Word: c.Word, From: c.Start - at.Start, To: c.End - at.Start,
		Tier: c.Tier, Rule: c.Card, Sure: c.Sure, Confirmed: d.CheckedBy}
	s = verbatim.Tagged{Sentence: b.Reading.Copy.Quote(at.Span), Index: at.Number, Paragraph: at.Paragraph, Tags: []verbatim.Tag{tag}}
	return previous, s, tag
}

// Sentences is the number of sentences in the book.
func (b *Book) Sentences() int { return len(b.sentences) }

// draw is a number between 0 and 1 for one choice: from the seed, the book and
// what is chosen, and from nothing else.
func (b *Book) draw(purpose string, what ...string) float64 {
	sum := sha256.New()
	fmt.Fprintf(sum, "%d\x00%s\x00%s", b.seed, b.Barcode, purpose)
	for _, w := range what {
		fmt.Fprintf(sum, "\x00%s", w)
	}
	return float64(binary.BigEndian.Uint64(sum.Sum(nil))>>11) / (1 << 53)
}

// Drawn gives the candidates of a category in the order in which they are
// drawn: those that the rules are sure of first.
func (b *Book) Drawn(category string) []Candidate {
	order := slices.Clone(b.Candidates[category])
	key := map[string]float64{}
	for _, c := range order {
		key[c.Text] = b.draw("order", category, c.Text)
	}
	slices.SortStableFunc(order, func(x, y Candidate) int {
		return cmp.Or(cmp.Compare(tierRank(x.Tier), tierRank(y.Tier)), cmp.Compare(key[x.Text], key[y.Text]))
	})
	return order
}

func tierRank(tier string) int {
	if tier == cue.Sure {
		return 0
	}
	return 1
}

// Drafts gives the drafts of a category in the order of the draw. A candidate
// whose passage cannot be had is refused and the next one is drawn.
func (b *Book) Drafts(category string) iter.Seq[*Draft] {
	return func(yield func(*Draft) bool) {
		seen := map[string]bool{}
		for _, c := range b.Drawn(category) {
			draft, err := b.Draft(c)
			if err == nil && !seen[draft.ID] {
				seen[draft.ID] = true
				if !yield(draft) {
					return
				}
			}
		}
	}
}

// A Draft is a question as it is proposed.
type Draft struct {
	ID       string `json:"id"` // a hash of what its reviewer sees
	Barcode  string `json:"barcode"`
	Category string `json:"category"`
	verbatim.Masking
	Connector string `json:"connector"`
	Card      string `json:"card"`
	Tier      string `json:"tier"`
	Sentence  int    `json:"sentence"`
	Sure      bool   `json:"sense_sure"`
	// CheckedBy says who confirmed the connector: rules, or a language model.
	CheckedBy string `json:"checked_by"`
	// Place is the passage's span in the reading copy.
	Place verbatim.Span `json:"place"`
	// Options are the wrong answers; Reserve the next best of the same book,
	// for when one is refused. Made says that they were looked for.
	Options []verbatim.Option `json:"options"`
	Reserve []verbatim.Option `json:"reserve,omitempty"`
	Failed  []Failure         `json:"failed,omitempty"`
	Made    bool              `json:"made"`
	// Instead is the id of an accepted draft that stood here before the book was
	// changed.
	Instead string `json:"instead,omitempty"`

	candidate Candidate
}

// A Failure is a wrong answer that was asked for and did not come.
type Failure struct {
	Type string `json:"type"`
	Why  string `json:"why"`
}

// Kind is the draft's category.
func (d *Draft) Kind() Category {
	c, _ := CategoryOf(d.Category)
	return c
}

// ID is the hash of what a reviewer sees, so that re-tagging, or a letter
// mended elsewhere in the book, loses no decision.
func ID(barcode, category, passage, truth string) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{barcode, category, passage, truth}, "\x00")))
	return hex.EncodeToString(sum[:8])
}
