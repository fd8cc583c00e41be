// Package review keeps what people decided: an append-only log that is a set,
// from which everything else follows.
//
// What to count on: no decision is ever changed or lost; two people's logs put
// together in any order, or twice, mean one thing; an undone decision can be
// undone or done again without limit, also after years; and a decision holds
// all that was on the screen, before and after, so that it stands on its own
// when the draft that it was about is gone.
package review

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
	"time"

	"verbatim"
)

// A Verdict is where a draft stands.
type Verdict string

// A draft without verdict is open. Passage says that the passage was accepted
// and the wrong answers wait; Flagged, that somebody wants to look again.
const (
	Open     Verdict = ""
	Passage  Verdict = "passage"
	Accepted Verdict = "accepted"
	Refused  Verdict = "refused"
	Flagged  Verdict = "flagged"
	Replaced Verdict = "replaced" // the book was changed, and another draft stands in its place
)

// A State is a draft as its reviewer left it.
type State struct {
	Verdict Verdict `json:"verdict"`
	verbatim.Masking
	Answers []Answer `json:"answers,omitempty"`
	// Question is what an acceptance accepted, whole.
	Question *verbatim.Question `json:"question,omitempty"`
}

// An Answer is one wrong answer and what was decided about it. Was is the text
// as it was proposed, where a person edited or replaced it.
type Answer struct {
	verbatim.Option
	Verdict Verdict `json:"verdict"`
	Was     string  `json:"was,omitempty"`
}

// Clone gives a copy that shares nothing with s that a reviewer changes.
func (s State) Clone() State {
	s.Answers = slices.Clone(s.Answers)
	return s
}

// Count is the number of wrong answers with a verdict.
func (s State) Count(v Verdict) int {
	n := 0
	for _, a := range s.Answers {
		if a.Verdict == v {
			n++
		}
	}
	return n
}

// Options are the wrong answers of the question. What a person put in the place
// of another is called manual; decisions of earlier versions may not say so.
func (s State) Options() []verbatim.Option {
	var options []verbatim.Option
	for _, a := range s.Answers {
		if a.Verdict == Accepted {
			if a.Was != "" {
				a.Type = Manual(a.Type)
			}
			options = append(options, a.Option)
		}
	}
	return options
}

// Manual is the type of what a person puts in the place of an answer.
func Manual(kind string) string {
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
	Act      string    `json:"act"` // in words: accept, refuse, edit passage, undo ...
	// Replaces are the decisions about the draft that stood until now.
	Replaces []string `json:"replaces,omitempty"`
	Undoes   string   `json:"undoes,omitempty"`
	Before   State    `json:"before"`
	After    State    `json:"after"`
}

// hash is what the id is made of. A field that is added to a decision one day
// must be left out where it is empty, or all older lines look changed.
func (d *Decision) hash() string {
	bare := *d
	bare.ID = ""
	line, err := json.Marshal(bare)
	if err != nil {
		panic(err) // there is nothing in it that JSON cannot say
	}
	sum := sha256.Sum256(line)
	return hex.EncodeToString(sum[:8])
}

// A Log is the set of decisions about one book.
type Log struct {
	decisions map[string]*Decision
	order     []*Decision            // by time, then id: the same whatever the files' order
	byDraft   map[string][]*Decision // in the same order; undos are not among them
	undoers   map[string][]*Decision
	dropped   map[string]bool      // decisions that are undone, worked out when asked
	standings map[string]*Standing // worked out when asked; nil where all is undone
	drafts    []string             // in the order of their first decision
}

// NewLog is a log without decisions.
func NewLog() *Log {
	return &Log{decisions: map[string]*Decision{}, byDraft: map[string][]*Decision{}, undoers: map[string][]*Decision{}}
}

// Load reads a log. What is wrong with a line is passed on with its place, and
// the others are read. A line that a hand has changed is named and counts as it
// stands, unless the unchanged one is there as well.
func Load(lines iter.Seq2[verbatim.Line, error]) (*Log, []error) {
	log := NewLog()
	var problems []error
	for line, err := range lines {
		if err == nil {
			err = log.take(line)
		}
		if err != nil {
			problems = append(problems, err)
		}
	}
	return log, problems
}

