package grade

import (
	"context"
	"fmt"
	"iter"
	"strconv"

	"verbatim"
)

// A job is work for one worker: gold journals to score or, if extra is set,
// records of a file to check that belong to no gold journal.
type job struct {
	start, end int
	extra      bool
	column     int
}

// batches splits the work into batches of at most 256 journals, fewer if they
// are large.
func (r *Result) batches() iter.Seq2[job, error] {
	const maxJournals, maxBytes = 256, 1 << 19
	split := func(n int, size func(int) int, yield func(start, end int) bool) bool {
		for start := 0; start < n; {
			end, bytes := start, 0
			for end < n && end-start < maxJournals && (end == start || bytes+size(end) <= maxBytes) {
				bytes += size(end)
				end++
			}
			if !yield(start, end) {
				return false
			}
			start = end
		}
		return true
	}
	return func(yield func(job, error) bool) {
		lines := r.roster.gold.lines
		if !split(len(lines), func(i int) int { return int(lines[i].length) }, func(start, end int) bool {
			return yield(job{start: start, end: end}, nil)
		}) {
			return
		}
		for c := range r.roster.columns {
			column := &r.roster.columns[c]
			if !split(len(column.extra), func(i int) int { return int(column.extra[i].length) }, func(start, end int) bool {
				return yield(job{start, end, true, c}, nil)
			}) {
				return
			}
		}
	}
}

// A batch is the result of one job. Arrays of two have the predictions first,
// then the system they are compared with.
type batch struct {
	rows  tally  // one row per journal
	lines []byte // of the per-journal file
	fatal []error

	problems   [2][]error
	badLines   [2]int
	badValues  [2]int
	unknown    [2][]UnknownJournal
	confusion  [2][][]int
	only       [2][]ItemRef
	differing  []Differing
	goldAbsent int
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
	for i := range w.confusion {
		for _, a := range r.Schema.Attributes {
			w.confusion[i] = append(w.confusion[i], make([]int, (len(a.Values)+2)*(len(a.Values)+2)))
		}
	}
	if j.extra {
		return w.batch, w.check(j)
	}
	w.rows = make(tally, 0, (j.end-j.start)*len(r.systems())*r.Schema.width())
	if r.options.PerJournal != nil {
		const usual = 1 << 9 // bytes per line
		w.lines = make([]byte, 0, (j.end-j.start)*usual)
	}
	return w.batch, w.scoreJournals(j)
}

func (w *worker) scoreJournals(j job) error {
	golds, err := w.roster.gold.source.fetch(w.roster.gold.lines[j.start:j.end])
	if err != nil {
		return err
	}
	columns := make([][]string, len(w.roster.columns))
	for c := range columns {
		column := &w.roster.columns[c]
		if columns[c], err = column.source.fetch(column.at[j.start:j.end]); err != nil {
			return err
		}
	}
	for i := range golds {
		w.readGold(golds[i], j.start+i)
		for s := range w.systems() {
			w.readPred(s, columns[s][i], int(w.roster.columns[s].at[j.start+i].number))
		}
		text := ""
		if w.HasText {
			last := len(columns) - 1
			text = w.readText(columns[last][i], last, j.start+i)
		}
		w.scoreJournal(j.start+i, text)
	}
	return nil
}

func (w *worker) readGold(line string, i int) {
	if w.Schema.read(line, &w.gold) {
		return
	}
	problems, readable := w.Schema.examine(line, &w.gold)
	for _, f := range problems {
		w.fatal = append(w.fatal, f.at(w.roster.gold.source.Name, int(w.roster.gold.lines[i].number)))
	}
	if len(problems) > 0 || !readable {
		w.gold.reset() // none of it counts
	}
}

// readPred reads one system's line. A line that cannot be read has no items.
func (w *worker) readPred(s int, line string, number int) {
	rec := &w.pred[s]
	rec.reset()
	if number == 0 || w.Schema.read(line, rec) {
		return
	}
	problems, readable := w.Schema.examine(line, rec)
	for _, f := range problems {
		w.problems[s] = append(w.problems[s], f.at(w.roster.columns[s].source.Name, number))
	}
	if !readable {
		rec.reset()
		w.badLines[s]++
	}
	for _, code := range rec.values {
		if code == badValue {
			w.badValues[s]++
		}
	}
}

