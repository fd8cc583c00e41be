package chat

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"net/url"
	"path"
	"slices"
	"strings"
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

// A pool limits the calls to each server and waits for unavailable servers.
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

// facts are what a server says about a model. They are part of the ledger's
// entries and decide how to ask for thinking; they are not part of a call's key.
type facts struct {
	Digest  string
	Version string // of the server
	Context int    // the context window of the model or of the server; 0: unknown
	Thinks  bool

	noLevels bool // it rejects a level of thinking
}

// learn asks a server for the facts about a model, once.
func (c *Client) learn(ctx context.Context, h *host, m *Model) (facts, *Error) {
	select {
	case h.asking <- struct{}{}:
		defer func() { <-h.asking }()
	case <-ctx.Done():
		return facts{}, contextError(ctx, m.Label)
	}
	if known, there := h.facts[m.Name]; there {
		return known, nil
	}
	known, e := c.facts(ctx, h.Server, m.Name)
	if e != nil {
		e.Model = m.Label
		return facts{}, e
	}
	h.facts[m.Name] = known
	return known, nil
}

func (h *host) forgetLevels(name string) {
	h.asking <- struct{}{}
	known := h.facts[name]
	known.noLevels = true
	h.facts[name] = known
	<-h.asking
}

// facts collects what a server says about a model. From an OpenAI-style server all
// of it is optional, but an unavailable server is an error.
func (c *Client) facts(ctx context.Context, s Server, name string) (known facts, e *Error) {
	if s.style() == Ollama {
		if known, e = c.show(ctx, s, s.URL, name); e != nil {
			return known, e
		}
		models, e := c.list(ctx, s)
		if e == nil {
			known.Digest, known.Version = find(models, name).Digest, c.version(ctx, s, s.URL)
		}
		return known, e
	}
	models, e := c.list(ctx, s)
	if e != nil && (e.unavailable() || e.Kind == Cancelled) {
		return known, e
	}
	known.Context = find(models, name).Context
	if root := c.ollamaRoot(ctx, s); root != "" && known.Context == 0 {
		if shown, e := c.show(ctx, s, root, name); e == nil {
			known.Context, known.Thinks = shown.Context, shown.Thinks
		}
	}
	return known, nil
}

// show asks Ollama for a model's context window and whether it can think.
func (c *Client) show(ctx context.Context, s Server, base, name string) (facts, *Error) {
	var reply struct {
		Capabilities []string
		Info         map[string]any `json:"model_info"`
	}
	e := c.call(ctx, s, base+"/api/show", map[string]string{"model": name}, &reply)
	known := facts{Thinks: slices.Contains(reply.Capabilities, "thinking")}
	for key, value := range reply.Info {
		if length, is := value.(float64); is && strings.HasSuffix(key, ".context_length") {
			known.Context = int(length)
		}
	}
	return known, e
}

// version is that of Ollama, or empty: not every server has one.
func (c *Client) version(ctx context.Context, s Server, base string) string {
	var reply struct{ Version string }
	if c.call(ctx, s, base+"/api/version", nil, &reply) != nil {
		return ""
	}
	return reply.Version
}

// ollamaRoot is the address of Ollama's own API if this /v1 is Ollama's, or empty.
func (c *Client) ollamaRoot(ctx context.Context, s Server) string {
	u, err := url.Parse(s.URL)
	if err != nil || u.Path != "/v1" {
		return ""
	}
	u.Path = ""
	if c.version(ctx, s, u.String()) == "" {
		return ""
	}
	return u.String()
}

// loadedWindow asks Ollama behind /v1 for the context window that the model was
// loaded with, which may be much smaller than the model's own.
func (c *Client) loadedWindow(ctx context.Context, s Server, name string, window int) int {
	var loaded struct{ Models []listed }
	root := c.ollamaRoot(ctx, s)
	if root == "" || c.call(ctx, s, root+"/api/ps", nil, &loaded) != nil {
		return window
	}
	if length := find(loaded.Models, name).Context; length > 0 && (window == 0 || length < window) {
		return length
	}
	return window
}

// A listed model is one that a server has.
type listed struct {
	Name    string
	Digest  string
	Context int `json:"context_length"` // 0: unknown
}

