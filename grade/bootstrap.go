package grade

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"verbatim"
	"verbatim/internal/parallel"
)

// An Interval contains 95 % of the bootstrap draws. Both ends are NaN if the
// figure is.
type Interval struct{ Low, High float64 }

// Excludes0 reports whether the whole interval is above or below 0.
func (i Interval) Excludes0() bool { return i.Low > 0 || i.High < 0 }

// maxGroups is the maximum number of units in a draw. Up to this number of
// journals, the unit is the journal. With more, random groups are drawn: their
// sums vary as sums of journals do, but time and memory stop growing.
const maxGroups = 10_000

// groups collects the tallies for the bootstrap. Compared systems share a row, so
// they are drawn together.
type groups struct {
	rows []tally
	all  int // number of journals
	seed uint64
}

func newGroups(journals, width int, seed uint64) *groups {
	g := &groups{all: journals, seed: seed}
	for row := range slices.Chunk(make(tally, min(journals, maxGroups)*width), width) {
		g.rows = append(g.rows, row)
	}
	return g
}

func (g *groups) add(journal int, t tally) {
	if g.all > maxGroups {
		journal = below(rand.NewPCG(g.seed, uint64(journal)), maxGroups)
	}
	g.rows[journal].add(t)
}

// below draws a number from 0 to n-1. It does not use rand.IntN, so a new release
// of the standard library cannot change the draws.
func below(source *rand.PCG, n int) int {
	high, _ := bits.Mul64(source.Uint64(), uint64(n))
	return int(high)
}

// bootstrap computes the figures of many draws with replacement. Each draw has its
// own generator, so the number of workers does not change the result.
func (g *groups) bootstrap(ctx context.Context, workers, draws int, figures func(tally) []float64) ([][]float64, error) {
	if draws == 0 || len(g.rows) == 0 {
		return nil, nil
	}
	numbers := make([]uint64, draws)
	for i := range numbers {
		numbers[i] = uint64(i)
	}
	var all [][]float64
	for f, err := range parallel.Map(ctx, workers, verbatim.All(numbers), func(_ context.Context, draw uint64) ([]float64, error) {
		source := rand.NewPCG(g.seed, 1<<63|draw)
		sum := make(tally, len(g.rows[0]))
		for range g.rows {
			sum.add(g.rows[below(source, len(g.rows))])
		}
		return figures(sum), nil
	}) {
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, nil
}

// intervals computes, for each figure, the 2.5th and 97.5th percentile of the
// draws that have it.
func intervals(draws [][]float64) []Interval {
	out := make([]Interval, len(draws[0]))
	column := make([]float64, 0, len(draws))
	for i := range out {
		column = column[:0]
		for _, draw := range draws {
			if !math.IsNaN(draw[i]) {
				column = append(column, draw[i])
			}
		}
		slices.Sort(column)
		out[i] = Interval{percentile(column, 0.025), percentile(column, 0.975)}
	}
	return out
}

// percentile interpolates between two neighbors. Products are rounded before they
// are added, so no processor fuses the two operations.
func percentile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	at := float64(q * float64(len(sorted)-1))
	below := int(at)
	above := min(below+1, len(sorted)-1)
	part := at - float64(below)
	return sorted[below] + float64(part*float64(sorted[above]-sorted[below]))
}

// A tally is a row of sums over journals: counts, and the per-journal figures
// for the macro averages. Rows add up, so one function computes the figures of
// any set of journals: one, all, a bootstrap draw. A float64 counts exactly up
// to 2^53.
type tally []float64

// Columns of a tally. After them come the gold, predicted and matched items of
// each domain, then the right and compared values of each attribute.
const (
	cGold = iota
	cPred
	cMatched
	cExact
	cOverlap
	cOptimal
	cInvalid
	cCovered
	cNear        // not covered, but nearly
	cThere       // pairs whose gold polarity is present
	cFalseAbsent // of these, called absent
	cJournals    // with an item, gold or predicted
	cPrecision
	cRecall
	cF1
	cAnswered // journals with a prediction
	cAnsweredPrecision
	cAnsweredRecall
	cAnsweredF1
	cFixed
)

func (s *Schema) width() int            { return cFixed + 3*len(s.Domains) + 2*len(s.Attributes) }
func (s *Schema) domainAt(d int) int    { return cFixed + 3*d }
func (s *Schema) attributeAt(a int) int { return cFixed + 3*len(s.Domains) + 2*a }

func (t tally) add(other tally) {
	for i, v := range other {
		t[i] += v
	}
}

// count adds one journal's match to an empty row.
func (s *Schema) count(t tally, gold, pred *record, m *match, hasText bool) {
	t[cGold], t[cPred] = float64(len(gold.items)), float64(len(pred.items))
	t[cExact], t[cOptimal], t[cInvalid] = float64(m.exact), float64(m.optimal), float64(m.invalid)
	if hasText {
		t[cOverlap], t[cCovered] = float64(m.overlap), float64(m.covered)
	}
	for i := range gold.items {
		t[s.domainAt(int(gold.items[i].domain))]++
	}
	for i := range pred.items {
		if d := pred.items[i].domain; d != badDomain {
			t[s.domainAt(int(d))+1]++
		}
	}
	for p, g := range m.pairs {
		if g < 0 {
			continue
		}
		t[cMatched]++
		t[s.domainAt(int(gold.items[g].domain))+2]++
		s.countAbsent(t, gold, pred, int(g), p)
		for a := range s.Attributes {
			at := s.attributeAt(a)
			switch s.Attributes[a].compare(s.value(gold, int(g), a), s.value(pred, p, a)) {
			case Right:
				t[at]++
				t[at+1]++
			case Wrong:
				t[at+1]++
			}
		}
	}
	if t[cGold]+t[cPred] > 0 { // a journal without gold and predictions has no figure
		rates := ratesOf(t[cMatched], t[cPred], t[cGold])
		t[cJournals], t[cPrecision], t[cRecall], t[cF1] = 1, rates.Precision, rates.Recall, rates.F1
		if t[cPred] > 0 {
			copy(t[cAnswered:], t[cJournals:cF1+1])
		}
	}
}

