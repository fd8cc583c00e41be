package chat

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"sync"
	"time"

	"verbatim"
	"verbatim/internal/schema"
)

// A Client asks the models that it was given. It is safe for concurrent use;
// each server limits its own parallel calls.
type Client struct {
	// Notice, if set, receives what the user should know during a run.
	Notice func(Notice)
	// Advice, if set, says what to do about an error for which this package has
	// no Remedy: which option of the program helps.
	Advice func(*Error) string

	models map[string]*Model
	preset Model
	limits Limits
	http   *http.Client
	keys   redactor // of all servers
	pool   *pool

	mu       sync.Mutex
	stats    Stats
	notified map[string]bool
}

// A Notice is a message that is not an error. It comes once per server or model.
type Notice struct {
	Topic Topic
	Text  string
}

// A Topic is what a Notice is about.
type Topic string

// The topics.
const (
	Remote  Topic = "remote"  // texts are sent to another computer
	Waiting Topic = "waiting" // a server is unavailable
	Changed Topic = "changed" // the model is not the one that gave the answers in the ledger
)

// New makes a client. preset is used for every label that is not among models:
// such a label is the name of the model at the preset's servers.
func New(models []Model, preset Model, limits Limits) (*Client, error) {
	setDefault(&limits.Timeout, 10*time.Minute)
	setDefault(&limits.Patience, 30*time.Minute)
	c := &Client{models: map[string]*Model{}, preset: preset, limits: limits, http: newHTTP(),
		pool:  &pool{hosts: map[string]*host{}, changed: make(chan struct{}), patience: limits.Patience},
		stats: Stats{Errors: map[Kind]int{}}, notified: map[string]bool{}}
	var keys []Secret
	for _, m := range models {
		if err := m.complete(); err != nil {
			return nil, err
		}
		c.models[m.Label] = &m
	}
	for _, m := range append(models, preset) {
		for _, s := range m.Servers {
			keys = append(keys, s.Key)
		}
	}
	c.keys = newRedactor(keys)
	check := preset
	return c, check.complete()
}

// model is what a label stands for, with the defaults filled in.
func (c *Client) model(label string) *Model {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.models[label] == nil {
		m := c.preset
		m.Label, m.Name = label, ""
		_ = m.complete() // New has checked it
		c.models[label] = &m
	}
	return c.models[label]
}

// Chat asks without a ledger. Use For to keep the answers.
func (c *Client) Chat(ctx context.Context, p verbatim.Prompt) (verbatim.Reply, error) {
	m := c.model(p.Model)
	return c.ask(ctx, m, m.compose(p), func(Entry) error { return nil })
}

// ask makes a call until it is answered or cannot be. Every exchange that a
// server took part in is recorded before it is used.
func (c *Client) ask(ctx context.Context, m *Model, r request, record func(Entry) error) (verbatim.Reply, error) {
	key := r.key()
	if e := m.prepare(&r); e != nil {
		return verbatim.Reply{}, c.count(m, e)
	}
	tries := map[Kind]int{}
	for {
		h, e := c.pool.acquire(ctx, m)
		if e != nil {
			return verbatim.Reply{}, c.count(m, e)
		}
		if e := c.withinLimits(m); e != nil {
			c.pool.release(h, nil, 0)
			c.pool.waitIdle(ctx) // the caller will cancel the others, and calls in progress cost money
			return verbatim.Reply{}, c.advise(m, e)
		}
		x := c.exchange(ctx, h, m, r)
		x.entry.Key = key
		var err error
		if x.entry.Status != 0 && (x.err == nil || !x.err.unavailable()) { // the server took part
			err = record(x.entry)
		}
		if err == nil {
			c.tally(x)
		}
		c.pool.release(h, x.err, x.retryAfter) // after the record, so that a kill loses no more calls than there are slots
		if err != nil {
			return verbatim.Reply{}, fmt.Errorf("the answer cannot be written to the ledger, so it is not used: %w", err)
		}
		if x.err == nil {
			return x.reply(), nil
		}
		tries[x.err.Kind]++
		if !c.another(&r, m, h, x.err, tries[x.err.Kind]) {
			return verbatim.Reply{}, x.err
		}
	}
}

