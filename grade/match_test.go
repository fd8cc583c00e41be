package grade

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// plainMatch is the plain double loop. Every faster way must give the same
// result.
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

// drawRecord draws spans from a text, so many of them contain each other.
func drawRecord(r *rand.Rand, text string, n int, longest int) *record {
	rec := &record{}
	for range n {
		it, _ := rec.add(0)
		it.domain = int32(r.IntN(3) - r.IntN(20)/19) // sometimes invalid
		runes := []rune(text)
		start := r.IntN(len(runes))
		it.span = string(runes[start:min(len(runes), start+r.IntN(longest))]) // sometimes empty
		if r.IntN(4) == 0 {
			it.span = strings.ToUpper(it.span)
		}
	}
	return rec
}

// overlapPlain compares places, counted in code points before the first
// occurrence.
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

// A shape is a kind of journal that could break an index.
type shape struct {
	name            string
	text            func(r *rand.Rand) string
	items           int // maximum
	longGold, longP int // maximum length of a span
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
	{"spans inside each other", wordsOf("sore Throat and été no fever e again ſore ca\u0301lm", 64), 60, 12, 40},
	{"a usual journal", wordsOf("sore throat and no fever again slept badly", 40), 7, 20, 20},
	{"the same few words many times", wordsOf("tired", 3), 90, 12, 12},
	{"one letter", lettersOf("a", 200), 70, 60, 60},
	{"one letter, rarely another", lettersOf("aaaaaaaaaaaaaaab", 300), 70, 40, 80},
	{"two letters", lettersOf("ab", 300), 70, 14, 30},
	{"spans of one or two letters", lettersOf("abc ", 30), 60, 3, 4},
	{"whole texts", wordsOf("head ache knee warm", 300), 40, 9, 2000},
	{"no spaces, several bytes per letter", wordsOf("頭痛がする 眠い 少し吐き気 ÉÈ K\u212A", 120), 60, 8, 20},
	{"many items", wordsOf("ache back calm cold cough dull eyes fog head knee 1 2 3 4 5 6 7 8 9", 900), 400, 30, 40},
}

func TestMatchingEqualsThePlainDoubleLoop(t *testing.T) {
	for _, shape := range shapes {
		t.Run(shape.name, func(t *testing.T) {
			var m matcher // shared: memory kept from the last journal must not matter
			seeds := 12000 / shape.items
			if testing.Short() {
				seeds /= 4
			}
			for seed := range uint64(seeds) {
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

// sameAsPlain compares every count with the plain rule, with and without the
// index.
func sameAsPlain(t *testing.T, m *matcher, gold, pred *record, text string) {
	t.Helper()
	contained := containedIn(gold, pred)
	pairs, optimal := plainMatch(gold, pred, contained), kuhn(gold, pred, contained)
	exact, overlap := count(plainMatch(gold, pred, same)), count(plainMatch(gold, pred, overlapPlain(text)))
	covered := 0
	for _, p := range pred.items {
		if strings.TrimSpace(p.span) != "" && strings.Contains(text, p.span) {
			covered++
		}
	}
	for _, indexed := range []bool{false, true} {
		m.start(gold, pred, indexed)
		got := m.count(gold, pred, text, true)
		if !slices.Equal(got.pairs, pairs) {
			t.Errorf("indexed %v: containment pairs %v, want %v", indexed, got.pairs, pairs)
		}
		if got.exact != exact || got.overlap != overlap || got.optimal != optimal || got.covered != covered {
			t.Errorf("indexed %v: exact %d, overlap %d, optimal %d, covered %d; want %d, %d, %d, %d",
				indexed, got.exact, got.overlap, got.optimal, got.covered, exact, overlap, optimal, covered)
		}
		m.start(gold, pred, indexed)
		if without := m.count(gold, pred, "", false); without.exact != exact || without.optimal != optimal {
			t.Errorf("indexed %v, no text: exact %d, optimal %d; want %d, %d", indexed, without.exact, without.optimal, exact, optimal)
		}
	}
}

// kuhn finds the size of a maximum matching without an index.
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

func TestOptimalMatchingIsMaximum(t *testing.T) {
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

func TestShortSpanInALargeJournal(t *testing.T) {
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
