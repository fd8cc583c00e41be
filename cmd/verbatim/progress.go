package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// A progress is one line on a terminal that says how far the work is. It shows
// itself after a second, and only to a person.
type progress struct {
	mu          sync.Mutex // of show
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

// show moves the bar of one piece of work; another one starts a new bar.
func (p *progress) show(noun string, done, total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if noun != p.noun {
		p.noun, p.start = noun, time.Now()
	}
	p.done, p.total = done-1, total
	p.step()
}

// clear takes the line away, for words or for the end.
func (p *progress) clear() {
	if p.shown {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}
