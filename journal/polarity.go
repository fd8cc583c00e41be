package journal

import (
	"errors"
	"fmt"
	"io"
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

// Answer reads questions, one {"id","text","start","end"} per line, and writes the
// polarity of each span and its card. A bad line is reported and skipped; done is
// the number of the others.
func (j *Judge) Answer(in io.Reader, file string, out io.Writer, report func(error)) (done int, err error) {
	type question struct {
		ID   string `json:"id"`
		Text string `json:"text"`
		verbatim.Span
	}
	type answer struct {
		ID       string `json:"id"`
		Polarity string `json:"polarity"`
		Card     string `json:"card,omitempty"`
	}
	err = verbatim.Write(out, func(yield func(answer, error) bool) {
		for line, err := range verbatim.Lines(in, file) {
			if err != nil {
				yield(answer{}, err)
				return
			}
			q, err := verbatim.Decode[question](line)
			if err == nil && (q.Start < 0 || q.End > len(q.Text) || q.Start >= q.End) {
				err = &verbatim.LineError{File: file, Line: line.Number, What: fmt.Sprintf("question %q has no valid span", q.ID),
					Remedy: fmt.Sprintf("start and end must be bytes of its text, which has %d", len(q.Text))}
			}
			if bad := (*verbatim.LineError)(nil); errors.As(err, &bad) {
				report(err)
				continue
			}
			polarity, card := j.Polarity(q.Text, q.Span)
			done++
			if !yield(answer{q.ID, polarity, card}, nil) {
				return
			}
		}
	})
	return done, err
}
