package grade

import (
	"context"
	"fmt"
	"strconv"

	"verbatim"
	"verbatim/align"
)

// A batch is the result of one job.
type batch struct {
	rows       tally     // one row per journal
	lines      []byte    // of the per-journal file
	added      [2]System // to Result.Pred and Result.Against
	differing  []Differing
	goldAbsent int
	fatal      []error

	goldRemarks Remarks
}

// A worker scores one batch and reuses its memory for all journals.
type worker struct {
	*Result
	*batch
	matcher matcher
	gold    record
	pred    [2]record
	matches [2]match
	pairs   []int32
}

func (r *Result) scoreBatch(_ context.Context, j job) (*batch, error) {
	w := worker{Result: r, batch: &batch{}}
	for i := range w.added {
		w.added[i].confusion = r.Schema.newConfusion()
	}
	if j.extra > 0 {
		return w.batch, w.checkExtra(j)
	}
	w.rows = make(tally, 0, (j.end-j.start)*len(r.systems())*r.Schema.width())
	if r.options.PerJournal != nil {
		const usual = 1 << 9 // bytes per line
		w.lines = make([]byte, 0, (j.end-j.start)*usual)
	}
	return w.batch, w.scoreJournals(j)
}

func (w *worker) scoreJournals(j job) error {
	columns, err := w.roster.fetch(j.start, j.end)
	if err != nil {
		return err
	}
	for i := j.start; i < j.end; i++ {
		gold := w.roster.columns[0]
		if problems, _ := gold.readItems(w.Schema, columns[0][i-j.start], gold.at[i], &w.gold); len(problems) > 0 {
			w.fatal = append(w.fatal, problems...)
			w.gold.reset() // none of it counts
		}
		for s := range w.systems() {
			w.readPred(s, columns[1+s][i-j.start], w.roster.columns[1+s].at[i])
		}
		text := ""
		if w.HasText {
			text = w.readText(columns[len(columns)-1][i-j.start], i)
		}
		w.scoreJournal(i, text)
	}
	return nil
}

func (w *worker) readPred(s int, text string, at line) {
	system := &w.added[s]
	system.MadeBy = addName(system.MadeBy, madeBy(text))
	problems, readable := w.roster.columns[1+s].readItems(w.Schema, text, at, &w.pred[s])
	system.Problems = append(system.Problems, problems...)
	if !readable {
		system.BadLines++
	}
	for _, code := range w.pred[s].values {
		if code == badValue {
			system.BadValues++
		}
	}
}

func (w *worker) readText(line string, i int) string {
	gold, journals := w.roster.columns[0], w.journals()
	if journals.at[i].number == 0 {
		w.fatal = append(w.fatal, &verbatim.LineError{File: gold.Name, Line: int(gold.at[i].number),
			What:   fmt.Sprintf("journal %q is not in %s", w.roster.ids[i], journals.Name),
			Remedy: "add its text, or score without the journals' texts"})
		return ""
	}
	text, problems := journals.readText(line, journals.at[i])
	w.fatal = append(w.fatal, problems...)
	return text
}

// checkExtra reads records that belong to no gold journal: it lists unknown
// journals and problems.
func (w *worker) checkExtra(j job) error {
	column := w.roster.columns[j.extra]
	lines, err := column.source.fetch(column.extra[j.start:j.end])
	if err != nil {
		return err
	}
	for i, text := range lines {
		at := column.extra[j.start+i]
		if w.HasText && column == w.journals() {
			_, problems := column.readText(text, at)
			w.fatal = append(w.fatal, problems...)
			continue
		}
		s := j.extra - 1
		w.readPred(s, text, at)
		unknown := UnknownJournal{column.extraIDs[j.start+i], int(at.number), len(w.pred[s].items)}
		w.added[s].Unknown = append(w.added[s].Unknown, unknown)
	}
	return nil
}

// scoreJournal matches and counts one journal, for each system.
func (w *worker) scoreJournal(i int, text string) {
	width := w.Schema.width()
	first := len(w.rows)
	for s := range w.systems() {
		m := w.matcher.match(&w.gold, &w.pred[s], text, w.HasText)
		w.rows = append(w.rows, make(tally, width)...)
		row := w.rows[len(w.rows)-width:]
		w.Schema.count(row, &w.gold, &w.pred[s], &m, w.HasText)
		if w.HasText {
			row[cNear] = float64(w.remark(&w.added[s].Remarks, 1+s, i, &w.pred[s], w.matcher.pred, text))
		}
		w.confuse(s, &m)
		if s == 0 {
			w.goldAbsent += m.goldAbsent
			if w.HasText {
				w.remark(&w.goldRemarks, 0, i, &w.gold, w.matcher.gold, text)
			}
			w.pairs = append(w.pairs[:0], m.pairs...) // the next match reuses m.pairs
			m.pairs = w.pairs
		}
		w.matches[s] = m
	}
	if w.options.PerJournal != nil || w.Against != nil { // it also counts what only one found
		w.writeLine(i, w.rows[first:])
	}
}

