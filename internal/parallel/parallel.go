// Package parallel provides an ordered concurrent map.
package parallel

import (
	"context"
	"iter"
	"sync"
)

// Map calls f on each value of a sequence, on up to `workers` goroutines, and
// yields the results in input order: output never depends on the number of
// workers. An error of the input or of f takes the place of its result, and the
// work continues; a panic of f is such an error, a *PanicError. At most 2*workers results wait for the caller. When the caller
// stops or ctx ends, Map stops all goroutines.
func Map[In, Out any](ctx context.Context, workers int, in iter.Seq2[In, error], f func(context.Context, In) (Out, error)) iter.Seq2[Out, error] {
	return func(yield func(Out, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		var running sync.WaitGroup
		defer running.Wait()
		defer cancel()

		workers := max(1, workers)
		jobs := make(chan *job[In, Out])
		order := make(chan *job[In, Out], workers)
		complete := false // read only after order is closed
		running.Go(func() {
			defer close(order)
			defer close(jobs)
			complete = feed(ctx, in, jobs, order)
		})
		for range workers {
			running.Go(func() {
				for j := range jobs {
					if j.err == nil {
						j.err = Guard(func() (err error) {
							j.out, err = f(ctx, j.in)
							return err
						})
					}
					close(j.done)
				}
			})
		}
		var none Out
		for j := range order {
			select {
			case <-j.done:
				if !yield(j.out, j.err) {
					return
				}
			case <-ctx.Done():
				yield(none, ctx.Err())
				return
			}
		}
		if !complete {
			yield(none, ctx.Err())
		}
	}
}

// A job is one input value and, when done is closed, its result.
type job[In, Out any] struct {
	in   In
	out  Out
	err  error
	done chan struct{}
}

// feed sends the input to the workers, and its order to the caller. It reports
// whether the input ended before ctx did.
func feed[In, Out any](ctx context.Context, in iter.Seq2[In, error], jobs, order chan<- *job[In, Out]) bool {
	for value, err := range in {
		j := &job[In, Out]{in: value, err: err, done: make(chan struct{})}
		select {
		case order <- j:
		case <-ctx.Done():
			return false
		}
		select {
		case jobs <- j:
		case <-ctx.Done():
			return false
		}
	}
	return true
}