// prepare compiles the schema, and rejects a call that cannot succeed.
func (m *Model) prepare(r *request) *Error {
	if r.Schema != nil {
		var err error
		if r.compiled, err = schema.Compile(r.Schema); err != nil {
			return &Error{Kind: BadSchema, Model: m.Label, What: err.Error(), Err: err}
		}
	}
	return m.fits(*r)
}

// fits checks that prompt and answer fit into the context window.
func (m *Model) fits(r request) *Error {
	need := r.promptTokens() + r.Options.Predict
	if need <= r.Options.Context {
		return nil
	}
	return &Error{Kind: ContextExceeded, Model: m.Label, Tokens: 2 * need,
		What: fmt.Sprintf("a prompt of about %d tokens and an answer of up to %d do not fit into a context window of %d",
			r.promptTokens(), r.Options.Predict, r.Options.Context)}
}

// another decides whether the same call, or a slightly changed one, can help
// after n errors of this kind. The pool lets servers rest.
func (c *Client) another(r *request, m *Model, h *host, e *Error, n int) bool {
	switch e.Kind {
	case Unreachable, Busy:
		c.notify(Waiting, h.URL, fmt.Sprintf("waiting for %s (%s), for up to %s", h.URL, e.What, c.limits.Patience))
		return true
	case Incomplete:
		return n <= 3
	case RunnerDied:
		return n <= 2
	case ServerError:
		return n <= 1
	case BadJSON, SchemaMismatch:
		r.Options.Seed += 1000 // the same seed would give the same answer
		return n <= 1
	case ThinkingSpentBudget:
		r.Options.Predict += m.Thinking
		return n <= 1 && m.fits(*r) == nil
	case Deadline:
		return n < len(m.Servers) // another server may be faster
	}
	if n > 1 || e.Kind != BadRequest || e.Status != http.StatusBadRequest || !says(e.What, "think", "reasoning") {
		return false
	}
	h.forgetLevels(m.Name) // the model cannot think as much or as little as it was asked to
	return true
}

// An exchange is one call to one server.
type exchange struct {
	entry      Entry
	answer     answer
	retryAfter time.Duration
	err        *Error
}

func (x exchange) reply() verbatim.Reply {
	return verbatim.Reply{Content: x.answer.content, Thinking: x.answer.thinking, Model: x.entry.Model, Digest: x.entry.Digest}
}

func (c *Client) exchange(ctx context.Context, h *host, m *Model, r request) exchange {
	known, e := c.learn(ctx, h, m)
	if e != nil {
		return exchange{err: c.advise(m, e)}
	}
	body := r.body(known, h.TokensField)
	x := exchange{entry: Entry{Label: m.Label, Model: m.Name, Style: r.Style, Server: h.URL, Digest: known.Digest,
		Version: known.Version, Time: time.Now().UTC().Truncate(time.Millisecond), Request: body}}
	address := h.URL + "/api/chat"
	if r.Style == OpenAI {
		address = h.URL + "/chat/completions"
	}
	limited, cancel := context.WithTimeout(ctx, c.limits.Timeout)
	defer cancel()
	c.announce(h.Server)
	raw := c.send(limited, h.Server, address, body)
	x.retryAfter = raw.retryAfter
	if x.err = raw.failure(h.Server); x.err == nil {
		x.answer, x.err = m.read(r, raw, known.window(r))
		// A prompt that was cut fills the window. Windows are round numbers, so most
		// answers need no second look.
		if n := x.answer.promptTokens; x.err == nil && r.Style == OpenAI && n >= 256 && n%64 <= 2 {
			x.err = m.check(r, x.answer, c.loadedWindow(ctx, h.Server, m.Name, known.Context))
		}
	}
	switch {
	case x.err == nil:
	case ctx.Err() != nil:
		x.err = contextError(ctx, m.Label)
	case x.err.Kind == Deadline && (!c.Answers(ctx, h.URL) || c.pool.unavailable(h)):
		// The server answers nothing at all, not just this call: wait for it.
		x.err.Kind, x.err.What = Unreachable, noAnswer
	}
	if x.err != nil {
		c.hide(&raw, x.err)
		x.err.Model, x.err.Server, x.err.What = m.Label, h.URL, shorten(x.err.What, keptOfFailure)
		c.advise(m, x.err)
	}
	x.entry.fill(raw, x)
	return x
}

