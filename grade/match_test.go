package grade

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// plainMatch is the rule as one would write it down: the double loop that every
// index has to equal.
func plainMatch(gold, pred *record, fits func(p, g item) bool) (pairs []int32) {
	used := make([]bool, len(gold.items))
	for _, p := range pred.items {
		pair := int32(-1)
		for g := range gold.items {
			if !used[g] && p.valid() && gold.items[g].valid() && p.domain == gold.items[g].domain && fits(p, gold.items[g]) {
				used[g], pair = true, int32(g)
				break
			}
		}
		pairs = append(pairs, pair)
	}
	return pairs
}

// plainOptimal tries every assignment.
func plainOptimal(gold, pred *record, fits func(p, g item) bool) int {
	used := make([]bool, len(gold.items))
	var best func(i int) int
	best = func(i int) int {
		if i == len(pred.items) {
			return 0
		}
		most := best(i + 1)
		for g := range gold.items {
			p := pred.items[i]
			if !used[g] && p.valid() && gold.items[g].valid() && p.domain == gold.items[g].domain && fits(p, gold.items[g]) {
				used[g] = true
				most = max(most, 1+best(i+1))
				used[g] = false
			}
		}
		return most
	}
	return best(0)
}

func foldText(s string) string { return string(appendFolded(nil, s)) }

func contained(p, g item) bool {
	a, b := foldText(p.span), foldText(g.span)
	return strings.Contains(a, b) || strings.Contains(b, a)
}

// containedIn is contained, with every span folded once.
func containedIn(records ...*record) func(p, g item) bool {
	texts := map[string]string{}
	for _, rec := range records {
		for _, it := range rec.items {
			texts[it.span] = foldText(it.span)
		}
	}
	return func(p, g item) bool {
		a, b := texts[p.span], texts[g.span]
		return strings.Contains(a, b) || strings.Contains(b, a)
	}
}

func same(p, g item) bool { return foldText(p.span) == foldText(g.span) }

func count(pairs []int32) (n int) {
	for _, g := range pairs {
		if g >= 0 {
			n++
		}
	}
	return n
}

// drawRecord draws spans from a text, so that many contain one another.
func drawRecord(r *rand.Rand, text string, n int, longest int) *record {
	rec := &record{}
	for range n {
		it, _ := rec.add(0)
		it.domain = int16(r.IntN(3) - r.IntN(20)/19) // now and then invalid
		runes := []rune(text)
		start := r.IntN(len(runes))
		it.span = string(runes[start:min(len(runes), start+r.IntN(longest))]) // now and then empty
		if r.IntN(4) == 0 {
			it.span = strings.ToUpper(it.span)
		}
	}
	return rec
}

// overlapPlain compares places as one would count them: code points before the
// first occurrence.
func overlapPlain(text string) func(p, g item) bool {
	place := func(span string) spot {
		before, _, found := strings.Cut(text, span)
		if !found || span == "" {
			return spot{-1, -1}
		}
		start := int32(len([]rune(before)))
		return spot{start, start + int32(len([]rune(span)))}
	}
	places := map[string]spot{}
	of := func(span string) spot {
		if _, known := places[span]; !known {
			places[span] = place(span)
		}
		return places[span]
	}
	return func(p, g item) bool {
		a, b := of(p.span), of(g.span)
		return a.start >= 0 && b.start >= 0 && halfShared(a, b)
	}
}

// A shape is a kind of journal on which an index could go astray.
type shape struct {
	name            string
	text            func(r *rand.Rand) string
	items           int // at most
	longGold, longP int // letters of a span, at most
}

func wordsOf(list string, most int) func(r *rand.Rand) string {
	return func(r *rand.Rand) string {
		words := strings.Fields(list)
		var text []string
		for range 1 + r.IntN(most) {
			text = append(text, words[r.IntN(len(words))])
		}
		return strings.Join(text, " ")
	}
}

func lettersOf(list string, most int) func(r *rand.Rand) string {
	return func(r *rand.Rand) string {
		var text strings.Builder
		for range 1 + r.IntN(most) {
			text.WriteByte(list[r.IntN(len(list))])
		}
		return text.String()
	}
}

