package grade

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

//go:embed report.html
var reportPage string

var reportTemplate = template.Must(template.New("report").Parse(reportPage))

// A page is what the template shows.
type page struct {
	Pred, Program, Counts, Privacy, Shown string
	Redacted                              bool
	Notes, Inputs, DomainNames            []string
	Cards                                 []card
	Modes, Domains                        []bar
	Rows                                  []rateRow
	Attributes                            []attributeView
	Articles                              []article
	Comparison                            *comparison // nil where nothing is compared
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
	Class string // diagonal; off: a mistake
}

// maxReportRows keeps a journal with thousands of items readable.
const maxReportRows = 400

// WriteHTML writes the report: one page without anything from elsewhere. It
// shows the figures and the journals with the most mistakes, with their text;
// with redact, marks stand at their places and no word is in the file.
func (r *Result) WriteHTML(w io.Writer, redact bool) error {
	t := r.Pred.total
	p := page{Pred: filepath.Base(r.Pred.Name), Program: "Made by verbatim, " + Format, Redacted: redact, DomainNames: r.Schema.Domains,
		Counts:  fmt.Sprintf("%s, %s, %s", plural(r.Journals, "journal"), plural(int(t[cGold]), "gold item"), plural(int(t[cPred]), "predicted item")),
		Privacy: "This page holds the text of journals. Keep it as you keep the journals.",
		Cards:   r.cards(), Modes: r.modeBars(), Domains: r.domainBars(), Rows: r.rateRows(), Attributes: r.attributeViews()}
	if redact {
		p.Privacy = "Redacted: figures, places and marks, and no words of the journals."
	}
	p.Notes = r.notes()
	p.Inputs = append(p.Inputs, about(r.roster.gold))
	for _, s := range r.systems() {
		p.Inputs = append(p.Inputs, about(s.index))
	}
	var err error
	if p.Comparison, err = r.comparison(redact); err != nil {
		return err
	}
	if p.Articles, err = r.articles(redact); err != nil {
		return err
	}
	p.Shown = fmt.Sprintf("All %s, those with the most mistakes first.", plural(r.Journals, "journal"))
	if len(p.Articles) < r.Journals {
		p.Shown = fmt.Sprintf("The %d with the most mistakes, of %s. The figures above count all.", len(p.Articles), plural(r.Journals, "journal"))
	}
	return reportTemplate.Execute(w, p)
}

func about(ix *index) string {
	return filepath.Base(ix.source.Name) + ": sha256 " + ix.sha256 + "."
}

func (r *Result) notes() (notes []string) {
	if !r.HasText {
		notes = append(notes, "Scored without the journals' texts: coverage and overlap are null, and no spans can be drawn.")
	}
	for i, s := range r.systems() {
		file := []string{"The prediction file", "The file compared with"}[i]
		if n := len(s.Problems); n > 0 {
			notes = append(notes, fmt.Sprintf("%s has faults (%d). Invalid items count as invented, values outside their list as wrong.", file, n))
		}
		if n := len(s.Unknown); n > 0 {
			notes = append(notes, fmt.Sprintf("%s has journals that the gold does not have (%d). They are counted apart.", file, n))
		}
	}
	return notes
}

func (r *Result) cards() (cards []card) {
	for _, c := range []struct{ name, path string }{
		{"F1, containment", "micro.f1"}, {"F1, exact spans", "exact.f1"}, {"F1, overlap", "overlap.f1"},
		{"polarity", "attributes.polarity.accuracy"}, {"buckets pooled", "buckets.accuracy"}, {"evidence coverage", "coverage"},
	} {
		if slices.Contains(r.Names, c.path) {
			value, interval := r.figure(r.Pred, c.path)
			cards = append(cards, card{c.name, number(value), between(interval)})
		}
	}
	return cards
}

