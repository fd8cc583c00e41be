// Package grade scores a system's items in journals against gold.
//
// A prediction matches a gold item of the same domain if one evidence span
// contains the other, ignoring case. Predictions, in file order, each take the
// first free gold item. A system that copies the whole text would pass this
// rule, so three other modes are reported: exact, overlap (by place) and
// optimal (the most pairs that any order allows).
//
// Results do not depend on the order of predictions and journals in their files
// or on the number of workers. Errors, summaries and per-journal scores never
// contain text of a journal.
package grade

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"verbatim"
	"verbatim/internal/parallel"
)

// Options say what to score. Gold and Pred are required.
type Options struct {
	Schema   *Schema // nil: Default
	Gold     *Source
	Pred     *Source
	Journals *Source // nil: no coverage, no overlap
	Against  *Source // nil: no comparison

	PerJournal io.Writer // scores of each journal; nil: not written
	Draws      int       // bootstrap draws; 0: no intervals
	Seed       uint64    // of the bootstrap
	Workers    int
	Progress   func(done, all int) // may be nil
}

// A Result is a finished score.
type Result struct {
	Schema *Schema
	Names  []string // paths of the figures in the summary

	Gold    Input
	Pred    *System
	Against *System // nil without a comparison

	Journals int // in the gold
	HasText  bool
	// GoldWithoutPlace counts gold spans that do not occur in their journal, and
	// GoldRemarks names them.
	GoldWithoutPlace int
	GoldRemarks      Remarks

	// Differences of the figures, Pred minus Against, and their intervals.
	Differences         []float64
	DifferenceIntervals []Interval
	// Differing are the MaxWorst journals with the most gold items that only one
	// of the two systems found.
	Differing []Differing

	// Worst are the MaxWorst journals with the most mistakes.
	Worst []Worst

	options Options
	roster  *roster
}

// An Input identifies a file that was read.
type Input struct{ Name, SHA256 string }

// A System is one system's predictions and their figures.
type System struct {
	Input
	Figures   []float64  // in the order of Result.Names; NaN is null
	Intervals []Interval // nil without bootstrap

	// Problems of the prediction file, by line.
	Problems []error
	// Unknown journals are not in the gold.
	Unknown []UnknownJournal
	// BadLines could not be read; BadValues are attribute values not in their list.
	BadLines, BadValues int
	// Only counts the gold items that only this one of two systems found.
	// OnlyItems are the first MaxWorst of them; the per-journal file has all.
	Only      int
	OnlyItems []ItemRef
	// Remarks are about spans that are not verbatim, or not where they should be.
	Remarks Remarks
	// MadeBy are the programs that the file names as its makers.
	MadeBy []string

	confusion [][]int // of each attribute: gold by predicted, see Result.Confusion
	total     tally
}

// An UnknownJournal has predictions but is not in the gold.
type UnknownJournal struct {
	ID    string
	Line  int
	Items int
}

// An ItemRef names a gold item without its text.
type ItemRef struct {
	ID     string `json:"journal_id"`
	Number int    `json:"item"` // from 1
	Domain string `json:"domain"`
}

// Worst counts the mistakes in a journal.
type Worst struct {
	ID              string
	TP, FP, FN      int
	F1              float64
	WrongAttributes int
	number          int
}

// Differing is a journal with gold items that only one of two systems found.
type Differing struct {
	ID                    string
	OnlyPred, OnlyAgainst int
	number                int
}

// MaxWorst is the number of journals that a Result lists.
const MaxWorst = 200

// An InputError lists everything that is wrong with the gold or the journals.
type InputError struct{ Problems []error }

func (e *InputError) Error() string {
	if len(e.Problems) == 1 {
		return e.Problems[0].Error()
	}
	return fmt.Sprintf("nothing was scored: gold and journals have %d problems (listed above)", len(e.Problems))
}

// Unwrap returns the problems.
func (e *InputError) Unwrap() []error { return e.Problems }

