// Package parallel has the one ordered concurrent map of the program. Results
// come in the order of the input, so output never depends on the number of
// workers.
package parallel

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

		workers := max(1, workers)
		jobs := make(chan job[In, Out])
		order := make(chan chan outcome[Out], workers)
		whole := false // read only after order is closed
		running.Go(func() {
			defer close(order)
			defer close(jobs)
			whole = hand(ctx, in, jobs, order)
		})
		for range workers {
			running.Go(func() {
				for j := range jobs {
					j.done <- j.do(ctx, f)
				}
			})
		}
		var none Out
		for done := range order {
			select {
			case o := <-done:
				if !yield(o.value, o.err) {
					return
				}
			case <-ctx.Done():
				yield(none, ctx.Err())
				return
			}
		}
		if !whole {
			yield(none, ctx.Err())
		}
	}
}

// A job is one piece of input and where its outcome is awaited.
type job[In, Out any] struct {
	value In
	err   error
	done  chan outcome[Out]
}

type outcome[Out any] struct {
	value Out
	err   error
}

func (j job[In, Out]) do(ctx context.Context, f func(context.Context, In) (Out, error)) (o outcome[Out]) {
	if o.err = j.err; o.err == nil {
		o.value, o.err = f(ctx, j.value)
	}
	return o
}

// hand gives the input to the workers, and to the caller the order in which it
// came. It says whether it came to the end before ctx did.
func hand[In, Out any](ctx context.Context, in iter.Seq2[In, error], jobs chan<- job[In, Out], order chan<- chan outcome[Out]) bool {
	for value, err := range in {
		j := job[In, Out]{value, err, make(chan outcome[Out], 1)}
		select {
		case order <- j.done:
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