func (r *Result) bar(name, path string) bar {
	value, interval := r.figure(r.Pred, path)
	b := bar{Name: name, Value: number(value), Label: name + " " + number(value)}
	if math.IsNaN(value) {
		return b
	}
	b.Width = math.Round(1000*value) / 10
	if interval != nil && !math.IsNaN(interval.Low) {
		low, high := 100*interval.Low, 100*interval.High
		b.Whisker = fmt.Sprintf("M%.1f 2V8M%.1f 5H%.1fM%.1f 2V8", low, low, high, high)
		b.Label += ", 95 % " + between(interval)
	}
	return b
}

func (r *Result) modeBars() (bars []bar) {
	bars = append(bars, r.bar("containment", "micro.f1"), r.bar("exact", "exact.f1"))
	if r.HasText {
		bars = append(bars, r.bar("overlap", "overlap.f1"))
	}
	return append(bars, r.bar("optimal", "optimal.f1"))
}

func (r *Result) domainBars() (bars []bar) {
	for _, domain := range r.Schema.Domains {
		bars = append(bars, r.bar(domain, "domains."+domain+".f1"))
	}
	return bars
}

func (r *Result) rateRows() (rows []rateRow) {
	t := r.Pred.total
	add := func(name, path string, matched, pred, gold float64) {
		row := rateRow{Name: name}
		if matched >= 0 {
			row.TP, row.FP, row.FN = fmt.Sprint(matched), fmt.Sprint(pred-matched), fmt.Sprint(gold-matched)
		}
		for _, c := range []struct {
			to   *string
			name string
		}{{&row.Precision, ".precision"}, {&row.Recall, ".recall"}, {&row.F1, ".f1"}} {
			value, _ := r.figure(r.Pred, path+c.name)
			*c.to = number(value)
		}
		rows = append(rows, row)
	}
	add("containment (micro)", "micro", t[cMatched], t[cPred], t[cGold])
	add("exact", "exact", t[cExact], t[cPred], t[cGold])
	if r.HasText {
		add("overlap", "overlap", t[cOverlap], t[cPred], t[cGold])
	}
	add("optimal", "optimal", t[cOptimal], t[cPred], t[cGold])
	add("macro over journals", "macro", -1, 0, 0)
	add("macro over domains", "macro_domains", -1, 0, 0)
	for d, domain := range r.Schema.Domains {
		at := r.Schema.domainAt(d)
		add(domain, "domains."+domain, t[at+2], t[at+1], t[at])
	}
	return rows
}

// attributeViews shows each confusion without the rows and columns that are
// empty on both sides.
func (r *Result) attributeViews() (views []attributeView) {
	for a, attribute := range r.Schema.Attributes {
		at := r.Schema.attributeAt(a)
		right, compared := r.Pred.total[at], r.Pred.total[at+1]
		accuracy, interval := r.figure(r.Pred, "attributes."+attribute.Name+".accuracy")
		v := attributeView{Name: attribute.Name, Line: fmt.Sprintf("%.0f of %.0f right (%s), %.0f excluded", right, compared, number(accuracy), r.Pred.total[cMatched]-compared)}
		if text := between(interval); text != "" {
			v.Line += ", 95 % " + text
		}
		names := append(slices.Clone(attribute.Values), notGiven, notListed)
		most := float64(max(1, slices.Max(r.Pred.Confusion[a])))
		var kept []int
		for i := range names {
			seen := i < len(attribute.Values)
			for k := range names {
				seen = seen || r.ConfusionAt(r.Pred, a, i, k) > 0 || r.ConfusionAt(r.Pred, a, k, i) > 0
			}
			if seen {
				kept = append(kept, i)
				v.Columns = append(v.Columns, names[i])
			}
		}
		for _, g := range kept {
			row := gridRow{Name: names[g]}
			for _, p := range kept {
				row.Cells = append(row.Cells, heat(r.ConfusionAt(r.Pred, a, g, p), most, g == p,
					g != p && !silentName(names[g]) && !silentName(names[p])))
			}
			v.Grid = append(v.Grid, row)
		}
		views = append(views, v)
	}
	return views
}

