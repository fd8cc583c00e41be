package chat

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"time"
)

// A host is a server with what is known about it during a run.
type host struct {
	Server
	busy     int       // calls in progress
	failures int       // in a row
	since    time.Time // of the first of them
	until    time.Time // no call before this
	last     *Error    // the latest failure

	asking chan struct{} // held while the facts of a model are requested
	facts  map[string]facts
}

// A pool limits the calls to each server and waits for unavailable servers. It
// starts no goroutines.
type pool struct {
	mu       sync.Mutex
	hosts    map[string]*host // by address
	changed  chan struct{}    // closed when a slot may be free
	patience time.Duration
}

func (p *pool) host(s Server) *host {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.hosts[s.URL] == nil {
		p.hosts[s.URL] = &host{Server: s, asking: make(chan struct{}, 1), facts: map[string]facts{}}
	}
	return p.hosts[s.URL]
}

// acquire waits for a slot at one of a model's servers: the one with the largest
// share of free slots. It gives up when all of them have been unavailable for
// longer than patience.
func (p *pool) acquire(ctx context.Context, m *Model) (*host, *Error) {
	var all []*host
	for _, s := range m.Servers {
		all = append(all, p.host(s))
	}
	for {
		p.mu.Lock()
		now := time.Now()
		best, wake := choose(all, now)
		var lost *Error
		if best != nil {
			best.busy++
		} else {
			lost = p.lost(all, now)
		}
		changed := p.changed
		p.mu.Unlock()
		switch {
		case best != nil:
			return best, nil
		case lost != nil:
			lost.Model = m.Label
			return nil, lost
		case wait(ctx, changed, wake.Sub(now)) != nil:
			return nil, contextError(ctx, m.Label)
		}
	}
}

// choose finds a free slot, or the time at which to look again. A server that
// failed gets a single call before it gets more.
func choose(all []*host, now time.Time) (best *host, wake time.Time) {
	wake = now.Add(time.Hour)
	for _, h := range all {
		switch {
		case h.until.After(now):
			if h.until.Before(wake) {
				wake = h.until
			}
		case h.failures > 0 && h.busy > 0, h.busy >= h.Concurrency:
		case best == nil, h.busy*best.Concurrency < best.busy*h.Concurrency:
			best = h
		}
	}
	return best, wake
}

// lost is the error of a model if none of its servers came back in time.
func (p *pool) lost(all []*host, now time.Time) *Error {
	var last *Error
	for _, h := range all {
		if h.failures == 0 || h.busy > 0 || now.Sub(h.since) < p.patience {
			return nil
		}
		last = h.last
	}
	e := *last
	if !e.unavailable() {
		e.Kind = Unreachable // no longer the trouble of one call
	}
	e.What = "unavailable for " + p.patience.String() + "; last error: " + e.What
	return &e
}

// release gives a slot back and notes the result of the call.
func (p *pool) release(h *host, e *Error, retryAfter time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	h.busy--
	switch {
	case e == nil || e.Kind != Cancelled && !slices.Contains(restAfter, e.Kind):
		h.failures = 0
	case e.Kind != Cancelled:
		now := time.Now()
		if h.failures == 0 {
			h.since = now
		}
		h.failures++
		h.last = e
		h.until = now.Add(max(retryAfter, pause(h.failures)))
	}
	close(p.changed)
	p.changed = make(chan struct{})
}

// waitIdle waits until no call is in progress at any server, or ctx ends.
func (p *pool) waitIdle(ctx context.Context) {
	for {
		p.mu.Lock()
		busy := 0
		for _, h := range p.hosts {
			busy += h.busy
		}
		changed := p.changed
		p.mu.Unlock()
		if busy == 0 || wait(ctx, changed, time.Hour) != nil {
			return
		}
	}
}

// unavailable reports whether a server has not answered since it failed.
func (p *pool) unavailable(h *host) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return h.failures > 0 && h.last.unavailable()
}

// pause is the time before the next try. It doubles with each failure, from
// half a second up to a minute, with a random part, so that many callers do not
// come back at the same moment.
func pause(failures int) time.Duration {
	length := min(time.Second/2<<min(failures-1, 16), time.Minute)
	return length*3/4 + rand.N(length/2+1)
}

func wait(ctx context.Context, changed <-chan struct{}, length time.Duration) error {
	timer := time.NewTimer(length)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-changed:
	case <-timer.C:
	}
	return nil
}
