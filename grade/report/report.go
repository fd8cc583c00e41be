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
	Pred, Program, Counts, Privacy, Shown string
	Redacted                              bool
	Notes, Inputs, DomainNames            []string
	Cards                                 []card
	Modes, Domains                        []bar
	Rows                                  []rateRow
	Attributes                            []attributeView
	Articles                              []article
	Comparison                            *comparison // nil without a second system
}

type card struct{ Name, Value, Below string }

// A bar is a figure with its interval, drawn on a scale from 0 to 100.
type bar struct {
	Name, Value, Label string
	Width              float64
	Whisker            string
}

type rateRow struct{ Name, TP, FP, FN, Precision, Recall, F1 string }

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
	Count string
	Alpha float64
	Class string // diagonal, or off for a mistake
}

// A report is a result with its summary, which has the counts.
type report struct {
	*grade.Result
	summary grade.Object
	redact  bool
}

// WriteHTML writes the page. It contains the text of the journals it shows; with
// redact, it shows the marks at their places but no text.
func WriteHTML(w io.Writer, result *grade.Result, redact bool) error {
	r := &report{result, result.Summary(""), redact}
	p := page{Pred: filepath.Base(r.Pred.Name), Program: "Made by verbatim, " + grade.Format, Redacted: redact, DomainNames: r.Schema.Domains,
		Counts: fmt.Sprintf("%s, %s, %s", plural(r.Journals, "journal"), plural(r.count("micro.tp")+r.count("micro.fn"), "gold item"),
			plural(r.count("predicted_items"), "predicted item")),
		Privacy: "This page contains the text of journals. Protect it as you protect the journals.",
		Notes:   r.notes(), Inputs: []string{about(r.Gold), about(r.Pred.Input)},
		Cards: r.cards(), Modes: r.modeBars(), Domains: r.domainBars(), Rows: r.rateRows(), Attributes: r.attributeViews()}
	if redact {
		p.Privacy = "Redacted: this page contains figures, places and marks, but no text of the journals."
	}
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

func (r *report) cards() (cards []card) {
	for _, c := range []struct{ name, path string }{
		{"F1, containment", "micro.f1"}, {"F1, exact spans", "exact.f1"}, {"F1, overlap", "overlap.f1"},
		{"polarity", "attributes.polarity.accuracy"}, {"buckets pooled", "buckets.accuracy"}, {"evidence coverage", "coverage"},
	} {
		if slices.Contains(r.Names, c.path) {
			value, interval := r.Figure(r.Pred, c.path)
			cards = append(cards, card{c.name, grade.FormatFigure(value), interval.String()})
		}
	}
	return cards
}

func (r *report) bar(name, path string) bar {
	value, interval := r.Figure(r.Pred, path)
	b := bar{Name: name, Value: grade.FormatFigure(value), Label: name + " " + grade.FormatFigure(value)}
	if math.IsNaN(value) {
		return b
	}
	b.Width = math.Round(1000*value) / 10
	if interval != nil && !math.IsNaN(interval.Low) {
		low, high := 100*interval.Low, 100*interval.High
		b.Whisker = fmt.Sprintf("M%.1f 2V8M%.1f 5H%.1fM%.1f 2V8", low, low, high, high)
		b.Label += ", 95 % " + interval.String()
	}
	return b
}

func (r *report) modeBars() (bars []bar) {
	bars = append(bars, r.bar("containment", "micro.f1"), r.bar("exact", "exact.f1"))
	if r.HasText {
		bars = append(bars, r.bar("overlap", "overlap.f1"))
	}
	return append(bars, r.bar("optimal", "optimal.f1"))
}

func (r *report) domainBars() (bars []bar) {
	for _, domain := range r.Schema.Domains {
		bars = append(bars, r.bar(domain, "domains."+domain+".f1"))
	}
	return bars
}

func (r *report) rateRows() (rows []rateRow) {
	rates := func(name, path string) *rateRow {
		rows = append(rows, rateRow{Name: name})
		row := &rows[len(rows)-1]
		for suffix, to := range map[string]*string{".precision": &row.Precision, ".recall": &row.Recall, ".f1": &row.F1} {
			value, _ := r.Figure(r.Pred, path+suffix)
			*to = grade.FormatFigure(value)
		}
		return row
	}
	counts := func(name, path string) {
		row := rates(name, path)
		row.TP, row.FP, row.FN = fmt.Sprint(r.count(path+".tp")), fmt.Sprint(r.count(path+".fp")), fmt.Sprint(r.count(path+".fn"))
	}
	counts("containment (micro)", "micro")
	counts("exact", "exact")
	if r.HasText {
		counts("overlap", "overlap")
	}
	counts("optimal", "optimal")
	rates("macro over journals", "macro")
	rates("macro over domains", "macro_domains")
	for _, domain := range r.Schema.Domains {
		counts(domain, "domains."+domain)
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
			mistake := g != p && !saysNothing(labels[g]) && !saysNothing(labels[p])
			row.Cells = append(row.Cells, heat(r.Confusion(r.Pred, attribute, g, p), float64(most), g == p, mistake))
		}
		v.Grid = append(v.Grid, row)
	}
}

// heat colors a cell by the square root of its count, so a few mistakes among
// many right values are visible.
func heat(n int, most float64, diagonal, mistake bool) cell {
	c := cell{Count: fmt.Sprint(n), Alpha: math.Round(60*math.Sqrt(float64(n)/most)) / 100}
	switch {
	case diagonal:
		c.Class = "diagonal"
	case mistake:
		c.Class = "off"
	}
	return c
}

func saysNothing(label string) bool { return label == grade.Unknown || label == grade.NotGiven }

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
