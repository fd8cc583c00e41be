// Package grade scores the items that a system found in journals against gold.
//
// What to count on: every count is that of the plain rule in file order,
// whatever the size, the order of the files or the number of workers; nothing
// is left out of a figure in silence; and no word of a journal reaches an
// error, a summary or a per-journal score.
//
// The rule: a prediction matches a gold item of the same domain if one evidence
// span is a piece of the other, apart from case; predictions in file order each
// take the first gold item that is still free. Three other modes stand beside
// it, because a whole text as evidence would pass the rule: exact, overlap (by
// place) and optimal (the most pairs that any order could find).
package grade

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"verbatim"
	"verbatim/internal/parallel"
)

// Options say what is scored. Gold and Pred must be there.
type Options struct {
	Schema   *Schema // nil: Default
	Gold     *Source
	Pred     *Source
	Journals *Source // nil: no coverage, no overlap
	Against  *Source // nil: no comparison

	PerJournal io.Writer // nil: nothing is written
	Draws      int       // of the bootstrap; 0: no intervals
	Seed       uint64
	Workers    int
	Progress   func(done, all int) // nil: none
}

// A Result is a finished score.
type Result struct {
	Schema *Schema
	Names  []string // of the figures: their paths in the summary

	Pred    *System
	Against *System // nil where nothing was compared

	Journals int // in the gold
	Empty    int // of them with no gold item and no prediction: not in the macro average
	HasText  bool
	// GoldWithoutPlace counts gold spans that do not occur in their journal.
	GoldWithoutPlace int

	// Differences of the figures, Pred less Against, and their intervals.
	Differences         []float64
	DifferenceIntervals []Interval
	// Gold items that only one of the two systems found: how many, and the
	// first of them, at most MaxWorst. The per-journal file has all.
	OnlyPred, OnlyAgainst           int
	OnlyPredItems, OnlyAgainstItems []ItemRef
	// Differing are the journals with the most such items, at most MaxWorst.
	Differing []Differing

	// Worst are the journals with the most mistakes, at most MaxWorst.
	Worst []Worst

	options Options
	roster  *roster
}

// A System is what is known of one system's predictions.
type System struct {
	Name      string
	Figures   []float64  // in the order of Result.Names; NaN is null
	Intervals []Interval // nil without bootstrap
	Confusion [][]int    // of each attribute: gold by predicted, see Result.ConfusionAt

	// Problems are all faults of the prediction file, by line.
	Problems []error
	// Unknown are its journals that the gold does not have.
	Unknown []UnknownJournal
	// BadLines could not be read at all; BadValues are attributes outside their list.
	BadLines, BadValues int

	total tally
	index *index
}

// UnknownJournal is a journal with predictions that the gold does not have.
type UnknownJournal struct {
	ID    string
	Line  int
	Items int
}

// ItemRef names a gold item without its words.
type ItemRef struct {
	ID     string `json:"journal_id"`
	Number int    `json:"item"` // from 1
	Domain string `json:"domain"`
}

// Worst is a journal by its mistakes.
type Worst struct {
	ID             string
	TP, FP, FN     int
	F1             float64
	AttributeFault int // attributes compared and wrong
	number         int
}

// Differing is a journal in which only one of two systems found some gold items.
type Differing struct {
	ID                    string
	OnlyPred, OnlyAgainst int
	number                int
}

// MaxWorst is how many journals are kept by name.
const MaxWorst = 200

// An InputError says that nothing can be scored, and everything that is wrong.
type InputError struct{ Faults []error }

func (e *InputError) Error() string {
	if len(e.Faults) == 1 {
		return e.Faults[0].Error()
	}
	return fmt.Sprintf("nothing was scored: gold and journals have %d faults (named above)", len(e.Faults))
}

// Unwrap gives the faults.
func (e *InputError) Unwrap() []error { return e.Faults }

// Score reads, matches and counts. Faults of the gold and the journals make an
// *InputError, and nothing is scored; faults of predictions are listed in the
// Result and counted in its figures.
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

