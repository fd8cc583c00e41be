// Package chat asks language models over HTTP, through Ollama's own API or an
// OpenAI-style one.
//
// What you can rely on: an answer is complete or it is an error, and the error
// has a Kind. No prompt is cut without an error. The client waits for a server
// that is busy, restarting or unreachable; several servers of one model share
// the load. A call whose answer is in the ledger is not made again, so the same
// run gives the same answers without any server. A key is sent only to the
// address it belongs to.
package chat

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
)

// A Server is an address. If it ends in /v1 the client uses the OpenAI-style
// API, otherwise Ollama's.
type Server struct {
	URL         string
	Key         Secret // sent to this address only
	Concurrency int    // parallel calls; 2 if zero
	TokensField string // for a server that requires max_completion_tokens
}

// A Secret prints as "(secret)".
type Secret string

func (s Secret) String() string               { return "(secret)" }
func (s Secret) GoString() string             { return "(secret)" }
func (s Secret) MarshalJSON() ([]byte, error) { return []byte(`"(secret)"`), nil }

func (s Server) style() Style {
	if strings.HasSuffix(s.URL, "/v1") {
		return OpenAI
	}
	return Ollama
}

// ParseServer reads an address as people and OLLAMA_HOST write it:
// http://gpu1:11434, gpu1, 0.0.0.0:8080, https://example.org/api/v1.
func ParseServer(address string) (Server, error) {
	text := strings.TrimRight(strings.TrimSpace(address), "/")
	bare := !strings.Contains(strings.TrimSpace(address), "://")
	if bare {
		text = "http://" + text
	}
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return Server{}, fmt.Errorf("%q is not a server address; write it as http://localhost:11434 or https://example.org/v1", address)
	case u.User != nil:
		return Server{}, fmt.Errorf("the address of %s contains a password; remove it, and set the key of this server instead", u.Host)
	}
	if bare && u.Port() == "" {
		u.Host += ":11434" // as OLLAMA_HOST means it
	}
	if u.Hostname() == "0.0.0.0" { // a server listens there; a client connects to its own computer
		u.Host = "127.0.0.1:" + u.Port()
	}
	return Server{URL: u.String()}, nil
}

// local reports whether a server is on this computer.
func (s Server) local() bool {
	u, err := url.Parse(s.URL)
	return err == nil && (u.Hostname() == "localhost" || u.Hostname() == "::1" || strings.HasPrefix(u.Hostname(), "127."))
}

// A Model is what a label such as gpt-oss:20b stands for: a name at one or
// more servers, and limits for its answers. Zero means the default.
type Model struct {
	Label    string
	Name     string // the servers' name for it; the label if empty
	Servers  []Server
	Context  int    // tokens of prompt and answer together; 8192
	Answer   int    // tokens of an answer; 512
	Thinking int    // additional tokens for a model that thinks; 3584
	Think    string // low, medium, high, on, off; default low for gpt-oss, else empty
}

// complete fills in the defaults and rejects what cannot work.
func (m *Model) complete() error {
	m.Name = cmp.Or(m.Name, m.Label)
	if len(m.Servers) == 0 {
		m.Servers = []Server{{URL: DefaultServer}}
	}
	for i := range m.Servers {
		if m.Servers[i].style() != m.Servers[0].style() {
			return fmt.Errorf("the servers of %s use different APIs: %s and %s; either all addresses of a model end in /v1, or none",
				m.Label, m.Servers[0].URL, m.Servers[i].URL)
		}
		setDefault(&m.Servers[i].Concurrency, 2)
	}
	setDefault(&m.Context, 8192)
	setDefault(&m.Answer, 512)
	setDefault(&m.Thinking, 3584)
	if m.Think == "" && strings.Contains(strings.ToLower(m.Name), "gpt-oss") {
		m.Think = "low" // it cannot be switched off, only kept short
	}
	if !slices.Contains([]string{"", "low", "medium", "high", "on", "off"}, m.Think) {
		return fmt.Errorf("%s: think is %q; it must be low, medium, high, on or off", m.Label, m.Think)
	}
	return nil
}

func setDefault[T int | time.Duration](value *T, standard T) {
	if *value <= 0 {
		*value = standard
	}
}

// DefaultServer is where Ollama listens.
const DefaultServer = "http://127.0.0.1:11434"

func (m *Model) style() Style { return m.Servers[0].style() }

// budget is the limit on generated tokens, which include thinking.
func (m *Model) budget() int {
	if m.Think == "" || m.Think == "off" {
		return m.Answer
	}
	return m.Answer + m.Thinking
}

// Limits of a Client. Zero means the default.
type Limits struct {
	Timeout   time.Duration // of one call, including loading the model; 10 minutes
	Patience  time.Duration // how long to wait for an unavailable server; 30 minutes
	MaxCalls  int           // 0: no limit
	MaxTokens int           // of prompts and answers together; 0: no limit
}
