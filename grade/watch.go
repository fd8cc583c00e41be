package grade

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/align"
	"verbatim/internal/parallel"
)

// WatchFormat is the version of the structure of a Watch's summary.
const WatchFormat = "verbatim-watch/1"

// WatchOptions say what to watch. Pred is required.
type WatchOptions struct {
	Schema   *Schema // nil: Default
	Pred     *Source
	Journals *Source // nil: no coverage, no days; journals without a line of predictions are unknown
	Baseline *Source // earlier predictions; nil: no comparison
	Draws    int     // of the test of change
	Seed     uint64
	Workers  int
}

// A Watch describes a running system without gold: how much it finds, how often
// it abstains and doubts, and what it finds. What drifts is seen in it.
type Watch struct {
	Schema   *Schema
	Names    []string // of the figures
	Pred     *Watched
	Baseline *Watched // nil without a comparison
	Changes  []Change // in the order of Names; nil without a comparison
	HasText  bool
	options  WatchOptions
}

// A Watched is one file of predictions and its figures.
type Watched struct {
	Input
	Journals int
	Items    int
	Figures  []float64 // in the order of Watch.Names; NaN is null
	Days     []Day     // in order; nil without the journals
	Problems []error
	Remarks  Remarks
	MadeBy   []string

	total tally
	rows  []tally // one per journal
}

// A Day is the figures of the journals of one day.
type Day struct {
	Name     string // 2025-03-01, or "unknown"
	Journals int
	Items    int
	Figures  []float64
}

// A Change is the difference of a figure from the baseline, and a test of whether
// it is chance.
type Change struct {
	Difference float64
	// P is the share of random divisions of all journals into two files that differ
	// as much. NaN without a test.
	P float64
	// Sure: with all figures tested together, at most one time in twenty any of
	// them would look changed by chance (Holm's correction).
	Sure bool
}

// Columns of a watched journal's tally. After them come the items of each domain,
// then those of each polarity.
const (
	vJournals = iota
	vItems
	vEmpty
	vInvalid
	vCovered
	vNear
	vFixed
)

func (s *Schema) polarities() []string {
	if s.polarity < 0 {
		return nil
	}
	return s.Attributes[s.polarity].Values
}

func (s *Schema) watchWidth() int { return vFixed + len(s.Domains) + len(s.polarities()) }

// watchNames are the paths of the figures in the summary.
func (s *Schema) watchNames() []string {
	names := []string{"items_per_journal", "abstention_rate"}
	if slices.Contains(s.polarities(), "uncertain") {
		names = append(names, "doubt_rate")
	}
	for _, domain := range s.Domains {
		names = append(names, "domains."+domain+".share")
	}
	for _, value := range s.polarities() {
		names = append(names, "polarity."+value+".share")
	}
	return append(names, "coverage", "near", "absent", "invalid_rate")
}

// watchFigures computes the figures in the order of watchNames.
func (s *Schema) watchFigures(t tally, hasText bool) []float64 {
	out := []float64{rate(t[vItems], t[vJournals]), rate(t[vEmpty], t[vJournals])}
	polarities := t[vFixed+len(s.Domains):]
	if i := slices.Index(s.polarities(), "uncertain"); i >= 0 {
		out = append(out, rate(polarities[i], t[vItems]))
	}
	for d := range s.Domains {
		out = append(out, rate(t[vFixed+d], t[vItems]))
	}
	for p := range s.polarities() {
		out = append(out, rate(polarities[p], t[vItems]))
	}
	coverage, near, absent := math.NaN(), math.NaN(), math.NaN()
	if hasText {
		coverage, near, absent = rate(t[vCovered], t[vItems]), rate(t[vNear], t[vItems]), rate(t[vItems]-t[vCovered]-t[vNear], t[vItems])
	}
	return append(out, coverage, near, absent, rate(t[vInvalid], t[vItems]))
}

// Observe computes figures without gold.
func Observe(ctx context.Context, o WatchOptions) (*Watch, error) {
	if o.Schema == nil {
		o.Schema = Default()
	}
	w := &Watch{Schema: o.Schema, Names: o.Schema.watchNames(), HasText: o.Journals != nil, options: o}
	var err error
	if w.Pred, err = w.observe(ctx, o.Pred, o.Journals); err != nil {
		return nil, err
	}
	if o.Baseline == nil {
		return w, nil
	}
	// The baseline may be about other journals, so it has no texts.
	if w.Baseline, err = w.observe(ctx, o.Baseline, nil); err != nil {
		return nil, err
	}
	return w, w.compare(ctx)
}

