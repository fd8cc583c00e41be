package review

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"time"

	"verbatim"
	"verbatim/cloze"
)

// A Log is the set of decisions about one book. Several sessions may share it.
type Log struct {
	// writing is held from making a decision until it is on the disk, in the log
	// and in the question file, so that reading never waits for a disk.
	writing sync.Mutex

	mu        sync.Mutex // guards the rest; decisions never change
	decisions map[string]*Decision
	order     []*Decision // by time, then id: the same for any order of the files
	now       *meaning    // nil where a decision was added since
}

// NewLog returns a log without decisions.
func NewLog() *Log { return &Log{decisions: map[string]*Decision{}} }

// Load reads a log. It reports each bad line with its place and reads the
// others. A line that was edited is reported and counts as it is, unless the
// log holds the original as well.
func Load(lines iter.Seq2[verbatim.Line, error]) (*Log, []error) {
	log := NewLog()
	var problems []error
	for line, err := range lines {
		var d Decision
		if err == nil {
			d, err = verbatim.Decode[Decision](line)
		}
		if err != nil {
			problems = append(problems, err)
			continue
		}
		bad := &verbatim.LineError{File: line.File, Line: line.Number}
		if err := log.Add(d); err != nil {
			bad.What = err.Error()
		} else if d.hash() != d.ID {
			bad.What = fmt.Sprintf("this decision of %s was edited after it was made (its id is no longer its hash)", d.Reviewer)
			bad.Remedy = "it counts as it is; if the edit was a mistake, restore the line"
		} else if impossible(d.Time, time.Now()) {
			bad.What = fmt.Sprintf("this decision of %s is dated %s, in the future", d.Reviewer, d.Time.Format(time.DateOnly))
			bad.Remedy = "it counts; set the clock of the computer that made it"
		}
		if bad.What != "" {
			problems = append(problems, bad)
		}
	}
	return log, problems
}

// Add adds a decision to the set. Adding it twice changes nothing.
func (l *Log) Add(d Decision) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if d.ID == "" || d.Draft == "" {
		return errors.New("a decision must have an id and a draft; restore the line")
	}
	var edited error
	if old := l.decisions[d.ID]; old != nil {
		if old.hash() == d.hash() {
			return nil
		}
		edited = fmt.Errorf("two different decisions have the id %s: a line was edited; the original counts", d.ID)
		// In either order the original counts, and of two edited ones the same.
		if d.hash() != d.ID && (old.hash() == d.ID || d.hash() >= old.hash()) {
			return edited
		}
		l.order = slices.DeleteFunc(l.order, func(o *Decision) bool { return o == old })
	}
	at, _ := slices.BinarySearchFunc(l.order, &d, before)
	l.decisions[d.ID], l.order, l.now = &d, slices.Insert(l.order, at, &d), nil
	return edited
}

// decision is the decision with an id, or nil.
func (l *Log) decision(id string) *Decision {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.decisions[id]
}

func before(a, b *Decision) int { return cmp.Or(a.Time.Compare(b.Time), strings.Compare(a.ID, b.ID)) }

// Len is the number of decisions, including undone ones and undos.
func (l *Log) Len() int { return len(l.meaning().order) }

// All yields the current decisions in the order of time.
func (l *Log) All() iter.Seq[*Decision] { return slices.Values(l.meaning().order) }

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

// A meaning is what the decisions of a log say together. It does not change.
type meaning struct {
	order     []*Decision
	undone    map[string]bool
	drafts    []string // with a decision that holds, in the order of their first decision
	standings map[string]*Standing
}

func (l *Log) meaning() *meaning {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.now == nil {
		l.now = newMeaning(slices.Clone(l.order))
	}
	return l.now
}

