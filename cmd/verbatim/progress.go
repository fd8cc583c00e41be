package main

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// A progress is one line on a terminal that says how far the work is. It shows
// itself after a second, and only to a person.
type progress struct {
	out         io.Writer
	noun        string
	total, done int
	start, last time.Time
	shown       bool
}

func newProgress(out io.Writer, noun string, total int) *progress {
	if !isTerminal(out) {
		out = nil
	}
	return &progress{out: out, noun: noun, total: total, start: time.Now()}
}

// step counts one piece of work.
func (p *progress) step() {
	p.done++
	now := time.Now()
	if p.out == nil || now.Sub(p.start) < time.Second || now.Sub(p.last) < 100*time.Millisecond && p.done < p.total {
		return
	}
	p.last, p.shown = now, true
	const width = 30
	full := width * p.done / max(1, p.total)
	fmt.Fprintf(p.out, "\r\x1b[K[%s%s] %d of %d %s", strings.Repeat("#", full), strings.Repeat(".", width-full), p.done, p.total, p.noun)
}

// clear takes the line away, for words or for the end.
func (p *progress) clear() {
	if p.shown {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}
