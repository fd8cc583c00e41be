// Package bert scores how likely one sentence is to follow another, with BERT's
// next-sentence head, in pure Go.
//
// A Model computes the same logits as PyTorch from the same files, to 1e-4. On
// one code path (see Path) a pair's score has the same bits whatever other
// pairs are scored with it and however many processors do the work.
//
// A model is a folder in Hugging Face's layout: config.json, vocab.txt or
// tokenizer.json, and model.safetensors in f32, f16 or bf16. Package bert/small
// embeds one, trained on prose from before 1929.
package bert

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"runtime"
	"sync"
	"sync/atomic"

	"verbatim"
	"verbatim/internal/durable"
	"verbatim/internal/parallel"
)

// A Model is a BERT with its next-sentence head. It is safe for concurrent use.
type Model struct {
	Config
	limit     int // most tokens in a pair
	tokenizer *tokenizer
	kernel    *kernel
	epsilon   float32

	words, positions, segments []float32 // embeddings
	norm                       scaling
	layers                     []layer
	pooler                     *matrix
	head, headBias             []float32
}

var (
	_ verbatim.Scorer   = (*Model)(nil)
	_ verbatim.Measurer = (*Model)(nil)
)

// Open loads a model from a folder on disk.
func Open(folder string) (*Model, error) {
	info, err := os.Stat(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: no such folder", folder)
	case err != nil:
		return nil, err
	case !info.IsDir():
		return nil, fmt.Errorf("%s is a file; name the folder with config.json, vocab.txt and model.safetensors", folder)
	}
	m, err := Load(durable.DirFS(folder))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", folder, err)
	}
	return m, nil
}

// Load reads a model from a folder, into about four bytes of memory per parameter.
func Load(folder fs.FS) (*Model, error) { return load(folder, kernels()[0]) }

// Path names the code path in use: AVX-512, AVX2, NEON or portable.
func (m *Model) Path() string { return m.kernel.name }

// Slow reports whether only the portable path runs here: minutes for a thousand pairs.
func (m *Model) Slow() bool { return m.kernel == &portable }

// Parameters returns the number of the model's parameters.
func (m *Model) Parameters() int {
	h, inner := m.Hidden, m.Inner
	perLayer := 4*(h*h+h) + 2*h*inner + inner + h + 4*h
	return len(m.words) + len(m.positions) + len(m.segments) + 2*h + m.Layers*perLayer + h*h + h + 2*h + 2
}

// MaxTokens returns the length of the longest pair in wordpieces, including
// [CLS] and two [SEP]. Score truncates longer pairs.
func (m *Model) MaxTokens() int { return m.limit }

// Score returns log P(second follows first) for each pair. When ctx ends, it
// stops at once and returns the error of ctx.
func (m *Model) Score(ctx context.Context, pairs []verbatim.Pair) ([]float64, error) {
	return m.ScoreWith(ctx, pairs, nil)
}

// ScoreWith is like Score and reports the pairs done. Calls to progress do not overlap.
func (m *Model) ScoreWith(ctx context.Context, pairs []verbatim.Pair, progress func(done int)) ([]float64, error) {
	if err := ctx.Err(); err != nil || len(pairs) == 0 {
		return nil, err
	}
	workers := runtime.GOMAXPROCS(0)
	sequences := make([]sequence, len(pairs))
	err := share(ctx, workers, len(pairs), func(stop *atomic.Bool) func(int) error {
		return func(i int) (err error) {
			sequences[i], err = m.encode(ctx, pairs[i])
			return err
		}
	})
	if err != nil {
		return nil, err
	}
	logits, err := m.run(ctx, workers, sequences, progress)
	if err != nil {
		return nil, err
	}
	scores := make([]float64, len(pairs))
	for i, l := range logits {
		if scores[i] = logFirst(l); math.IsNaN(scores[i]) || math.IsInf(scores[i], 0) {
			return nil, fmt.Errorf("pair %d has no finite score: the model's weights contain infinite or undefined values; download the model again", i+1)
		}
	}
	return scores, nil
}

// run returns the logits of sequences. Each worker has its own buffers: none waits.
func (m *Model) run(ctx context.Context, workers int, sequences []sequence, progress func(int)) ([][2]float64, error) {
	groups := groupsOf(sequences, workers)
	var most struct{ tokens, pairs, longest int }
	for _, g := range groups {
		tokens := 0
		for _, s := range sequences[g[0]:g[1]] {
			tokens += len(s.ids)
			most.longest = max(most.longest, len(s.ids))
		}
		most.tokens, most.pairs = max(most.tokens, tokens), max(most.pairs, g[1]-g[0])
	}
	result := make([][2]float64, len(sequences))
	var reporting sync.Mutex
	done := 0
	err := share(ctx, workers, len(groups), func(stop *atomic.Bool) func(int) error {
		b := m.newBuffers(most.tokens, most.pairs, most.longest, stop)
		return func(i int) error {
			g := groups[i]
			copy(result[g[0]:g[1]], m.logits(b, sequences[g[0]:g[1]]))
			if progress != nil {
				reporting.Lock()
				defer reporting.Unlock()
				done += g[1] - g[0]
				progress(done)
			}
			return nil
		}
	})
	return result, err
}

