// Package review is where people decide about drafts: the decisions, the log
// that keeps them, the session in which they are made, and what a reviewer
// reads meanwhile. Package terminal shows a session; other views can as well.
//
// What to count on: no decision is ever changed or lost. Two people's logs mean
// the same when merged in any order, or twice. A decision can be undone and
// redone without limit, also after years. A decision holds everything that was
// on the screen, before and after, so it needs no draft to be understood. A
// decision is on the disk before the session shows the next draft.
//
// A Log and a Session are safe for concurrent use.
package review

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"verbatim"
)

// A Verdict is what was decided about a draft or a wrong answer.
type Verdict string

// A draft without verdict is open. Passage means that the passage is accepted
// and its wrong answers are still to be decided; Flagged, that someone wants to
// look again.
const (
	Open     Verdict = ""
	Passage  Verdict = "passage"
	Accepted Verdict = "accepted"
	Rejected Verdict = "refused" // the word in every log since the first version
	Flagged  Verdict = "flagged"
	Replaced Verdict = "replaced" // the book was changed, and another draft took its place
)

// String is the verdict in the words that reviewers read; logs hold the value.
func (v Verdict) String() string {
	switch v {
	case Open:
		return "open"
	case Rejected:
		return "rejected"
	}
	return string(v)
}

// decided reports whether nothing is left to ask.
func (v Verdict) decided() bool { return v != Open && v != Passage }

// A State is a draft as its reviewer left it.
type State struct {
	Verdict Verdict `json:"verdict"`
	verbatim.Masking
	Answers []Answer `json:"answers,omitempty"`
	// Question is the whole question that was accepted.
	Question *verbatim.Question `json:"question,omitempty"`
}

// An Answer is one wrong answer and what was decided about it. Was is the
// proposed text, where a person edited or replaced it.
type Answer struct {
	verbatim.Option
	Verdict Verdict `json:"verdict"`
	Was     string  `json:"was,omitempty"`
}

// Clone returns a copy whose answers can be changed without changing s.
func (s State) Clone() State {
	s.Answers = slices.Clone(s.Answers)
	return s
}

// Count is the number of wrong answers with a verdict.
func (s State) Count(v Verdict) int {
	return count(s.Answers, func(a Answer) bool { return a.Verdict == v })
}

func count[T any](list []T, holds func(T) bool) int {
	n := 0
	for _, v := range list {
		if holds(v) {
			n++
		}
	}
	return n
}

// with is the state with another verdict, and without its question.
func (s State) with(v Verdict) State {
	s.Verdict, s.Question = v, nil
	return s
}

// has reports whether a wrong answer has this text, or had it before an edit.
func (s State) has(text string) bool {
	return slices.ContainsFunc(s.Answers, func(a Answer) bool { return a.Text == text || a.Was == text })
}

// Options are the accepted wrong answers. One that a person wrote in place of
// another has a manual type; decisions of earlier versions may not say so.
func (s State) Options() []verbatim.Option {
	var options []verbatim.Option
	for _, a := range s.Answers {
		if a.Verdict == Accepted {
			if a.Was != "" {
				a.Type = manual(a.Type)
			}
			options = append(options, a.Option)
		}
	}
	return options
}

// manual is the type of an answer that a person wrote in place of another.
func manual(kind string) string {
	if strings.HasPrefix(kind, "manual") {
		return kind
	}
	return "manual_" + kind
}

// A Decision is one line of the log.
type Decision struct {
	ID       string    `json:"id"` // a hash of all that follows
	Reviewer string    `json:"reviewer"`
	Time     time.Time `json:"time"`
	Seconds  float64   `json:"seconds"` // spent on it
	Book     string    `json:"book"`
	Category string    `json:"category"`
	Draft    string    `json:"draft"`
	Act      string    `json:"act"` // accept, edit passage, undo ...; see actWords
	// Replaces are the decisions about the draft that its reviewer knew of.
	Replaces []string `json:"replaces,omitempty"`
	Undoes   string   `json:"undoes,omitempty"`
	Note     string   `json:"note,omitempty"` // what its reviewer says about it
	Before   State    `json:"before"`
	After    State    `json:"after"`
}

// hash is the decision's id. A field that is added later must be left out where
// it is empty, or all older lines look changed.
func (d *Decision) hash() string {
	bare := *d
	bare.ID = ""
	line, err := json.Marshal(bare)
	if err != nil {
		panic(err) // a decision holds nothing that JSON cannot encode
	}
	sum := sha256.Sum256(line)
	return hex.EncodeToString(sum[:8])
}

// words are what a decision did, as reviewers read it; of an undo, what it undid.
func (l *Log) words(d *Decision) string {
	for d.Undoes != "" {
		undone := l.decision(d.Undoes)
		if undone == nil {
			break
		}
		d = undone
	}
	return cmp.Or(actWords[d.Act], d.Act)
}

// actWords are acts in the words that reviewers read. Logs keep the older ones.
var actWords = map[string]string{"refuse": "reject", "refuse answer": "reject answer", "edit truth": "edit ground truth"}
