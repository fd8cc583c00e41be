package grade

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
)

// A comparison is the part of the page that holds two systems side by side. A
// is what was scored, B what it is compared with.
type comparison struct {
	A, B, Scale, Shown string
	Rows               []differenceRow
	OnlyA, OnlyB       int
	Paired             bool // there are intervals
	Articles           []article
}

// A differenceRow is a figure of both systems. Its plot goes from 0 to 100,
// with no difference at 50.
type differenceRow struct {
	Name, A, B, Difference, Interval string
	Verdict, Class, Label            string
	Tick, Whisker                    string
}

func (r *Result) comparison(redact bool) (*comparison, error) {
	if r.Against == nil {
		return nil, nil
	}
	c := &comparison{A: filepath.Base(r.Pred.Name), B: filepath.Base(r.Against.Name), OnlyA: r.OnlyPred, OnlyB: r.OnlyAgainst, Paired: r.DifferenceIntervals != nil}
	names := r.comparedNames()
	most := r.largestDifference(names)
	c.Scale = fmt.Sprintf("%.4g", most)
	for _, n := range names {
		if row := r.differenceRow(n[0], n[1], most); row.A != "null" || row.B != "null" {
			c.Rows = append(c.Rows, row)
		}
	}
	for n, d := range r.Differing {
		a, err := r.differingArticle(d, redact)
		if err != nil {
			return nil, err
		}
		a.Anchor = fmt.Sprintf("differing-%d", n+1)
		c.Articles = append(c.Articles, a)
	}
	c.Shown = "They stand in these journals, those with the most of them first."
	if len(c.Articles) == MaxWorst {
		c.Shown = fmt.Sprintf("Shown are the %d journals with the most of them. The numbers count all, and the per-journal file names all.", MaxWorst)
	}
	return c, nil
}

// comparedNames are the figures that are shown: what people call them, and
// their paths.
func (r *Result) comparedNames() (names [][2]string) {
	add := func(name, path string) { names = append(names, [2]string{name, path}) }
	add("precision, containment", "micro.precision")
	add("recall, containment", "micro.recall")
	add("F1, containment", "micro.f1")
	add("F1, exact", "exact.f1")
	if r.HasText {
		add("F1, overlap", "overlap.f1")
	}
	add("F1, optimal", "optimal.f1")
	add("F1, macro over journals", "macro.f1")
	for _, domain := range r.Schema.Domains {
		add("F1, "+domain, "domains."+domain+".f1")
	}
	for _, a := range r.Schema.Attributes {
		add(strings.TrimSuffix(a.Name, "_bucket")+" right", "attributes."+a.Name+".accuracy")
	}
	add("buckets pooled, right", "buckets.accuracy")
	if r.HasText {
		add("evidence coverage", "coverage")
	}
	return names
}

// difference is a figure's, and its interval or nil.
func (r *Result) difference(path string) (float64, *Interval) {
	for i, name := range r.Names {
		if name == path && r.DifferenceIntervals == nil {
			return r.Differences[i], nil
		} else if name == path {
			return r.Differences[i], &r.DifferenceIntervals[i]
		}
	}
	return math.NaN(), nil
}

// largestDifference is the first round number that no difference and no
// interval passes: half the width of the plots.
func (r *Result) largestDifference(names [][2]string) float64 {
	most := 0.0
	for _, n := range names {
		value, interval := r.difference(n[1])
		most = math.Max(most, finite(value))
		if interval != nil {
			most = math.Max(most, math.Max(finite(interval.Low), finite(interval.High)))
		}
	}
	for _, round := range []float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.5} {
		if most <= round {
			return round
		}
	}
	return 1
}

func finite(x float64) float64 {
	if math.IsNaN(x) {
		return 0
	}
	return math.Abs(x)
}

func (r *Result) differenceRow(name, path string, most float64) differenceRow {
	a, _ := r.figure(r.Pred, path)
	b, _ := r.figure(r.Against, path)
	value, interval := r.difference(path)
	row := differenceRow{Name: name, A: number(a), B: number(b), Difference: signed(value), Interval: betweenSigned(interval)}
	row.Label = fmt.Sprintf("%s: A less B %s", name, row.Difference)
	if math.IsNaN(value) {
		return row
	}
	at := func(x float64) float64 { return 50 + 50*x/most }
	row.Tick = fmt.Sprintf("M%.1f 1V9", at(value))
	if row.Interval == "" {
		return row
	}
	row.Whisker = fmt.Sprintf("M%.1f 3V7M%.1f 5H%.1fM%.1f 3V7", at(interval.Low), at(interval.Low), at(interval.High), at(interval.High))
	row.Label += ", 95 % " + row.Interval
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

// differingArticle draws one journal's gold items by who found them, and lists those
// that only one found.
func (r *Result) differingArticle(d Differing, redact bool) (article, error) {
	var both [2]*Explanation
	for s := range both {
		e, err := r.explain(d.number, s)
		if err != nil {
			return article{}, err
		}
		both[s] = e
	}
	a := article{ID: d.ID, Redacted: redact, Sums: fmt.Sprintf("only A found %d, only B found %d", d.OnlyPred, d.OnlyAgainst)}
	var edges []edge
	only := func(it *ExplainedItem, e *Explanation, state int, letter string) {
		class := "only-" + strings.ToLower(letter)
		edges = append(edges, span(it, state, &sign{class, letter})...)
		row := foundRow(&e.Gold[it.Number-1], e, redact)
		row.Class, row.Sign, row.Result, row.Kinds = class, "", "only "+letter, class
		a.Rows = append(a.Rows, row)
	}
	for g := range both[0].Gold {
		it := &both[0].Gold[g]
		switch byA, byB := it.Pred > 0, both[1].Gold[g].Pred > 0; {
		case byA && byB:
			edges = append(append(edges, span(it, goldFound, nil)...), span(it, predFound, nil)...)
		case byA:
			only(it, both[0], onlyPred, "A")
		case byB:
			only(it, both[1], onlyAgainst, "B")
		default:
			edges = append(edges, span(it, goldMissed, &sign{"missed", "−"})...)
		}
	}
	a.Pieces = pieces(both[0].Text, edges, redact)
	a.bound("The first %d of %d such items; the per-journal file names all.")
	return a, nil
}