// heat colours a cell by the root of its count, so that a few mistakes among
// many right ones can be seen.
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

func silentName(value string) bool { return value == unknown || value == notGiven }

// An article is one journal.
type article struct {
	Redacted               bool
	ID, Anchor, Sums, More string
	Pieces                 []piece
	Rows                   []itemRow
}

// A piece of a text is plain, or lies in spans.
type piece struct {
	Text, Class, Title, Domains string
	Signs                       []sign
}

type sign struct{ Class, Sign string }

type itemRow struct {
	Class, Sign, Result, Domain, Kinds, Gold, Pred, Remark string
	Wrong                                                  []AttributeVerdict
}

// bound keeps the first rows, and says so in words with two numbers.
func (a *article) bound(words string) {
	if len(a.Rows) > maxReportRows {
		a.More = fmt.Sprintf(words, maxReportRows, len(a.Rows))
		a.Rows = a.Rows[:maxReportRows]
	}
}

// articles are the worst journals and, where there are few, the others too.
func (r *Result) articles(redact bool) (list []article, err error) {
	var numbers []int
	for _, w := range r.Worst {
		numbers = append(numbers, w.number)
	}
	for i := 0; i < r.Journals && r.Journals <= MaxWorst; i++ {
		if !slices.Contains(numbers, i) {
			numbers = append(numbers, i)
		}
	}
	for n, i := range numbers {
		e, err := r.explain(i, 0)
		if err != nil {
			return nil, err
		}
		a := article{ID: e.ID, Redacted: redact, Anchor: fmt.Sprintf("journal-%d", n+1), Pieces: pieces(e.Text, edgesOf(e), redact), Rows: itemRows(e, redact)}
		a.Sums = fmt.Sprintf("%d found, %d missed, %d invented; F1 %s", e.TP, e.FN, e.FP, number(e.Rates.F1))
		a.bound("The first %d of %d items; --explain prints all.")
		list = append(list, a)
	}
	return list, nil
}

// itemRows lists pairs and what is left over, in the order of the gold.
func itemRows(e *Explanation, redact bool) (rows []itemRow) {
	for i := range e.Gold {
		g := &e.Gold[i]
		if g.Pred == 0 {
			rows = append(rows, itemRow{Class: "missed", Sign: "−", Result: "missed", Domain: g.Domain, Kinds: "missed", Gold: words(g, redact)})
		} else {
			rows = append(rows, foundRow(g, e, redact))
		}
	}
	for i := range e.Pred {
		if p := &e.Pred[i]; p.Gold == 0 {
			row := itemRow{Class: "invented", Sign: "+", Result: "invented", Domain: p.Domain, Kinds: "invented", Pred: words(p, redact)}
			if len(p.Fits) > 0 {
				row.Remark = "fits gold item " + list(p.Fits) + ", which was taken"
			}
			if !p.Valid {
				row.Kinds += " invalid"
				row.Remark = "invalid: it needs a domain from the list and a span"
			}
			row.unplaced(e, p)
			rows = append(rows, row)
		}
	}
	return rows
}

// foundRow is a gold item with its prediction.
func foundRow(g *ExplainedItem, e *Explanation, redact bool) itemRow {
	p := &e.Pred[g.Pred-1]
	row := itemRow{Class: "found", Sign: "✓", Result: "found", Domain: g.Domain, Gold: words(g, redact), Pred: words(p, redact)}
	if p.Span == g.Span {
		row.Pred = "the same"
	}
	for _, a := range p.Attributes {
		if a.Verdict == Wrong {
			row.Wrong = append(row.Wrong, a)
			row.Kinds = "attribute"
		}
	}
	row.unplaced(e, p)
	return row
}

func (row *itemRow) unplaced(e *Explanation, p *ExplainedItem) {
	if e.HasText && p.Valid && !p.Placed {
		row.Kinds = strings.TrimSpace(row.Kinds + " ungrounded")
		row.Remark = strings.TrimSpace(row.Remark + " not verbatim in the journal")
	}
}

