package chat

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"
)

// A station is a server with what is known of it during a run.
type station struct {
	Server
	busy     int
	failures int       // in a row
	since    time.Time // of the first of them
	until    time.Time // no call before this
	last     *Error    // of them

	learning chan struct{} // held while the facts of a model are asked for
	facts    map[string]facts
}

// A pool gives out the places at the servers. Its clock and its waits are all
// the scheduling there is; goroutines are the callers'.
type pool struct {
	mu       sync.Mutex
	stations map[string]*station // by address
	changed  chan struct{}       // closed when a place may have become free
	limits   Limits
}

func newPool(limits Limits) *pool {
	return &pool{stations: map[string]*station{}, changed: make(chan struct{}), limits: limits}
}

func (p *pool) station(s Server) *station {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stations[s.URL] == nil {
		p.stations[s.URL] = &station{Server: s, learning: make(chan struct{}, 1), facts: map[string]facts{}}
	}
	return p.stations[s.URL]
}

// enter waits for a place at one of a model's servers: the one with the most
// places free that is not being rested. It gives up when all of them have been
// away for longer than patience allows.
func (p *pool) enter(ctx context.Context, m *Model) (*station, *Error) {
	var all []*station
	for _, s := range m.Servers {
		all = append(all, p.station(s))
	}
	for {
		p.mu.Lock()
		now := time.Now()
		best, wake := choose(all, now)
		if best != nil {
			best.busy++
			p.mu.Unlock()
			return best, nil
		}
		lost := p.lost(all, now)
		changed := p.changed
		p.mu.Unlock()
		if lost != nil {
			lost.Model = m.Label
			return nil, lost
		}
		if err := wait(ctx, changed, wake.Sub(now)); err != nil {
			return nil, contextError(ctx, m.Label)
		}
	}
}

// choose finds a place, or the time at which to look again. A server that
// failed is tried by one call alone before it gets more.
func choose(all []*station, now time.Time) (best *station, wake time.Time) {
	wake = now.Add(time.Hour)
	for _, s := range all {
		switch {
		case s.until.After(now):
			if s.until.Before(wake) {
				wake = s.until
			}
		case s.failures > 0 && s.busy > 0, s.busy >= s.Concurrency:
		case best == nil, s.busy*best.Concurrency < best.busy*s.Concurrency:
			best = s
		}
	}
	return best, wake
}

// lost is the error of a model none of whose servers came back in time.
func (p *pool) lost(all []*station, now time.Time) *Error {
	var last *Error
	for _, s := range all {
		if s.failures == 0 || s.busy > 0 || now.Sub(s.since) < p.limits.Patience {
			return nil
		}
		last = s.last
	}
	e := *last
	if e.Kind == Deadline {
		e.Kind = Unreachable
	}
	e.What = "away for " + p.limits.Patience.String() + ", last seen: " + e.What
	return &e
}

// leave gives a place back and remembers how the call went.
func (p *pool) leave(s *station, e *Error, retryAfter time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s.busy--
	switch {
	case e == nil || !e.away() && e.Kind != Deadline && e.Kind != Cancelled:
		s.failures = 0
	case e.Kind != Cancelled:
		now := time.Now()
		if s.failures == 0 {
			s.since = now
		}
		s.failures++
		s.last = e
		s.until = now.Add(max(retryAfter, pause(p.limits.Pause, s.failures)))
	}
	close(p.changed)
	p.changed = make(chan struct{})
}

// quiet waits until no call is under way at any server, or ctx ends.
func (p *pool) quiet(ctx context.Context) {
	for {
		p.mu.Lock()
		busy := 0
		for _, s := range p.stations {
			busy += s.busy
		}
		changed := p.changed
		p.mu.Unlock()
		if busy == 0 || wait(ctx, changed, time.Hour) != nil {
			return
		}
	}
}

// away says whether a server was found away and has not answered since.
func (p *pool) away(s *station) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return s.failures > 0 && s.last.away()
}

// pause grows with each failure up to a minute, with a random spread, so that
// many callers do not come back at the same moment.
func pause(first time.Duration, failures int) time.Duration {
	length := min(first<<min(failures-1, 16), max(first, time.Minute))
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