// open reads the index of every file and joins them.
func (r *Result) open(ctx context.Context) error {
	o := r.options
	sources := []*Source{o.Gold, o.Pred}
	if o.Against != nil {
		sources = append(sources, o.Against)
	}
	if o.Journals != nil {
		sources = append(sources, o.Journals)
	}
	all, err := readIndexes(ctx, o.Workers, sources)
	if err != nil {
		return err
	}
	roster, faults := newRoster(all[0], all[1:]...)
	faults = slices.Concat(all[0].faults, faults)
	r.Pred = r.newSystem(all[1])
	if o.Against != nil {
		r.Against = r.newSystem(all[2])
	}
	if o.Journals != nil {
		faults = append(faults, all[len(all)-1].faults...)
	}
	if len(faults) > 0 {
		return inputError(faults)
	}
	if len(roster.ids) == 0 {
		return fmt.Errorf("%s holds no journal: there is nothing to score", o.Gold.Name)
	}
	r.roster, r.Journals = roster, len(roster.ids)
	return nil
}

func inputError(faults []error) error {
	slices.SortStableFunc(faults, byLine)
	return &InputError{faults}
}

// byLine keeps the faults of one file together, in the order of their lines.
func byLine(a, b error) int {
	var x, y *verbatim.LineError
	if !errors.As(a, &x) || !errors.As(b, &y) {
		return 0
	}
	return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line))
}

func (r *Result) newSystem(ix *index) *System {
	s := &System{Name: ix.source.Name, index: ix, Problems: ix.faults, BadLines: len(ix.faults), total: make(tally, r.Schema.width())}
	for _, a := range r.Schema.Attributes {
		s.Confusion = append(s.Confusion, make([]int, (len(a.Values)+2)*(len(a.Values)+2)))
	}
	return s
}

// ConfusionAt counts matched pairs by their values: an index into the
// attribute's list, len for a value that is not given, len+1 for one that is
// not in the list.
func (r *Result) ConfusionAt(s *System, attribute, gold, pred int) int {
	side := len(r.Schema.Attributes[attribute].Values) + 2
	return s.Confusion[attribute][gold*side+pred]
}

// place is a value's row or column in the confusion.
func (a Attribute) place(code int8) int {
	switch code {
	case noValue:
		return len(a.Values)
	case badValue:
		return len(a.Values) + 1
	}
	return int(code)
}

// scoreAll sends the journals through the workers in batches and gathers what
// comes back, in order.
func (r *Result) scoreAll(ctx context.Context, sums *groups) error {
	var out *bufio.Writer
	if r.options.PerJournal != nil {
		out = bufio.NewWriterSize(r.options.PerJournal, 1<<16)
	}
	var faults []error
	journal := 0
	for b, err := range parallel.Map(ctx, r.options.Workers, r.batches(), r.scoreBatch) {
		if err != nil {
			return err
		}
		faults = append(faults, b.fatal...)
		r.gather(b, &journal, sums)
		if out != nil && len(faults) == 0 {
			if _, err := out.Write(b.lines); err != nil {
				return err
			}
		}
		if r.options.Progress != nil {
			r.options.Progress(journal, r.Journals)
		}
	}
	if len(faults) > 0 {
		return inputError(faults)
	}
	if out != nil {
		return out.Flush()
	}
	return nil
}

func (r *Result) gather(b *batch, journal *int, sums *groups) {
	width := r.Schema.width()
	systems := r.systems()
	for row := b.rows; len(row) > 0; row = row[len(systems)*width:] {
		for i, s := range systems {
			s.total.add(row[i*width:][:width])
		}
		if row[cJournals] == 0 {
			r.Empty++
		}
		sums.add(*journal, row[:len(systems)*width])
		r.remember(*journal, row[:width])
		*journal++
	}
	for i, s := range systems {
		s.Problems = append(s.Problems, b.problems[i]...)
		s.BadLines += b.badLines[i]
		s.BadValues += b.badValues[i]
		s.Unknown = append(s.Unknown, b.unknown[i]...)
		for a, counts := range b.confusion[i] {
			for k, n := range counts {
				s.Confusion[a][k] += n
			}
		}
	}
	r.GoldWithoutPlace += b.goldAbsent
	r.OnlyPred += len(b.only[0])
	r.OnlyAgainst += len(b.only[1])
	r.OnlyPredItems = firstRefs(r.OnlyPredItems, b.only[0])
	r.OnlyAgainstItems = firstRefs(r.OnlyAgainstItems, b.only[1])
	for _, d := range b.differing {
		r.Differing = keep(r.Differing, d, mostDifferent)
	}
}

