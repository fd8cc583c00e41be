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
		Counts: fmt.Sprintf("%s, %s, %s", plural(r.Journals, "journal"), plural(r.count("micro.tp")+r.count("micro.fn"), "gold item"),
			plural(r.count("predicted_items"), "predicted item")),
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
	p.Shown = fmt.Sprintf("All %s, those with the most mistakes first.", plural(r.Journals, "journal"))
	if len(p.Articles) < r.Journals {
		p.Shown = fmt.Sprintf("The %d of %s with the most mistakes. The figures above count all journals.", len(p.Articles), plural(r.Journals, "journal"))
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
			notes = append(notes, fmt.Sprintf("%s has %s. Invalid items count as invented, values that are not in their list as wrong.", file, plural(n, "problem")))
		}
		if n := len(s.Unknown); n > 0 {
			notes = append(notes, fmt.Sprintf("%s has %s that the gold does not have; these are counted separately.", file, plural(n, "journal")))
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

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
