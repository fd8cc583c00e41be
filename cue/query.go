package cue

import (
	"encoding/json"
	"errors"
	"io"

	"verbatim"
)

// A query is one sentence of another program.
type query struct{ ID, Previous, Sentence string }

// UnmarshalJSON rejects a record without id or sentence. The reader adds the
// file and line to the error.
func (q *query) UnmarshalJSON(data []byte) error {
	var fields struct {
		ID       *string `json:"id"`
		Previous string  `json:"previous"`
		Sentence *string `json:"sentence"`
	}
	if err := json.Unmarshal(data, &fields); err != nil {
		return err
	}
	if fields.ID == nil || fields.Sentence == nil {
		return errors.New(`"id" or "sentence" is missing; write {"id": "...", "previous": "...", "sentence": "..."}`)
	}
	*q = query{*fields.ID, fields.Previous, *fields.Sentence}
	return nil
}

// A HitLine is one occurrence of a connector in JSON.
type HitLine struct {
	ID        string `json:"id"`
	Connector string `json:"connector"`
	Start     int    `json:"start"`
	End       int    `json:"end"`
	Sense     string `json:"sense"`
	Subtype   string `json:"subtype,omitempty"`
	Card      string `json:"card"`
	Sure      bool   `json:"sure"`
}

// Line is the hit in JSON, under the id of its sentence.
func (h Hit) Line(id string) HitLine {
	return HitLine{id, h.Connector, h.Start, h.End, h.Sense, h.Subtype, h.Card, h.Sure}
}

// Answer reads sentences, one {"id","previous","sentence"} per line, and writes
// every occurrence of a connector. A bad line is reported and skipped; done is the
// number of the others.
func (c *Cards) Answer(in io.Reader, file string, out io.Writer, report func(error)) (done int, err error) {
	r := c.NewReader()
	err = verbatim.Write(out, func(yield func(HitLine, error) bool) {
		for q, err := range verbatim.Read[query](in, file) {
			if line := (*verbatim.LineError)(nil); errors.As(err, &line) {
				report(err)
				continue
			}
			if err != nil {
				yield(HitLine{}, err)
				return
			}
			done++
			for _, h := range r.Hits(q.Previous, q.Sentence) {
				if !yield(h.Line(q.ID), nil) {
					return
				}
			}
		}
	})
	return done, err
}
