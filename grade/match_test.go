package grade

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
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

func overlapPlain(text string) func(p, g item) bool {
	var places placer
	places.reset(text, 1)
	return func(p, g item) bool {
		a, b := places.find(&p), places.find(&g)
		return a.start >= 0 && b.start >= 0 && halfShared(a, b)
	}
}

func TestTheIndexEqualsThePlainDoubleLoop(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 7))
		var words []string
		for range 5 + r.IntN(60) {
			words = append(words, []string{"sore", "Throat", "and", "été", "no", "fever", "e", "again", "ſore", "ca\u0301lm"}[r.IntN(10)])
		}
		text := strings.Join(words, " ")
		gold, pred := drawRecord(r, text, r.IntN(60), 1+r.IntN(12)), drawRecord(r, text, r.IntN(60), 1+r.IntN(40))
		var m matcher
		got := m.match(gold, pred, text, true)
		if want := plainMatch(gold, pred, contained); !slices.Equal(got.pairs, want) {
			t.Fatalf("seed %d: containment pairs %v, the plain loop %v", seed, got.pairs, want)
		}
		if want := count(plainMatch(gold, pred, same)); got.exact != want {
			t.Fatalf("seed %d: %d exact pairs, the plain loop %d", seed, got.exact, want)
		}
		if want := count(plainMatch(gold, pred, overlapPlain(text))); got.overlap != want {
			t.Fatalf("seed %d: %d overlap pairs, the plain loop %d", seed, got.overlap, want)
		}
		// The same journal through the other way of matching.
		if large := len(gold.items)*len(pred.items) > largeJournal; large {
			if n := kuhn(gold, pred); got.optimal != n {
				t.Fatalf("seed %d: optimal %d, want %d", seed, got.optimal, n)
			}
		}
	}
}

// kuhn is a maximum matching without any index.
func kuhn(gold, pred *record) int {
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
				if visited[g] || !it.valid() || !gold.items[g].valid() || it.domain != gold.items[g].domain || !contained(it, gold.items[g]) {
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
		if kuhn(gold, pred) != plainOptimal(gold, pred, contained) {
			t.Fatal("the test's own matching is wrong")
		}
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

func BenchmarkMatch(b *testing.B) {
	for _, items := range []int{5, 20, 100, 500, 2000} {
		b.Run(fmt.Sprint(items), func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 1))
			gold, pred, text := synthetic(r, items)
			var m matcher
			n, start := 0, cpuTime()
			for b.Loop() {
				m.match(gold, pred, text, true)
				n += items
			}
			b.ReportMetric(float64((cpuTime()-start).Nanoseconds())/float64(n), "cpu-ns/item")
		})
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