// Score reads, matches and counts. If the gold or the journals have problems,
// Score returns an *InputError. Problems of predictions are listed in the Result
// and count in its figures.
func Score(ctx context.Context, o Options) (*Result, error) {
	if o.Schema == nil {
		o.Schema = Default()
	}
	r := &Result{Schema: o.Schema, Names: o.Schema.figureNames(), HasText: o.Journals != nil, options: o}
	if err := r.open(ctx); err != nil {
		return nil, err
	}
	sums := newGroups(r.Journals, len(r.systems())*o.Schema.width(), o.Seed)
	if err := r.scoreAll(ctx, sums); err != nil {
		return nil, err
	}
	if err := r.measure(ctx, sums); err != nil {
		return nil, err
	}
	for _, s := range r.systems() {
		slices.SortFunc(s.Problems, byLine)
		slices.SortFunc(s.Unknown, func(a, b UnknownJournal) int { return a.Line - b.Line })
	}
	return r, nil
}

func (r *Result) systems() []*System {
	if r.Against == nil {
		return []*System{r.Pred}
	}
	return []*System{r.Pred, r.Against}
}

// open indexes every file and joins them.
func (r *Result) open(ctx context.Context) error {
	o := r.options
	sources := []*Source{o.Gold, o.Pred, o.Against, o.Journals}
	sources = slices.DeleteFunc(sources, func(s *Source) bool { return s == nil })
	all, err := readIndexes(ctx, o.Workers, sources)
	if err != nil {
		return err
	}
	gold := all[0]
	roster, problems := newRoster(gold.ids, all)
	problems = slices.Concat(gold.problems, problems)
	r.roster, r.Journals, r.Gold = roster, len(roster.ids), gold.Input
	r.Pred = r.newSystem(all[1])
	if o.Against != nil {
		r.Against = r.newSystem(all[2])
	}
	if o.Journals != nil {
		problems = append(problems, r.journals().problems...)
	}
	if len(problems) > 0 {
		return inputError(problems)
	}
	if r.Journals == 0 {
		return fmt.Errorf("%s contains no journals; there is nothing to score", o.Gold.Name)
	}
	return nil
}

// journals is the file with the texts, the last one.
func (r *Result) journals() *column { return r.roster.columns[len(r.roster.columns)-1] }

func inputError(problems []error) error {
	slices.SortStableFunc(problems, byLine)
	return &InputError{problems}
}

// byLine sorts problems by file and line.
func byLine(a, b error) int {
	var x, y *verbatim.LineError
	if !errors.As(a, &x) || !errors.As(b, &y) {
		return 0
	}
	return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line))
}

func (r *Result) newSystem(ix *index) *System {
	return &System{Input: ix.Input, Problems: ix.problems, BadLines: len(ix.problems),
		confusion: r.Schema.newConfusion(), total: make(tally, r.Schema.width())}
}

func (s *Schema) newConfusion() (all [][]int) {
	for _, a := range s.Attributes {
		all = append(all, make([]int, (len(a.Values)+2)*(len(a.Values)+2)))
	}
	return all
}

// add adds what a batch found.
func (s *System) add(b *System) {
	s.Problems = append(s.Problems, b.Problems...)
	s.Unknown = append(s.Unknown, b.Unknown...)
	s.BadLines += b.BadLines
	s.BadValues += b.BadValues
	s.Remarks.add(&b.Remarks)
	for _, name := range b.MadeBy {
		s.MadeBy = addName(s.MadeBy, name)
	}
	s.Only += len(b.OnlyItems)
	s.OnlyItems = append(s.OnlyItems, b.OnlyItems[:min(len(b.OnlyItems), MaxWorst-len(s.OnlyItems))]...)
	for a, counts := range b.confusion {
		for k, n := range counts {
			s.confusion[a][k] += n
		}
	}
}

// Confusion counts a system's matched pairs by their values of an attribute.
// gold and pred are indexes into the attribute's Labels.
func (r *Result) Confusion(s *System, attribute, gold, pred int) int {
	side := len(r.Schema.Attributes[attribute].Values) + 2
	return s.confusion[attribute][gold*side+pred]
}

// label is the index of a value in the attribute's Labels.
func (a Attribute) label(code int8) int {
	switch code {
	case noValue:
		return len(a.Values)
	case badValue:
		return len(a.Values) + 1
	}
	return int(code)
}

