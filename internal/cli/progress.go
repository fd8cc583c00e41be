package cli

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

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
	if !IsTerminal(out) {
		out = nil
	}
	return &Progress{out: out}
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
