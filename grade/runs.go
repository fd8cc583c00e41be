package grade

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

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
	roster  *roster // the runs, then the gold
	found   []int   // of each run: gold items with a match
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
	s := newStability(o)
	if err := s.open(ctx); err != nil {
		return nil, err
	}
	if err := s.compareAll(ctx); err != nil {
		return nil, err
	}
	slices.SortFunc(s.Problems, byLine)
	return s, nil
}

func newStability(o RunOptions) *Stability {
	s := &Stability{Schema: o.Schema, options: o, Items: make([]int, len(o.Runs)), found: make([]int, len(o.Runs))}
	for _, a := range o.Schema.Attributes {
		s.Changes = append(s.Changes, AttributeRuns{Name: a.Name})
	}
	return s
}

// open joins the files over all journals in any of them.
func (s *Stability) open(ctx context.Context) error {
	sources := slices.Clone(s.options.Runs)
	if s.options.Gold != nil {
		sources = append(sources, s.options.Gold)
	}
	files, err := readIndexes(ctx, s.options.Workers, sources)
	if err != nil {
		return err
	}
	var ids []string
	seen := map[string]bool{}
	for _, file := range files {
		for _, id := range file.ids {
			if !seen[id] {
				seen[id] = true
				ids = append(ids, id)
			}
		}
	}
	r, problems := newRoster(ids, files)
	for i, file := range files {
		s.sort(i, file.problems, &problems)
	}
	if len(problems) > 0 {
		return inputError(problems)
	}
	if s.roster, s.Journals = r, len(ids); s.Journals == 0 {
		return errors.New("the runs contain no journals; there is nothing to compare")
	}
	return nil
}

// sort adds the problems of a file to those of the runs or, for the gold, to the
// fatal ones.
func (s *Stability) sort(file int, problems []error, fatal *[]error) {
	if file < len(s.options.Runs) {
		fatal = &s.Problems
	}
	*fatal = append(*fatal, problems...)
}

// A runBatch is the result of one job.
type runBatch struct {
	*Stability // what it adds
	journals   []RunJournal
	fatal      []error
}

func (s *Stability) compareAll(ctx context.Context) error {
	out := bufio.NewWriter(s.options.PerJournal)
	rows := json.NewEncoder(out)
	var fatal []error
	number, sum := 0, 0.0
	for b, err := range parallel.Map(ctx, s.options.Workers, s.roster.jobs(), s.compareBatch) {
		if err != nil {
			return err
		}
		fatal = append(fatal, b.fatal...)
		s.add(b.Stability)
		for _, j := range b.journals {
			j.number = number
			number++
			sum += j.Agreement
			s.remember(j)
			if s.options.PerJournal == nil {
				continue
			}
			if err := rows.Encode(j); err != nil {
				return err
			}
		}
	}
	if len(fatal) > 0 {
		return inputError(fatal)
	}
	s.Agreement = sum / float64(s.Journals)
	for i, n := range s.found {
		if s.options.Gold != nil {
			s.Scores = append(s.Scores, ratesOf(float64(n), float64(s.Items[i]), float64(s.GoldAll+s.GoldSome+s.GoldNone)))
		}
	}
	return out.Flush()
}