// groupsOf splits sequences into runs [start, end) of about 384 tokens, or fewer
// if some workers would otherwise be idle. A run has at least one sequence.
func groupsOf(sequences []sequence, workers int) [][2]int {
	const most = 384
	total := 0
	for _, s := range sequences {
		total += len(s.ids)
	}
	rounds := (total + most*workers - 1) / (most * workers)
	share := (total + rounds*workers - 1) / (rounds * workers)
	var groups [][2]int
	start, tokens := 0, 0
	for i, s := range sequences {
		if i > start && tokens+len(s.ids)/2 > share {
			groups = append(groups, [2]int{start, i})
			start, tokens = i, 0
		}
		tokens += len(s.ids)
	}
	return append(groups, [2]int{start, len(sequences)})
}

// share distributes the numbers 0 to n-1 among workers; each takes the next free
// one. The first error or panic, or the end of ctx, sets stop and ends the work. share
// returns after all its goroutines have ended.
func share(ctx context.Context, workers, n int, start func(stop *atomic.Bool) func(int) error) error {
	var next atomic.Int64
	var stop atomic.Bool
	var first error
	var once sync.Once
	var running sync.WaitGroup
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	for range min(workers, n) {
		running.Go(func() {
			err := parallel.Guard(func() error {
				work := start(&stop)
				for i := int(next.Add(1)) - 1; i < n && !stop.Load(); i = int(next.Add(1)) - 1 {
					if err := work(i); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				once.Do(func() { first = err })
				stop.Store(true)
			}
		})
	}
	running.Wait()
	if first == nil {
		first = ctx.Err()
	}
	return first
}

// encode turns a pair into [CLS] first [SEP] second [SEP], truncated to the limit.
func (m *Model) encode(ctx context.Context, pair verbatim.Pair) (sequence, error) {
	t, room := m.tokenizer, m.limit-3
	first := ends{most: m.limit, tail: m.Truncation == "tail_head"}
	second := ends{most: m.limit}
	if err := t.each(ctx, pair.First, first.take); err != nil {
		return sequence{}, err
	}
	if err := t.each(ctx, pair.Second, second.take); err != nil {
		return sequence{}, err
	}
	cut := longestFirst
	if first.tail {
		cut = tailHead
	}
	a, b := cut(min(len(first.ids), m.limit), min(len(second.ids), m.limit), room)
	ids := append(make([]int32, 0, a+b+3), t.cls)
	ids = append(append(ids, first.keep(a)...), t.sep)
	border := len(ids)
	ids = append(append(ids, second.keep(b)...), t.sep)
	return sequence{ids, border}, nil
}

// Measure implements verbatim.Measurer.
func (m *Model) Measure(text string) (length, limit int) {
	limit = m.limit - 3
	_ = m.tokenizer.each(context.Background(), text, func(int32) bool { // which never ends
		length++
		return length <= limit
	})
	return min(length, limit+1), limit
}

// ends keeps the first, or with tail at least the last, `most` wordpieces of a text.
type ends struct {
	most int
	tail bool
	ids  []int32
}

// take adds a wordpiece and reports whether it needs more.
func (e *ends) take(id int32) bool {
	if e.tail && len(e.ids) == 8*e.most { // drop what is too far back
		e.ids = e.ids[:copy(e.ids, e.ids[len(e.ids)-e.most:])]
	}
	e.ids = append(e.ids, id)
	return e.tail || len(e.ids) < e.most
}

func (e *ends) keep(n int) []int32 {
	if e.tail {
		return e.ids[len(e.ids)-n:]
	}
	return e.ids[:n]
}

// longestFirst removes tokens from the longer sentence until both fit. When both
// are cut to half of an odd room, the fast tokenizers give the odd token to the
// longer sentence, or to the second if they are equal. (The slow ones always
// give it to the first.) They count only up to the limit of the pair, so two
// very long sentences are equal.
func longestFirst(a, b, room int) (int, int) {
	half := room / 2
	switch {
	case a+b <= room:
		return a, b
	case min(a, b) <= half && a <= b:
		return a, room - a
	case min(a, b) <= half:
		return room - b, b
	case a > b:
		return room - half, half
	default:
		return half, room - half
	}
}

// tailHead is the truncation that the small model was trained with: each
// sentence gets half the room, the second one the odd token, and each may use
// what the other leaves.
func tailHead(a, b, room int) (int, int) {
	half := room / 2
	switch {
	case a+b <= room:
		return a, b
	case a <= half:
		return a, room - a
	case b <= room-half:
		return room - b, b
	default:
		return half, room - half
	}
}
