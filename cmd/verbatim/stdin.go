package main

import (
	"context"
	"errors"
	"io"
)

// standardInput is what "-" reads. It ends with the command: who presses Ctrl-C
// while the program waits for a pipe is not kept waiting.
func standardInput(ctx context.Context, c *console) io.Reader {
	return &interruptible{ctx: ctx, in: c.in}
}

type interruptible struct {
	ctx  context.Context
	in   io.Reader
	room []byte
}

func (r *interruptible) Read(p []byte) (int, error) {
	type result struct {
		n   int
		err error
	}
	if len(r.room) < len(p) {
		r.room = make([]byte, len(p))
	}
	room, done := r.room[:len(p)], make(chan result, 1)
	go func() { // it may wait for ever, and then writes where nobody looks
		n, err := r.in.Read(room)
		done <- result{n, err}
	}()
	select {
	case <-r.ctx.Done():
		r.room = nil
		return 0, r.ctx.Err()
	case got := <-done:
		return copy(p, room[:got.n]), got.err
	}
}

// onlyOneInput refuses a second "-": whatever it means, nothing would be left.
func onlyOneInput(paths ...string) error {
	found := false
	for _, path := range paths {
		if path == "-" && found {
			return errors.New("standard input (-) can be read once; name a file for the others")
		}
		found = found || path == "-"
	}
	return nil
}
