package bert

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"verbatim"
)

// When ctx ends, no worker takes another number. synctest fails if a goroutine
// is still there at the end.
func TestCancelStopsSharing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		taken := 0
		err := share(ctx, 1, 10, func(*atomic.Bool) func(int) error {
			return func(int) error {
				taken++
				cancel()
				synctest.Wait() // until the end of ctx has reached the worker
				return nil
			}
		})
		if !errors.Is(err, context.Canceled) || taken != 1 {
			t.Errorf("%d numbers taken, error %v; want 1 and %v", taken, err, context.Canceled)
		}
	})
}

// A cancelled Score returns the error of ctx and no scores, on every code path.
func TestCancelReturnsTheError(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	pairs := make([]verbatim.Pair, 300)
	for i := range pairs {
		pairs[i] = verbatim.Pair{First: prose(rng, 60), Second: prose(rng, 60)}
	}
	for _, k := range kernels() {
		m := tiny.load(t, k)
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			scores, err := m.ScoreWith(ctx, pairs, func(int) { cancel() })
			if !errors.Is(err, context.Canceled) || scores != nil {
				t.Errorf("%s: %d scores, error %v", k.name, len(scores), err)
			}
		})
	}
}

// Once stop is set, a worker finishes at most one part of one product, however
// far it has come.
func TestCancelEndsWorkWithinOnePart(t *testing.T) {
	folder := sketch{3, 64, 2, 400, 60, 128, 0}.folder()
	rng := rand.New(rand.NewPCG(1, 1))
	var group []sequence
	tokens := 0
	for range 3 {
		s := sequence{ids: make([]int32, 90), second: 40}
		for i := range s.ids {
			s.ids[i] = rng.Int32N(60)
		}
		group, tokens = append(group, s), tokens+len(s.ids)
	}
	for _, k := range kernels() {
		var c stepCounter
		m := loadFolder(t, folder, c.wrap(k))
		run := func(stopAt int) {
			c = stepCounter{stopAt: stopAt, stop: new(atomic.Bool)}
			m.logits(m.newBuffers(tokens, len(group), 90, c.stop), group)
		}
		run(-1)
		all := c.tiles
		part := (tokens + len(k.tiles) - 1) / len(k.tiles) // tiles
		if all < 20*part {
			t.Fatalf("%s: %d tiles in all are too few for a test", k.name, all)
		}
		for range 20 {
			stopAt := 1 + rng.IntN(all)
			if run(stopAt); c.tiles-stopAt >= part || c.rowsAfter > 2*tokens+1 {
				t.Errorf("%s: stopped at tile %d of %d, but computed %d more tiles and %d rows", k.name, stopAt, all, c.tiles-stopAt, c.rowsAfter)
			}
		}
	}
}

// A stepCounter counts the work of a kernel, and sets stop at one of its tiles.
type stepCounter struct {
	tiles, stopAt int
	rowsAfter     int // rows of GELU, softmax and norm after stop
	stop          *atomic.Bool
}

func (c *stepCounter) wrap(k *kernel) *kernel {
	counting := *k
	counting.tiles = nil
	for _, inner := range k.tiles {
		counting.tiles = append(counting.tiles, func(k int, a *float32, aStride int, b, to *float32, toStride int, from *float32, fromStride int, ahead *float32) {
			if c.tiles++; c.tiles == c.stopAt {
				c.stop.Store(true)
			}
			inner(k, a, aStride, b, to, toStride, from, fromStride, ahead)
		})
	}
	row := func() {
		if c.stop.Load() {
			c.rowsAfter++
		}
	}
	counting.gelu = func(x []float32) { row(); k.gelu(x) }
	counting.softmax = func(x []float32, scale float32) { row(); k.softmax(x, scale) }
	counting.norm = func(x, added, scale, shift []float32, epsilon float32) {
		row()
		k.norm(x, added, scale, shift, epsilon)
	}
	return &counting
}

// The tokenizer checks ctx while it reads a long text.
func TestCancelEndsALongText(t *testing.T) {
	tokens := tokensFixture(t, true, true)
	text := strings.Repeat("a b c. ", 10*checkEvery/7)
	ctx, taken := &countdown{context.Background(), 3}, 0
	err := tokens.each(ctx, text, func(int32) bool { taken++; return true })
	if !errors.Is(err, context.Canceled) || taken == 0 || taken > 3*checkEvery {
		t.Errorf("%d wordpieces taken, error %v", taken, err)
	}
}

// A countdown is a context that ends when it has been checked so many times.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}
