package journal

import (
	"errors"
	"fmt"
	"io"

	"verbatim"
)

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
