package bert

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"verbatim"
)

// Every code path computes PyTorch's logits of split models, with one, two and
// three joint layers.
func TestSplitLogitsMatchPyTorch(t *testing.T) {
	type line struct {
		A, B     []int32
		F32, F64 [2]float64 // logits
	}
	for _, k := range kernels() {
		worst := 0.0
		for _, name := range []string{"deep", "split", "late"} {
			m := fixture(t, name, k)
			lines := readLines[line](t, filepath.Join("testdata", name, "logits.jsonl"))
			if len(lines) < 24 {
				t.Fatalf("%s: only %d pairs", name, len(lines))
			}
			for _, l := range lines {
				got := m.aloneSplit(l.A, l.B)
				for class := range 2 {
					off := max(math.Abs(got[class]-l.F32[class]), math.Abs(got[class]-l.F64[class]))
					if worst = max(worst, off); !(off <= 1e-4) {
						t.Fatalf("%s on %s, %d and %d wordpieces: logits %v, PyTorch %v", name, k.name, len(l.A), len(l.B), got, l.F32)
					}
				}
			}
		}
		t.Logf("%s: largest difference %.2g", k.name, worst)
	}
}

// So does the small model, for real sentences.
func TestSmallLogitsMatchPyTorch(t *testing.T) {
	type line struct {
		A, B     []int32
		F32, F64 [2]float64 // logits
	}
	lines := readLines[line](t, "testdata/small.jsonl")
	if len(lines) != 64 {
		t.Fatalf("only %d pairs", len(lines))
	}
	for _, k := range kernels() {
		m, err := load(os.DirFS("small"), k, F32)
		if err != nil {
			t.Fatal(err)
		}
		if k == &portable || testing.Short() {
			lines = lines[:6] // it is slow
		}
		worst := 0.0
		for _, l := range lines {
			got := m.aloneSplit(l.A, l.B)
			for class := range 2 {
				off := math.Abs(got[class] - l.F64[class])
				if worst = max(worst, off); !(off <= 1e-4) {
					t.Fatalf("%s, %d and %d wordpieces: logits %v, PyTorch %v", k.name, len(l.A), len(l.B), got, l.F64)
				}
			}
		}
		t.Logf("%s: largest difference %.2g", k.name, worst)
	}
}

// aloneSplit computes the logits of one pair by itself.
func (m *Model) aloneSplit(first, second []int32) [2]float64 {
	var pair [2]*sentence
	for i, ids := range [][]int32{first, second} {
		s := &sentence{ids: append(append([]int32{m.tokenizer.cls}, ids...), m.tokenizer.sep)}
		n := len(s.ids)
		m.encodeStates(m.newBuffers(n, 1, n, new(atomic.Bool)), []*sentence{s}, []int{n})
		if s.length = n; m.Joint > 1 {
			m.projectStates(m.newBuffers(n, 1, n, new(atomic.Bool)), []*sentence{s})
		}
		pair[i] = s
	}
	n := pair[0].length + pair[1].length
	return m.compareSentences(m.newBuffers(n, 1, n, new(atomic.Bool)), []couple{{sentences: pair}}, []int{n})[0]
}

// A pair's score has the same bits whatever other pairs are scored with it, on
// however many goroutines, and whatever the cache has kept.
func TestSplitScoresHaveTheSameBits(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	rng := rand.New(rand.NewPCG(9, 9))
	folder := sketch{3, 48, 3, 80, 3000, 128, 2}.folder()
	var texts []string
	for range 30 {
		texts = append(texts, prose(rng, rng.IntN(140)))
	}
	for _, k := range kernels() {
		alone, rounds := loadFolder(t, folder, k), 12
		if k == &portable || testing.Short() {
			rounds = 4
		}
		runtime.GOMAXPROCS(1)
		want := map[verbatim.Pair]float64{}
		score := func(pair verbatim.Pair) float64 {
			if _, known := want[pair]; !known {
				alone.states = newCache(0) // keeps nothing
				scores, err := alone.Score(context.Background(), []verbatim.Pair{pair})
				if err != nil {
					t.Fatal(err)
				}
				want[pair] = scores[0]
			}
			return want[pair]
		}
		m := loadFolder(t, folder, k)
		for round := range rounds {
			if round%2 == 0 {
				m.states = newCache(rng.IntN(200_000)) // room for few, some or all of them
			}
			pairs := make([]verbatim.Pair, 1+rng.IntN(40))
			for i := range pairs {
				pairs[i] = verbatim.Pair{First: texts[rng.IntN(30)], Second: texts[rng.IntN(30)]}
			}
			runtime.GOMAXPROCS(1 + rng.IntN(7))
			scores, err := m.Score(context.Background(), pairs)
			if err != nil {
				t.Fatal(err)
			}
			runtime.GOMAXPROCS(1)
			for i, pair := range pairs {
				if math.Float64bits(scores[i]) != math.Float64bits(score(pair)) {
					t.Fatalf("%s, round %d, pair %d of %d: %v, alone %v", k.name, round, i, len(pairs), scores[i], score(pair))
				}
			}
		}
	}
}