// newMeaning reads the decisions together. Only who undoes and who replaces whom
// counts, never the order: clocks differ.
func newMeaning(order []*Decision) *meaning {
	m := &meaning{order: order, undone: map[string]bool{}, standings: map[string]*Standing{}}
	undoers, replacers := map[string][]*Decision{}, map[string][]*Decision{}
	for _, d := range order {
		if d.Undoes != "" {
			undoers[d.Undoes] = append(undoers[d.Undoes], d)
			continue
		}
		for _, id := range d.Replaces {
			replacers[id] = append(replacers[id], d)
		}
	}
	undone := relation(undoers, func(by *Decision, undone func(*Decision) bool) bool { return !undone(by) })
	// What a replaced decision had replaced stays replaced.
	replaced := relation(replacers, func(by *Decision, replaced func(*Decision) bool) bool { return !undone(by) || replaced(by) })
	heads := map[string][]*Decision{}
	for _, d := range order {
		m.undone[d.ID] = undone(d)
		if d.Undoes == "" && d.Act != noteAct && !undone(d) && !replaced(d) {
			heads[d.Draft] = append(heads[d.Draft], d)
		}
	}
	for _, d := range order {
		if _, seen := m.standings[d.Draft]; !seen && len(heads[d.Draft]) > 0 {
			m.drafts = append(m.drafts, d.Draft)
			m.standings[d.Draft] = standing(d.Draft, heads[d.Draft])
		}
	}
	return m
}

// relation answers whether one of the decisions in by[d.ID] counts against d.
// Ids are hashes, so there are no circles, unless somebody edits the file; then
// the first decision that is asked about counts.
func relation(by map[string][]*Decision, counts func(*Decision, func(*Decision) bool) bool) func(*Decision) bool {
	known := map[string]bool{}
	var holds func(*Decision) bool
	holds = func(d *Decision) bool {
		if answer, asked := known[d.ID]; asked {
			return answer
		}
		known[d.ID] = false
		known[d.ID] = slices.ContainsFunc(by[d.ID], func(b *Decision) bool { return counts(b, holds) })
		return known[d.ID]
	}
	return holds
}

func standing(draft string, heads []*Decision) *Standing {
	best := heads[0]
	s := &Standing{Draft: draft, Heads: heads, Book: best.Book, Category: best.Category}
	for _, h := range heads[1:] {
		s.Disputed = s.Disputed || disagree(best, h)
		if weight[h.After.Verdict] >= weight[best.After.Verdict] {
			best = h // of equal weight, the later
		}
	}
	s.State = best.After
	return s
}

// Of is the standing of a draft; ok is false where no decision holds.
func (l *Log) Of(draft string) (standing Standing, ok bool) {
	if s := l.meaning().standings[draft]; s != nil {
		return *s, true
	}
	return Standing{}, false
}

// Standings yields every draft with a decision that holds, by its first decision.
func (l *Log) Standings() iter.Seq[Standing] {
	return func(yield func(Standing) bool) {
		m := l.meaning()
		for _, draft := range m.drafts {
			if !yield(*m.standings[draft]) {
				return
			}
		}
	}
}

var weight = map[Verdict]int{Flagged: 1, Passage: 2, Replaced: 2, Rejected: 3, Accepted: 4}

// disagree reports whether two people's decisions cannot both hold: one accepts
// what the other rejects, or they accept different texts.
func disagree(a, b *Decision) bool {
	if weight[a.After.Verdict] < 3 || weight[b.After.Verdict] < 3 {
		return false
	}
	x, y := a.After, b.After
	sameText := x.Masked == y.Masked && x.Truth == y.Truth && slices.Equal(chosen(x), chosen(y))
	return x.Verdict != y.Verdict || x.Verdict == Accepted && !sameText
}