// observe reads one file of predictions. With the journals, those without a line
// of predictions count as empty.
func (w *Watch) observe(ctx context.Context, pred, journals *Source) (*Watched, error) {
	sources := []*Source{pred}
	if journals != nil {
		sources = []*Source{journals, pred}
	}
	all, err := readIndexes(ctx, w.options.Workers, sources)
	if err != nil {
		return nil, err
	}
	roster, problems := newRoster(all[0].ids, all)
	column := roster.columns[len(roster.columns)-1]
	out := &Watched{Input: column.Input, Problems: column.problems, Journals: len(roster.ids), total: make(tally, w.Schema.watchWidth())}
	if journals != nil {
		problems = append(problems, all[0].problems...)
	}
	if len(problems) > 0 {
		return nil, inputError(problems)
	}
	if out.Journals == 0 {
		return nil, fmt.Errorf("%s contains no journals; there is nothing to watch", sources[0].Name)
	}
	days := map[string]tally{}
	for b, err := range parallel.Map(ctx, w.options.Workers, roster.jobs(), func(_ context.Context, j job) (*watchBatch, error) {
		return w.watchJob(roster, journals != nil, j)
	}) {
		if err != nil {
			return nil, err
		}
		if problems = append(problems, b.fatal...); len(problems) > 0 {
			continue
		}
		out.gather(b, days)
	}
	if len(problems) > 0 {
		return nil, inputError(problems)
	}
	slices.SortFunc(out.Problems, byLine)
	out.Items = int(out.total[vItems])
	out.Figures = w.Schema.watchFigures(out.total, journals != nil)
	if journals != nil {
		out.Days = w.days(days)
	}
	return out, nil
}

func (out *Watched) gather(b *watchBatch, days map[string]tally) {
	out.Problems = append(out.Problems, b.problems...)
	out.Remarks.add(&b.remarks)
	for _, name := range b.madeBy {
		out.MadeBy = addName(out.MadeBy, name)
	}
	for i, row := range b.rows {
		out.total.add(row)
		out.rows = append(out.rows, row)
		day := days[b.days[i]]
		if day == nil {
			day = make(tally, len(row))
			days[b.days[i]] = day
		}
		day.add(row)
	}
}

func (w *Watch) days(sums map[string]tally) (days []Day) {
	for name, t := range sums {
		days = append(days, Day{name, int(t[vJournals]), int(t[vItems]), w.Schema.watchFigures(t, true)})
	}
	slices.SortFunc(days, func(a, b Day) int {
		if (a.Name == "unknown") != (b.Name == "unknown") {
			return map[bool]int{true: 1, false: -1}[a.Name == "unknown"]
		}
		return strings.Compare(a.Name, b.Name)
	})
	return days
}

// A watchBatch is the result of one job.
type watchBatch struct {
	rows     []tally
	days     []string // of each row
	problems []error
	fatal    []error
	remarks  Remarks
	madeBy   []string
}

func (w *Watch) watchJob(r *roster, hasText bool, j job) (*watchBatch, error) {
	b := &watchBatch{}
	last := len(r.columns) - 1
	column := r.columns[last]
	if j.extra > 0 { // predictions for journals that are not there
		for i := j.start; i < j.end; i++ {
			b.problems = append(b.problems, &verbatim.LineError{File: column.Name, Line: int(column.extra[i].number),
				What: fmt.Sprintf("journal %q is not among the journals", column.extraIDs[i]), Remedy: "its items do not count"})
		}
		return b, nil
	}
	columns, err := r.fetch(j.start, j.end)
	if err != nil {
		return nil, err
	}
	var rec record
	for i := j.start; i < j.end; i++ {
		line := columns[last][i-j.start]
		problems, _ := column.readItems(w.Schema, line, column.at[i], &rec)
		b.problems = append(b.problems, problems...)
		b.madeBy = addName(b.madeBy, madeBy(line))
		text, day := "", "unknown"
		if hasText {
			entry := columns[0][i-j.start]
			var wrong []error
			text, wrong = r.columns[0].readText(entry, r.columns[0].at[i])
			b.fatal = append(b.fatal, wrong...)
			day = dayOf(entry)
		}
		b.rows = append(b.rows, w.watchRow(b, column, r, i, &rec, text, hasText))
		b.days = append(b.days, day)
	}
	return b, nil
}