// More sentences than fit into memory together are computed in chunks, with the
// same scores and one count of progress.
func TestSplitScoresInChunks(t *testing.T) {
	m := tinySplit.load(t, kernels()[0])
	rng := rand.New(rand.NewPCG(1, 1))
	pairs := make([]verbatim.Pair, 60)
	for i := range pairs {
		pairs[i] = verbatim.Pair{First: prose(rng, 10), Second: prose(rng, 10)}
	}
	var seen []int
	whole, err := m.scoreSplit(t.Context(), 2, pairs, chunkBytes, func(done int) { seen = append(seen, done) })
	if err != nil || len(seen) == 0 || seen[len(seen)-1] != len(pairs) {
		t.Fatal(seen, err)
	}
	m.states, seen = newCache(0), nil
	chunks, err := m.scoreSplit(t.Context(), 2, pairs, 20_000, func(done int) { seen = append(seen, done) })
	if err != nil || len(seen) < 10 || seen[len(seen)-1] != len(pairs) {
		t.Fatal(seen, err)
	}
	for i := range whole {
		if chunks[i] != whole[i] || i > 0 && i < len(seen) && seen[i] <= seen[i-1] {
			t.Fatalf("pair %d: %v, in chunks %v; progress %v", i, whole[i], chunks[i], seen)
		}
	}
}

// A sentence goes through the lower layers once, on whichever side it is.
func TestSentenceIsEncodedOnce(t *testing.T) {
	m := tinySplit.load(t, kernels()[0])
	a, b, c := "aaa bbb", "ccc ddd", "eee"
	if _, err := m.Score(t.Context(), []verbatim.Pair{{First: a, Second: b}}); err != nil {
		t.Fatal(err)
	}
	before := [2]*state{m.states.get(a), m.states.get(b)}
	if _, err := m.Score(t.Context(), []verbatim.Pair{{First: b, Second: a}, {First: c, Second: a}}); err != nil {
		t.Fatal(err)
	}
	if after := [2]*state{m.states.get(a), m.states.get(b)}; before != after || before[0] == nil || m.states.get(c) == nil {
		t.Errorf("states %p, then %p", before, after)
	}
}

// The cache never holds more than its limit, keeps what was used last, and is safe
// for concurrent use.
func TestCache(t *testing.T) {
	c := newCache(10 * (&entry{"00", &state{1, make([]float32, 100)}}).bytes())
	var running sync.WaitGroup
	for worker := range 4 {
		running.Go(func() {
			for i := range 300 {
				text := fmt.Sprintf("%02d", (i*7+worker)%30)
				if s := c.get(text); s != nil && s.rows[0] != float32((i*7+worker)%30) {
					t.Errorf("%s has the state of another text", text)
				}
				s := &state{1, make([]float32, 100)}
				s.rows[0] = float32((i*7 + worker) % 30)
				c.put(text, s)
			}
		})
	}
	running.Wait()
	if c.bytes > c.limit || c.order.Len() != 10 || len(c.entries) != 10 {
		t.Errorf("%d bytes of %d in %d entries", c.bytes, c.limit, c.order.Len())
	}
	c.put("used", &state{1, make([]float32, 50)})
	for i := range 30 {
		c.get("used")
		c.put(fmt.Sprintf("new%d", i), &state{1, make([]float32, 100)})
	}
	if c.get("used") == nil || c.get("new29") == nil || c.get("new2") != nil {
		t.Error("the cache dropped what was used last")
	}
}

// A sentence that is too long loses its middle.
func TestMiddleTruncation(t *testing.T) {
	m := tinySplit.load(t, &portable)
	m.limit = 8
	for _, c := range []struct{ text, want string }{
		{"", "[CLS] [SEP]"},
		{"a b c", "[CLS] a b c [SEP]"},
		{"a b c d e f", "[CLS] a b c d e f [SEP]"},
		{"a b c d e f g", "[CLS] a b c e f g [SEP]"},
		{"a b c " + strings.Repeat("d ", 5000) + "x y z", "[CLS] a b c x y z [SEP]"},
	} {
		ids, err := m.encodeSentence(t.Context(), c.text)
		if got := m.spell(ids); err != nil || got != c.want {
			t.Errorf("%.20q: %s, %v; want %s", c.text, got, err, c.want)
		}
	}
	if length, limit := m.Measure("a b c d e f g h i j"); length != 7 || limit != 6 || m.MaxTokens() != 16 {
		t.Error(length, limit, m.MaxTokens())
	}
	for _, partner := range []string{"", "a b c", "a b c d e f g h i j"} {
		if room := m.Room(partner); room != 6 {
			t.Errorf("beside %q there is room for %d", partner, room)
		}
	}
}

// Texts of any length have a score, and a cancelled call returns the error of ctx.
func TestSplitAnyLength(t *testing.T) {
	for _, k := range kernels() {
		m := tinySplit.load(t, k)
		pairs := []verbatim.Pair{{}, {First: "a"}, {Second: "a"}, {First: "\xff\xfe", Second: "\x00\u200b"},
			{First: strings.Repeat("abc, ", 1<<14), Second: strings.Repeat("\u0301", 1<<14)}}
		scores, err := m.Score(t.Context(), pairs)
		if err != nil || len(scores) != 5 || scores[0] != scores[3] {
			t.Fatal(scores, err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		if _, err := m.ScoreWith(ctx, append(pairs, verbatim.Pair{First: "b"}), func(int) { cancel() }); err != context.Canceled {
			t.Errorf("%s: %v", k.name, err)
		}
	}
}