func chosen(s State) []string {
	var texts []string
	for _, o := range s.Options() {
		texts = append(texts, o.Type+": "+o.Text)
	}
	slices.Sort(texts)
	return texts
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

// stamp completes a decision, without adding it. Unless it is an undo, it
// replaces the decisions that it names; nil means all that hold now. Time moves
// forward even where the clock does not, so that the order of the log is the
// order of the work.
func (l *Log) stamp(d Decision, now time.Time) Decision {
	m := l.meaning()
	if s := m.standings[d.Draft]; s != nil && d.Replaces == nil && d.Undoes == "" && d.Act != noteAct {
		d.Replaces = ids(s.Heads)
	}
	if len(d.Replaces) == 0 {
		d.Replaces = nil
	}
	d.Time = now.UTC().Truncate(time.Microsecond)
	for _, last := range slices.Backward(m.order) {
		if impossible(last.Time, now) {
			continue // a wrong clock does not lead
		}
		if !d.Time.After(last.Time) {
			d.Time = last.Time.Add(time.Microsecond)
		}
		break
	}
	d.ID = d.hash()
	return d
}

// impossible reports whether a time is more than a day ahead.
func impossible(when, now time.Time) bool { return when.After(now.Add(24 * time.Hour)) }

// Past holds the decision that an undo would undo, the reviewer's latest that
// holds, and the undo that a redo would undo, their latest since their last
// decision; nil where there is none.
type Past struct{ Last, Undone *Decision }

// Past is what a reviewer can undo and redo.
func (l *Log) Past(reviewer string) (past Past) {
	m := l.meaning()
	decided := false
	for _, d := range slices.Backward(m.order) {
		switch {
		case d.Reviewer != reviewer:
		case d.Undoes == "":
			decided = true
			if !m.undone[d.ID] {
				past.Last = d
				return past
			}
		case !decided && past.Undone == nil && d.Act == "undo" && !m.undone[d.ID]:
			past.Undone = d
		}
	}
	return past
}

// reverse is the decision that undoes another.
func reverse(d *Decision, act string) *Decision {
	return &Decision{Book: d.Book, Category: d.Category, Draft: d.Draft, Act: act, Undoes: d.ID, Before: d.After, After: d.Before}
}

// A Tally is the numbers of one category, or of several together.
type Tally struct {
	Candidates int // filled in by the caller
	Drafts     int // all that follow, but for Begun
	Accepted   int
	Rejected   int
	Disputed   int
	Flagged    int // also among Waiting or Spare
	Waiting    int // review shows them
	Spare      int // review would show them if one more question were wanted
	Begun      int // the passage is accepted, the whole question is not
	Unmade     int // of those begun: the wrong answers are not made yet
}

// Add adds another tally to t.
func (t *Tally) Add(other Tally) {
	t.Candidates += other.Candidates
	t.Drafts += other.Drafts
	t.Accepted += other.Accepted
	t.Rejected += other.Rejected
	t.Disputed += other.Disputed
	t.Flagged += other.Flagged
	t.Waiting += other.Waiting
	t.Spare += other.Spare
	t.Begun += other.Begun
	t.Unmade += other.Unmade
}

// Counts holds the tallies by category.
type Counts map[string]*Tally

// Of is the tally of a category, which it adds where there is none.
func (c Counts) Of(category string) *Tally {
	if c[category] == nil {
		c[category] = &Tally{}
	}
	return c[category]
}

// Sum adds up all categories.
func (c Counts) Sum() (all Tally) {
	for _, t := range c {
		all.Add(*t)
	}
	return all
}

// Count counts the drafts of a book by what was decided about them. Every such
// number that a person sees comes from here. goal is how many questions a
// category should have; lost are accepted drafts that the book no longer
// supports, which do not count. Without drafts, Waiting and Spare hold only
// those with a decision.
func Count(log *Log, drafts []*cloze.Draft, lost map[string]bool, goal int) Counts {
	c := Counts{}
	made := map[string]bool{}
	for _, d := range drafts {
		made[d.ID] = d.Made || len(d.Options) > 0
	}
	var flagged []string // by category
	for s := range log.Standings() {
		t := c.Of(s.Category)
		switch {
		case s.Disputed:
			t.Disputed++
		case s.Verdict == Accepted && !lost[s.Draft]:
			t.Accepted++
		case s.Verdict == Rejected:
			t.Rejected++
		case s.Verdict == Flagged:
			flagged = append(flagged, s.Category)
		case s.Verdict == Passage:
			t.Begun++
			if made[s.Draft] || len(s.Answers) > 0 {
				t.Waiting++
			} else {
				t.Unmade++
			}
		}
	}
	for _, category := range flagged {
		t := c.Of(category)
		t.Flagged++
		t.undecided(t.Accepted < goal)
	}
	for _, d := range drafts {
		if s, decided := log.Of(d.ID); !decided || s.Verdict == Open || s.Verdict == Accepted && lost[d.ID] {
			t := c.Of(d.Category)
			t.undecided(t.Accepted+t.Begun < goal)
		}
	}
	for _, t := range c {
		// The sum, not the lines of the file: a flagged or rejected draft may no longer
		// be among them.
		t.Drafts = t.Accepted + t.Rejected + t.Disputed + t.Waiting + t.Spare + t.Unmade
	}
	return c
}

func (t *Tally) undecided(wanted bool) {
	if wanted {
		t.Waiting++
	} else {
		t.Spare++
	}
}