// add adds the counts of a batch.
func (s *Stability) add(b *Stability) {
	s.Problems = append(s.Problems, b.Problems...)
	s.Steady += b.Steady
	s.Pairs += b.Pairs
	s.GoldAll += b.GoldAll
	s.GoldSome += b.GoldSome
	s.GoldNone += b.GoldNone
	for a := range s.Changes {
		s.Changes[a].Compared += b.Changes[a].Compared
		s.Changes[a].Changed += b.Changes[a].Changed
		s.Changes[a].OneSaid += b.Changes[a].OneSaid
	}
	for i := range s.Items {
		s.Items[i] += b.Items[i]
		s.found[i] += b.found[i]
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

func (s *Stability) compareBatch(_ context.Context, j job) (*runBatch, error) {
	b := &runBatch{Stability: newStability(s.options)}
	columns, err := s.roster.fetch(j.start, j.end)
	if err != nil {
		return nil, err
	}
	var m matcher
	records := make([]record, len(columns))
	for i := j.start; i < j.end; i++ {
		for c, column := range s.roster.columns {
			problems, _ := column.readItems(s.Schema, columns[c][i-j.start], column.at[i], &records[c])
			b.sort(c, problems, &b.fatal)
			if len(problems) > 0 && c == len(s.options.Runs) {
				records[c].reset() // none of the gold's line counts
			}
		}
		b.journals = append(b.journals, b.compareJournal(&m, s.roster.ids[i], records))
	}
	return b, nil
}

// compareJournal matches each pair of runs, and each run with the gold.
func (s *Stability) compareJournal(m *matcher, id string, records []record) RunJournal {
	runs := len(s.options.Runs)
	j := RunJournal{ID: id}
	matchedBy := make([]int, len(records[0].items)) // runs that have each item of the first run
	agreement := 0.0
	for i := range runs {
		j.Items = append(j.Items, len(records[i].items))
		s.Items[i] += len(records[i].items)
		for k := i + 1; k < runs; k++ {
			matched := 0
			for p, g := range m.match(&records[i], &records[k], "", false).pairs {
				if g < 0 {
					continue
				}
				matched++
				if i == 0 {
					matchedBy[g]++
				}
				s.countChanges(&j, &records[i], &records[k], int(g), p)
			}
			s.Pairs += matched
			if n := len(records[i].items) + len(records[k].items); n > 0 {
				agreement += float64(2*matched) / float64(n)
			} else {
				agreement++ // both are empty: they agree
			}
		}
	}
	j.Agreement = agreement / float64(runs*(runs-1)/2)
	for _, n := range matchedBy {
		if n == runs-1 {
			j.Steady++
		}
	}
	s.Steady += j.Steady
	if s.options.Gold != nil {
		s.againstGold(m, records)
	}
	return j
}

func (s *Stability) countChanges(j *RunJournal, x, y *record, g, p int) {
	for a, attribute := range s.Schema.Attributes {
		v, w := s.Schema.value(x, g, a), s.Schema.value(y, p, a)
		switch one, two := attribute.excluded(v), attribute.excluded(w); {
		case one && two:
		case one || two:
			s.Changes[a].OneSaid++
		default:
			s.Changes[a].Compared++
			if v == w {
				continue
			}
			s.Changes[a].Changed++
			if attribute.pooled() {
				j.Drift++
			} else if attribute.Name == "polarity" {
				j.Flips++
			}
		}
	}
}

func (s *Stability) againstGold(m *matcher, records []record) {
	runs := len(s.options.Runs)
	gold := &records[runs]
	foundBy := make([]int, len(gold.items))
	for i := range runs {
		for _, g := range m.match(gold, &records[i], "", false).pairs {
			if g >= 0 {
				foundBy[g]++
				s.found[i]++
			}
		}
	}
	for _, n := range foundBy {
		switch n {
		case runs:
			s.GoldAll++
		case 0:
			s.GoldNone++
		default:
			s.GoldSome++
		}
	}
}

// Summary returns the comparison as a record.
func (s *Stability) Summary(program string) Object {
	runs := []Object{}
	for i := range s.options.Runs {
		c := s.roster.columns[i]
		o := Object{{"file", filepath.Base(c.Name)}, {"sha256", c.SHA256}, {"journals", c.count}, {"items", s.Items[i]}}
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
	o := Object{{"format", stabilityFormat}, {"program", program}, {"options", Object{{"schema", s.Schema.Name}}}, {"runs", runs}}
	if s.options.Gold != nil {
		var f1 []float64
		for _, score := range s.Scores {
			f1 = append(f1, score.F1)
		}
		o = append(o, Member{"gold", Object{{"file", filepath.Base(s.options.Gold.Name)}, {"sha256", s.roster.columns[len(s.options.Runs)].SHA256},
			{"items_in_all_runs", s.GoldAll}, {"items_in_some_runs", s.GoldSome}, {"items_in_no_run", s.GoldNone},
			{"lowest_f1", slices.Min(f1)}, {"highest_f1", slices.Max(f1)}}})
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

// WriteTable prints the comparison for people. It contains no text of a journal.
func (s *Stability) WriteTable(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s\n\n", Plural(len(s.options.Runs), "run"), Plural(s.Journals, "journal"))
	for i, run := range s.options.Runs {
		fmt.Fprintf(&b, "%-30s %s", printable(filepath.Base(run.Name)), Plural(s.Items[i], "item"))
		if s.Scores != nil {
			fmt.Fprintf(&b, ", F1 %s (precision %s, recall %s)", FormatFigure(s.Scores[i].F1), FormatFigure(s.Scores[i].Precision), FormatFigure(s.Scores[i].Recall))
		}
		fmt.Fprintln(&b)
	}
	fmt.Fprintf(&b, "\nagreement %s: the mean F1 of all pairs of runs, over journals\n", FormatFigure(s.Agreement))
	fmt.Fprintf(&b, "%d of the first run's %s are in all runs\n", s.Steady, Plural(s.Items[0], "item"))
	if s.options.Gold != nil {
		fmt.Fprintf(&b, "gold items found in all runs %d, in some %d, in none %d\n", s.GoldAll, s.GoldSome, s.GoldNone)
	}
	var names []string
	for _, c := range s.Changes {
		names = append(names, c.Name)
	}
	width := widest(names...)
	fmt.Fprintf(&b, "\n%-*s  changed  compared  said by one only\n", width, "")
	for _, c := range s.Changes {
		fmt.Fprintf(&b, "%-*s %8d %9d %17d\n", width, c.Name, c.Changed, c.Compared, c.OneSaid)
	}
	if len(s.Least) > 0 {
		fmt.Fprintln(&b, "\njournals with the lowest agreement")
	}
	for _, j := range s.Least[:min(maxLines, len(s.Least))] {
		fmt.Fprintf(&b, "  %s: %s, %s in all runs, polarity flips %d, bucket drift %d\n",
			printable(j.ID), FormatFigure(j.Agreement), Plural(j.Steady, "item"), j.Flips, j.Drift)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
