package review

import "verbatim/cloze"

// A Tally is the numbers of one category, or of several together.
type Tally struct {
	Candidates int // filled in by the caller
	Drafts     int
	Accepted   int
	Rejected   int
	Disputed   int
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
		c.Of(d.Category).Drafts++
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
		t.undecided(t.Accepted < goal)
	}
	for _, d := range drafts {
		if s, decided := log.Of(d.ID); !decided || s.Verdict == Open {
			t := c.Of(d.Category)
			t.undecided(t.Accepted+t.Begun < goal)
		}
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