// watchRow counts one journal.
func (w *Watch) watchRow(b *watchBatch, c *column, r *roster, i int, rec *record, text string, hasText bool) tally {
	t := make(tally, w.Schema.watchWidth())
	t[vJournals], t[vItems] = 1, float64(len(rec.items))
	if len(rec.items) == 0 {
		t[vEmpty] = 1
	}
	for n := range rec.items {
		it := &rec.items[n]
		if !it.valid() {
			t[vInvalid]++
		}
		if it.domain != badDomain {
			t[vFixed+int(it.domain)]++
		}
		if a := w.Schema.polarity; a >= 0 {
			if code := w.Schema.value(rec, n, a); code >= 0 {
				t[vFixed+len(w.Schema.Domains)+int(code)]++
			}
		}
	}
	if hasText {
		var places placer
		places.reset(text, len(rec.items))
		list := make([]folded, len(rec.items))
		for n := range list {
			list[n].spot = spot{-1, -1}
			if it := &rec.items[n]; it.hasSpan() {
				list[n].spot = places.find(it)
			}
			if list[n].spot.start >= 0 {
				t[vCovered]++
			}
		}
		t[vNear] = float64(remark(&b.remarks, &places, c, r.ids[i], i, rec, list, align.NewText(text)))
	}
	return t
}

// dayOf is the day of a journal, from its created_at, or "unknown".
func dayOf(line string) string {
	day := fieldOf(line, "created_at")
	const form = "2006-01-02"
	if len(day) < len(form) {
		return "unknown"
	}
	for i, c := range []byte(day[:len(form)]) {
		if (form[i] == '-') != (c == '-') || c != '-' && (c < '0' || c > '9') {
			return "unknown"
		}
	}
	return day[:len(form)]
}

// madeBy is what a line says about the program that made it, or "".
func madeBy(line string) string {
	if !strings.Contains(line, `"made_by"`) {
		return ""
	}
	return fieldOf(line, "made_by")
}

// fieldOf is a text field of a line, or "".
func fieldOf(line, name string) (value string) {
	p := parser{text: line}
	p.open('{')
	for value == "" && p.more('}') {
		if p.key() == name && p.at < len(p.text) {
			p.space()
			if p.at < len(p.text) && p.text[p.at] == '"' {
				value = p.str()
				continue
			}
		}
		p.skip(0)
	}
	if p.bad {
		return ""
	}
	return value
}

// maxNames is the number of programs that a summary lists.
const maxNames = 8

func addName(list []string, name string) []string {
	if name == "" || len(list) >= maxNames || slices.Contains(list, name) {
		return list
	}
	return append(list, name)
}

// Summary returns the figures as a record. The same input gives the same bytes.
func (w *Watch) Summary(program string) Object {
	o := Object{
		{"format", WatchFormat},
		{"program", program},
		{"options", Object{{"schema", w.Schema.Name}, {"draws", w.options.Draws}, {"seed", strconv.FormatUint(w.options.Seed, 10)}}},
		{"inputs", w.inputs()},
	}
	o = append(o, w.object(w.Pred.Journals, w.Pred.Items, w.Pred.Figures)...)
	total := w.Pred.total
	notVerbatim := any(nil)
	if w.HasText {
		notVerbatim = int(total[vItems] - total[vCovered])
	}
	o = append(o, Member{"not_verbatim", notVerbatim}, Member{"invalid_items", int(total[vInvalid])})
	if w.Pred.Days != nil {
		days := Object{}
		for _, d := range w.Pred.Days {
			days = append(days, Member{d.Name, w.object(d.Journals, d.Items, d.Figures)})
		}
		o = append(o, Member{"days", days})
	}
	if w.Baseline != nil {
		changes := Object{}
		for i, c := range w.Changes {
			changes = append(changes, Member{w.Names[i], Object{{"difference", c.Difference}, {"p", c.P}, {"sure", c.Sure}}})
		}
		o = append(o, Member{"baseline", w.object(w.Baseline.Journals, w.Baseline.Items, w.Baseline.Figures)}, Member{"changes", changes})
	}
	return o
}

func (w *Watch) inputs() Object {
	about := func(in *Watched) Object {
		return withMakers(Object{{"file", baseName(in.Name)}, {"sha256", in.SHA256}, {"journals", in.Journals}, {"items", in.Items}}, in.MadeBy)
	}
	in := Object{{"pred", about(w.Pred)}}
	if w.Baseline != nil {
		in = append(in, Member{"baseline", about(w.Baseline)})
	}
	return in
}

func (w *Watch) object(journals, items int, figures []float64) Object {
	o := Object{{"journals", journals}, {"items", items}}
	for i, name := range w.Names {
		o = append(o, Member{name, figures[i]})
	}
	return o
}

// errNoDraws: a test of change needs draws.
var errNoDraws = errors.New("a test of change needs at least 19 draws")
