// Package report writes a score as an HTML page: the figures, the journals with
// the most mistakes and, for two systems, a comparison. The page is one file and
// makes no requests.
package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"verbatim/grade"
)

//go:embed report.html
var source string

var pageTemplate = template.Must(template.New("report").Parse(source))

// A page is the data of the template.
type page struct {
	*report
	PredFile, Program, Counts, Shown string
	Notes, Inputs                    []string
	Cards, Modes, Domains            []figure
	Rows                             []rateRow
	Attributes                       []attributeView
	Articles                         []article
	Comparison                       *comparison // nil without a second system
}

// A figure has an interval, and a bar on a scale from 0 to 100.
type figure struct {
	Name, Value, Interval, Whisker string
	Width                          float64
}

// A rateRow has TP, FP, FN, precision, recall and F1.
type rateRow struct {
	Name  string
	Cells []string
}

type attributeView struct {
	Name, Line string
	Columns    []string
	Grid       []gridRow
}

type gridRow struct {
	Name  string
	Cells []cell
}

type cell struct {
	Count int
	Alpha float64
	Class string // diagonal, or off for a mistake
}

// A report is a result with its summary, which has the counts.
type report struct {
	*grade.Result
	summary  grade.Object
	Redacted bool
}

// WriteHTML writes the page. It contains the text of the journals it shows; with
// redact, it shows the marks at their places but no text.
func WriteHTML(w io.Writer, result *grade.Result, redact bool) error {
	r := &report{result, result.Summary(""), redact}
	p := page{report: r, PredFile: filepath.Base(r.Pred.Name), Program: "Made by verbatim, " + grade.Format,
		Counts: fmt.Sprintf("%s, %s, %s", grade.Plural(r.Journals, "journal"), grade.Plural(r.count("micro.tp")+r.count("micro.fn"), "gold item"),
			grade.Plural(r.count("predicted_items"), "predicted item")),
		Notes: r.notes(), Inputs: []string{about(r.Gold), about(r.Pred.Input)},
		Cards: r.cards(), Modes: r.bars(r.Result.Modes()), Domains: r.bars(r.Result.Domains()), Rows: r.rateRows(), Attributes: r.attributeViews()}
	if r.Against != nil {
		p.Inputs = append(p.Inputs, about(r.Against.Input))
	}
	var err error
	if p.Comparison, err = r.comparison(); err != nil {
		return err
	}
	if p.Articles, err = r.articles(); err != nil {
		return err
	}
	p.Shown = fmt.Sprintf("All %s, those with the most mistakes first.", grade.Plural(r.Journals, "journal"))
	if len(p.Articles) < r.Journals {
		p.Shown = fmt.Sprintf("The %d of %s with the most mistakes. The figures above count all journals.", len(p.Articles), grade.Plural(r.Journals, "journal"))
	}
	return pageTemplate.Execute(w, p)
}

func about(in grade.Input) string {
	return filepath.Base(in.Name) + ": sha256 " + in.SHA256 + "."
}

// count returns a count of the summary by its path.
func (r *report) count(path string) int {
	n, _ := r.summary.Figure(path)
	return int(n)
}

func (r *report) notes() (notes []string) {
	if !r.HasText {
		notes = append(notes, "Scored without the journals' texts: coverage and overlap are null, and no spans are marked.")
	}
	note := func(file string, s *grade.System) {
		if s == nil {
			return
		}
		if n := len(s.Problems); n > 0 {
			notes = append(notes, fmt.Sprintf("%s has %s. Invalid items count as invented, values that are not in their list as wrong.", file, grade.Plural(n, "problem")))
		}
		if n := len(s.Unknown); n > 0 {
			notes = append(notes, fmt.Sprintf("%s has %s that the gold does not have; these are counted separately.", file, grade.Plural(n, "journal")))
		}
	}
	note("The prediction file", r.Pred)
	note("The second prediction file", r.Against)
	return notes
}