func firstRefs(list, more []ItemRef) []ItemRef {
	return append(list, more[:min(len(more), MaxWorst-len(list))]...)
}

// remember keeps the worst journals, worst first.
func (r *Result) remember(number int, row tally) {
	wrong := 0
	for a := range r.Schema.Attributes {
		at := r.Schema.attributeAt(a)
		wrong += int(row[at+1] - row[at])
	}
	w := Worst{ID: r.roster.ids[number], TP: int(row[cMatched]), FP: int(row[cPred] - row[cMatched]), FN: int(row[cGold] - row[cMatched]),
		F1: row[cF1], AttributeFault: wrong, number: number}
	if w.FP+w.FN+wrong == 0 {
		return
	}
	r.Worst = keep(r.Worst, w, worseFirst)
}

// keep puts x into a list in its order, of which the first MaxWorst stay.
func keep[T any](list []T, x T, order func(a, b T) int) []T {
	at, _ := slices.BinarySearchFunc(list, x, order)
	if at == MaxWorst {
		return list
	}
	list = slices.Insert(list, at, x)
	return list[:min(len(list), MaxWorst)]
}

func mostDifferent(a, b Differing) int {
	return cmp.Or(
		cmp.Compare(b.OnlyPred+b.OnlyAgainst, a.OnlyPred+a.OnlyAgainst),
		cmp.Compare(a.number, b.number),
	)
}

func worseFirst(a, b Worst) int {
	return cmp.Or(
		cmp.Compare(b.FP+b.FN, a.FP+a.FN),
		cmp.Compare(b.AttributeFault, a.AttributeFault),
		cmp.Compare(a.F1, b.F1),
		cmp.Compare(a.number, b.number),
	)
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
		figures := r.Schema.figures(t[:width], r.HasText)
		if r.Against != nil {
			second := r.Schema.figures(t[width:], r.HasText)
			figures = slices.Concat(figures, second, differences(figures, second))
		}
		return figures
	})
	if err != nil || draws == nil {
		return err
	}
	all := intervals(draws)
	r.Pred.Intervals = all[:n]
	if r.Against != nil {
		r.Against.Intervals, r.DifferenceIntervals = all[n:2*n], all[2*n:]
	}
	return nil
}

func differences(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i := range a {
		out[i] = a[i] - b[i]
	}
	return out
}

// A job is a piece of work for one worker: gold journals to score, or, where
// extra is set, records of a file that no gold journal asks for, to check.
type job struct {
	from, to int
	extra    bool
	column   int
}

// batches cuts the work into pieces of some hundred journals, fewer where they
// are large.
func (r *Result) batches() iter.Seq2[job, error] {
	const mostJournals, mostBytes = 256, 1 << 19
	cut := func(n int, size func(int) int, yield func(from, to int) bool) bool {
		for from := 0; from < n; {
			to, bytes := from, 0
			for to < n && to-from < mostJournals && (to == from || bytes+size(to) <= mostBytes) {
				bytes += size(to)
				to++
			}
			if !yield(from, to) {
				return false
			}
			from = to
		}
		return true
	}
	return func(yield func(job, error) bool) {
		lines := r.roster.gold.lines
		if !cut(len(lines), func(i int) int { return int(lines[i].length) }, func(from, to int) bool {
			return yield(job{from: from, to: to}, nil)
		}) {
			return
		}
		for c := range r.roster.columns {
			column := &r.roster.columns[c]
			if !cut(len(column.extra), func(i int) int { return int(column.extra[i].length) }, func(from, to int) bool {
				return yield(job{from, to, true, c}, nil)
			}) {
				return
			}
		}
	}
}
