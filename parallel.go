package verbatim

import (
	"context"
	"iter"
	"sync"
)

// Map runs f over a sequence on up to `workers` goroutines and gives the
// results in the order of the input, so that output never depends on the number
// of workers. An error, of the input or of f, is passed on in its place and the
// rest goes on. At most 2*workers results wait at a time; when the caller stops
// or ctx ends, the work is called off and no goroutine is left behind.
func Map[In, Out any](ctx context.Context, workers int, in iter.Seq2[In, error], f func(context.Context, In) (Out, error)) iter.Seq2[Out, error] {
	return func(yield func(Out, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		var running sync.WaitGroup
		defer running.Wait()
		defer cancel()

		type result struct {
			value Out
			err   error
		}
		type job struct {
			value In
			err   error
			done  chan result
		}
		workers := max(1, workers)
		jobs := make(chan job)
		order := make(chan chan result, workers)
		whole := false // read only after order is closed

		running.Go(func() {
			defer close(order)
			defer close(jobs)
			for value, err := range in {
				j := job{value, err, make(chan result, 1)}
				select {
				case order <- j.done:
				case <-ctx.Done():
					return
				}
				select {
				case jobs <- j:
				case <-ctx.Done():
					return
				}
			}
			whole = true
		})
		for range workers {
			running.Go(func() {
				for j := range jobs {
					r := result{err: j.err}
					if r.err == nil {
						r.value, r.err = f(ctx, j.value)
					}
					j.done <- r
				}
			})
		}

		for done := range order {
			select {
			case r := <-done:
				if !yield(r.value, r.err) {
					return
				}
			case <-ctx.Done():
				var none Out
				yield(none, ctx.Err())
				return
			}
		}
		if !whole {
			var none Out
			yield(none, ctx.Err())
		}
	}
}
