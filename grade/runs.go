package grade

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"verbatim/internal/parallel"
)

// StabilityFormat is the version of the stability summary's shape.
const StabilityFormat = "verbatim-stability/1"

// RunOptions say which runs of one system are compared.
type RunOptions struct {
	Schema     *Schema // nil: Default
	Runs       []*Source
	Gold       *Source   // nil: the runs are compared with each other only
	PerJournal io.Writer // nil: nothing is written
	Workers    int
}

// Stability is how far several runs of one system agree. Every two runs are
// matched by the same rule as predictions and gold.
type Stability struct {
	Schema   *Schema
	Journals int // that any run, or the gold, speaks of
	Items    []int
	// Steady counts items of the first run that have a match in every other.
	Steady int
	// Agreement is the mean F1 of every two runs over all journals.
	Agreement float64
	Pairs     int             // matched items, over every two runs
	Changes   []AttributeRuns // of each attribute, over these pairs
	Scores    []Rates         // of each run against the gold, by containment
	// Of the gold items: found in every run, in some, in none.
	GoldAll, GoldSome, GoldNone int
	Least                       []RunJournal // the journals that agree least
	Problems                    []error

	options RunOptions
	indexes []*index
}

// AttributeRuns counts how an attribute changes from run to run.
type AttributeRuns struct {
	Name     string
	Compared int // both runs say something
	Changed  int // and it is not the same
	OneSaid  int // one run says something, the other does not
}

// RunJournal is one journal by its agreement.
type RunJournal struct {
	ID        string  `json:"journal_id"`
	Agreement float64 `json:"agreement"`
	Items     []int   `json:"items"`
	Steady    int     `json:"in_all_runs"`
	Flips     int     `json:"polarity_flips"`
	Drift     int     `json:"bucket_drift"`
	number    int
}

// CompareRuns reads the runs and compares them, journal by journal.
func CompareRuns(ctx context.Context, o RunOptions) (*Stability, error) {
	if o.Schema == nil {
		o.Schema = Default()
	}
	if len(o.Runs) < 2 {
		return nil, errors.New("one run agrees with itself; name at least two")
	}
	s := &Stability{Schema: o.Schema, options: o, Items: make([]int, len(o.Runs))}
	for _, a := range o.Schema.Attributes {
		s.Changes = append(s.Changes, AttributeRuns{Name: a.Name})
	}
	r, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	var out *bufio.Writer
	if o.PerJournal != nil {
		out = bufio.NewWriter(o.PerJournal)
	}
	if err := s.compareAll(ctx, r, out); err != nil {
		return nil, err
	}
	slices.SortFunc(s.Problems, byLine)
	return s, nil
}

// open joins the files over all journals that any of them has.
func (s *Stability) open(ctx context.Context) (*roster, error) {
	sources := slices.Clone(s.options.Runs)
	if s.options.Gold != nil {
		sources = append(sources, s.options.Gold)
	}
	var err error
	if s.indexes, err = readIndexes(ctx, s.options.Workers, sources); err != nil {
		return nil, err
	}
	all := &index{source: &Source{Name: "all runs"}}
	seen := map[string]bool{}
	for _, ix := range s.indexes {
		for _, id := range ix.ids {
			if !seen[id] {
				seen[id] = true
				all.ids = append(all.ids, id)
			}
		}
	}
	all.lines = make([]line, len(all.ids))
	r, faults := newRoster(all, s.indexes...)
	for i, ix := range s.indexes {
		if i < len(s.options.Runs) {
			s.Problems = append(s.Problems, ix.faults...)
		} else {
			faults = append(faults, ix.faults...)
		}
	}
	if len(faults) > 0 {
		return nil, inputError(faults)
	}
	if s.Journals = len(all.ids); s.Journals == 0 {
		return nil, errors.New("the runs hold no journal: there is nothing to compare")
	}
	return r, nil
}

// runBatch is what a worker found in some journals.
type runBatch struct {
	journals        []RunJournal
	changes         []AttributeRuns
	pairs           int
	tallies         []tally // of each run against the gold
	all, some, none int
	problems, fatal []error
}

