package main

import (
	"verbatim/cloze"
	"verbatim/review"
)

// A tally is the numbers of one category, or of several together.
type tally struct {
	candidates, drafts, accepted, refused, disputed int
	waiting                                         int // review shows them
	spare                                           int // review would show them if one more question were wanted
	unmade                                          int // the passage is accepted, and make has its wrong answers to make
}

func (t *tally) add(other tally) {
	t.candidates, t.drafts = t.candidates+other.candidates, t.drafts+other.drafts
	t.accepted, t.refused, t.disputed = t.accepted+other.accepted, t.refused+other.refused, t.disputed+other.disputed
	t.waiting, t.spare, t.unmade = t.waiting+other.waiting, t.spare+other.spare, t.unmade+other.unmade
}

// tallies is the numbers by category.
type tallies map[string]*tally

func (t tallies) of(category string) *tally {
	if t[category] == nil {
		t[category] = &tally{}
	}
	return t[category]
}

func (t tallies) sum() (all tally) {
	for _, one := range t {
		all.add(*one)
	}
	return all
}

// countBook says where the drafts of a book stand. Every number of them that a
// person sees, in make's table, in status and in what review opens, is from
// here. goal is how many questions a category shall have; lost are accepted
// drafts that the book no longer bears out, which do not count.
func countBook(log *review.Log, drafts []*cloze.Draft, lost map[string]bool, goal int) tallies {
	t := tallies{}
	made := map[string]bool{}
	for _, d := range drafts {
		t.of(d.Category).drafts++
		made[d.ID] = d.Made || len(d.Options) > 0
	}
	begun := map[string]int{}
	for s := range log.Standings() {
		of := t.of(s.Category)
		switch {
		case s.Disputed:
			of.disputed++
		case s.Verdict == review.Accepted && !lost[s.Draft]:
			of.accepted++
		case s.Verdict == review.Refused:
			of.refused++
		case s.Verdict == review.Passage:
			begun[s.Category]++
			if made[s.Draft] || len(s.Answers) > 0 {
				of.waiting++
			} else {
				of.unmade++
			}
		}
	}
	for s := range log.Standings() {
		if s.Verdict == review.Flagged {
			t.of(s.Category).undecided(t.of(s.Category).accepted < goal)
		}
	}
	for _, d := range drafts {
		if s, decided := log.Of(d.ID); !decided || s.Verdict == review.Open {
			t.of(d.Category).undecided(t.of(d.Category).accepted+begun[d.Category] < goal)
		}
	}
	return t
}

func (t *tally) undecided(wanted bool) {
	if wanted {
		t.waiting++
	} else {
		t.spare++
	}
}
