// Package chat asks language models over HTTP, by Ollama's own API or by the
// OpenAI-style one, so carefully that a night's run can be trusted.
//
// What to count on: an answer is whole or it is an error, and the error says
// of which kind. No prompt is cut in silence. A server that is away, starting
// again or busy is waited for; several servers of one model share the load. A
// call whose answer stands in the ledger is not made again, and the same run
// gives the same answers where there is no server at all. A key goes to the
// one address it belongs to.
package chat

import (
	"fmt"
	"net/url"
	"strings"
	"time"
)

// A Server is an address. One that ends in /v1 is spoken to in the OpenAI
// style, any other as Ollama.
type Server struct {
	URL         string
	Key         Secret // sent to this address and to no other
	Concurrency int    // calls at a time; 2 if zero
	TokensField string // for a server that demands max_completion_tokens
}

// A Secret never shows itself in print.
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
	text := strings.TrimSpace(address)
	bare := !strings.Contains(text, "://")
	text = strings.TrimRight(text, "/")
	if bare {
		text = "http://" + text
	}
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return Server{}, fmt.Errorf("%q is no address of a server; write it as http://localhost:11434 or https://example.org/v1", address)
	case u.User != nil:
		return Server{}, fmt.Errorf("the address of %s holds a password; keys come from the environment: name the variable in a setting `key %s: VARIABLE`", u.Host, u.Redacted())
	}
	if bare && u.Port() == "" {
		u.Host += ":11434" // as OLLAMA_HOST means it
	}
	if u.Hostname() == "0.0.0.0" { // what a server binds to; a client goes to its own computer
		u.Host = "127.0.0.1:" + u.Port()
	}
	return Server{URL: u.String()}, nil
}

// Local says whether a server is on this computer.
func (s Server) Local() bool {
	u, err := url.Parse(s.URL)
	return err == nil && (u.Hostname() == "localhost" || u.Hostname() == "::1" || strings.HasPrefix(u.Hostname(), "127."))
}

// A Model is what a label such as gpt-oss:20b stands for: a name at one or
// more servers, and how much room its answers get. Zeros mean the defaults.
type Model struct {
	Label    string
	Name     string // the servers' name for it; the label if empty
	Servers  []Server
	Context  int    // tokens of prompt and answer together; 8192
	Answer   int    // tokens of an answer; 512
	Thinking int    // more tokens for a model that thinks; 3584
	Think    string // low, medium, high, on, off; for gpt-oss low, else nothing
}

// complete fills in the defaults and refuses what cannot work.
func (m *Model) complete() error {
	if m.Name == "" {
		m.Name = m.Label
	}
	if len(m.Servers) == 0 {
		m.Servers = []Server{{URL: DefaultServer}}
	}
	for i := range m.Servers {
		if m.Servers[i].style() != m.Servers[0].style() {
			return fmt.Errorf("the servers of %s speak two languages: %s and %s; of one model all addresses must end in /v1 or none",
				m.Label, m.Servers[0].URL, m.Servers[i].URL)
		}
		if m.Servers[i].Concurrency == 0 {
			m.Servers[i].Concurrency = 2
		}
	}
	setDefault(&m.Context, 8192)
	setDefault(&m.Answer, 512)
	setDefault(&m.Thinking, 3584)
	if m.Think == "" && strings.Contains(strings.ToLower(m.Name), "gpt-oss") {
		m.Think = "low" // it cannot be switched off, only kept short
	}
	switch m.Think {
	case "", "low", "medium", "high", "on", "off":
	default:
		return fmt.Errorf("the setting `think %s` is %q; it must be low, medium, high, on or off", m.Label, m.Think)
	}
	return nil
}

func setDefault(value *int, standard int) {
	if *value <= 0 {
		*value = standard
	}
}

// DefaultServer is where Ollama listens.
const DefaultServer = "http://127.0.0.1:11434"

func (m *Model) style() Style { return m.Servers[0].style() }

// budget is the number of tokens that may come; thinking counts among them.
func (m *Model) budget() int {
	if m.Think == "" || m.Think == "off" {
		return m.Answer
	}
	return m.Answer + m.Thinking
}

// Limits of a Client. Zeros mean the defaults.
type Limits struct {
	Timeout   time.Duration // of one call, loading the model included; 10 minutes
	Patience  time.Duration // how long servers may be away; 30 minutes
	Pause     time.Duration // the first wait before another try; half a second
	MaxCalls  int           // 0: no cap
	MaxTokens int           // of prompts and answers together; 0: no cap
}

func (l *Limits) complete() {
	for value, standard := range map[*time.Duration]time.Duration{
		&l.Timeout: 10 * time.Minute, &l.Patience: 30 * time.Minute, &l.Pause: time.Second / 2,
	} {
		if *value <= 0 {
			*value = standard
		}
	}
}
