package cloze

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"verbatim"
)

// The passage: at least so many words before the sentence with the mask, and
// in so many of the draws the sentence after it.
const (
	wordsBefore = 40
	nextShare   = 0.6
)

// Reasons why a candidate gives no draft.
var (
	ErrStart   = fmt.Errorf("fewer than %d words stand before it", wordsBefore)
	ErrEnd     = errors.New("no sentence stands after it")
	ErrHeading = errors.New("a heading stands in the passage")
	ErrTwice   = errors.New("the passage says it twice")
	ErrRun     = errors.New("two sentences of the passage run into one another")
)

// Draft makes the draft of a candidate, or says why it cannot.
func (b *Book) Draft(c Candidate) (*Draft, error) {
	category, _ := CategoryOf(c.Category)
	first, last, err := b.passage(c)
	if err != nil {
		return nil, err
	}
	place := verbatim.Span{Start: b.Sentences[first].Start, End: b.Sentences[last].End}
	masking, err := b.mask(place, c.Span, category)
	if err != nil {
		return nil, err
	}
	return &Draft{
		ID: ID(b.Barcode, c.Category, masking.Passage, masking.Truth), Barcode: b.Barcode, Category: c.Category,
		Masking: masking, Connector: c.Connector, Card: c.Card, Tier: c.Tier, Sentence: c.Sentence, Sure: c.Sure, ConfirmedBy: c.ConfirmedBy,
		Place: place, Options: []verbatim.Option{},
	}, nil
}

// passage finds the first and the last sentence of a candidate's passage.
func (b *Book) passage(c Candidate) (first, last int, err error) {
	first, last = c.Sentence, c.Sentence
	for words := 0; words < wordsBefore; words += b.words(first) {
		if first--; first < 0 {
			return 0, 0, ErrStart
		}
		if b.Heading(first) {
			return 0, 0, ErrHeading
		}
	}
	if b.draw("next", c.Category, c.Text) < nextShare {
		if last++; last >= len(b.Sentences) {
			return 0, 0, ErrEnd
		}
		if b.Heading(last) {
			return 0, 0, ErrHeading
		}
	}
	for i := first; i < last; i++ { // "sentences are joined by one space" must be true of the book
		if b.Sentences[i].End == b.Sentences[i+1].Start {
			return 0, 0, ErrRun
		}
	}
	return first, last, nil
}

func (b *Book) words(i int) int {
	return len(strings.Fields(b.Text(i)))
}

// mask hides a span of the copy in the passage around it.
func (b *Book) mask(place, hidden verbatim.Span, category Category) (verbatim.Masking, error) {
	text := b.Reading.Copy
	before := foldKeepingEnds(text.Text[place.Start:hidden.Start])
	after := foldKeepingEnds(text.Text[hidden.End:place.End])
	passage, passageAt := b.Quote(place)
	truth, truthAt := b.Quote(hidden)
	if strings.Contains(before, truth) || strings.Contains(after, truth) {
		return verbatim.Masking{}, ErrTwice
	}
	return verbatim.Masking{Masked: before + category.Mask + after, Passage: passage, Truth: truth, PassageAt: passageAt, TruthAt: truthAt}, nil
}

// Quote is the text of a span of the reading copy, white space folded, and the
// proof of it in the source.
func (b *Book) Quote(s verbatim.Span) (string, verbatim.Selector) {
	text := verbatim.FoldSpace(b.Reading.Copy.Quote(s))
	sel := b.Reading.Source(s)
	switch {
	case sel.Exact == text:
		sel.Status, sel.Repairs = verbatim.Exact, nil
	case sel.Status == verbatim.Exact:
		sel.Status = verbatim.Mapped // the same but for white space
	}
	return text, sel
}

// foldKeepingEnds folds white space but keeps one space at either end, where
// the mask meets its neighbours.
func foldKeepingEnds(text string) string {
	folded := verbatim.FoldSpace(text)
	if folded == "" {
		if text == "" {
			return ""
		}
		return " "
	}
	if strings.TrimLeftFunc(text, unicode.IsSpace) != text {
		folded = " " + folded
	}
	if strings.TrimRightFunc(text, unicode.IsSpace) != text {
		folded += " "
	}
	return folded
}