// An edge is where a span begins or ends.
type edge struct {
	at    int
	open  bool
	state int
	item  *ExplainedItem
	sign  *sign
}

// States of a piece of text. The last two are drawn where two systems are
// compared.
const (
	goldFound = iota
	predFound
	goldMissed
	predInvented
	onlyPred
	onlyAgainst
	states
)

// pieces cuts a text at the edges of all spans.
func pieces(text string, edges []edge, redact bool) (list []piece) {
	sortEdges(edges)
	var open [states]int
	domains := map[string]int{}
	at := 0
	for i := 0; i <= len(edges); i++ {
		end := len(text)
		if i < len(edges) {
			end = edges[i].at
		}
		if end > at {
			list = append(list, newPiece(text[at:end], open, domains, redact))
			at = end
		}
		if i == len(edges) {
			break
		}
		x := edges[i]
		if x.open {
			open[x.state]++
			domains[x.item.Domain]++
			continue
		}
		open[x.state]--
		if domains[x.item.Domain]--; domains[x.item.Domain] == 0 {
			delete(domains, x.item.Domain)
		}
		if x.sign != nil && len(list) > 0 {
			last := &list[len(list)-1]
			if !slices.Contains(last.Signs, *x.sign) {
				last.Signs = append(last.Signs, *x.sign)
			}
		}
	}
	return list
}

// span gives the two edges of an item that has a place.
func span(it *ExplainedItem, state int, s *sign) []edge {
	if !it.Placed || it.Place.Len() == 0 {
		return nil
	}
	return []edge{{it.Place.Start, true, state, it, nil}, {it.Place.End, false, state, it, s}}
}

func edgesOf(e *Explanation) (edges []edge) {
	add := func(it *ExplainedItem, state int, s *sign) { edges = append(edges, span(it, state, s)...) }
	for i := range e.Gold {
		if it := &e.Gold[i]; it.Pred > 0 {
			add(it, goldFound, nil)
		} else {
			add(it, goldMissed, &sign{"missed", "−"})
		}
	}
	for i := range e.Pred {
		it := &e.Pred[i]
		wrong := slices.ContainsFunc(it.Attributes, func(a AttributeVerdict) bool { return a.Verdict == Wrong })
		switch {
		case it.Gold == 0:
			add(it, predInvented, &sign{"invented", "+"})
		case wrong:
			add(it, predFound, &sign{"wrong", "≠"})
		default:
			add(it, predFound, nil)
		}
	}
	return edges
}

// sortEdges: at one place, ends come before beginnings.
func sortEdges(edges []edge) {
	slices.SortStableFunc(edges, func(a, b edge) int {
		if a.at != b.at {
			return a.at - b.at
		}
		if a.open == b.open {
			return 0
		}
		if b.open {
			return -1
		}
		return 1
	})
}

func newPiece(text string, open [states]int, domains map[string]int, redact bool) piece {
	p := piece{Text: text}
	if redact {
		p.Text = strings.Repeat("·", utf8.RuneCountInString(text))
	}
	var class, title []string
	add := func(c, t string) { class, title = append(class, c), append(title, t) }
	switch {
	case open[goldFound] > 0 && open[predFound] > 0:
		add("found", "found")
	case open[goldFound] > 0:
		add("part", "gold's part of a pair")
	case open[predFound] > 0:
		add("part", "the prediction's part of a pair")
	}
	if open[goldMissed] > 0 {
		add("missed", "missed")
	}
	if open[predInvented] > 0 {
		add("invented", "invented")
	}
	if open[onlyPred] > 0 {
		add("only-a", "only A found it")
	}
	if open[onlyAgainst] > 0 {
		add("only-b", "only B found it")
	}
	if class == nil {
		return p
	}
	var names []string
	for name := range domains {
		if name != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	p.Class, p.Title = strings.Join(class, " "), strings.Join(title, ", ")+": "+strings.Join(names, ", ")
	p.Domains = strings.Join(names, "|")
	return p
}