// countAbsent counts a pair whose complaint is there, and whether the prediction
// calls it absent: the error that costs most.
func (s *Schema) countAbsent(t tally, gold, pred *record, g, p int) {
	if a := s.polarity; a >= 0 && s.Attributes[a].is(s.value(gold, g, a), "present") {
		t[cThere]++
		if s.Attributes[a].is(s.value(pred, p, a), "absent") {
			t[cFalseAbsent]++
		}
	}
}

func (a Attribute) is(code int8, value string) bool { return code >= 0 && a.Values[code] == value }

func (s *Schema) value(rec *record, i, attribute int) int8 {
	return rec.values[i*len(s.Attributes)+attribute]
}

// Rates are precision, recall and F1. 0 divided by 0 is 0.
type Rates struct{ Precision, Recall, F1 float64 }

// ratesOf computes F1 as 2TP/(2TP+FP+FN), which needs no rounded product.
func ratesOf(matched, pred, gold float64) Rates {
	return Rates{ratio(matched, pred), ratio(matched, gold), ratio(2*matched, pred+gold)}
}

func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// drawnFigures are the figures of a bootstrap draw. A draw without predictions
// says nothing about precision, so it must not pull its interval down to 0.
func (s *Schema) drawnFigures(t tally, hasText bool) []float64 {
	out := s.figures(t, hasText)
	names := s.figureNames()
	silent := func(group string) { out[slices.Index(names, group+".precision")] = math.NaN() }
	if t[cPred] == 0 {
		for _, group := range []string{"micro", "exact", "overlap", "optimal", "macro_answered"} {
			silent(group)
		}
	}
	for d, domain := range s.Domains {
		if t[s.domainAt(d)+1] == 0 {
			silent("domains." + domain)
		}
	}
	return out
}

// rate is a share. A share of nothing is NaN, which is null in a file.
func rate(a, b float64) float64 {
	if b == 0 {
		return math.NaN()
	}
	return a / b
}

// figureNames returns the paths of the figures in the summary, in order.
func (s *Schema) figureNames() (names []string) {
	rates := func(name string) {
		names = append(names, name+".precision", name+".recall", name+".f1")
	}
	for _, name := range []string{"micro", "macro", "macro_answered", "macro_domains", "exact", "overlap", "optimal"} {
		rates(name)
	}
	for _, domain := range s.Domains {
		rates("domains." + domain)
	}
	for _, attribute := range s.Attributes {
		names = append(names, "attributes."+attribute.Name+".accuracy")
	}
	return append(names, "buckets.accuracy", "coverage", "near", "absent", "attributes.polarity.false_absent.rate")
}

// figures computes the figures in the order of figureNames.
func (s *Schema) figures(t tally, hasText bool) (out []float64) {
	add := func(r Rates) { out = append(out, r.Precision, r.Recall, r.F1) }
	mean := func(sums []float64, n float64) Rates {
		return Rates{ratio(sums[0], n), ratio(sums[1], n), ratio(sums[2], n)}
	}
	none := math.NaN()
	overlap, coverage, near, absent := Rates{none, none, none}, none, none, none
	if hasText {
		overlap, coverage = ratesOf(t[cOverlap], t[cPred], t[cGold]), rate(t[cCovered], t[cPred])
		near, absent = rate(t[cNear], t[cPred]), rate(t[cPred]-t[cCovered]-t[cNear], t[cPred])
	}
	domains, occurring := make([]float64, 3), 0.0 // sums over the domains that occur
	for d := range s.Domains {
		if c := t[s.domainAt(d):]; c[0]+c[1] > 0 {
			r := ratesOf(c[2], c[1], c[0])
			tally(domains).add(tally{r.Precision, r.Recall, r.F1})
			occurring++
		}
	}
	add(ratesOf(t[cMatched], t[cPred], t[cGold]))
	add(mean(t[cPrecision:], t[cJournals]))
	add(mean(t[cAnsweredPrecision:], t[cAnswered]))
	add(mean(domains, occurring))
	add(ratesOf(t[cExact], t[cPred], t[cGold]))
	add(overlap)
	add(ratesOf(t[cOptimal], t[cPred], t[cGold]))
	for d := range s.Domains {
		c := t[s.domainAt(d):]
		add(ratesOf(c[2], c[1], c[0]))
	}
	right, compared := 0.0, 0.0
	for a, attribute := range s.Attributes {
		c := t[s.attributeAt(a):]
		out = append(out, rate(c[0], c[1]))
		if attribute.pooled() {
			right, compared = right+c[0], compared+c[1]
		}
	}
	return append(out, rate(right, compared), coverage, near, absent, rate(t[cFalseAbsent], t[cThere]))
}
