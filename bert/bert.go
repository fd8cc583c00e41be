// Package bert scores how likely one sentence is to follow another, with BERT's
// next-sentence head, in pure Go.
//
// A Model computes the same logits as PyTorch from the same files, to 1e-4 in f32
// arithmetic. On one code path (see Path) a pair's score has the same bits whatever
// other pairs are scored with it and however many processors do the work.
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
	limit     int // most tokens in a pair, or in a sentence of a split model
	tokenizer *tokenizer
	kernel    *kernel
	bytes     bool // 8-bit arithmetic
	epsilon   float32

	words, positions, segments []float32 // embeddings
	norm                       scaling
	layers                     []layer
	pooler                     *matrix
	head, headBias             []float32

	spare sync.Pool     // of *buffers
	slots chan struct{} // has one for each group that is computed now

	// of a split model
	states *cache
	added  [2][4][]float32 // see sides
}

var (
	_ verbatim.Scorer   = (*Model)(nil)
	_ verbatim.Measurer = (*Model)(nil)
)

// An Arithmetic is how a model's linear layers multiply. The rest is always f32.
type Arithmetic string

const (
	// Auto is 8-bit arithmetic where the model's config.json allows it and this
	// processor is faster with it, f32 elsewhere.
	Auto Arithmetic = ""
	F32  Arithmetic = "f32"
	Int8 Arithmetic = "int8"
)

// Open loads a model from a folder on disk.
func Open(folder string, how Arithmetic) (*Model, error) {
	info, err := os.Stat(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: no such folder", folder)
	case err != nil:
		return nil, err
	case !info.IsDir():
		return nil, fmt.Errorf("%s is a file; name the folder with config.json, vocab.txt and model.safetensors", folder)
	}
	m, err := Load(durable.DirFS(folder), how)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", folder, err)
	}
	return m, nil
}

// Load reads a model from a folder, into about four bytes of memory per parameter,
// or two with 8-bit arithmetic.
func Load(folder fs.FS, how Arithmetic) (*Model, error) { return load(folder, kernels()[0], how) }

// Path names the code path in use: AVX-512, AVX2, NEON or portable, and what it
// uses for 8-bit arithmetic.
func (m *Model) Path() string {
	if m.bytes && m.kernel.bytes.name != "" {
		return m.kernel.name + " " + m.kernel.bytes.name
	}
	return m.kernel.name
}

// Arithmetic returns how the linear layers multiply: F32 or Int8.
func (m *Model) Arithmetic() Arithmetic {
	if m.bytes {
		return Int8
	}
	return F32
}

// Slow reports whether only the portable path runs here: minutes for a thousand pairs.
func (m *Model) Slow() bool { return m.kernel == &portable }

// Parameters returns the number of the model's parameters.
func (m *Model) Parameters() int {
	h, inner := m.Hidden, m.Inner
	perLayer := 4*(h*h+h) + 2*h*inner + inner + h + 4*h
	return len(m.words) + len(m.positions) + len(m.segments) + 2*h + m.Layers*perLayer + h*h + h + 2*h + 2
}

// MaxTokens returns the length of the longest pair in wordpieces, including
// [CLS] and [SEP]. Score truncates longer pairs.
func (m *Model) MaxTokens() int {
	if m.split() {
		return 2 * m.limit
	}
	return m.limit
}

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
	var logits [][2]float64
	var err error
	if workers := runtime.GOMAXPROCS(0); m.split() {
		logits, err = m.scoreSplit(ctx, workers, pairs, chunkBytes, progress)
	} else {
		logits, err = m.scorePairs(ctx, workers, pairs, progress)
	}
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

// scorePairs returns the logits of pairs for a model whose layers all see the pair.
func (m *Model) scorePairs(ctx context.Context, workers int, pairs []verbatim.Pair, progress func(int)) ([][2]float64, error) {
	sequences, lengths := make([]sequence, len(pairs)), make([]int, len(pairs))
	err := share(ctx, workers, len(pairs), func(*atomic.Bool) func(int) error {
		return func(i int) (err error) {
			sequences[i], err = m.encode(ctx, pairs[i])
			lengths[i] = len(sequences[i].ids)
			return err
		}
	})
	if err != nil {
		return nil, err
	}
	result := make([][2]float64, len(pairs))
	err = m.inGroups(ctx, workers, lengths, progress, func(b *buffers, start, end int) {
		copy(result[start:end], m.logits(b, sequences[start:end]))
	})
	return result, err
}

// inGroups computes sequences of the given lengths in groups. progress, which may be nil, gets the number of
// sequences done.
func (m *Model) inGroups(ctx context.Context, workers int, lengths []int, progress func(int), compute func(b *buffers, start, end int)) error {
	if len(lengths) == 0 {
		return ctx.Err()
	}
	groups := groupsOf(lengths, workers)
	var most struct{ tokens, sequences, longest int }
	for _, g := range groups {
		tokens := 0
		for _, n := range lengths[g[0]:g[1]] {
			tokens += n
			most.longest = max(most.longest, n)
		}
		most.tokens, most.sequences = max(most.tokens, tokens), max(most.sequences, g[1]-g[0])
	}
	var reporting sync.Mutex
	done := 0
	return share(ctx, workers, len(groups), func(stop *atomic.Bool) func(int) error {
		return func(i int) error {
			start, end := groups[i][0], groups[i][1]
			b := m.takeBuffers(most.tokens, most.sequences, most.longest, stop)
			compute(b, start, end)
			m.giveBuffers(b)
			if progress != nil {
				reporting.Lock()
				defer reporting.Unlock()
				done += end - start
				progress(done)
			}
			return nil
		}
	})
}

// groupsOf splits sequences into runs [start, end) of about 384 tokens, or fewer
// if some workers would otherwise be idle. A run has at least one sequence.
func groupsOf(lengths []int, workers int) [][2]int {
	const most = 384
	total := 0
	for _, n := range lengths {
		total += n
	}
	rounds := (total + most*workers - 1) / (most * workers)
	share := (total + rounds*workers - 1) / (rounds * workers)
	var groups [][2]int
	start, tokens := 0, 0
	for i, n := range lengths {
		if i > start && tokens+n/2 > share {
			groups = append(groups, [2]int{start, i})
			start, tokens = i, 0
		}
		tokens += n
	}
	return append(groups, [2]int{start, len(lengths)})
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