func (s *Stability) compareAll(ctx context.Context, r *roster, out *bufio.Writer) error {
	var fatal []error
	totals := make([]tally, len(s.options.Runs))
	for i := range totals {
		totals[i] = make(tally, 3)
	}
	number, sum := 0, 0.0
	for b, err := range parallel.Map(ctx, s.options.Workers, s.jobs(), func(_ context.Context, j job) (*runBatch, error) { return s.compareBatch(r, j) }) {
		if err != nil {
			return err
		}
		fatal, s.Problems = append(fatal, b.fatal...), append(s.Problems, b.problems...)
		for i := range totals {
			totals[i].add(b.tallies[i])
		}
		s.Pairs, s.GoldAll, s.GoldSome, s.GoldNone = s.Pairs+b.pairs, s.GoldAll+b.all, s.GoldSome+b.some, s.GoldNone+b.none
		for a := range s.Changes {
			s.Changes[a].Compared += b.changes[a].Compared
			s.Changes[a].Changed += b.changes[a].Changed
			s.Changes[a].OneSaid += b.changes[a].OneSaid
		}
		for _, j := range b.journals {
			j.number = number
			number++
			sum += j.Agreement
			s.Steady += j.Steady
			for i, n := range j.Items {
				s.Items[i] += n
			}
			s.remember(j)
			if out != nil {
				row, err := json.Marshal(j)
				if err != nil {
					return err
				}
				if _, err := out.Write(append(row, '\n')); err != nil {
					return err
				}
			}
		}
	}
	if len(fatal) > 0 {
		return inputError(fatal)
	}
	s.Agreement = sum / float64(s.Journals)
	for _, t := range totals {
		if s.options.Gold != nil {
			s.Scores = append(s.Scores, ratesOf(t[0], t[1], t[2]))
		}
	}
	if out != nil {
		return out.Flush()
	}
	return nil
}

func (s *Stability) jobs() iter.Seq2[job, error] {
	return func(yield func(job, error) bool) {
		for from := 0; from < s.Journals; from += 128 {
			if !yield(job{from: from, to: min(from+128, s.Journals)}, nil) {
				return
			}
		}
	}
}

func (s *Stability) remember(j RunJournal) {
	if j.Agreement == 1 && j.Flips+j.Drift == 0 {
		return
	}
	at, _ := slices.BinarySearchFunc(s.Least, j, func(a, b RunJournal) int {
		return cmp.Or(cmp.Compare(a.Agreement, b.Agreement), cmp.Compare(b.Flips+b.Drift, a.Flips+a.Drift), cmp.Compare(a.number, b.number))
	})
	if at < MaxWorst {
		s.Least = slices.Insert(s.Least, at, j)
		s.Least = s.Least[:min(len(s.Least), MaxWorst)]
	}
}

func (s *Stability) compareBatch(r *roster, j job) (*runBatch, error) {
	b := &runBatch{changes: make([]AttributeRuns, len(s.Schema.Attributes))}
	for range s.options.Runs {
		b.tallies = append(b.tallies, make(tally, 3))
	}
	var columns [][]string
	for c := range r.columns {
		lines, err := r.columns[c].source.fetch(r.columns[c].at[j.from:j.to])
		if err != nil {
			return nil, err
		}
		columns = append(columns, lines)
	}
	var m matcher
	records := make([]record, len(columns))
	for i := j.from; i < j.to; i++ {
		for c := range columns {
			s.readRun(b, &records[c], r, c, columns[c][i-j.from], int(r.columns[c].at[i].number))
		}
		b.journals = append(b.journals, s.compareJournal(b, &m, r.ids[i], records))
	}
	return b, nil
}

func (s *Stability) readRun(b *runBatch, rec *record, r *roster, c int, text string, number int) {
	rec.reset()
	if number == 0 || s.Schema.read(text, rec) {
		return
	}
	faults, readable := s.Schema.examine(text, rec)
	for _, f := range faults {
		if c < len(s.options.Runs) {
			b.problems = append(b.problems, f.at(r.columns[c].source.Name, number))
		} else {
			b.fatal = append(b.fatal, f.at(r.columns[c].source.Name, number))
		}
	}
	if !readable || len(faults) > 0 && c == len(s.options.Runs) {
		rec.reset()
	}
}

// compareJournal matches every two runs, and each with the gold.
func (s *Stability) compareJournal(b *runBatch, m *matcher, id string, records []record) RunJournal {
	runs := len(s.options.Runs)
	j := RunJournal{ID: id}
	for i := range runs {
		j.Items = append(j.Items, len(records[i].items))
	}
	matchedBy := make([]int, len(records[0].items)) // of the first run's items, the runs that have them
	agreement, twos := 0.0, 0.0
	for i := range runs {
		for k := i + 1; k < runs; k++ {
			pairs := m.match(&records[i], &records[k], "", false).pairs
			matched := 0
			for p, g := range pairs {
				if g < 0 {
					continue
				}
				matched++
				if i == 0 {
					matchedBy[g]++
				}
				s.changes(b, &j, &records[i], &records[k], int(g), p)
			}
			b.pairs += matched
			twos++
			if n := len(records[i].items) + len(records[k].items); n > 0 {
				agreement += float64(2*matched) / float64(n)
			} else {
				agreement++ // both say nothing: they agree
			}
		}
	}
	j.Agreement = agreement / twos
	for _, n := range matchedBy {
		if n == runs-1 {
			j.Steady++
		}
	}
	if s.options.Gold != nil {
		s.againstGold(b, m, records)
	}
	return j
}

func (s *Stability) changes(b *runBatch, j *RunJournal, x, y *record, g, p int) {
	for a, attribute := range s.Schema.Attributes {
		v, w := s.Schema.value(x, g, a), s.Schema.value(y, p, a)
		switch one, two := attribute.silent(v), attribute.silent(w); {
		case one && two:
		case one || two:
			b.changes[a].OneSaid++
		default:
			b.changes[a].Compared++
			if v == w {
				continue
			}
			b.changes[a].Changed++
			if attribute.Pooled() {
				j.Drift++
			} else if attribute.Name == "polarity" {
				j.Flips++
			}
		}
	}
}