// find is the model with a name, with or without the tag that Ollama adds.
func find(models []listed, name string) listed {
	tagged := name
	if !strings.Contains(path.Base(name), ":") {
		tagged += ":latest"
	}
	for _, m := range models {
		if m.Name == name || m.Name == tagged {
			return m
		}
	}
	return listed{}
}

// list asks a server which models it has.
func (c *Client) list(ctx context.Context, s Server) ([]listed, *Error) {
	if s.style() == Ollama {
		var reply struct{ Models []listed }
		e := c.call(ctx, s, s.URL+"/api/tags", nil, &reply)
		return reply.Models, e
	}
	var reply struct {
		Data []struct {
			ID            string
			MaxModelLen   int `json:"max_model_len"`  // vLLM
			ContextLength int `json:"context_length"` // OpenRouter
			Meta          struct {
				Context int `json:"n_ctx_train"` // llama.cpp
			}
		}
	}
	e := c.call(ctx, s, s.URL+"/models", nil, &reply)
	var models []listed
	for _, d := range reply.Data {
		models = append(models, listed{Name: d.ID, Context: max(d.MaxModelLen, d.ContextLength, d.Meta.Context)})
	}
	return models, e
}

// call makes a call that a server answers at once and that may be repeated.
func (c *Client) call(ctx context.Context, s Server, address string, body, into any) *Error {
	ctx, cancel := context.WithTimeout(ctx, min(c.limits.Timeout, factsTimeout))
	defer cancel()
	var sent []byte
	if body != nil {
		sent = plainJSON(body)
	}
	raw := c.send(ctx, s, address, sent)
	e := raw.failure(s)
	switch {
	case e != nil && e.Kind == Deadline:
		e.Kind, e.What = Unreachable, noAnswer
	case e == nil && json.Unmarshal(raw.body, into) != nil:
		e = &Error{Kind: Unreachable, Server: s.URL, Status: raw.status, What: notAServer + errorText(raw.body)}
	}
	if e != nil {
		c.hide(&raw, e)
	}
	return e
}

const (
	noAnswer   = "the server does not answer"
	notAServer = "this address does not answer as a language model server does: "
)

// Answers reports whether a server answers at an address, within a few seconds.
func (c *Client) Answers(ctx context.Context, address string) bool {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	_, e := c.list(ctx, Server{URL: address})
	return e == nil || !e.unavailable()
}

// A Presence says whether one server has a model.
type Presence struct {
	Label   string `json:"label"`
	Model   string `json:"model"` // the server's name for it
	Server  string `json:"server"`
	Style   Style  `json:"style"`
	Version string `json:"version,omitempty"` // of the server
	Answers bool   `json:"answers"`           // the server answers
	There   bool   `json:"there"`             // the server has the model
	Digest  string `json:"digest,omitempty"`
	Context int    `json:"context,omitempty"` // tokens; 0: unknown
	Thinks  bool   `json:"thinks,omitempty"`
	Problem string `json:"problem,omitempty"`
	Remedy  string `json:"remedy,omitempty"`
}

// Look asks each server of a model whether it has the model. It waits for none.
func (c *Client) Look(ctx context.Context, label string) []Presence {
	m := c.model(label)
	var all []Presence
	for _, s := range m.Servers {
		all = append(all, c.look(ctx, m, s))
	}
	return all
}

func (c *Client) look(ctx context.Context, m *Model, s Server) Presence {
	p := Presence{Label: m.Label, Model: m.Name, Server: s.URL, Style: s.style()}
	models, e := c.list(ctx, s)
	if e != nil {
		e.Model = m.Label
		p.Problem, p.Remedy = e.What, c.advise(m, e).Remedy
		return p
	}
	found := find(models, m.Name)
	p.Answers, p.There, p.Digest, p.Context = true, found.Name != "", found.Digest, found.Context
	if known, e := c.facts(ctx, s, m.Name); e == nil {
		p.There = p.There || s.style() == Ollama // which has just shown the model
		p.Digest, p.Context, p.Thinks, p.Version = known.Digest, known.Context, known.Thinks, known.Version
	}
	if !p.There {
		p.Problem = "the server does not have it"
		p.Remedy = c.advise(m, &Error{Kind: ModelNotFound, Model: m.Label, Server: s.URL}).Remedy
	}
	return p
}