var shapes = []shape{
	{"spans that hold one another", wordsOf("sore Throat and été no fever e again ſore ca\u0301lm", 64), 60, 12, 40},
	{"a usual journal", wordsOf("sore throat and no fever again slept badly", 40), 7, 20, 20},
	{"the same few words many times", wordsOf("tired", 3), 90, 12, 12},
	{"one letter", lettersOf("a", 200), 70, 60, 60},
	{"one letter, and seldom another", lettersOf("aaaaaaaaaaaaaaab", 300), 70, 40, 80},
	{"two letters", lettersOf("ab", 300), 70, 14, 30},
	{"spans of a letter or two", lettersOf("abc ", 30), 60, 3, 4},
	{"whole texts", wordsOf("head ache knee warm", 300), 40, 9, 2000},
	{"no spaces, many bytes a letter", wordsOf("頭痛がする 眠い 少し吐き気 ÉÈ K\u212A", 120), 60, 8, 20},
	{"many items", wordsOf("ache back calm cold cough dull eyes fog head knee 1 2 3 4 5 6 7 8 9", 900), 400, 30, 40},
}

func TestTheIndexEqualsThePlainDoubleLoop(t *testing.T) {
	for _, shape := range shapes {
		t.Run(shape.name, func(t *testing.T) {
			var m matcher // one for all: what it keeps from the last journal must not show
			for seed := range uint64(12000 / shape.items) {
				r := rand.New(rand.NewPCG(seed, 7))
				text := shape.text(r)
				gold := drawRecord(r, text, r.IntN(shape.items), 1+r.IntN(shape.longGold))
				pred := drawRecord(r, text, r.IntN(shape.items), 1+r.IntN(shape.longP))
				sameAsPlain(t, &m, gold, pred, text)
				if t.Failed() {
					t.Fatalf("seed %d", seed)
				}
			}
		})
	}
}

// sameAsPlain compares every count of a match with the plain rule.
func sameAsPlain(t *testing.T, m *matcher, gold, pred *record, text string) {
	t.Helper()
	got := m.match(gold, pred, text, true)
	contained := containedIn(gold, pred)
	if want := plainMatch(gold, pred, contained); !slices.Equal(got.pairs, want) {
		t.Errorf("containment pairs %v, the plain loop %v", got.pairs, want)
	}
	if want := count(plainMatch(gold, pred, same)); got.exact != want {
		t.Errorf("%d exact pairs, the plain loop %d", got.exact, want)
	}
	if want := count(plainMatch(gold, pred, overlapPlain(text))); got.overlap != want {
		t.Errorf("%d overlap pairs, the plain loop %d", got.overlap, want)
	}
	if want := kuhn(gold, pred, contained); got.optimal != want {
		t.Errorf("%d optimal pairs, the plain search %d", got.optimal, want)
	}
	covered := 0
	for _, p := range pred.items {
		if p.span != "" && strings.Contains(text, p.span) {
			covered++
		}
	}
	if got.covered != covered {
		t.Errorf("%d predictions covered, the plain search %d", got.covered, covered)
	}
	if without := m.match(gold, pred, "", false); without.exact != got.exact || without.optimal != got.optimal {
		t.Errorf("without the text %d exact and %d optimal pairs, with it %d and %d", without.exact, without.optimal, got.exact, got.optimal)
	}
}

// kuhn is a maximum matching without any index.
func kuhn(gold, pred *record, fits func(p, g item) bool) int {
	partner := make([]int, len(gold.items))
	for g := range partner {
		partner[g] = -1
	}
	n := 0
	for i := range pred.items {
		visited := make([]bool, len(gold.items))
		var place func(p int) bool
		place = func(p int) bool {
			for g := range gold.items {
				it := pred.items[p]
				if visited[g] || !it.valid() || !gold.items[g].valid() || it.domain != gold.items[g].domain || !fits(it, gold.items[g]) {
					continue
				}
				visited[g] = true
				if partner[g] < 0 || place(partner[g]) {
					partner[g] = p
					return true
				}
			}
			return false
		}
		if place(i) {
			n++
		}
	}
	return n
}