// scoreAll scores the journals in batches and gathers the results in order.
func (r *Result) scoreAll(ctx context.Context, sums *groups) error {
	out := bufio.NewWriterSize(r.options.PerJournal, 1<<16)
	var problems []error
	journal := 0
	for b, err := range parallel.Map(ctx, r.options.Workers, r.roster.jobs(), r.scoreBatch) {
		if err != nil {
			return err
		}
		problems = append(problems, b.fatal...)
		r.gather(b, &journal, sums)
		if r.options.PerJournal != nil && len(problems) == 0 {
			if _, err := out.Write(b.lines); err != nil {
				return err
			}
		}
		if r.options.Progress != nil {
			r.options.Progress(journal, r.Journals)
		}
	}
	if len(problems) > 0 {
		return inputError(problems)
	}
	return out.Flush()
}

func (r *Result) gather(b *batch, journal *int, sums *groups) {
	width := r.Schema.width()
	systems := r.systems()
	for row := b.rows; len(row) > 0; row = row[len(systems)*width:] {
		for i, s := range systems {
			s.total.add(row[i*width:][:width])
		}
		sums.add(*journal, row[:len(systems)*width])
		r.remember(*journal, row[:width])
		*journal++
	}
	for i, s := range systems {
		s.add(&b.added[i])
	}
	r.GoldWithoutPlace += b.goldAbsent
	r.GoldRemarks.add(&b.goldRemarks)
	for _, d := range b.differing {
		r.Differing = keep(r.Differing, d, func(a, b Differing) int {
			return cmp.Or(b.OnlyPred+b.OnlyAgainst-a.OnlyPred-a.OnlyAgainst, a.number-b.number)
		})
	}
}

// remember keeps the worst journals, worst first.
func (r *Result) remember(number int, row tally) {
	wrong := 0
	for a := range r.Schema.Attributes {
		at := r.Schema.attributeAt(a)
		wrong += int(row[at+1] - row[at])
	}
	w := Worst{ID: r.roster.ids[number], TP: int(row[cMatched]), FP: int(row[cPred] - row[cMatched]), FN: int(row[cGold] - row[cMatched]),
		F1: row[cF1], WrongAttributes: wrong, number: number}
	if w.FP+w.FN+wrong == 0 {
		return
	}
	r.Worst = keep(r.Worst, w, func(a, b Worst) int {
		return cmp.Or(
			cmp.Compare(b.FP+b.FN, a.FP+a.FN),
			cmp.Compare(b.WrongAttributes, a.WrongAttributes),
			cmp.Compare(a.F1, b.F1),
			cmp.Compare(a.number, b.number),
		)
	})
}

// keep inserts x into a sorted list and keeps the first MaxWorst.
func keep[T any](list []T, x T, order func(a, b T) int) []T {
	at, _ := slices.BinarySearchFunc(list, x, order)
	if at == MaxWorst {
		return list
	}
	list = slices.Insert(list, at, x)
	return list[:min(len(list), MaxWorst)]
}

// measure computes the figures and their intervals.
func (r *Result) measure(ctx context.Context, sums *groups) error {
	for _, s := range r.systems() {
		s.Figures = r.Schema.figures(s.total, r.HasText)
	}
	if r.Against != nil {
		r.Differences = differences(r.Pred.Figures, r.Against.Figures)
	}
	width, n := r.Schema.width(), len(r.Names)
	draws, err := sums.bootstrap(ctx, r.options.Workers, r.options.Draws, func(t tally) []float64 {
		figures := r.Schema.drawnFigures(t[:width], r.HasText)
		if r.Against != nil {
			second := r.Schema.drawnFigures(t[width:], r.HasText)
			figures = slices.Concat(figures, second, differences(figures, second))
		}
		return figures
	})
	if err != nil || draws == nil {
		return err
	}
	all := intervals(draws)
	for i, figure := range slices.Concat(r.Pred.Figures, r.againstFigures(), r.Differences) {
		if math.IsNaN(all[i].Low) { // no draw has a prediction: the figure is 0 by definition
			all[i] = Interval{figure, figure}
		}
	}
	r.Pred.Intervals = all[:n]
	if r.Against != nil {
		r.Against.Intervals, r.DifferenceIntervals = all[n:2*n], all[2*n:]
	}
	return nil
}

func (r *Result) againstFigures() []float64 {
	if r.Against == nil {
		return nil
	}
	return r.Against.Figures
}

func differences(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i := range a {
		out[i] = a[i] - b[i]
	}
	return out
}
