package journal

import (
	"slices"

	"verbatim"
	"verbatim/cue"
)

// The polarities of an item.
const (
	Present   = "present"
	Absent    = "absent"
	Uncertain = "uncertain"
)

// A Judge decides the polarity of spans. It reuses its buffers: use one per
// goroutine.
type Judge struct{ reader *cue.Reader }

// NewJudge returns a Judge that uses these cards.
func NewJudge(cards *cue.Cards) *Judge { return &Judge{cards.NewReader()} }

// Polarity returns the polarity of a span of a sentence and the card that
// decided. The card is empty if nothing negates or doubts the span. It looks at
// the scopes in which the span begins. A negation takes precedence over a doubt:
// `might not` negates.
func (j *Judge) Polarity(sentence string, span verbatim.Span) (polarity, card string) {
	polarity = Present
	for _, r := range j.reader.Reaches("", sentence) {
		if r.Scope.Start > span.Start || span.Start >= r.Scope.End || r.Contains(span) {
			continue // a negation does not negate itself
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

// Scopes returns the negations and doubts of a sentence and their scopes. The
// slice is valid until the next call.
func (j *Judge) Scopes(sentence string) []cue.Tag {
	return slices.DeleteFunc(j.reader.Reaches("", sentence), func(r cue.Tag) bool { return r.Sense != Absent && r.Sense != Uncertain })
}
