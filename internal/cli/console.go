// Package cli helps commands with their streams: input that stops with the
// program, output that tells when nobody reads it, text that is safe on a
// terminal, a progress bar, quoting for the shell.
package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"golang.org/x/term"

	"verbatim"
	"verbatim/internal/durable"
)

// IsTerminal reports whether a stream is a terminal.
func IsTerminal(stream any) bool { return Terminal(stream) != nil }

// Terminal is the terminal that a stream is, or that a Readable writes to; nil if
// there is none.
func Terminal(stream any) *os.File {
	if safe, is := stream.(*Readable); is {
		return Terminal(safe.Out)
	}
	file, ok := stream.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return nil
	}
	return file
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

// A Readable passes text on as verbatim.Readable shows it. It is safe for
// concurrent use.
type Readable struct {
	Out io.Writer

	mu   sync.Mutex
	rest []byte // the start of a character whose end is not here yet
}

func (r *Readable) Write(text []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
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

// Quote makes one word for the shell of any string.
func Quote(s string) string { return quoteFor(runtime.GOOS, s) }

// Line is a command for the shell.
func Line(words ...string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = Quote(word)
	}
	return strings.Join(quoted, " ")
}

// quoteFor quotes for a POSIX shell, or for Windows, where both shells know only
// "these" and no file name can contain one.
func quoteFor(system, s string) string {
	harmless := "._-/+,=@%:"
	if system == "windows" {
		harmless = `._-/+=:\`
	}
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(harmless, r)
	}
	switch {
	case s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0:
		return s
	case system == "windows":
		return `"` + s + `"`
	default:
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
}

// A Progress is one line on a terminal that says how far the work is. It appears
// after a second; on anything but a terminal it never does.
type Progress struct {
	mu    sync.Mutex
	out   io.Writer // nil: not a terminal
	noun  string
	start time.Time // of this piece of work
	last  time.Time // it was shown
	shown bool
}

// NewProgress shows itself on out.
func NewProgress(out io.Writer) *Progress {
	if terminal := Terminal(out); terminal != nil { // the bar needs its own escape sequences
		return &Progress{out: terminal}
	}
	return &Progress{}
}

// Show moves the bar; another noun starts a new one.
func (p *Progress) Show(noun string, done, total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if noun != p.noun {
		p.noun, p.start = noun, now
	}
	if p.out == nil || now.Sub(p.start) < time.Second || now.Sub(p.last) < 100*time.Millisecond && done < total {
		return
	}
	p.last, p.shown = now, true
	const width = 30
	full := width * done / max(1, total)
	fmt.Fprintf(p.out, "\r\x1b[K[%s%s] %d of %d %s", strings.Repeat("#", full), strings.Repeat(".", width-full), done, total, noun)
}

// Clear removes the line, before a message or at the end.
func (p *Progress) Clear() {
	if p.shown {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}