func (r *report) cards() (cards []figure) {
	for _, c := range [][2]string{
		{"F1, containment", "micro.f1"}, {"F1, exact spans", "exact.f1"}, {"F1, overlap", "overlap.f1"},
		{"polarity", "attributes.polarity.accuracy"}, {"buckets pooled", "buckets.accuracy"}, {"evidence coverage", "coverage"},
	} {
		if slices.Contains(r.Names, c[1]) {
			cards = append(cards, r.figure(c[0], c[1]))
		}
	}
	return cards
}

func (r *report) figure(name, path string) figure {
	value, interval := r.Figure(r.Pred, path)
	f := figure{Name: name, Value: grade.FormatFigure(value), Interval: interval.String()}
	if !math.IsNaN(value) {
		f.Width = math.Round(1000*value) / 10
	}
	if f.Interval != "" {
		f.Whisker = whisker(2, 8, 100*interval.Low, 100*interval.High)
	}
	return f
}

// whisker draws an interval: a line, and a bar at each end from top to bottom.
func whisker(top, bottom int, low, high float64) string {
	return fmt.Sprintf("M%.1f %dV%dM%.1f 5H%.1fM%.1f %dV%d", low, top, bottom, low, high, high, top, bottom)
}

func (r *report) bars(groups []grade.Group) (bars []figure) {
	for _, g := range groups {
		bars = append(bars, r.figure(g.Name, g.Path+".f1"))
	}
	return bars
}

func (r *report) rateRows() (rows []rateRow) {
	for _, g := range slices.Concat(r.Modes(), r.Macros(), r.Domains()) {
		row := rateRow{Name: g.Name}
		if g.Path == "micro" {
			row.Name += " (micro)"
		}
		for _, name := range []string{".tp", ".fp", ".fn"} {
			count := ""
			if n, counted := r.summary.Figure(g.Path + name); counted {
				count = fmt.Sprint(int(n))
			}
			row.Cells = append(row.Cells, count)
		}
		for _, name := range []string{".precision", ".recall", ".f1"} {
			value, _ := r.Figure(r.Pred, g.Path+name)
			row.Cells = append(row.Cells, grade.FormatFigure(value))
		}
		rows = append(rows, row)
	}
	return rows
}

// attributeViews shows each confusion without rows and columns that are both
// empty.
func (r *report) attributeViews() (views []attributeView) {
	for a, attribute := range r.Schema.Attributes {
		path := "attributes." + attribute.Name
		accuracy, interval := r.Figure(r.Pred, path+".accuracy")
		v := attributeView{Name: attribute.Name, Line: fmt.Sprintf("%d of %d right (%s), %d excluded",
			r.count(path+".right"), r.count(path+".compared"), grade.FormatFigure(accuracy), r.count(path+".excluded"))}
		if text := interval.String(); text != "" {
			v.Line += ", 95 % " + text
		}
		r.addConfusion(&v, a)
		views = append(views, v)
	}
	return views
}

func (r *report) addConfusion(v *attributeView, attribute int) {
	labels, listed := r.Schema.Attributes[attribute].Labels(), len(r.Schema.Attributes[attribute].Values)
	most := 1
	var shown []int
	for i := range labels {
		used := i < listed
		for k := range labels {
			n, turned := r.Confusion(r.Pred, attribute, i, k), r.Confusion(r.Pred, attribute, k, i)
			most = max(most, n)
			used = used || n > 0 || turned > 0
		}
		if used {
			shown = append(shown, i)
			v.Columns = append(v.Columns, labels[i])
		}
	}
	for _, g := range shown {
		row := gridRow{Name: labels[g]}
		for _, p := range shown {
			n := r.Confusion(r.Pred, attribute, g, p)
			// The square root makes a few mistakes among many right values visible.
			c := cell{Count: n, Alpha: math.Round(60*math.Sqrt(float64(n)/float64(most))) / 100}
			switch {
			case g == p:
				c.Class = "diagonal"
			case !saysNothing(labels[g]) && !saysNothing(labels[p]):
				c.Class = "off"
			}
			row.Cells = append(row.Cells, c)
		}
		v.Grid = append(v.Grid, row)
	}
}

func saysNothing(label string) bool { return label == grade.Unknown || label == grade.NotGiven }

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
