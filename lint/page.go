package lint

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
)

//go:embed page.html
var pageSource string

var pageTemplate = template.Must(template.New("lint").Parse(pageSource))

// A page is the data of the template.
type page struct {
	*Report
	Program   string
	Cards     []card
	Groups    []plotGroup
	Scale     []tick
	LuckWidth float64
	Most      []hitView
	Checks    []checkView
	Spread    []bar
}

type card struct{ Name, Value, Note, Class string }

type plotGroup struct {
	Title string
	Rows  []plotRow
}

// A plotRow is one attack: its interval, its lift and its inverse on the scale.
type plotRow struct {
	*Result
	Mark, Class, Lift, Range, Opposite, Right string
	From, To, At, InverseAt                   float64
}

type tick struct {
	X     float64
	Label string
}

type hitView struct {
	Hit
	Question *Question
}

type checkView struct {
	Name, Do string
	Count    int
	Findings []Finding
}

type bar struct {
	Name  string
	Count int
	Width float64
}

const (
	pageHits     = 12
	pageFindings = 20
)

// WriteHTML writes the report as one page with plots, which makes no requests.
// It shows the questions that most attacks hit.
func (r *Report) WriteHTML(w io.Writer, questions []*Question, program string) error {
	p := page{Report: r, Program: program}
	reach := 0.05
	for _, a := range r.Attacks {
		reach = max(reach, math.Abs(a.Interval[0]), math.Abs(a.Interval[1]), a.Inverse)
	}
	reach = math.Ceil(reach*20) / 20
	x := func(lift float64) float64 { return math.Round(10*(50+50*max(-1, min(1, lift/reach)))) / 10 }
	for _, t := range []float64{-1, -.5, 0, .5, 1} {
		p.Scale = append(p.Scale, tick{x(t * reach), fmt.Sprintf("%+.0f", 100*t*reach)})
	}
	p.LuckWidth = x(r.Luck) - 50
	for _, k := range kindTitles {
		group := plotGroup{Title: k.title}
		for i := range r.Attacks {
			if a := &r.Attacks[i]; a.Kind == k.kind {
				group.Rows = append(group.Rows, r.plot(a, x))
			}
		}
		if len(group.Rows) > 0 {
			p.Groups = append(p.Groups, group)
		}
	}
	p.cards()
	byPlace := map[string]*Question{}
	for _, q := range questions {
		byPlace[fmt.Sprint(q.File, ":", q.Line)] = q
	}
	for _, h := range r.Hit[:min(pageHits, len(r.Hit))] {
		p.Most = append(p.Most, hitView{h, byPlace[fmt.Sprint(h.File, ":", h.Line)]})
	}
	p.findings()
	return pageTemplate.Execute(w, p)
}

func (r *Report) plot(a *Result, x func(float64) float64) plotRow {
	row := plotRow{Result: a, Lift: fmt.Sprintf("%+.1f", 100*a.Lift), Range: fmt.Sprintf("%+.1f to %+.1f", 100*a.Interval[0], 100*a.Interval[1]),
		Opposite: fmt.Sprintf("%+.1f", 100*a.Inverse), Right: fmt.Sprintf("%.1f (%.1f)", 100*a.Accuracy, 100*a.Chance),
		From: x(a.Interval[0]), To: x(a.Interval[1]), At: x(a.Lift), InverseAt: x(a.Inverse)}
	switch r.mark(a) {
	case "!":
		row.Mark, row.Class = "leaks", "leak"
	case "*":
		row.Mark, row.Class = "above 0", "maybe"
	}
	return row
}

func (p *page) cards() {
	r := p.Report
	worst := card{Name: "Best guess without the passage", Value: "–"}
	if r.Worst != nil {
		worst.Value, worst.Note = fmt.Sprintf("%+.1f", 100*r.Worst.Strength()), r.Worst.way()
		if r.Worst.Strength() > r.Luck {
			worst.Class = "leak"
		}
	}
	p.Cards = []card{worst, {Name: "By luck alone", Value: fmt.Sprintf("%+.1f", 100*r.Luck), Note: "the best of so many ways, 95 %"},
		{Name: "Ways that beat luck", Value: fmt.Sprint(r.leaking()), Note: fmt.Sprintf("of %d", len(r.Attacks))}}
	if r.has(Ranker) {
		c := card{Name: "The ranker", Value: fmt.Sprintf("%+.1f", 100*r.Figures()["ranker"]), Note: "its best or its worst"}
		if r.Figures()["ranker"] > r.Luck {
			c.Class = "leak"
		}
		p.Cards = append(p.Cards, c)
	}
	p.Cards = append(p.Cards, card{Name: "Hygiene", Value: fmt.Sprint(r.Findings.Count("")), Note: "findings"})
}

func (p *page) findings() {
	for _, check := range Checks {
		view := checkView{Name: check, Do: todo[check], Count: p.Report.Findings.Count(check)}
		for _, f := range p.Report.Findings {
			if f.Check == check && len(view.Findings) < pageFindings {
				view.Findings = append(view.Findings, f)
			}
		}
		if view.Count > 0 {
			p.Checks = append(p.Checks, view)
		}
	}
	most := 1
	for _, n := range p.Balance.Categories {
		most = max(most, n)
	}
	for _, name := range p.categories() {
		n := p.Balance.Categories[name]
		p.Spread = append(p.Spread, bar{name, n, 100 * float64(n) / float64(most)})
	}
}