func TestOptimalMatchingIsTheLargest(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 11))
		text := "sore throat and sore eyes and a sore throat again"
		gold, pred := drawRecord(r, text, r.IntN(7), 16), drawRecord(r, text, r.IntN(7), 16)
		var m matcher
		if got, want := m.match(gold, pred, text, true).optimal, plainOptimal(gold, pred, contained); got != want {
			t.Fatalf("seed %d: %d pairs, %d are possible", seed, got, want)
		}
		if kuhn(gold, pred, contained) != plainOptimal(gold, pred, contained) {
			t.Fatal("the test's own matching is wrong")
		}
	}
}

// A large journal in which one domain has nothing but a span of two letters.
func TestAVeryShortSpanAmongMany(t *testing.T) {
	many, short := repeated(30, "a sore throat"), repeated(1, "no")
	short.items[0].domain = 1
	many.items = append(many.items, short.items...)
	var m matcher
	sameAsPlain(t, &m, many, many, "no, not again a sore throat")
}

func repeated(n int, span string) *record {
	rec := &record{}
	for range n {
		it, _ := rec.add(0)
		it.domain, it.span = 0, span
	}
	return rec
}

// TestEqualItemsAreNoBurden: ten times as many equal items take about ten times
// as long, not a hundred times, although each fits every other.
func TestEqualItemsAreNoBurden(t *testing.T) {
	for _, c := range []struct{ name, gold, pred string }{
		{"the same", "tired", "tired"},
		{"golds in predictions", "tired", "tired today"},
		{"predictions in golds", "tired today", "tired"},
		{"short golds", "sad", "sad today"},
		{"one letter", strings.Repeat("a", 30), strings.Repeat("a", 20)},
	} {
		t.Run(c.name, func(t *testing.T) {
			var m matcher
			took := func(n int) time.Duration {
				gold, pred := repeated(n, c.gold), repeated(n+n/4, c.pred)
				gold.items[0].span = "and one that nothing fits"
				best := time.Hour
				for range 5 {
					start := cpuTime()
					got := m.match(gold, pred, c.gold+", "+c.pred, true)
					best = min(best, cpuTime()-start)
					if count(got.pairs) != n-1 || got.optimal != n-1 {
						t.Fatalf("%d and %d of %d items were found, want all but one", count(got.pairs), got.optimal, n)
					}
				}
				return best
			}
			few, many := took(1000), took(10000)
			t.Logf("1,000 items %v, 10,000 %v", few, many)
			if many > 40*max(few, time.Millisecond) {
				t.Errorf("10,000 equal items take %v, 1,000 take %v", many, few)
			}
		})
	}
}

// synthetic makes a journal as section 6 of the notes describes: spans of 2 to
// 6 words and a running number; an eighth of the gold has no prediction, an
// eighth one with a random domain, 35 % lose their first word, 40 % are exact.
func synthetic(r *rand.Rand, items int) (gold, pred *record, text string) {
	gold, pred = &record{}, &record{}
	var all strings.Builder
	for i := range items {
		var span []string
		for range 2 + r.IntN(5) {
			span = append(span, vocabulary[r.IntN(len(vocabulary))])
		}
		span = append(span, fmt.Sprint(i))
		g, _ := gold.add(0)
		g.domain, g.span = int16(r.IntN(4)), strings.Join(span, " ")
		all.WriteString(g.span + ". ")
		switch draw := r.Float64(); {
		case draw < 0.125:
		case draw < 0.25:
			p, _ := pred.add(0)
			p.domain, p.span = int16(r.IntN(4)), g.span
		case draw < 0.60:
			p, _ := pred.add(0)
			p.domain, p.span = g.domain, strings.Join(span[1:], " ")
		default:
			p, _ := pred.add(0)
			p.domain, p.span = g.domain, g.span
		}
	}
	return gold, pred, all.String()
}

var vocabulary = strings.Fields(`ache back bitter calm chest cold cough dizzy dull eyes faint fog head heavy hot
	knee left light low mild mood neck night numb pain pale quiet right sharp sick skin sleep slow sore stiff tense
	throat tight tired warm`)