func (w *worker) readText(line string, column, i int) string {
	at := int(w.roster.columns[column].at[i].number)
	if at == 0 {
		w.fatal = append(w.fatal, &verbatim.LineError{File: w.roster.gold.source.Name, Line: int(w.roster.gold.lines[i].number),
			What:   fmt.Sprintf("journal %q is not in %s", w.roster.ids[i], w.roster.columns[column].source.Name),
			Remedy: "add its text, or score without the journals' texts"})
		return ""
	}
	_, text, ok := readJournal(line)
	if !ok {
		var problems []problem
		_, text, problems = examineJournal(line)
		for _, f := range problems {
			w.fatal = append(w.fatal, f.at(w.roster.columns[column].source.Name, at))
		}
	}
	return text
}

// check reads records that belong to no gold journal: it lists unknown journals
// and problems.
func (w *worker) check(j job) error {
	column := &w.roster.columns[j.column]
	var places []line
	for _, e := range column.extra[j.start:j.end] {
		places = append(places, e.line)
	}
	lines, err := column.source.fetch(places)
	if err != nil {
		return err
	}
	isText := w.HasText && j.column == len(w.roster.columns)-1
	for i, text := range lines {
		number := int(places[i].number)
		if !isText {
			w.readPred(j.column, text, number)
			w.unknown[j.column] = append(w.unknown[j.column],
				UnknownJournal{column.extra[j.start+i].id, number, len(w.pred[j.column].items)})
			continue
		}
		if _, _, ok := readJournal(text); !ok {
			_, _, problems := examineJournal(text)
			for _, f := range problems {
				w.fatal = append(w.fatal, f.at(column.source.Name, number))
			}
		}
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
		w.Schema.count(w.rows[len(w.rows)-width:], &w.gold, &w.pred[s], &m, w.HasText)
		w.confuse(s, &m)
		if s == 0 {
			w.goldAbsent += m.goldAbsent
			w.pairs = append(w.pairs[:0], m.pairs...) // the next match reuses m.pairs
			m.pairs = w.pairs
		}
		w.matches[s] = m
	}
	if w.options.PerJournal != nil || w.Against != nil { // it also counts what only one found
		w.writeLine(i, w.rows[first:])
	}
}

func (w *worker) confuse(s int, m *match) {
	for p, g := range m.pairs {
		if g < 0 {
			continue
		}
		for a, attribute := range w.Schema.Attributes {
			gold := attribute.label(w.Schema.value(&w.gold, int(g), a))
			pred := attribute.label(w.Schema.value(&w.pred[s], p, a))
			w.confusion[s][a][gold*(len(attribute.Values)+2)+pred]++
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
	b = append(appendRates(b, t[cOptimal], t[cPred], t[cGold]), '}')
	b = w.appendDomains(b, t)
	b = w.appendAttributes(b, t)
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

func (w *worker) appendDomains(b []byte, t tally) []byte {
	b = append(b, `,"domains":{`...)
	comma := false
	for d := range w.Schema.Domains {
		at := w.Schema.domainAt(d)
		if t[at]+t[at+1] == 0 {
			continue
		}
		if comma {
			b = append(b, ',')
		}
		comma = true
		b = append(b, w.Schema.quotedDomains[d]...)
		b = appendCount(b, `:{"tp":`, t[at+2])
		b = appendCount(b, `,"fp":`, t[at+1]-t[at+2])
		b = append(appendCount(b, `,"fn":`, t[at]-t[at+2]), '}')
	}
	return append(b, '}')
}

func (w *worker) appendAttributes(b []byte, t tally) []byte {
	b = append(b, `,"attributes":{`...)
	for a := range w.Schema.Attributes {
		if a > 0 {
			b = append(b, ',')
		}
		at := w.Schema.attributeAt(a)
		b = append(b, w.Schema.quotedAttributes[a]...)
		b = appendCount(b, `:{"right":`, t[at])
		b = appendCount(b, `,"compared":`, t[at+1])
		b = append(appendCount(b, `,"excluded":`, t[cMatched]-t[at+1]), '}')
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
	var n [2]int
	for s, name := range []string{`,"only_pred":[`, `],"only_against":[`} {
		before := len(w.only[s])
		b = append(b, name...)
		for g, by := range found {
			if by == 1<<s {
				if b[len(b)-1] != '[' {
					b = append(b, ',')
				}
				b = strconv.AppendInt(b, int64(g+1), 10)
				w.only[s] = append(w.only[s], ItemRef{w.roster.ids[i], g + 1, w.Schema.Domains[w.gold.items[g].domain]})
			}
		}
		n[s] = len(w.only[s]) - before
	}
	if n[0]+n[1] > 0 {
		w.differing = append(w.differing, Differing{w.roster.ids[i], n[0], n[1], i})
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
