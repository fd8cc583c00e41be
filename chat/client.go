package chat

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"verbatim"
)

// A Client asks the models that it was given. It may be used from many
// goroutines; how many calls run at a time is each server's to say.
type Client struct {
	// Notice, if set, is told what a person should know: the first words to a
	// server elsewhere, a server that is waited for, a model that changed.
	Notice func(string)

	models map[string]*Model
	preset Model
	limits Limits
	http   *http.Client
	pool   *pool

	mu     sync.Mutex
	stats  Stats
	toldOf map[string]bool
}

// New makes a client. preset stands for every label that is not among models:
// such a label is itself the name of the model, at the preset's servers.
func New(models []Model, preset Model, limits Limits) (*Client, error) {
	limits.complete()
	c := &Client{models: map[string]*Model{}, preset: preset, limits: limits, http: newHTTP(), pool: newPool(limits),
		stats: Stats{Errors: map[Kind]int{}}, toldOf: map[string]bool{}}
	for _, m := range models {
		if err := m.complete(); err != nil {
			return nil, err
		}
		c.models[m.Label] = &m
	}
	check := preset
	return c, check.complete()
}

// Model is what a label stands for, defaults filled in.
func (c *Client) Model(label string) *Model {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.models[label] == nil {
		m := c.preset
		m.Label, m.Name = label, ""
		_ = m.complete() // New has tried it
		c.models[label] = &m
	}
	return c.models[label]
}

// Chat asks without a ledger. Whoever pays for answers uses For.
func (c *Client) Chat(ctx context.Context, p verbatim.Prompt) (verbatim.Reply, error) {
	m := c.Model(p.Model)
	return c.ask(ctx, m, m.compose(p), func(Entry) error { return nil })
}

// ask makes a call until it is answered or cannot be. Every exchange that a
// server took part in is recorded before it is used.
func (c *Client) ask(ctx context.Context, m *Model, r request, record func(Entry) error) (verbatim.Reply, error) {
	key := r.key()
	if e := m.refuse(r); e != nil {
		return verbatim.Reply{}, c.count(e)
	}
	tries := map[Kind]int{}
	for {
		s, e := c.pool.enter(ctx, m)
		if e != nil {
			return verbatim.Reply{}, c.count(e)
		}
		if e := c.withinCap(m); e != nil {
			c.pool.leave(s, nil, 0)
			c.pool.quiet(ctx) // who hears of it calls off the rest, and what is under way is paid for
			return verbatim.Reply{}, e
		}
		x := c.exchange(ctx, s, m, r)
		x.entry.Key = key
		err := x.record(record)
		if err == nil {
			c.tally(x)
		}
		c.pool.leave(s, x.err, x.retryAfter) // after the record: no more calls are at stake than there are places
		if err != nil {
			return verbatim.Reply{}, err
		}
		if x.err == nil {
			return x.reply(), nil
		}
		tries[x.err.Kind]++
		again, wait := c.another(&r, m, s, x.err, tries)
		if !again {
			return verbatim.Reply{}, x.err
		}
		if wait && sleep(ctx, pause(c.limits.Pause, tries[x.err.Kind])) != nil {
			return verbatim.Reply{}, contextError(ctx, m.Label)
		}
	}
}

// refuse stops a call that cannot succeed before it is made.
func (m *Model) refuse(r request) *Error {
	if r.Schema != nil {
		if _, err := parseSchema(r.Schema); err != nil {
			return &Error{Kind: BadSchema, Model: m.Label, What: err.Error()}
		}
	}
	if need := r.promptTokens() + r.Options.Predict; need > r.Options.Context {
		return &Error{Kind: ContextExceeded, Model: m.Label,
			What: fmt.Sprintf("a prompt of about %d tokens and an answer of up to %d do not fit into a window of %d",
				r.promptTokens(), r.Options.Predict, r.Options.Context),
			Remedy: fmt.Sprintf("allow more with the setting `context %s: %d`", m.Label, 2*need)}
	}
	return nil
}

// another decides whether the same call, or one changed a little, can help.
// The pool does the waiting for a server that is away.
func (c *Client) another(r *request, m *Model, s *station, e *Error, tries map[Kind]int) (again, wait bool) {
	n := tries[e.Kind]
	switch e.Kind {
	case Unreachable, Busy:
		c.tell(fmt.Sprintf("waiting for %s (%s), for up to %s", s.URL, e.What, c.limits.Patience), s.URL)
		return true, false
	case Incomplete:
		return n <= 3, true
	case RunnerDied:
		return n <= 2, true
	case BadJSON, SchemaMismatch:
		r.Options.Seed += 1000 // with the old seed the old answer would come again
		return n <= 1, false
	case ThinkingSpentBudget:
		r.Options.Predict += m.Thinking
		return n <= 1 && m.refuse(*r) == nil, false
	case Deadline:
		return n < len(m.Servers), false // another server may be faster
	case BadRequest:
		if refusesLevels(e) && n <= 1 {
			s.forgetLevels(m.Name)
			return true, false
		}
		return e.Status == http.StatusInternalServerError && r.Style == OpenAI && n <= 1, true
	}
	return false, false
}

// refusesLevels: a model that thinks, but not as much or as little as one asks.
func refusesLevels(e *Error) bool {
	what := strings.ToLower(e.What)
	return e.Status == http.StatusBadRequest && (strings.Contains(what, "think") || strings.Contains(what, "reasoning"))
}

func sleep(ctx context.Context, length time.Duration) error {
	return wait(ctx, nil, length)
}

