package report

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"verbatim/grade"
)

// A comparison shows two systems side by side: A was scored, B is the one that
// it is compared with.
type comparison struct {
	A, B, Scale, Shown string
	Rows               []differenceRow
	Paired             bool // with intervals
	Articles           []article
}

// A differenceRow is a figure of both systems. Its plot goes from 0 to 100; 50
// is no difference.
type differenceRow struct {
	Name, A, B, Difference, Interval string
	Verdict, Class, Tick, Whisker    string
}

func (r *report) comparison() (*comparison, error) {
	if r.Against == nil {
		return nil, nil
	}
	c := &comparison{A: filepath.Base(r.Pred.Name), B: filepath.Base(r.Against.Name), Paired: r.DifferenceIntervals != nil}
	names := r.comparedNames()
	most := r.largestDifference(names)
	c.Scale = fmt.Sprintf("%.4g", most)
	for _, n := range names {
		if row := r.differenceRow(n[0], n[1], most); row.A != "null" || row.B != "null" {
			c.Rows = append(c.Rows, row)
		}
	}
	for n, d := range r.Differing {
		a, err := r.differingArticle(d)
		if err != nil {
			return nil, err
		}
		a.Anchor = fmt.Sprintf("differing-%d", n+1)
		c.Articles = append(c.Articles, a)
	}
	c.Shown = "They are in these journals, those with the most first."
	if len(c.Articles) == grade.MaxWorst {
		c.Shown = fmt.Sprintf("Shown are the %d journals with the most. The numbers count all journals; the per-journal file lists all items.", grade.MaxWorst)
	}
	return c, nil
}

// comparedNames are the figures to show: their names and their paths.
func (r *report) comparedNames() [][2]string {
	names := [][2]string{{"precision, containment", "micro.precision"}, {"recall, containment", "micro.recall"}}
	f1 := func(groups []grade.Group) {
		for _, g := range groups {
			names = append(names, [2]string{"F1, " + g.Name, g.Path + ".f1"})
		}
	}
	f1(r.Modes())
	f1(r.Macros()[:1])
	f1(r.Domains())
	for _, a := range r.Schema.Attributes {
		names = append(names, [2]string{strings.TrimSuffix(a.Name, "_bucket") + " right", "attributes." + a.Name + ".accuracy"})
	}
	names = append(names, [2]string{"buckets pooled, right", "buckets.accuracy"})
	if r.HasText {
		names = append(names, [2]string{"evidence coverage", "coverage"})
	}
	return names
}

// largestDifference is the smallest round number that is at least every
// difference and interval: half the width of the plots.
func (r *report) largestDifference(names [][2]string) float64 {
	most := 0.0
	for _, n := range names {
		value, interval := r.Difference(n[1])
		values := []float64{value}
		if interval != nil {
			values = append(values, interval.Low, interval.High)
		}
		for _, x := range values {
			if !math.IsNaN(x) {
				most = max(most, math.Abs(x))
			}
		}
	}
	for _, round := range []float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.5} {
		if most <= round {
			return round
		}
	}
	return 1
}

func (r *report) differenceRow(name, path string, most float64) differenceRow {
	a, _ := r.Figure(r.Pred, path)
	b, _ := r.Figure(r.Against, path)
	value, interval := r.Difference(path)
	row := differenceRow{Name: name, A: grade.FormatFigure(a), B: grade.FormatFigure(b), Difference: grade.FormatDifference(value), Interval: interval.Signed()}
	if math.IsNaN(value) {
		return row
	}
	at := func(x float64) float64 { return 50 + 50*x/most }
	row.Tick = fmt.Sprintf("M%.1f 1V9", at(value))
	if row.Interval == "" {
		return row
	}
	row.Whisker = whisker(3, 7, at(interval.Low), at(interval.High))
	switch {
	case interval.Low == 0 && interval.High == 0:
		row.Verdict = "no difference"
	case !interval.Excludes0():
		row.Verdict = "may be chance"
	case value > 0:
		row.Verdict, row.Class = "A is better", "better"
	default:
		row.Verdict, row.Class = "B is better", "worse"
	}
	return row
}

// differingArticle marks one journal's gold items by the systems that found them
// and lists those that only one found.
func (r *report) differingArticle(d grade.Differing) (article, error) {
	byPred, err := r.Explain(d.ID)
	if err != nil {
		return article{}, err
	}
	byAgainst, err := r.ExplainAgainst(d.ID)
	if err != nil {
		return article{}, err
	}
	a := article{ID: d.ID, Redacted: r.Redacted, Sums: fmt.Sprintf("only A found %d, only B found %d", d.OnlyPred, d.OnlyAgainst)}
	var edges []edge
	only := func(it *grade.ExplainedItem, e *grade.Explanation, state int, letter string) {
		class := "only-" + strings.ToLower(letter)
		edges = append(edges, span(it, state, &sign{class, letter})...)
		row := foundRow(&e.Gold[it.Number-1], e, r.Redacted)
		row.Class, row.Sign, row.Result, row.Kinds = class, "", "only "+letter, class
		a.Rows = append(a.Rows, row)
	}
	for g := range byPred.Gold {
		it := &byPred.Gold[g]
		switch byA, byB := it.Pred > 0, byAgainst.Gold[g].Pred > 0; {
		case byA && byB:
			edges = append(append(edges, span(it, goldFound, nil)...), span(it, predFound, nil)...)
		case byA:
			only(it, byPred, onlyPred, "A")
		case byB:
			only(it, byAgainst, onlyAgainst, "B")
		default:
			edges = append(edges, span(it, goldMissed, &sign{"missed", "−"})...)
		}
	}
	a.Pieces = pieces(byPred.Text, edges, r.Redacted)
	a.limit("The first %d of %d such items; the per-journal file lists all.")
	return a, nil
}