// read decodes the body of an answer and checks it.
func (m *Model) read(r request, raw raw, window int) (answer, *Error) {
	a, err := decode(r.Style, raw.body)
	if err != nil {
		return a, &Error{Kind: Unreachable, Status: raw.status, Err: err, What: notAServer + errorText(raw.body)}
	}
	a.splitThinking()
	return a, m.check(r, a, window)
}

// window is the number of tokens at which a prompt must have been cut.
func (f facts) window(r request) int {
	if r.Style == OpenAI {
		return f.Context
	}
	return min(cmp.Or(f.Context, r.Options.Context), r.Options.Context)
}

// advise fills in what to do about an error.
func (c *Client) advise(m *Model, e *Error) *Error {
	switch {
	case e.Remedy != "":
	case e.Kind == ModelNotFound && m.style() == Ollama:
		e.Remedy = "get it with: ollama pull " + m.Name
	case c.Advice != nil:
		e.Remedy = c.Advice(e)
	}
	return e
}

// notify gives a notice once for each thing that it is about.
func (c *Client) notify(topic Topic, about, text string) {
	c.mu.Lock()
	known := c.notified[string(topic)+" "+about]
	c.notified[string(topic)+" "+about] = true
	c.mu.Unlock()
	if !known && c.Notice != nil {
		c.Notice(Notice{topic, text})
	}
}

// announce names another computer before the first text is sent to it.
func (c *Client) announce(s Server) {
	if !s.local() {
		c.notify(Remote, s.URL, "prompts with passages of your texts are sent to "+s.URL)
	}
}

// withinLimits counts a call, or rejects it if it would exceed the limits.
func (c *Client) withinLimits(m *Model) *Error {
	c.mu.Lock()
	defer c.mu.Unlock()
	used := c.stats.PromptTokens + c.stats.AnswerTokens
	switch {
	case c.limits.MaxCalls > 0 && c.stats.started >= c.limits.MaxCalls:
		return &Error{Kind: OverBudget, Model: m.Label, What: "the limit of " + calls(c.limits.MaxCalls) + " is reached"}
	case c.limits.MaxTokens > 0 && used >= c.limits.MaxTokens:
		return &Error{Kind: OverBudget, Model: m.Label, Tokens: used, What: fmt.Sprintf("the limit of %d tokens is reached: %d were used", c.limits.MaxTokens, used)}
	}
	c.stats.started++
	return nil
}

func calls(n int) string {
	if n == 1 {
		return "1 call"
	}
	return fmt.Sprintf("%d calls", n)
}

// count adds an error without an exchange to the statistics.
func (c *Client) count(m *Model, e *Error) *Error {
	c.tally(exchange{err: e})
	return c.advise(m, e)
}

func (c *Client) tally(x exchange) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if x.entry.Status != 0 {
		c.stats.Calls++
	}
	c.stats.PromptTokens += x.answer.promptTokens
	c.stats.AnswerTokens += x.answer.answerTokens
	c.stats.Seconds += x.entry.Seconds
	if x.err != nil {
		c.stats.Errors[x.err.Kind]++
	}
}

// Stats is what the client did so far.
func (c *Client) Stats() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	copied := c.stats
	copied.Errors = maps.Clone(c.stats.Errors)
	return copied
}
