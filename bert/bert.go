// Package bert says how likely one sentence follows another, with BERT's
// next-sentence head, in pure Go.
//
// What to count on: a Model computes what PyTorch computes for the same files,
// to 1e-4 on the logits. On one code path (see Path) a pair's score has the
// same bits whatever it is scored with and however many processors work on it.
//
// A model is a folder as Hugging Face keeps them: config.json, vocab.txt or
// tokenizer.json, and model.safetensors in f32, f16 or bf16. One such folder,
// trained on prose from before 1929, lies in this package; see Small.
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
)

// A Model is a BERT with its next-sentence head, ready to score. It does not
// change, so that any number of goroutines may use it.
type Model struct {
	Config
	limit     int // tokens of a pair
	tokenizer *tokenizer
	kernel    *kernel
	epsilon   float32

	words, places, sides []float32
	norm                 scaling
	layers               []layer
	pooler               *matrix
	head, headBias       []float32

	workers int // 0: as many as there are processors
}

var _ verbatim.Scorer = (*Model)(nil)

// Open loads the model of a folder on disk.
func Open(folder string) (*Model, error) {
	info, err := os.Stat(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: there is no such folder", folder)
	case err != nil:
		return nil, err
	case !info.IsDir():
		return nil, fmt.Errorf("%s is a file; name the folder that holds config.json, vocab.txt and model.safetensors", folder)
	}
	m, err := Load(os.DirFS(folder))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", folder, err)
	}
	return m, nil
}

// Load reads a model from a folder. It needs about as much memory as the model
// has numbers, times four bytes.
func Load(folder fs.FS) (*Model, error) { return load(folder, kernels()[0]) }

// Path names the code path in use: AVX-512, AVX2, NEON or portable.
func (m *Model) Path() string { return m.kernel.name }

// Slow says that this processor has only the portable path, on which a
// thousand pairs take minutes.
func (m *Model) Slow() bool { return m.kernel == &portable }

// Parameters counts the model's numbers.
func (m *Model) Parameters() int {
	h, inner := m.Hidden, m.Inner
	perLayer := 4*(h*h+h) + 2*h*inner + inner + h + 4*h
	return len(m.words) + len(m.places) + len(m.sides) + 2*h + m.Layers*perLayer + h*h + h + 2*h + 2
}

// MaxTokens is the longest pair in wordpieces, with [CLS] and twice [SEP].
// Longer ones are cut.
func (m *Model) MaxTokens() int { return m.limit }

// Score gives log P(second follows first) for each pair. When ctx ends it
// returns at once with the error of ctx.
func (m *Model) Score(ctx context.Context, pairs []verbatim.Pair) ([]float64, error) {
	return m.ScoreWith(ctx, pairs, nil)
}

// ScoreWith is Score that tells, from time to time, how many pairs are done.
// Calls to progress do not overlap.
func (m *Model) ScoreWith(ctx context.Context, pairs []verbatim.Pair, progress func(done int)) ([]float64, error) {
	if err := ctx.Err(); err != nil || len(pairs) == 0 {
		return nil, err
	}
	workers := m.workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
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
			return nil, fmt.Errorf("the model gives no number for pair %d; its weights hold infinite or undefined values: fetch its folder again", i+1)
		}
	}
	return scores, nil
}

// run gives the logits of sequences. Each worker takes the next group there is
// and has a bench of its own; nobody waits for anybody.
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
	var telling sync.Mutex
	done := 0
	err := share(ctx, workers, len(groups), func(stop *atomic.Bool) func(int) error {
		b := m.newBench(most.tokens, most.pairs, most.longest, stop)
		return func(i int) error {
			g := groups[i]
			copy(result[g[0]:g[1]], m.logits(b, sequences[g[0]:g[1]]))
			if progress != nil {
				telling.Lock()
				defer telling.Unlock()
				done += g[1] - g[0]
				progress(done)
			}
			return nil
		}
	})
	return result, err
}

// groupsOf cuts a list into runs [start, end) of about 384 tokens, or fewer if
// some workers would have nothing to do. A run has at least one sequence.
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

// share gives the numbers 0 to n-1 to workers, each the next that is not yet
// taken. The first error, or the end of ctx, sets stop and ends the work; no
// goroutine is left behind.
func share(ctx context.Context, workers, n int, start func(stop *atomic.Bool) func(int) error) error {
	var next atomic.Int64
	var stop atomic.Bool
	var first error
	var once sync.Once
	var running sync.WaitGroup
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	for range min(workers, n) {
		running.Go(func() {
			work := start(&stop)
			for i := int(next.Add(1)) - 1; i < n && !stop.Load(); i = int(next.Add(1)) - 1 {
				if err := work(i); err != nil {
					once.Do(func() { first = err })
					stop.Store(true)
				}
			}
		})
	}
	running.Wait()
	if first == nil {
		first = ctx.Err()
	}
	return first
}
