package cloze

import (
	"errors"
	"fmt"
	"strings"

	"verbatim"
)

const (
	wordsBefore = 40  // a passage has at least so many words before the sentence with the mask
	nextShare   = 0.6 // so many passages have the sentence after it too
)

// Reasons why a candidate has no draft.
var (
	errStart   = fmt.Errorf("fewer than %d words before it", wordsBefore)
	errEnd     = errors.New("no sentence after it")
	errHeading = errors.New("a heading in the passage")
	errTwice   = errors.New("it occurs twice in the passage")
	errRun     = errors.New("no space between two sentences of the passage")
)

// Draft makes the draft of a candidate. The error says why there is none.
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
		ID: draftID(b.Barcode, c.Category, masking.Passage, masking.Truth), Barcode: b.Barcode, Category: c.Category,
		Masking: masking, Connector: c.Connector, Card: c.Card, Tier: c.Tier, Sentence: c.Sentence, Sure: c.Sure, ConfirmedBy: c.ConfirmedBy,
		Place: place, Options: []verbatim.Option{},
	}, nil
}

// passage finds the first and the last sentence of a candidate's passage.
func (b *Book) passage(c Candidate) (first, last int, err error) {
	first, last = c.Sentence, c.Sentence
	for words := 0; words < wordsBefore; words += len(strings.Fields(b.Text(first))) {
		if first--; first < 0 {
			return 0, 0, errStart
		}
	}
	if b.draw("next", c.Category, c.Text) < nextShare {
		if last++; last == len(b.Sentences) {
			return 0, 0, errEnd
		}
	}
	for i := first; i <= last; i++ {
		if b.Heading(i) {
			return 0, 0, errHeading
		}
		if i < last && b.Sentences[i].End == b.Sentences[i+1].Start { // sentences are joined by one space
			return 0, 0, errRun
		}
	}
	return first, last, nil
}

// mask masks a span of the reading copy in the passage around it.
func (b *Book) mask(place, masked verbatim.Span, category Category) (verbatim.Masking, error) {
	text := b.Reading.Copy
	before := foldKeepingEnds(text.Text[place.Start:masked.Start])
	after := foldKeepingEnds(text.Text[masked.End:place.End])
	passage, passageAt := b.Quote(place)
	truth, truthAt := b.Quote(masked)
	if strings.Contains(before, truth) || strings.Contains(after, truth) {
		return verbatim.Masking{}, errTwice
	}
	return verbatim.Masking{Masked: before + category.Mask + after, Passage: passage, Truth: truth, PassageAt: passageAt, TruthAt: truthAt}, nil
}

// Quote is the folded text of a span of the reading copy, and its place in the source.
func (b *Book) Quote(s verbatim.Span) (string, verbatim.Selector) {
	text := verbatim.FoldSpace(b.Reading.Copy.Quote(s))
	sel := b.Reading.Source(s)
	switch {
	case sel.Exact == text:
		sel.Status, sel.Repairs = verbatim.Exact, nil
	case sel.Status == verbatim.Exact:
		sel.Status = verbatim.Mapped // the same except for white space
	}
	return text, sel
}

// foldKeepingEnds folds white space, also at the ends, next to the mask.
func foldKeepingEnds(text string) string {
	folded := verbatim.FoldSpace("|" + text + "|")
	return folded[1 : len(folded)-1]
}
