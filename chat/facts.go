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

// facts are what a server tells about a model. They go into the ledger's
// entries and decide how thinking is asked for; the key of a call holds none.
type facts struct {
	Digest  string
	Version string // of the server
	Context int    // the model's own window, or the server's for it; 0: unknown
	Thinks  bool

	noLevels bool // it refused to be told how much to think
}

// fullName adds the tag that Ollama means when a name has none.
func fullName(name string) string {
	if strings.Contains(path.Base(name), ":") {
		return name
	}
	return name + ":latest"
}

// learn asks once for the facts of a model at a server.
func (c *Client) learn(ctx context.Context, s *station, m *Model) (facts, *Error) {
	select {
	case s.learning <- struct{}{}:
		defer func() { <-s.learning }()
	case <-ctx.Done():
		return facts{}, contextError(ctx, m.Label)
	}
	if known, there := s.facts[m.Name]; there {
		return known, nil
	}
	var known facts
	var e *Error
	if s.style() == Ollama {
		known, e = c.learnNative(ctx, s.Server, m.Name)
	} else {
		known, e = c.learnOpenAI(ctx, s.Server, m.Name)
	}
	if e != nil {
		e.Model = m.Label
		return facts{}, e
	}
	s.facts[m.Name] = known
	return known, nil
}

func (s *station) forgetLevels(name string) {
	s.learning <- struct{}{}
	known := s.facts[name]
	known.noLevels = true
	s.facts[name] = known
	<-s.learning
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
	_ = c.get(ctx, s, s.URL+"/api/version", &version) // a server without it is a server all the same
	known.Version = version.Version
	return known, nil
}

// show asks Ollama for a model's own window and whether it thinks.
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

// learnOpenAI gathers what the server is ready to tell; none of it is owed, but
// a server that is away is asked again.
func (c *Client) learnOpenAI(ctx context.Context, s Server, name string) (facts, *Error) {
	var known facts
	models, e := c.list(ctx, s)
	if e != nil && (e.away() || e.Kind == Cancelled) {
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

// ollamaRoot is the address of the Ollama behind its /v1, if it is one.
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

// narrow asks Ollama behind /v1 for the window that the model was really
// loaded with, which may be far smaller than its own.
func (c *Client) narrow(ctx context.Context, s *station, m *Model, window int) int {
	root, is := c.ollamaRoot(ctx, s.Server)
	if !is {
		return window
	}
	var loaded struct {
		Models []struct {
			Name    string
			Context int `json:"context_length"`
		}
	}
	if c.get(ctx, s.Server, root+"/api/ps", &loaded) != nil {
		return window
	}
	for _, l := range loaded.Models {
		if l.Name == fullName(m.Name) && l.Context > 0 && (window == 0 || l.Context < window) {
			window = l.Context
		}
	}
	return window
}

// A Listed model is one that a server has.
type Listed struct {
	Name    string
	Digest  string
	Context int // 0: not told
}

// list is what a server has.
func (c *Client) list(ctx context.Context, s Server) ([]Listed, *Error) {
	if s.style() == Ollama {
		var reply struct{ Models []Listed }
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
	var models []Listed
	for _, d := range reply.Data {
		models = append(models, Listed{Name: d.ID, Context: max(d.MaxModelLen, d.ContextLength, d.Meta.Context)})
	}
	return models, e
}

func (c *Client) get(ctx context.Context, s Server, address string, into any) *Error {
	return c.small(ctx, s, http.MethodGet, address, nil, into)
}

func (c *Client) post(ctx context.Context, s Server, address string, body, into any) *Error {
	return c.small(ctx, s, http.MethodPost, address, plainJSON(body), into)
}

// small is a call that is answered at once and may be made again.
func (c *Client) small(ctx context.Context, s Server, method, address string, body []byte, into any) *Error {
	ctx, cancel := context.WithTimeout(ctx, min(c.limits.Timeout, factsTimeout))
	defer cancel()
	raw := c.send(ctx, s, method, address, body)
	switch e := raw.failure(s); {
	case e != nil:
		if e.Kind == Deadline {
			e.Kind, e.What = Unreachable, "the server does not answer"
		}
		return e
	case json.Unmarshal(raw.body, into) != nil:
		return &Error{Kind: Unreachable, Server: s.URL, Status: raw.status, What: "something answers there, but it is no server of language models: " + errorText(raw.body)}
	}
	return nil
}

// Answers says whether a server answers at an address, within a few seconds.
func (c *Client) Answers(ctx context.Context, address string) bool {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	_, e := c.list(ctx, Server{URL: address})
	return e == nil || !e.away()
}
