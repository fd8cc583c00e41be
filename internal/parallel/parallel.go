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
// work continues. At most 2*workers results wait for the caller. When the caller
// stops or ctx ends, Map stops all goroutines.
func Map[In, Out any](ctx context.Context, workers int, in iter.Seq2[In, error], f func(context.Context, In) (Out, error)) iter.Seq2[Out, error] {
	return func(yield func(Out, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		var running sync.WaitGroup
		defer running.Wait()
		defer cancel()

		workers := max(1, workers)
		jobs := make(chan job[In, Out])
		order := make(chan chan outcome[Out], workers)
		complete := false // read only after order is closed
		running.Go(func() {
			defer close(order)
			defer close(jobs)
			complete = feed(ctx, in, jobs, order)
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
		if !complete {
			yield(none, ctx.Err())
		}
	}
}

// A job is one input value and the channel for its outcome.
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

// feed sends the input to the workers, and its order to the caller. It reports
// whether the input ended before ctx did.
func feed[In, Out any](ctx context.Context, in iter.Seq2[In, error], jobs chan<- job[In, Out], order chan<- chan outcome[Out]) bool {
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