func (l *Log) take(line verbatim.Line) error {
	d, err := verbatim.Decode[Decision](line)
	if err != nil {
		return err
	}
	bad := &verbatim.LineError{File: line.File, Line: line.Number}
	switch err := l.Add(d); {
	case err != nil:
		bad.What = err.Error()
	case d.hash() != d.ID:
		bad.What = fmt.Sprintf("this decision of %s was changed after it was taken (its id is no longer its hash)", d.Reviewer)
		bad.Remedy = "it counts as it stands; if you did not mean to change it, put it back as it was"
	default:
		return nil
	}
	return bad
}

// Add puts a decision into the set. One that is there already changes nothing.
func (l *Log) Add(d Decision) error {
	if d.ID == "" || d.Draft == "" {
		return fmt.Errorf("a decision without id or draft is no decision; leave the log's lines as they were written")
	}
	if old := l.decisions[d.ID]; old != nil {
		if old.hash() == d.hash() {
			return nil
		}
		// Whichever comes first, the unchanged one counts, and of two changed ones the same.
		if d.hash() == d.ID || old.hash() != d.ID && d.hash() < old.hash() {
			l.exchange(d)
		}
		return fmt.Errorf("two different decisions have the id %s: a line was changed by hand; the unchanged one counts", d.ID)
	}
	l.decisions[d.ID] = &d
	l.order = insert(l.order, &d)
	if d.Undoes != "" {
		l.undoers[d.Undoes] = append(l.undoers[d.Undoes], &d)
	} else {
		l.byDraft[d.Draft] = insert(l.byDraft[d.Draft], &d)
	}
	l.dropped, l.drafts = nil, nil
	delete(l.standings, d.Draft)
	return nil
}

// exchange puts a decision in the place of one with the same id. It happens so
// seldom that the log is built anew.
func (l *Log) exchange(d Decision) {
	all := l.order
	*l = *NewLog()
	for _, old := range all {
		if old.ID == d.ID {
			old = &d
		}
		_ = l.Add(*old) // it was in the log before
	}
}

func insert(list []*Decision, d *Decision) []*Decision {
	at, _ := slices.BinarySearchFunc(list, d, before)
	return slices.Insert(list, at, d)
}

func before(a, b *Decision) int { return cmp.Or(a.Time.Compare(b.Time), strings.Compare(a.ID, b.ID)) }

// Len is the number of decisions, undone ones and undos included.
func (l *Log) Len() int { return len(l.order) }

// All gives every decision in the order of time.
func (l *Log) All() iter.Seq[*Decision] { return slices.Values(l.order) }

// undone says whether a decision is taken back: by an undo that is not itself
// undone.
func (l *Log) undone(d *Decision) bool {
	if gone, known := l.dropped[d.ID]; known {
		return gone
	}
	if l.dropped == nil {
		l.dropped = map[string]bool{}
	}
	l.dropped[d.ID] = false // an undo of itself, made by hand, must not go on for ever
	gone := false
	for _, u := range l.undoers[d.ID] {
		gone = gone || !l.undone(u)
	}
	l.dropped[d.ID] = gone
	return gone
}

// A Standing is what holds for a draft now.
type Standing struct {
	State
	Book, Category, Draft string
	// Heads are the decisions that no later one replaces: one, or one for each
	// person who decided without knowing of the other.
	Heads []*Decision
	// Disputed says that they want different things.
	Disputed bool
}

// Of is the standing of a draft; ok is false where nobody has decided yet.
func (l *Log) Of(draft string) (standing Standing, ok bool) {
	cached, known := l.standings[draft]
	if !known {
		if s, ok := l.standing(draft); ok {
			cached = &s
		}
		if l.standings == nil {
			l.standings = map[string]*Standing{}
		}
		l.standings[draft] = cached
	}
	if cached == nil {
		return Standing{}, false
	}
	return *cached, true
}

func (l *Log) standing(draft string) (standing Standing, ok bool) {
	heads := l.heads(draft)
	if len(heads) == 0 {
		return Standing{}, false
	}
	best := heads[0]
	standing = Standing{Draft: draft, Heads: heads, Book: best.Book, Category: best.Category}
	for _, h := range heads[1:] {
		standing.Disputed = standing.Disputed || disagree(best, h)
		if weight(h.After.Verdict) >= weight(best.After.Verdict) {
			best = h // of equal weight, the later
		}
	}
	standing.State = best.After
	return standing, true
}

// heads are the decisions about a draft that are neither undone nor replaced.
func (l *Log) heads(draft string) []*Decision {
	replaced := map[string]bool{}
	var heads []*Decision
	for _, d := range l.byDraft[draft] {
		if !l.undone(d) {
			for _, id := range d.Replaces {
				l.replace(id, replaced)
			}
		}
	}
	for _, d := range l.byDraft[draft] {
		if !l.undone(d) && !replaced[d.ID] {
			heads = append(heads, d)
		}
	}
	return heads
}

