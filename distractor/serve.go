package distractor

import (
	"context"
	"errors"
	"iter"

	"verbatim"
)

// Serve answers each request before it reads the next: the program that asks may
// be waiting for the answer. A bad request gets a line of answers that says why,
// so that requests and answers stay in step. Any other error is the last pair.
func (g *Generator) Serve(ctx context.Context, requests iter.Seq2[Request, error]) iter.Seq2[Answers, error] {
	return func(yield func(Answers, error) bool) {
		for r, err := range requests {
			answers := Answers{ID: r.ID}
			if unreadable(err) {
				yield(answers, err)
				return
			}
			if err == nil {
				err = r.Check()
			}
			if err == nil {
				if answers, err = g.Make(ctx, r); err != nil {
					yield(answers, err)
					return
				}
			}
			if !yield(answers.with(err), nil) {
				return
			}
		}
	}
}

// ServeAll is Serve, but reads all requests first and asks one model after the
// other.
func (g *Generator) ServeAll(ctx context.Context, requests iter.Seq2[Request, error]) iter.Seq2[Answers, error] {
	return func(yield func(Answers, error) bool) {
		var all []Request
		var bad []error
		for r, err := range requests {
			if unreadable(err) {
				yield(Answers{}, err)
				return
			}
			if err == nil {
				err = r.Check()
			}
			all, bad = append(all, r), append(bad, err)
		}
		at := 0
		for answers, err := range g.MakeAll(ctx, all) {
			if err != nil && (at >= len(bad) || bad[at] == nil) {
				yield(answers, err) // a model is lost
				return
			}
			if !yield(answers.with(bad[at]), nil) {
				return
			}
			at++
		}
	}
}

// unreadable reports whether the input itself failed, not one line of it.
func unreadable(err error) bool {
	line := (*verbatim.LineError)(nil)
	return err != nil && !errors.As(err, &line)
}

// with adds the error of a bad request, which has no answers.
func (a Answers) with(err error) Answers {
	if err != nil {
		a.Error = err.Error()
		a.Strings, a.Types, a.Probabilities = []string{}, []string{}, []Probability{}
	}
	return a
}
