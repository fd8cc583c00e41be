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
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"verbatim/internal/setting"
)

// A Server is an address: of an OpenAI-style API if it ends in /v1, else of Ollama's.
type Server struct {
	URL         string
	Key         Secret // sent to this address only
	Concurrency int    // parallel calls; 2 if zero
	TokensField string // for a server that requires max_completion_tokens

	// Of a Setup: the setting that names the server, empty if none does, and where
	// its key is.
	Setting string
	KeyAt   KeySource
}

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
		return Server{}, fmt.Errorf("%q is not a server address; write it as http://localhost:11434 or https://example.org/v1", WithoutSecrets(address))
	case u.User != nil:
		return Server{}, fmt.Errorf("the address of %s contains a password; remove it, and set the key of this server instead", u.Host)
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return Server{}, fmt.Errorf("the address of %s contains ? or #; write only http://HOST:PORT or https://HOST/v1, and set the key of this server if it needs one", u.Host)
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

// hostVariable is where Ollama's own programs look for their server.
const hostVariable = "OLLAMA_HOST"

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

// Settings are what a user decided about models and servers.
type Settings interface {
	// Get is the value of a setting and where it comes from; both are empty if it
	// is not set.
	Get(name string) (value, from string)
	// About lists what settings of one kind are about: labels of models.
	About(kind string) []string
}

// A Setup says which models are where.
type Setup struct {
	Preset  Model   // for a label without settings of its own
	Models  []Model // with settings of their own
	Limits  Limits
	Named   bool // a server was named, so it is worth waiting for
	Workers int  // calls that all servers take at the same time

	settings Settings
}

// ReadSetup reads the settings. host is the value of OLLAMA_HOST, which counts
// if no setting names a server. It reads no key: see Setup.ReadKeys.
func ReadSetup(s Settings, host string) (*Setup, error) {
	u := &Setup{settings: s}
	if err := errors.Join(
		setting.Parse(s.Get, "timeout", &u.Limits.Timeout, time.ParseDuration, "10m"),
		setting.Parse(s.Get, "patience", &u.Limits.Patience, time.ParseDuration, "30m"),
		setting.Parse(s.Get, "max-calls", &u.Limits.MaxCalls, strconv.Atoi, "1000"),
		setting.Parse(s.Get, "max-tokens", &u.Limits.MaxTokens, strconv.Atoi, "1000000"),
	); err != nil {
		return nil, err
	}
	addresses, from := s.Get("server")
	if from == "" && host != "" {
		addresses, from = host, hostVariable
	}
	if u.Named = from != ""; addresses == "" {
		addresses = DefaultServer
	}
	var err error
	if u.Preset.Servers, err = u.servers(addresses, from, "server"); err != nil {
		return nil, err
	}
	if err := u.room(&u.Preset, ""); err != nil {
		return nil, err
	}
	for _, label := range u.Labels() {
		m := u.Preset
		m.Label = label
		if err := u.model(&m); err != nil {
			return nil, err
		}
		u.Models = append(u.Models, m)
	}
	for _, m := range append([]Model{u.Preset}, u.Models...) {
		places := 0
		for _, s := range m.Servers {
			places += s.Concurrency
		}
		u.Workers = max(u.Workers, places)
	}
	return u, nil
}

// Labels are the models that the settings mention.
func (u *Setup) Labels() []string {
	var labels []string
	for _, kind := range []string{"model", "context", "answer", "thinking", "think"} {
		labels = append(labels, u.settings.About(kind)...)
	}
	slices.Sort(labels)
	return slices.Compact(labels)
}

// model reads `model LABEL: NAME at ADDRESS ADDRESS` and the room for its answers.
func (u *Setup) model(m *Model) error {
	if value, from := u.settings.Get("model " + m.Label); from != "" {
		name, addresses, at := strings.Cut(value, " at ")
		m.Name = strings.TrimSpace(name)
		if at {
			servers, err := u.servers(addresses, from, "model "+m.Label)
			if err != nil {
				return err
			}
			m.Servers, u.Named = servers, true
		}
	}
	if value, from := u.settings.Get("think " + m.Label); from != "" {
		m.Think = value
	}
	return u.room(m, " "+m.Label)
}

func (u *Setup) room(m *Model, about string) error {
	return errors.Join(
		setting.Parse(u.settings.Get, "context"+about, &m.Context, strconv.Atoi, "8192"),
		setting.Parse(u.settings.Get, "answer"+about, &m.Answer, strconv.Atoi, "512"),
		setting.Parse(u.settings.Get, "thinking"+about, &m.Thinking, strconv.Atoi, "3584"),
	)
}

// servers reads addresses with commas or spaces between them. Each gets the key
// that was set for it, and no other.
func (u *Setup) servers(addresses, from, name string) ([]Server, error) {
	var servers []Server
	for _, address := range strings.FieldsFunc(addresses, func(r rune) bool { return r == ',' || r == ' ' }) {
		server, err := ParseServer(address)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", from, err)
		}
		for _, kind := range []string{"concurrency", "concurrency " + server.URL} {
			if err := setting.Parse(u.settings.Get, kind, &server.Concurrency, strconv.Atoi, "4"); err != nil {
				return nil, err
			}
		}
		if server.Concurrency < 1 {
			server.Concurrency = 2
		}
		server.TokensField, _ = u.settings.Get("tokens " + server.URL)
		if server.KeyAt, err = u.KeyAt(server.URL); err != nil {
			return nil, err
		}
		if from != "" && from != hostVariable {
			server.Setting = name
		}
		servers = append(servers, server)
	}
	if len(servers) == 0 {
		return nil, fmt.Errorf("%s: no address is given", from)
	}
	return servers, nil
}
