package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"verbatim/grade"
)

// An article is one journal.
type article struct {
	Redacted               bool
	ID, Anchor, Sums, More string
	Pieces                 []piece
	Rows                   []itemRow
}

// A piece of a text is plain or inside spans.
type piece struct {
	Text, Class, Title, Domains string
	Signs                       []sign
}

type sign struct{ Class, Sign string }

type itemRow struct {
	Class, Sign, Result, Domain, Kinds, Gold, Pred, Remark string
	Wrong                                                  []grade.AttributeVerdict
}

// maxRows keeps a journal with thousands of items readable.
const maxRows = 400

// limit keeps the first rows. more says so, with two numbers.
func (a *article) limit(more string) {
	if len(a.Rows) > maxRows {
		a.More = fmt.Sprintf(more, maxRows, len(a.Rows))
		a.Rows = a.Rows[:maxRows]
	}
}

// articles are the worst journals and, if there are few, all others too.
func (r *report) articles() (list []article, err error) {
	var ids []string
	shown := map[string]bool{}
	for _, w := range r.Worst {
		ids, shown[w.ID] = append(ids, w.ID), true
	}
	if r.Journals <= grade.MaxWorst {
		for _, id := range r.JournalIDs() {
			if !shown[id] {
				ids = append(ids, id)
			}
		}
	}
	for n, id := range ids {
		e, err := r.Explain(id)
		if err != nil {
			return nil, err
		}
		a := article{ID: e.ID, Redacted: r.Redacted, Anchor: fmt.Sprintf("journal-%d", n+1), Pieces: pieces(e.Text, edgesOf(e), r.Redacted), Rows: itemRows(e, r.Redacted)}
		a.Sums = fmt.Sprintf("%d found, %d missed, %d invented; F1 %s", e.TP, e.FN, e.FP, grade.FormatFigure(e.Rates.F1))
		a.limit("The first %d of %d items.")
		list = append(list, a)
	}
	return list, nil
}

// itemRows lists the pairs and missed items in the order of the gold, then the
// invented items.
func itemRows(e *grade.Explanation, redact bool) (rows []itemRow) {
	for i := range e.Gold {
		g := &e.Gold[i]
		if g.Pred == 0 {
			rows = append(rows, itemRow{Class: "missed", Sign: "−", Result: "missed", Domain: g.Domain, Kinds: "missed", Gold: g.Quote(redact)})
		} else {
			rows = append(rows, foundRow(g, e, redact))
		}
	}
	for i := range e.Pred {
		if p := &e.Pred[i]; p.Gold == 0 {
			row := itemRow{Class: "invented", Sign: "+", Result: "invented", Domain: p.Domain, Kinds: "invented", Pred: p.Quote(redact)}
			if len(p.Fits) > 0 {
				row.Remark = "fits gold item " + p.FitsList() + ", which another prediction took"
			}
			if !p.Valid {
				row.Kinds += " invalid"
				row.Remark = "invalid: an item needs a domain from the list and a span"
			}
			row.unplaced(e, p)
			rows = append(rows, row)
		}
	}
	return rows
}

// foundRow is a gold item with its prediction.
func foundRow(g *grade.ExplainedItem, e *grade.Explanation, redact bool) itemRow {
	p := &e.Pred[g.Pred-1]
	row := itemRow{Class: "found", Sign: "✓", Result: "found", Domain: g.Domain, Gold: g.Quote(redact), Pred: p.Quote(redact)}
	if p.Span == g.Span {
		row.Pred = "the same"
	}
	for _, a := range p.Attributes {
		if a.Verdict == grade.Wrong {
			row.Wrong = append(row.Wrong, a)
			row.Kinds = "attribute"
		}
	}
	row.unplaced(e, p)
	return row
}

func (row *itemRow) unplaced(e *grade.Explanation, p *grade.ExplainedItem) {
	if e.HasText && p.Valid && !p.Placed {
		row.Kinds = strings.TrimSpace(row.Kinds + " ungrounded")
		row.Remark = strings.TrimSpace(row.Remark + " not verbatim in the journal")
	}
}

// An edge is the start or end of a span.
type edge struct {
	at    int
	step  int // 1 at the start, -1 at the end
	state int
	item  *grade.ExplainedItem
	sign  *sign
}

// States of a piece of text. The last two are for comparisons.
const (
	goldFound = iota
	predFound
	goldMissed
	predInvented
	onlyPred
	onlyAgainst
	states
)

// pieces splits a text at the edges of all spans.
func pieces(text string, edges []edge, redact bool) (list []piece) {
	slices.SortStableFunc(edges, func(a, b edge) int { return cmp.Or(a.at-b.at, a.step-b.step) }) // ends before starts
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
		open[x.state] += x.step
		if domains[x.item.Domain] += x.step; domains[x.item.Domain] == 0 {
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

// span returns the two edges of an item that has a place.
func span(it *grade.ExplainedItem, state int, s *sign) []edge {
	if !it.Placed || it.Place.Len() == 0 {
		return nil
	}
	return []edge{{it.Place.Start, 1, state, it, nil}, {it.Place.End, -1, state, it, s}}
}

func edgesOf(e *grade.Explanation) (edges []edge) {
	add := func(it *grade.ExplainedItem, state int, s *sign) { edges = append(edges, span(it, state, s)...) }
	for i := range e.Gold {
		if it := &e.Gold[i]; it.Pred > 0 {
			add(it, goldFound, nil)
		} else {
			add(it, goldMissed, &sign{"missed", "−"})
		}
	}
	for i := range e.Pred {
		it := &e.Pred[i]
		wrong := slices.ContainsFunc(it.Attributes, func(a grade.AttributeVerdict) bool { return a.Verdict == grade.Wrong })
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
		add("part", "part of the gold span only")
	case open[predFound] > 0:
		add("part", "part of the predicted span only")
	}
	for _, state := range []struct {
		n            int
		class, title string
	}{
		{open[goldMissed], "missed", "missed"},
		{open[predInvented], "invented", "invented"},
		{open[onlyPred], "only-a", "only A found it"},
		{open[onlyAgainst], "only-b", "only B found it"},
	} {
		if state.n > 0 {
			add(state.class, state.title)
		}
	}
	if class == nil {
		return p
	}
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(domains)), func(name string) bool { return name == "" })
	p.Class, p.Title = strings.Join(class, " "), strings.Join(title, ", ")+": "+strings.Join(names, ", ")
	p.Domains = strings.Join(names, "|")
	return p
}