func (s *Stability) againstGold(b *runBatch, m *matcher, records []record) {
	runs := len(s.options.Runs)
	gold := &records[runs]
	found := make([]int, len(gold.items))
	for i := range runs {
		matched := 0
		for _, g := range m.match(gold, &records[i], "", false).pairs {
			if g >= 0 {
				found[g]++
				matched++
			}
		}
		b.tallies[i].add(tally{float64(matched), float64(len(records[i].items)), float64(len(gold.items))})
	}
	for _, n := range found {
		switch n {
		case runs:
			b.all++
		case 0:
			b.none++
		default:
			b.some++
		}
	}
}

// Summary is the comparison as a record.
func (s *Stability) Summary(program string, options Object) Object {
	runs := []Object{}
	for i := range s.options.Runs {
		ix := s.indexes[i]
		o := Object{{"file", filepath.Base(ix.source.Name)}, {"sha256", ix.sha256}, {"journals", ix.count}, {"items", s.Items[i]}}
		if s.Scores != nil {
			o = append(o, Member{"precision", s.Scores[i].Precision}, Member{"recall", s.Scores[i].Recall}, Member{"f1", s.Scores[i].F1})
		}
		runs = append(runs, o)
	}
	attributes := Object{}
	for _, c := range s.Changes {
		attributes = append(attributes, Member{c.Name, Object{{"compared", c.Compared}, {"changed", c.Changed},
			{"steadiness", rate(float64(c.Compared-c.Changed), float64(c.Compared))}, {"said_by_one_only", c.OneSaid}}})
	}
	o := Object{{"format", StabilityFormat}, {"program", program}, {"options", options}, {"runs", runs}}
	if s.options.Gold != nil {
		o = append(o, Member{"gold", Object{{"file", filepath.Base(s.options.Gold.Name)}, {"sha256", s.indexes[len(s.indexes)-1].sha256},
			{"items_in_all_runs", s.GoldAll}, {"items_in_some_runs", s.GoldSome}, {"items_in_no_run", s.GoldNone},
			{"lowest_f1", s.lowest()}, {"highest_f1", s.highest()}}})
	}
	return append(o,
		Member{"journals", s.Journals},
		Member{"agreement", s.Agreement},
		Member{"items_of_first_run", s.Items[0]},
		Member{"items_in_all_runs", s.Steady},
		Member{"steady", rate(float64(s.Steady), float64(s.Items[0]))},
		Member{"matched_pairs", s.Pairs},
		Member{"attributes", attributes},
	)
}

func (s *Stability) lowest() float64 {
	return slices.MinFunc(s.Scores, func(a, b Rates) int { return cmp.Compare(a.F1, b.F1) }).F1
}

func (s *Stability) highest() float64 {
	return slices.MaxFunc(s.Scores, func(a, b Rates) int { return cmp.Compare(a.F1, b.F1) }).F1
}

// WriteTable prints the comparison for people, without a word of a journal.
func (s *Stability) WriteTable(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s\n\n", plural(len(s.options.Runs), "run"), plural(s.Journals, "journal"))
	for i, run := range s.options.Runs {
		fmt.Fprintf(&b, "%-30s %s", Printable(filepath.Base(run.Name)), plural(s.Items[i], "item"))
		if s.Scores != nil {
			fmt.Fprintf(&b, ", F1 %s (precision %s, recall %s)", number(s.Scores[i].F1), number(s.Scores[i].Precision), number(s.Scores[i].Recall))
		}
		fmt.Fprintln(&b)
	}
	fmt.Fprintf(&b, "\nagreement %s: the mean F1 of every two runs, over journals\n", number(s.Agreement))
	fmt.Fprintf(&b, "%d of the first run's %s are in all runs\n", s.Steady, plural(s.Items[0], "item"))
	if s.options.Gold != nil {
		fmt.Fprintf(&b, "gold items found in all runs %d, in some %d, in none %d\n", s.GoldAll, s.GoldSome, s.GoldNone)
	}
	width := 0
	for _, c := range s.Changes {
		width = max(width, utf8.RuneCountInString(c.Name))
	}
	fmt.Fprintf(&b, "\n%s  changed  compared  said by one only\n", pad("", width))
	for _, c := range s.Changes {
		fmt.Fprintf(&b, "%s %8d %9d %17d\n", pad(c.Name, width), c.Changed, c.Compared, c.OneSaid)
	}
	if len(s.Least) > 0 {
		fmt.Fprintln(&b, "\nleast agreement in")
	}
	for _, j := range s.Least[:min(5, len(s.Least))] {
		fmt.Fprintf(&b, "  %s: %s, %s in all runs, polarity flips %d, bucket drift %d\n",
			Printable(j.ID), number(j.Agreement), plural(j.Steady, "item"), j.Flips, j.Drift)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
