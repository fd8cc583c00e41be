package parallel_test

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"verbatim/internal/parallel"
)

func numbers(n int) iter.Seq2[int, error] {
	return func(yield func(int, error) bool) {
		for i := range n {
			if !yield(i, nil) {
				return
			}
		}
	}
}

func TestMapKeepsTheOrderForAnyNumberOfWorkers(t *testing.T) {
	for _, workers := range []int{-1, 1, 2, 7, 64} {
		synctest.Test(t, func(t *testing.T) {
			var got []int
			for v, err := range parallel.Map(t.Context(), workers, numbers(500), func(_ context.Context, i int) (int, error) {
				time.Sleep(time.Duration(i%7) * time.Millisecond)
				return i * i, nil
			}) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, v)
			}
			if len(got) != 500 || !slices.IsSorted(got) || got[499] != 499*499 {
				t.Errorf("%d workers: %d results, in order: %v", workers, len(got), slices.IsSorted(got))
			}
		})
	}
}

func TestMapYieldsErrorsInTheirPlace(t *testing.T) {
	inputErr, workErr := errors.New("input"), errors.New("work")
	in := func(yield func(int, error) bool) {
		_ = yield(0, nil) && yield(0, inputErr) && yield(2, nil) && yield(3, nil)
	}
	var errs []error
	for _, err := range parallel.Map(t.Context(), 4, in, func(_ context.Context, i int) (int, error) {
		if i == 2 {
			return 0, workErr
		}
		return i, nil
	}) {
		errs = append(errs, err)
	}
	if !slices.Equal(errs, []error{nil, inputErr, workErr, nil}) {
		t.Errorf("got %v", errs)
	}
}

// synctest.Test fails if a goroutine is still blocked when the test returns.
func TestMapIsBoundedAndStopsItsGoroutines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var started, running, most atomic.Int64
		for v, err := range parallel.Map(t.Context(), 3, numbers(1_000_000), func(_ context.Context, i int) (int, error) {
			started.Add(1)
			now := running.Add(1)
			for old := most.Load(); now > old && !most.CompareAndSwap(old, now); old = most.Load() {
			}
			time.Sleep(time.Millisecond)
			running.Add(-1)
			return i, nil
		}) {
			if err != nil || v == 20 {
				break
			}
		}
		if most.Load() != 3 {
			t.Errorf("%d calls ran at the same time, want 3", most.Load())
		}
		if started.Load() > 40 {
			t.Errorf("%d calls started although the caller stopped at 20", started.Load())
		}
		if running.Load() != 0 {
			t.Errorf("%d calls are still running", running.Load())
		}
	})
}

func TestMapEndsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var last error
	n := 0
	for _, err := range parallel.Map(ctx, 2, numbers(1_000_000), func(context.Context, int) (int, error) { return 0, nil }) {
		if n++; n == 10 {
			cancel()
		}
		last = err
	}
	if !errors.Is(last, context.Canceled) || n > 100 {
		t.Errorf("after %d results the last error was %v", n, last)
	}
}

// One value that makes the function panic costs one result.
func TestMapTurnsAPanicIntoTheErrorOfItsValue(t *testing.T) {
	for _, workers := range []int{1, 4} {
		var got, bad []int
		at := 0
		for v, err := range parallel.Map(t.Context(), workers, numbers(9), func(_ context.Context, i int) (int, error) {
			if i%4 == 1 {
				var none []int
				return none[i], nil
			}
			return i, nil
		}) {
			crash := (*parallel.PanicError)(nil)
			switch {
			case errors.As(err, &crash):
				bad = append(bad, at)
				if !strings.Contains(err.Error(), "index out of range") || !bytes.Contains(crash.Stack, []byte("parallel_test")) {
					t.Errorf("%v\n%s", err, crash.Stack)
				}
			case err != nil:
				t.Fatal(err)
			default:
				got = append(got, v)
			}
			at++
		}
		if !slices.Equal(got, []int{0, 2, 3, 4, 6, 7, 8}) || !slices.Equal(bad, []int{1, 5}) {
			t.Errorf("%d workers: results %v, panics at %v", workers, got, bad)
		}
	}
}