// An exchange is one call to one server.
type exchange struct {
	entry      Entry
	answer     answer
	retryAfter time.Duration
	err        *Error
}

// record keeps what a server said. A server that is away says nothing.
func (x exchange) record(keep func(Entry) error) error {
	if x.entry.Status == 0 || x.err != nil && x.err.away() {
		return nil
	}
	if err := keep(x.entry); err != nil {
		return fmt.Errorf("the answer could not be written to the ledger, and is not used: %w", err)
	}
	return nil
}

func (x exchange) reply() verbatim.Reply {
	return verbatim.Reply{Content: x.answer.content, Thinking: x.answer.thinking, Model: x.entry.Model, Digest: x.entry.Digest}
}

func (c *Client) exchange(ctx context.Context, s *station, m *Model, r request) exchange {
	known, e := c.learn(ctx, s, m)
	if e != nil {
		return exchange{err: e.withRemedy(m)}
	}
	body := r.body(known, s.TokensField)
	x := exchange{entry: Entry{Label: m.Label, Model: m.Name, Style: r.Style, Server: s.URL, Digest: known.Digest,
		Version: known.Version, Time: time.Now().UTC().Truncate(time.Millisecond), Request: body}}
	address := s.URL + "/api/chat"
	if r.Style == OpenAI {
		address = s.URL + "/chat/completions"
	}
	limited, cancel := context.WithTimeout(ctx, c.limits.Timeout)
	defer cancel()
	c.announce(s.Server)
	raw := c.send(limited, s.Server, http.MethodPost, address, body)
	x.retryAfter = raw.retryAfter
	if x.err = raw.failure(s.Server); x.err == nil {
		x.answer, x.err = m.read(r, raw, known.window(r))
		if x.err == nil && r.Style == OpenAI && known.mayBeCut(x.answer) {
			x.err = m.verdict(r, x.answer, c.narrow(ctx, s, m, known.Context))
		}
	}
	switch {
	case x.err == nil:
	case ctx.Err() != nil:
		x.err = contextError(ctx, m.Label)
	case x.err.Kind == Deadline && (!c.Answers(ctx, s.URL) || c.pool.away(s)):
		// Not this call alone: the server answered nothing, and is waited for.
		x.err.Kind, x.err.What = Unreachable, "the server does not answer"
	}
	if x.err != nil {
		x.err.Model, x.err.Server = m.Label, s.URL
		x.err = x.err.withRemedy(m)
	}
	x.entry.fill(raw, x)
	return x
}

// read makes an answer of a body, and an error of an answer that cannot be used.
func (m *Model) read(r request, raw raw, window int) (answer, *Error) {
	a, err := decode(r.Style, raw.body)
	if err != nil {
		return a, &Error{Kind: Unreachable, Model: m.Label, Status: raw.status, Err: err,
			What: "something answers there, but it is no server of language models: " + errorText(raw.body)}
	}
	a.splitThinking()
	return a, m.verdict(r, a, window)
}

// window is the number of tokens at which a prompt must have been cut.
func (f facts) window(r request) int {
	if r.Style == OpenAI {
		return f.Context
	}
	if f.Context > 0 {
		return min(f.Context, r.Options.Context)
	}
	return r.Options.Context
}

// mayBeCut: windows are round numbers, so that most answers need no second look.
func (f facts) mayBeCut(a answer) bool { return a.promptTokens >= 256 && a.promptTokens%64 <= 2 }

func (e *Error) withRemedy(m *Model) *Error {
	if e.Kind == ModelNotFound && e.Remedy == "" {
		e.Remedy = "see what it has with: verbatim models"
		if m.style() == Ollama {
			e.Remedy = "get it with: ollama pull " + m.Name
		}
	}
	return e
}

// tell gives a notice once for each thing that it is about.
func (c *Client) tell(notice, about string) {
	c.mu.Lock()
	told := c.toldOf[about]
	c.toldOf[about] = true
	c.mu.Unlock()
	if !told && c.Notice != nil {
		c.Notice(notice)
	}
}

// announce says which computer the texts go to, before the first one goes.
func (c *Client) announce(s Server) {
	if !s.Local() {
		c.tell("prompts with passages of your texts are sent to "+s.URL, "host "+s.URL)
	}
}

// withinCap refuses a call beyond what the user was ready to spend.
func (c *Client) withinCap(m *Model) *Error {
	c.mu.Lock()
	defer c.mu.Unlock()
	used := c.stats.PromptTokens + c.stats.AnswerTokens
	switch {
	case c.limits.MaxCalls > 0 && c.stats.started >= c.limits.MaxCalls:
		return &Error{Kind: OverBudget, Model: m.Label, What: calls(c.stats.started) + " had been made, as many as allowed", Remedy: "allow more with --max-calls"}
	case c.limits.MaxTokens > 0 && used >= c.limits.MaxTokens:
		return &Error{Kind: OverBudget, Model: m.Label, What: fmt.Sprintf("%d tokens were used, %d are allowed", used, c.limits.MaxTokens), Remedy: "allow more with --max-tokens"}
	}
	c.stats.started++
	return nil
}

// calls counts them in words.
func calls(n int) string {
	if n == 1 {
		return "1 call"
	}
	return fmt.Sprintf("%d calls", n)
}

func (c *Client) count(e *Error) *Error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stats.Errors[e.Kind]++
	return e
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

// Stats is what the summary of a run tells.
func (c *Client) Stats() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	copied := c.stats
	copied.Errors = map[Kind]int{}
	for kind, n := range c.stats.Errors {
		copied.Errors[kind] = n
	}
	return copied
}
