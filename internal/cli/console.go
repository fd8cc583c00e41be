// Package cli helps commands with their streams: input that stops with the
// program, output that tells when nobody reads it, text that is safe on a
// terminal, a progress bar, quoting for the shell.
package cli

import (
	"bufio"
	"context"
	"io"
	"os"
	"sync"
	"unicode/utf8"

	"golang.org/x/term"

	"verbatim"
	"verbatim/internal/durable"
)

// IsTerminal reports whether a stream is a terminal.
func IsTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// Interruptible is a reader that ends with the context: Ctrl-C works while the
// program waits for a pipe.
func Interruptible(ctx context.Context, in io.Reader) io.Reader {
	return &interruptible{ctx: ctx, in: in}
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
	go func() { // it may wait forever; then nobody reads what it writes
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

// Answering joins an input to the output that answers it. It sends the answers
// before it reads more, because the program that asks may be waiting for them.
// The buffer has the size that verbatim.Write wants, which then adds none.
func Answering(in io.Reader, out io.Writer) (io.Reader, *bufio.Writer) {
	answers := bufio.NewWriterSize(out, 1<<16)
	return &asked{in, answers}, answers
}

type asked struct {
	in      io.Reader
	answers *bufio.Writer
}

func (a *asked) Read(p []byte) (int, error) {
	if err := a.answers.Flush(); err != nil {
		return 0, durable.CannotWrite("the answers", err)
	}
	return a.in.Read(p)
}

// A Readable passes text on as verbatim.Readable shows it.
type Readable struct {
	Out  io.Writer
	rest []byte // the start of a character whose end is not here yet
}

func (r *Readable) Write(text []byte) (int, error) {
	whole := append(r.rest, text...)
	end := len(whole)
	for i := 1; i <= min(utf8.UTFMax-1, end); i++ {
		if utf8.RuneStart(whole[end-i]) {
			if !utf8.FullRune(whole[end-i:]) {
				end -= i
			}
			break
		}
	}
	if _, err := io.WriteString(r.Out, verbatim.Readable(string(whole[:end]))); err != nil {
		return 0, err
	}
	r.rest = append([]byte(nil), whole[end:]...)
	return len(text), nil
}

// A Watch remembers the first error of an output, so that no command succeeds
// when its data did not arrive. If the reader has stopped, Watch calls Gone.
type Watch struct {
	io.Writer
	Gone func()
	Err  error

	once sync.Once
}

func (w *Watch) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if err != nil {
		w.once.Do(func() { w.Err = durable.CannotWrite("the output", err) })
		if PipeClosed(err) {
			w.Gone()
		}
	}
	return n, err
}