// replace marks a decision and all that it had replaced.
func (l *Log) replace(id string, replaced map[string]bool) {
	if replaced[id] {
		return
	}
	replaced[id] = true
	if d := l.decisions[id]; d != nil {
		for _, older := range d.Replaces {
			l.replace(older, replaced)
		}
	}
}

func weight(v Verdict) int {
	return map[Verdict]int{Open: 0, Flagged: 1, Passage: 2, Replaced: 2, Refused: 3, Accepted: 4}[v]
}

// disagree says whether two people's decisions cannot both stand: one accepts
// what the other refuses, or they accept different texts.
func disagree(a, b *Decision) bool {
	if weight(a.After.Verdict) < 3 || weight(b.After.Verdict) < 3 {
		return false
	}
	return a.After.Verdict != b.After.Verdict || a.After.Verdict == Accepted && !sameText(a.After, b.After)
}

func sameText(a, b State) bool {
	return a.Masked == b.Masked && a.Truth == b.Truth && reflect.DeepEqual(chosen(a), chosen(b))
}

func chosen(s State) []string {
	var texts []string
	for _, o := range s.Options() {
		texts = append(texts, o.Type+": "+o.Text)
	}
	slices.Sort(texts)
	return texts
}

// Standings gives every draft that somebody has decided about, in the order of
// the first decision.
func (l *Log) Standings() iter.Seq[Standing] {
	return func(yield func(Standing) bool) {
		if l.drafts == nil {
			seen := map[string]bool{}
			for _, d := range l.order {
				if !seen[d.Draft] {
					seen[d.Draft] = true
					l.drafts = append(l.drafts, d.Draft)
				}
			}
		}
		for _, draft := range l.drafts {
			if s, ok := l.Of(draft); ok && !yield(s) {
				return
			}
		}
	}
}

// Decide makes the next decision about a draft, which replaces what stood. It
// is not in the log before Add.
func (l *Log) Decide(d Decision, now time.Time) Decision {
	d.Replaces = nil
	for _, head := range l.heads(d.Draft) {
		d.Replaces = append(d.Replaces, head.ID)
	}
	slices.Sort(d.Replaces)
	return l.stamp(d, now)
}

// stamp gives a decision its time and id. Time goes forward even where the
// clock does not, so that the order of the log is the order of the work.
func (l *Log) stamp(d Decision, now time.Time) Decision {
	d.Time = now.UTC().Truncate(time.Microsecond)
	if n := len(l.order); n > 0 && !d.Time.After(l.order[n-1].Time) {
		d.Time = l.order[n-1].Time.Add(time.Microsecond)
	}
	d.ID = d.hash()
	return d
}

// LastOf is the decision that Undo would take back: the reviewer's latest that
// stands, or nil.
func (l *Log) LastOf(reviewer string) *Decision {
	for _, d := range slices.Backward(l.order) {
		if d.Reviewer == reviewer && d.Undoes == "" && !l.undone(d) {
			return d
		}
	}
	return nil
}

// LastUndone is the undo that Redo would take back: the latest since the
// reviewer's last decision, or nil.
func (l *Log) LastUndone(reviewer string) *Decision {
	for _, d := range slices.Backward(l.order) {
		switch {
		case d.Reviewer != reviewer:
		case d.Undoes == "":
			return nil
		case d.Act == "undo" && !l.undone(d):
			return d
		}
	}
	return nil
}

// Undo takes back the reviewer's last decision; ok is false where there is none.
func (l *Log) Undo(reviewer string, now time.Time) (d Decision, ok bool) {
	return l.takeBack(l.LastOf(reviewer), "undo", reviewer, now)
}

// Redo takes back the reviewer's last undo.
func (l *Log) Redo(reviewer string, now time.Time) (d Decision, ok bool) {
	return l.takeBack(l.LastUndone(reviewer), "redo", reviewer, now)
}

func (l *Log) takeBack(last *Decision, act, reviewer string, now time.Time) (Decision, bool) {
	if last == nil {
		return Decision{}, false
	}
	return l.stamp(Decision{Reviewer: reviewer, Book: last.Book, Category: last.Category, Draft: last.Draft,
		Act: act, Undoes: last.ID, Before: last.After, After: last.Before}, now), true
}