func (w *worker) remark(out *Remarks, column, i int, rec *record, list []folded, text string) int {
	return remark(out, &w.matcher.places, w.roster.columns[column], w.roster.ids[i], i, rec, list, align.NewText(text))
}

func (w *worker) confuse(s int, m *match) {
	for p, g := range m.pairs {
		if g < 0 {
			continue
		}
		for a, attribute := range w.Schema.Attributes {
			gold := attribute.label(w.Schema.value(&w.gold, int(g), a))
			pred := attribute.label(w.Schema.value(&w.pred[s], p, a))
			w.added[s].confusion[a][gold*(len(attribute.Values)+2)+pred]++
		}
	}
}

// writeLine appends a journal's line of the per-journal file. It builds the JSON
// itself because encoding/json is slow for millions of lines.
func (w *worker) writeLine(i int, rows tally) {
	width := w.Schema.width()
	t := rows[:width]
	b := append(append(w.lines, `{"journal_id":`...), quoted(w.roster.ids[i])...)
	b = appendRates(append(b, ','), t[cMatched], t[cPred], t[cGold])
	b = append(b, `,"exact":{`...)
	b = appendRates(b, t[cExact], t[cPred], t[cGold])
	if w.HasText {
		b = append(b, `},"overlap":{`...)
		b = appendRates(b, t[cOverlap], t[cPred], t[cGold])
	}
	b = append(b, `},"optimal":{`...)
	b = appendRates(b, t[cOptimal], t[cPred], t[cGold])
	b = append(b, `},"domains":{`...)
	for d, name := range w.Schema.quotedDomains {
		if c := t[w.Schema.domainAt(d):]; c[0]+c[1] > 0 {
			b = appendCounts(b, name, [3]string{`:{"tp":`, `,"fp":`, `,"fn":`}, [3]float64{c[2], c[1] - c[2], c[0] - c[2]})
		}
	}
	b = append(b, `},"attributes":{`...)
	for a, name := range w.Schema.quotedAttributes {
		c := t[w.Schema.attributeAt(a):]
		b = appendCounts(b, name, [3]string{`:{"right":`, `,"compared":`, `,"excluded":`}, [3]float64{c[0], c[1], t[cMatched] - c[1]})
	}
	b = append(b, '}')
	if w.HasText {
		b = appendCount(b, `,"covered":`, t[cCovered])
	}
	b = appendCount(b, `,"predicted":`, t[cPred])
	b = appendCount(b, `,"invalid_items":`, t[cInvalid])
	if w.Against != nil {
		second := rows[width:]
		b = append(b, `,"against":{`...)
		b = append(appendRates(b, second[cMatched], second[cPred], second[cGold]), '}')
		b = w.appendOnly(b, i)
	}
	w.lines = append(b, "}\n"...)
}

// appendCounts appends a member that consists of three counts.
func appendCounts(b, name []byte, keys [3]string, counts [3]float64) []byte {
	if b[len(b)-1] != '{' {
		b = append(b, ',')
	}
	b = append(b, name...)
	for i, key := range keys {
		b = appendCount(b, key, counts[i])
	}
	return append(b, '}')
}

// appendOnly lists the numbers, from 1, of gold items that only one of the two
// systems found.
func (w *worker) appendOnly(b []byte, i int) []byte {
	found := make([]uint8, len(w.gold.items))
	for s := range 2 {
		for _, g := range w.matches[s].pairs {
			if g >= 0 {
				found[g] |= 1 << s
			}
		}
	}
	d := Differing{ID: w.roster.ids[i], number: i}
	for s, name := range []string{`,"only_pred":[`, `],"only_against":[`} {
		n := []*int{&d.OnlyPred, &d.OnlyAgainst}[s]
		b = append(b, name...)
		for g, by := range found {
			if by != 1<<s {
				continue
			}
			if *n++; *n > 1 {
				b = append(b, ',')
			}
			b = strconv.AppendInt(b, int64(g+1), 10)
			system := &w.added[s]
			system.OnlyItems = append(system.OnlyItems, ItemRef{d.ID, g + 1, w.Schema.Domains[w.gold.items[g].domain]})
		}
	}
	if d.OnlyPred+d.OnlyAgainst > 0 {
		w.differing = append(w.differing, d)
	}
	return append(b, ']')
}

func appendRates(b []byte, matched, pred, gold float64) []byte {
	r := ratesOf(matched, pred, gold)
	b = appendCount(b, `"tp":`, matched)
	b = appendCount(b, `,"fp":`, pred-matched)
	b = appendCount(b, `,"fn":`, gold-matched)
	b = appendNumber(b, `,"precision":`, r.Precision)
	b = appendNumber(b, `,"recall":`, r.Recall)
	return appendNumber(b, `,"f1":`, r.F1)
}

func appendCount(b []byte, name string, n float64) []byte {
	return strconv.AppendInt(append(b, name...), int64(n), 10)
}

func appendNumber(b []byte, name string, x float64) []byte {
	b = append(b, name...)
	if x == 0 || x == 1 {
		return append(b, byte('0'+x)) // most are, and this is much faster
	}
	return strconv.AppendFloat(b, x, 'g', -1, 64)
}