// A journalSet is the same number of items in journals of one size.
type journalSet struct {
	golds, preds []*record
	texts        []string
	items        int
}

func syntheticSet(items, perJournal int) (set journalSet) {
	r := rand.New(rand.NewPCG(1, uint64(perJournal)))
	for ; set.items < items; set.items += perJournal {
		gold, pred, text := synthetic(r, perJournal)
		set.golds, set.preds, set.texts = append(set.golds, gold), append(set.preds, pred), append(set.texts, text)
	}
	return set
}

func (s *journalSet) match(m *matcher) {
	for i := range s.golds {
		m.match(s.golds[i], s.preds[i], s.texts[i], true)
	}
}

func BenchmarkMatch(b *testing.B) {
	for _, perJournal := range []int{5, 20, 100, 500, 2000, 20000} {
		b.Run(fmt.Sprint(perJournal), func(b *testing.B) { benchmarkMatch(b, syntheticSet(20000, perJournal)) })
	}
}

// BenchmarkMatchOne matches one journal again and again. Its five items are
// learned by heart by the processor's branch prediction, as no file's are.
func BenchmarkMatchOne(b *testing.B) {
	for _, perJournal := range []int{5, 2000} {
		b.Run(fmt.Sprint(perJournal), func(b *testing.B) { benchmarkMatch(b, syntheticSet(perJournal, perJournal)) })
	}
}

func benchmarkMatch(b *testing.B, set journalSet) {
	var m matcher
	n, start := 0, cpuTime()
	for b.Loop() {
		set.match(&m)
		n += set.items
	}
	b.ReportMetric(float64((cpuTime()-start).Nanoseconds())/float64(n), "cpu-ns/item")
}

var raceDetector bool

// TestALargeJournalIsNearlyAsFast: 2,000 items in one journal take at most three
// times the processor time of the same number in journals of 5. The two are
// measured in turn, and the best of many turns counts, so that whatever else
// the machine does falls on both or on neither.
func TestALargeJournalIsNearlyAsFast(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector slows the two down by different factors")
	}
	small, large := syntheticSet(10000, 5), syntheticSet(10000, 2000)
	var m matcher
	best := [2]time.Duration{time.Hour, time.Hour}
	for range 30 {
		for i, set := range []*journalSet{&small, &large} {
			start := cpuTime()
			set.match(&m)
			best[i] = min(best[i], cpuTime()-start)
		}
	}
	perItem := func(i int) float64 { return float64(best[i].Nanoseconds()) / float64(small.items) }
	t.Logf("%.0f ns an item in journals of 5, %.0f in journals of 2,000: %.2f times", perItem(0), perItem(1), perItem(1)/perItem(0))
	if best[1] > 3*best[0] {
		t.Errorf("%.0f ns an item in journals of 2,000, more than three times the %.0f in journals of 5", perItem(1), perItem(0))
	}
}

// BenchmarkScore goes from the first byte of three files to the last byte of
// the rows, without bootstrap.
func BenchmarkScore(b *testing.B) {
	for _, c := range []struct{ journals, items int }{{4000, 5}, {10, 2000}} {
		b.Run(fmt.Sprintf("%dx%d", c.journals, c.items), func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 1))
			var gold, pred, journals strings.Builder
			for i := range c.journals {
				g, p, text := synthetic(r, c.items)
				id := fmt.Sprintf("S%07d", i)
				gold.WriteString(recordLine(id, g))
				pred.WriteString(recordLine(id, p))
				journals.WriteString(entry(id, text))
			}
			b.SetBytes(int64(gold.Len() + pred.Len() + journals.Len()))
			n, start := 0, cpuTime()
			for b.Loop() {
				if _, err := Score(b.Context(), Options{Gold: FromString("g", gold.String()), Pred: FromString("p", pred.String()),
					Journals: FromString("j", journals.String()), PerJournal: io.Discard, Workers: 2}); err != nil {
					b.Fatal(err)
				}
				n += c.journals * c.items
			}
			b.ReportMetric(float64(n)/(cpuTime()-start).Seconds(), "items/cpu-s")
		})
	}
}
