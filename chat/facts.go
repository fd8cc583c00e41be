package chat

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"
)

// facts are what a server says about a model. They are part of the ledger's
// entries and decide how to ask for thinking; they are not part of a call's key.
type facts struct {
	Digest  string
	Version string // of the server
	Context int    // the context window of the model or of the server; 0: unknown
	Thinks  bool

	noLevels bool // it rejects a level of thinking
}

// fullName adds the tag that Ollama assumes if a name has none.
func fullName(name string) string {
	if strings.Contains(path.Base(name), ":") {
		return name
	}
	return name + ":latest"
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
	var known facts
	var e *Error
	if h.style() == Ollama {
		known, e = c.learnNative(ctx, h.Server, m.Name)
	} else {
		known, e = c.learnOpenAI(ctx, h.Server, m.Name)
	}
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

func (c *Client) learnNative(ctx context.Context, s Server, name string) (facts, *Error) {
	known, e := c.show(ctx, s, s.URL, name)
	if e != nil {
		return known, e
	}
	models, e := c.list(ctx, s)
	if e != nil {
		return known, e
	}
	for _, m := range models {
		if m.Name == fullName(name) {
			known.Digest = m.Digest
		}
	}
	var version struct{ Version string }
	_ = c.get(ctx, s, s.URL+"/api/version", &version) // optional: not every server has it
	known.Version = version.Version
	return known, nil
}

// show asks Ollama for a model's context window and whether it can think.
func (c *Client) show(ctx context.Context, s Server, base, name string) (facts, *Error) {
	var reply struct {
		Capabilities []string
		Info         map[string]any `json:"model_info"`
	}
	if e := c.post(ctx, s, base+"/api/show", map[string]string{"model": name}, &reply); e != nil {
		return facts{}, e
	}
	var known facts
	for _, capability := range reply.Capabilities {
		known.Thinks = known.Thinks || capability == "thinking"
	}
	for key, value := range reply.Info {
		if length, is := value.(float64); is && strings.HasSuffix(key, ".context_length") {
			known.Context = int(length)
		}
	}
	return known, nil
}

// learnOpenAI collects what the server tells. All of it is optional, but an
// unavailable server is an error.
func (c *Client) learnOpenAI(ctx context.Context, s Server, name string) (facts, *Error) {
	var known facts
	models, e := c.list(ctx, s)
	if e != nil && (e.unavailable() || e.Kind == Cancelled) {
		return known, e
	}
	for _, m := range models {
		if m.Name == name || m.Name == fullName(name) {
			known.Context = m.Context
		}
	}
	if root, is := c.ollamaRoot(ctx, s); is && known.Context == 0 {
		if shown, e := c.show(ctx, s, root, name); e == nil {
			known.Context, known.Thinks = shown.Context, shown.Thinks
		}
	}
	return known, nil
}

// ollamaRoot is the address of Ollama's own API if this /v1 is Ollama's.
func (c *Client) ollamaRoot(ctx context.Context, s Server) (string, bool) {
	u, err := url.Parse(s.URL)
	if err != nil || u.Path != "/v1" {
		return "", false
	}
	u.Path = ""
	var version struct{ Version string }
	e := c.get(ctx, s, u.String()+"/api/version", &version)
	return u.String(), e == nil && version.Version != ""
}

// loadedWindow asks Ollama behind /v1 for the context window that the model was
// loaded with, which may be much smaller than the model's own.
func (c *Client) loadedWindow(ctx context.Context, h *host, m *Model, window int) int {
	root, is := c.ollamaRoot(ctx, h.Server)
	if !is {
		return window
	}
	var loaded struct {
		Models []struct {
			Name    string
			Context int `json:"context_length"`
		}
	}
	if c.get(ctx, h.Server, root+"/api/ps", &loaded) != nil {
		return window
	}
	for _, l := range loaded.Models {
		if l.Name == fullName(m.Name) && l.Context > 0 && (window == 0 || l.Context < window) {
			window = l.Context
		}
	}
	return window
}

// A listed model is one that a server has.
type listed struct {
	Name    string
	Digest  string
	Context int // 0: unknown
}

// list asks a server which models it has.
func (c *Client) list(ctx context.Context, s Server) ([]listed, *Error) {
	if s.style() == Ollama {
		var reply struct{ Models []listed }
		e := c.get(ctx, s, s.URL+"/api/tags", &reply)
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
	e := c.get(ctx, s, s.URL+"/models", &reply)
	var models []listed
	for _, d := range reply.Data {
		models = append(models, listed{Name: d.ID, Context: max(d.MaxModelLen, d.ContextLength, d.Meta.Context)})
	}
	return models, e
}

func (c *Client) get(ctx context.Context, s Server, address string, into any) *Error {
	return c.small(ctx, s, http.MethodGet, address, nil, into)
}

func (c *Client) post(ctx context.Context, s Server, address string, body, into any) *Error {
	return c.small(ctx, s, http.MethodPost, address, plainJSON(body), into)
}

// small makes a call that a server answers at once and that may be repeated.
func (c *Client) small(ctx context.Context, s Server, method, address string, body []byte, into any) *Error {
	ctx, cancel := context.WithTimeout(ctx, min(c.limits.Timeout, factsTimeout))
	defer cancel()
	raw := c.send(ctx, s, method, address, body)
	switch e := raw.failure(s); {
	case e != nil:
		if e.Kind == Deadline {
			e.Kind, e.What = Unreachable, noAnswer
		}
		return e
	case json.Unmarshal(raw.body, into) != nil:
		return &Error{Kind: Unreachable, Server: s.URL, Status: raw.status, What: notAServer + errorText(raw.body)}
	}
	return nil
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
