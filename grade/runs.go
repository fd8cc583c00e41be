package grade

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"slices"

	"verbatim/internal/parallel"
)

// stabilityFormat is the version of the stability summary's structure.
const stabilityFormat = "verbatim-stability/1"

// RunOptions say which runs of one system to compare.
type RunOptions struct {
	Schema     *Schema // nil: Default
	Runs       []*Source
	Gold       *Source   // nil: the runs are only compared with each other
	PerJournal io.Writer // agreement in each journal; nil: not written
	Workers    int
}

// Stability says how far several runs of one system agree. Each pair of runs is
// matched like predictions and gold.
type Stability struct {
	Schema   *Schema
	Journals int   // in any run or the gold
	Items    []int // of each run
	// Steady counts items of the first run that have a match in every other run.
	Steady int
	// Agreement is the mean F1 of all pairs of runs over all journals.
	Agreement float64
	Pairs     int             // matched items, over all pairs of runs
	Changes   []AttributeRuns // of each attribute, over these pairs
	Scores    []Rates         // of each run against the gold, by containment
	// The number of gold items found in all runs, in some and in none.
	GoldAll, GoldSome, GoldNone int
	Least                       []RunJournal // the journals with the lowest agreement
	Problems                    []error

	options RunOptions
	indexes []*index
}

// AttributeRuns counts how an attribute changes from run to run.
type AttributeRuns struct {
	Name     string
	Compared int // both runs give a value
	Changed  int // and the values differ
	OneSaid  int // only one run gives a value
}

// A RunJournal is the agreement in one journal.
type RunJournal struct {
	ID        string  `json:"journal_id"`
	Agreement float64 `json:"agreement"`
	Items     []int   `json:"items"`
	Steady    int     `json:"in_all_runs"`
	Flips     int     `json:"polarity_flips"`
	Drift     int     `json:"bucket_drift"`
	number    int
}

// CompareRuns reads the runs and compares them journal by journal.
func CompareRuns(ctx context.Context, o RunOptions) (*Stability, error) {
	if o.Schema == nil {
		o.Schema = Default()
	}
	if len(o.Runs) < 2 {
		return nil, errors.New("comparing runs needs at least two")
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

// open joins the files over all journals in any of them.
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
	r, problems := newRoster(all, s.indexes...)
	for i, ix := range s.indexes {
		if i < len(s.options.Runs) {
			s.Problems = append(s.Problems, ix.problems...)
		} else {
			problems = append(problems, ix.problems...)
		}
	}
	if len(problems) > 0 {
		return nil, inputError(problems)
	}
	if s.Journals = len(all.ids); s.Journals == 0 {
		return nil, errors.New("the runs contain no journals; there is nothing to compare")
	}
	return r, nil
}

// A runBatch is the result of one job.
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
		fatal = append(fatal, b.fatal...)
		for i := range totals {
			totals[i].add(b.tallies[i])
		}
		s.gather(b)
		for _, j := range b.journals {
			j.number = number
			number++
			sum += j.Agreement
			s.remember(j)
			if err := writeRow(out, j); err != nil {
				return err
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

// gather adds the counts of a batch.
func (s *Stability) gather(b *runBatch) {
	s.Problems = append(s.Problems, b.problems...)
	s.Pairs, s.GoldAll, s.GoldSome, s.GoldNone = s.Pairs+b.pairs, s.GoldAll+b.all, s.GoldSome+b.some, s.GoldNone+b.none
	for a := range s.Changes {
		s.Changes[a].Compared += b.changes[a].Compared
		s.Changes[a].Changed += b.changes[a].Changed
		s.Changes[a].OneSaid += b.changes[a].OneSaid
	}
	for _, j := range b.journals {
		s.Steady += j.Steady
		for i, n := range j.Items {
			s.Items[i] += n
		}
	}
}

func writeRow(out *bufio.Writer, j RunJournal) error {
	if out == nil {
		return nil
	}
	row, err := json.Marshal(j)
	if err != nil {
		return err
	}
	_, err = out.Write(append(row, '\n'))
	return err
}

func (s *Stability) jobs() iter.Seq2[job, error] {
	return func(yield func(job, error) bool) {
		for start := 0; start < s.Journals; start += 128 {
			if !yield(job{start: start, end: min(start+128, s.Journals)}, nil) {
				return
			}
		}
	}
}

func (s *Stability) remember(j RunJournal) {
	if j.Agreement == 1 && j.Flips+j.Drift == 0 {
		return
	}
	s.Least = keep(s.Least, j, func(a, b RunJournal) int {
		return cmp.Or(cmp.Compare(a.Agreement, b.Agreement), cmp.Compare(b.Flips+b.Drift, a.Flips+a.Drift), cmp.Compare(a.number, b.number))
	})
}

func (s *Stability) compareBatch(r *roster, j job) (*runBatch, error) {
	b := &runBatch{changes: make([]AttributeRuns, len(s.Schema.Attributes))}
	for range s.options.Runs {
		b.tallies = append(b.tallies, make(tally, 3))
	}
	var columns [][]string
	for c := range r.columns {
		lines, err := r.columns[c].source.fetch(r.columns[c].at[j.start:j.end])
		if err != nil {
			return nil, err
		}
		columns = append(columns, lines)
	}
	var m matcher
	records := make([]record, len(columns))
	for i := j.start; i < j.end; i++ {
		for c := range columns {
			s.readRun(b, &records[c], r, c, columns[c][i-j.start], int(r.columns[c].at[i].number))
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
	problems, readable := s.Schema.examine(text, rec)
	for _, f := range problems {
		if c < len(s.options.Runs) {
			b.problems = append(b.problems, f.at(r.columns[c].source.Name, number))
		} else {
			b.fatal = append(b.fatal, f.at(r.columns[c].source.Name, number))
		}
	}
	if !readable || len(problems) > 0 && c == len(s.options.Runs) {
		rec.reset()
	}
}

// compareJournal matches each pair of runs, and each run with the gold.
func (s *Stability) compareJournal(b *runBatch, m *matcher, id string, records []record) RunJournal {
	runs := len(s.options.Runs)
	j := RunJournal{ID: id}
	for i := range runs {
		j.Items = append(j.Items, len(records[i].items))
	}
	matchedBy := make([]int, len(records[0].items)) // runs that have each item of the first run
	agreement, pairsOfRuns := 0.0, 0.0
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
			pairsOfRuns++
			if n := len(records[i].items) + len(records[k].items); n > 0 {
				agreement += float64(2*matched) / float64(n)
			} else {
				agreement++ // both are empty: they agree
			}
		}
	}
	j.Agreement = agreement / pairsOfRuns
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
		switch one, two := attribute.excluded(v), attribute.excluded(w); {
		case one && two:
		case one || two:
			b.changes[a].OneSaid++
		default:
			b.changes[a].Compared++
			if v == w {
				continue
			}
			b.changes[a].Changed++
			if attribute.pooled() {
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
