package journal

import (
	"slices"

	"verbatim"
	"verbatim/cue"
)

// The three polarities.
const (
	Present   = "present"
	Absent    = "absent"
	Uncertain = "uncertain"
)

// A Judge says of a span of a sentence whether what it names is there. It
// keeps its buffers, so each goroutine has one of its own.
type Judge struct{ reader *cue.Reader }

// NewJudge gives a Judge by these cards.
func NewJudge(cards *cue.Cards) *Judge { return &Judge{cards.NewReader()} }

// Polarity is the polarity of a span of a sentence and the card that decided;
// no card means that nothing denies or doubts it.
func (j *Judge) Polarity(sentence string, span verbatim.Span) (polarity, card string) {
	return polarityOf(j.reader.Reaches("", sentence), span)
}

// Reaches are the denials and doubts of a sentence and how far they reach. The
// slice is good until the next call.
func (j *Judge) Reaches(sentence string) []cue.Tag {
	return slices.DeleteFunc(j.reader.Reaches("", sentence), func(r cue.Tag) bool { return r.Sense != Absent && r.Sense != Uncertain })
}

// polarityOf asks the reaches in which the span begins. A denial goes before a
// doubt: `might not` denies, in doubt or not.
func polarityOf(reaches []cue.Tag, span verbatim.Span) (polarity, card string) {
	polarity = Present
	for _, r := range reaches {
		if r.Scope.Start > span.Start || span.Start >= r.Scope.End || r.Contains(span) {
			continue // the word that denies is not itself denied
		}
		switch {
		case r.Sense == Absent:
			return Absent, r.Card
		case r.Sense == Uncertain && polarity == Present:
			polarity, card = Uncertain, r.Card
		}
	}
	return polarity, card
}
