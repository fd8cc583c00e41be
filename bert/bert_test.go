package bert

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"verbatim"
)

// A pair's score has the same bits whatever other pairs are scored with it and
// however many goroutines run, on every code path.
func TestScoresHaveTheSameBits(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	rng := rand.New(rand.NewPCG(9, 9))
	folder := sketch{3, 48, 3, 80, 3000, 128, 0}.folder() // heads of 16; an inner size that is no multiple of 32
	for _, k := range kernels() {
		count, rounds := 60, 12
		if k == &portable || testing.Short() { // slow, as is an emulated processor
			count, rounds = 12, 4
		}
		m := loadFolder(t, folder, k)
		var pairs []verbatim.Pair
		var alone []float64
		for range count {
			pair := verbatim.Pair{First: prose(rng, rng.IntN(70)), Second: prose(rng, rng.IntN(70))}
			runtime.GOMAXPROCS(1)
			score, err := m.Score(context.Background(), []verbatim.Pair{pair})
			if err != nil {
				t.Fatal(err)
			}
			pairs, alone = append(pairs, pair), append(alone, score[0])
		}
		for round := range rounds {
			workers := 1 + rng.IntN(7)
			runtime.GOMAXPROCS(workers)
			order := rng.Perm(len(pairs))[:1+rng.IntN(len(pairs))]
			var some []verbatim.Pair
			for _, i := range order {
				some = append(some, pairs[i])
			}
			scores, err := m.Score(context.Background(), some)
			if err != nil {
				t.Fatal(err)
			}
			for at, i := range order {
				if math.Float64bits(scores[at]) != math.Float64bits(alone[i]) {
					t.Fatalf("%s, round %d, %d pairs on %d goroutines: pair %d scores %v, alone %v", k.name, round, len(some), workers, i, scores[at], alone[i])
				}
			}
		}
	}
}

// All code paths agree, on sizes that need several blocks of a product.
func TestPathsAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	folder := sketch{2, 400, 5, 520, 2000, 512, 0}.folder()
	var pairs []verbatim.Pair
	lengths := []int{0, 1, 30, 120, 300}
	if testing.Short() {
		lengths = lengths[:3]
	}
	for _, n := range lengths {
		pairs = append(pairs, verbatim.Pair{First: prose(rng, n), Second: prose(rng, n)})
	}
	var want []float64
	for _, k := range slices.Backward(kernels()) { // portable first
		got, err := loadFolder(t, folder, k).Score(context.Background(), pairs)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			if !(math.Abs(got[i]-want[i]) <= 1e-4) {
				t.Errorf("%s: pair %d scores %v, on the portable path %v", k.name, i, got[i], want[i])
			}
		}
		want = got
	}
}

// Every group is a run of whole pairs of bounded length, and no pair is lost.
func TestGroups(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for range 500 {
		lengths := make([]int, 1+rng.IntN(200))
		for i := range lengths {
			lengths[i] = 3 + rng.IntN(1+rng.IntN(510))
		}
		workers, next := 1+rng.IntN(16), 0
		groups := groupsOf(lengths, workers)
		for _, g := range groups {
			tokens := sum(lengths[g[0]:g[1]])
			if g[0] != next || g[1] <= g[0] || tokens > 384+maxTokens/2 {
				t.Fatalf("group %v of %d tokens after %d", g, tokens, next)
			}
			next = g[1]
		}
		if next != len(lengths) {
			t.Fatalf("%d of %d sequences are in a group", next, len(lengths))
		}
	}
}

// With tail_head truncation the first sentence keeps its end and the second its
// beginning: that is where they meet.
func TestTailHeadTruncation(t *testing.T) {
	m := tiny.load(t, &portable)
	m.Truncation, m.limit = "tail_head", 12 // room for 9: 4 and 5
	for _, c := range []struct{ first, second, want string }{
		{"a b c", "x y z", "[CLS] a b c [SEP] x y z [SEP]"},
		{"a b c d e f", "t u v w x y z", "[CLS] c d e f [SEP] t u v w x [SEP]"},
		{"a b c d e f g h", "x y", "[CLS] b c d e f g h [SEP] x y [SEP]"},
		{"a b", "q r s t u v w x y z", "[CLS] a b [SEP] q r s t u v w [SEP]"},
		{strings.Repeat("a ", 5000) + "b c d e", strings.Repeat("x ", 5000), "[CLS] b c d e [SEP] x x x x x [SEP]"},
		{"", "", "[CLS] [SEP] [SEP]"},
		{"", "a", "[CLS] [SEP] a [SEP]"},
	} {
		s, err := m.encode(context.Background(), verbatim.Pair{First: c.first, Second: c.second})
		if got := m.spell(s.ids); err != nil || got != c.want {
			t.Errorf("%.20q, %.20q: %s, %v; want %s", c.first, c.second, got, err, c.want)
		}
	}
}

