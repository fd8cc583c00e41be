package review

import (
	"cmp"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"verbatim"
)

// A Log is the set of decisions about one book. Several sessions may share it.
type Log struct {
	// writing is held from making a decision until it is on the disk, in the log
	// and in the question file, so that reading never waits for a disk.
	writing sync.Mutex

	mu        sync.Mutex // guards the rest; decisions never change
	decisions map[string]*Decision
	order     []*Decision            // by time, then id: the same for any order of the files
	byDraft   map[string][]*Decision // in the same order, without undos
	undoers   map[string][]*Decision
	dropped   map[string]bool      // whether a decision is undone; filled when asked
	standings map[string]*Standing // filled when asked; nil where all is undone
	drafts    []string             // in the order of their first decision; never changed in place
}

// NewLog returns a log without decisions.
func NewLog() *Log {
	l := &Log{}
	l.clear()
	return l
}

func (l *Log) clear() {
	l.decisions, l.byDraft, l.undoers = map[string]*Decision{}, map[string][]*Decision{}, map[string][]*Decision{}
	l.order, l.dropped, l.standings, l.drafts = nil, nil, nil, nil
}

// Load reads a log. It reports each bad line with its place and reads the
// others. A line that was edited is reported and counts as it is, unless the
// log holds the original as well.
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
		bad.What = fmt.Sprintf("this decision of %s was edited after it was made (its id is no longer its hash)", d.Reviewer)
		bad.Remedy = "it counts as it is; if the edit was a mistake, restore the line"
	default:
		return nil
	}
	return bad
}

// Add adds a decision to the set. Adding it twice changes nothing.
func (l *Log) Add(d Decision) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.add(d)
}

func (l *Log) add(d Decision) error {
	if d.ID == "" || d.Draft == "" {
		return fmt.Errorf("a decision must have an id and a draft; restore the line")
	}
	if old := l.decisions[d.ID]; old != nil {
		if old.hash() == d.hash() {
			return nil
		}
		// In either order the original counts, and of two edited ones the same.
		if d.hash() == d.ID || old.hash() != d.ID && d.hash() < old.hash() {
			l.exchange(d)
		}
		return fmt.Errorf("two different decisions have the id %s: a line was edited; the original counts", d.ID)
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

// exchange replaces the decision with the same id. This is so rare that it
// rebuilds the log.
func (l *Log) exchange(d Decision) {
	all := l.order
	l.clear()
	for _, old := range all {
		if old.ID == d.ID {
			old = &d
		}
		_ = l.add(*old) // it was in the log before
	}
}

func insert(list []*Decision, d *Decision) []*Decision {
	at, _ := slices.BinarySearchFunc(list, d, before)
	return slices.Insert(list, at, d)
}

func before(a, b *Decision) int { return cmp.Or(a.Time.Compare(b.Time), strings.Compare(a.ID, b.ID)) }

// Len is the number of decisions, including undone ones and undos.
func (l *Log) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.order)
}

// All yields the decisions of now in the order of time.
func (l *Log) All() iter.Seq[*Decision] {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Values(slices.Clone(l.order))
}

// undone reports whether a decision has an undo that is not itself undone.
func (l *Log) undone(d *Decision) bool {
	if gone, known := l.dropped[d.ID]; known {
		return gone
	}
	if l.dropped == nil {
		l.dropped = map[string]bool{}
	}
	l.dropped[d.ID] = false // an edited line may undo itself; this ends the recursion
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
	// Disputed means that the heads cannot both hold.
	Disputed bool
}

// Of is the standing of a draft; ok is false where no decision holds.
func (l *Log) Of(draft string) (standing Standing, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
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

// replace marks a decision and everything that it replaced.
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
	switch v {
	case Flagged:
		return 1
	case Passage, Replaced:
		return 2
	case Rejected:
		return 3
	case Accepted:
		return 4
	}
	return 0
}

// disagree reports whether two people's decisions cannot both hold: one accepts
// what the other rejects, or they accept different texts.
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

// Standings yields every draft with a decision that holds, in the order of the
// first decision.
func (l *Log) Standings() iter.Seq[Standing] {
	return func(yield func(Standing) bool) {
		for _, draft := range l.decidedDrafts() {
			if s, ok := l.Of(draft); ok && !yield(s) {
				return
			}
		}
	}
}

func (l *Log) decidedDrafts() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.drafts == nil {
		seen := map[string]bool{}
		for _, d := range l.order {
			if !seen[d.Draft] {
				seen[d.Draft] = true
				l.drafts = append(l.drafts, d.Draft)
			}
		}
	}
	return l.drafts
}

// decide makes the next decision about a draft, without adding it. It replaces
// the decisions that it names; nil means all that hold now.
func (l *Log) decide(d Decision, now time.Time) Decision {
	l.mu.Lock()
	defer l.mu.Unlock()
	if d.Replaces == nil {
		d.Replaces = ids(l.heads(d.Draft))
	}
	if len(d.Replaces) == 0 {
		d.Replaces = nil
	}
	return l.stamp(d, now)
}

// ids are the sorted ids of decisions, never nil.
func ids(decisions []*Decision) []string {
	ids := []string{}
	for _, d := range decisions {
		ids = append(ids, d.ID)
	}
	slices.Sort(ids)
	return ids
}

// stamp sets time and id. Time moves forward even where the clock does not, so
// that the order of the log is the order of the work.
func (l *Log) stamp(d Decision, now time.Time) Decision {
	d.Time = now.UTC().Truncate(time.Microsecond)
	if n := len(l.order); n > 0 && !d.Time.After(l.order[n-1].Time) {
		d.Time = l.order[n-1].Time.Add(time.Microsecond)
	}
	d.ID = d.hash()
	return d
}

// LastOf is the decision that an undo would undo: the reviewer's latest that
// holds, or nil.
func (l *Log) LastOf(reviewer string) *Decision {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, d := range slices.Backward(l.order) {
		if d.Reviewer == reviewer && d.Undoes == "" && !l.undone(d) {
			return d
		}
	}
	return nil
}

// LastUndone is the undo that a redo would undo: the reviewer's latest since
// their last decision, or nil.
func (l *Log) LastUndone(reviewer string) *Decision {
	l.mu.Lock()
	defer l.mu.Unlock()
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

// reverse makes the decision that undoes another, without adding it.
func (l *Log) reverse(last *Decision, act, reviewer string, now time.Time) Decision {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.stamp(Decision{Reviewer: reviewer, Book: last.Book, Category: last.Category, Draft: last.Draft,
		Act: act, Undoes: last.ID, Before: last.After, After: last.Before}, now)
}
