package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"verbatim/cloze"
	"verbatim/review"
)

// A summary says at the end of a run what a person would want to know.
type summary struct {
	out, words io.Writer
	goal       int
	books      int
	failed     []string
	notes      []string
	folders    []string
	total      map[string]*tally
	missing    map[string]int // wrong answers that could not be made, by type
	why        map[string]string
}

// A tally is the numbers of one category.
type tally struct{ candidates, drafts, accepted, refused, waiting int }

// fail names a book that failed, at once; the end counts it.
func (s *summary) fail(err error) {
	first, _, _ := strings.Cut(err.Error(), "\n")
	s.failed = append(s.failed, first)
	fmt.Fprintln(s.words, "verbatim:", err)
}

// add takes in one finished book.
func (s *summary) add(w *workbook, o *makeOptions) {
	if s.total == nil {
		s.total, s.missing, s.why = map[string]*tally{}, map[string]int{}, map[string]string{}
	}
	s.books++
	if dir := w.files.Dir(); !slices.Contains(s.folders, dir) {
		s.folders = append(s.folders, dir)
	}
	of := func(category string) *tally {
		if s.total[category] == nil {
			s.total[category] = &tally{}
		}
		return s.total[category]
	}
	for _, c := range cloze.Categories {
		of(c.Name).candidates += len(w.book.Candidates[c.Name])
	}
	for _, d := range w.drafts {
		of(d.Category).drafts++
		if standing, ok := w.log.Of(d.ID); !ok || standing.Verdict == review.Open || standing.Verdict == review.Passage {
			of(d.Category).waiting++
		}
		for _, f := range d.Failed {
			s.missing[f.Type]++
			s.why[f.Type] = f.Why
		}
	}
	lost := w.lost()
	for standing := range w.log.Standings() {
		switch {
		case standing.Disputed:
			s.notes = append(s.notes, fmt.Sprintf("%s: two people disagree about a draft of %s; review shows it first", w.barcode, standing.Category))
		case standing.Verdict == review.Accepted && !lost[standing.Draft]:
			of(standing.Category).accepted++
		case standing.Verdict == review.Refused:
			of(standing.Category).refused++
		}
	}
	for _, note := range uniqueNotes(w.notes) {
		s.notes = append(s.notes, w.barcode+": "+note)
	}
}

// end prints the table, what failed and why, and what to type next.
func (s *summary) end(o *makeOptions, paths []string) error {
	if s.books > 0 {
		s.table()
	}
	for _, note := range s.notes {
		fmt.Fprintln(s.words, note)
	}
	for _, kind := range slices.Sorted(maps.Keys(s.missing)) {
		fmt.Fprintf(s.words, "%s of type %s could not be made (the last: %s)\n", count(s.missing[kind], "wrong answer"), kind, s.why[kind])
	}
	if s.books > 0 {
		for _, dir := range s.folders {
			fmt.Fprintf(s.words, "Next, look at the drafts:\n  verbatim review %s\n", shellQuote(dir))
		}
	}
	switch {
	case len(s.failed) == 0:
		return nil
	case len(paths) == 1:
		return &Wanting{"no question was drafted"}
	default:
		return &Wanting{fmt.Sprintf("%d of %d books failed; the others are done:\n  %s", len(s.failed), len(paths), strings.Join(s.failed, "\n  "))}
	}
}

func (s *summary) table() {
	fmt.Fprintf(s.out, "%-18s %10s %8s %9s %8s %8s\n", count(s.books, "book"), "candidates", "drafts", "accepted", "refused", "waiting")
	sum := tally{}
	for _, c := range cloze.Categories {
		t := s.total[c.Name]
		if t == nil {
			t = &tally{}
		}
		fmt.Fprintf(s.out, "%-18s %10d %8d %9d %8d %8d\n", c.Name, t.candidates, t.drafts, t.accepted, t.refused, t.waiting)
		sum.candidates, sum.drafts, sum.accepted = sum.candidates+t.candidates, sum.drafts+t.drafts, sum.accepted+t.accepted
		sum.refused, sum.waiting = sum.refused+t.refused, sum.waiting+t.waiting
	}
	fmt.Fprintf(s.out, "%-18s %10d %8d %9d %8d %8d\n", "all", sum.candidates, sum.drafts, sum.accepted, sum.refused, sum.waiting)
}