// A text has as many wordpieces as the model reads of it alone, and counting ends
// after the limit.
func TestMeasure(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	m := tiny.load(t, &portable)
	for range 200 {
		text := prose(rng, rng.IntN(40))
		s, err := m.encode(t.Context(), verbatim.Pair{First: text})
		length, limit := m.Measure(text)
		if err != nil || limit != 29 || min(length, limit) != len(s.ids)-3 {
			t.Fatalf("%q: %d of %d, want %d, %v", text, length, limit, len(s.ids)-3, err)
		}
	}
	for partner, want := range map[string]int{"": 29, "a b": 27, strings.Repeat("a ", 14): 15, strings.Repeat("a ", 99): 14} {
		if room := m.Room(partner); room != want {
			t.Errorf("beside %.20q there is room for %d, want %d", partner, room, want)
		}
	}
	if length, _ := m.Measure(strings.Repeat("a b ", 1<<20)); length != 30 {
		t.Errorf("a long text has the length %d", length)
	}
}

// spell returns wordpieces as text.
func (m *Model) spell(ids []int32) string {
	words := map[int32]string{}
	for word, id := range m.tokenizer.starts {
		words[id] = word
	}
	var text []string
	for _, id := range ids {
		text = append(text, words[id])
	}
	return strings.Join(text, " ")
}

func TestLogProbability(t *testing.T) {
	for _, c := range []struct{ follows, not, want float64 }{
		{0, 0, -math.Ln2},
		{100, 0, -3.720075976020836e-44}, // the probability itself would round to 1
		{0, 100, -100},                   // and here to 0
		{-800, 800, -1600},
	} {
		if got := logFirst([2]float64{c.follows, c.not}); math.Abs(got-c.want) > 1e-9*math.Abs(c.want) {
			t.Errorf("logits %v, %v: %v, want %v", c.follows, c.not, got, c.want)
		}
	}
}

// Texts of any length have a score, and so do empty ones.
func TestAnyLength(t *testing.T) {
	long := strings.Repeat("abc, def. ", 1<<15)
	for _, truncation := range []string{"longest_first", "tail_head"} {
		m := tiny.load(t, kernels()[0])
		m.Truncation = truncation
		scores, err := m.Score(context.Background(), []verbatim.Pair{
			{}, {First: "a"}, {Second: "a"}, {First: long, Second: long}, {First: "\xff\xfe", Second: "\x00\u200b"},
			{First: strings.Repeat("x", 1<<18), Second: strings.Repeat("\u0301", 1<<17)},
		})
		if err != nil || len(scores) != 6 {
			t.Fatal(scores, err)
		}
		for i, s := range scores {
			if !(s < 0) || math.IsInf(s, 0) {
				t.Errorf("%s: pair %d scores %v", truncation, i, s)
			}
		}
		if scores[0] != scores[4] {
			t.Errorf("%s: text that is dropped scores %v, empty text %v", truncation, scores[4], scores[0])
		}
	}
	if scores, err := tiny.load(t, &portable).Score(context.Background(), nil); len(scores) != 0 || err != nil {
		t.Errorf("no pairs: %v, %v", scores, err)
	}
}

// Progress counts every pair and ends with all of them.
func TestProgress(t *testing.T) {
	m := tiny.load(t, kernels()[0])
	rng := rand.New(rand.NewPCG(1, 1))
	pairs := make([]verbatim.Pair, 300)
	for i := range pairs {
		pairs[i] = verbatim.Pair{First: prose(rng, 10), Second: prose(rng, 10)}
	}
	var seen []int
	if _, err := m.ScoreWith(context.Background(), pairs, func(done int) { seen = append(seen, done) }); err != nil {
		t.Fatal(err)
	}
	if len(seen) < 2 || !slices.IsSorted(seen) || seen[len(seen)-1] != len(pairs) {
		t.Errorf("progress %v", seen)
	}
}

func TestDescription(t *testing.T) {
	m := tiny.load(t, kernels()[0])
	names, shapes := tiny.shapes()
	want := 0
	for i := range names {
		n := 1
		for _, size := range shapes[i] {
			n *= size
		}
		want += n
	}
	if got := m.Parameters(); got != want {
		t.Errorf("%d parameters, want %d", got, want)
	}
	if m.Path() == "" || m.MaxTokens() != 32 {
		t.Error(fmt.Sprint(m.Path(), m.MaxTokens()))
	}
}
