package chat

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"verbatim/internal/durable"
)

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
// if no setting names a server.
func ReadSetup(s Settings, host string) (*Setup, error) {
	u := &Setup{settings: s}
	if err := errors.Join(
		parse(s, "timeout", &u.Limits.Timeout, time.ParseDuration, "10m"),
		parse(s, "patience", &u.Limits.Patience, time.ParseDuration, "30m"),
		parse(s, "max-calls", &u.Limits.MaxCalls, strconv.Atoi, "1000"),
		parse(s, "max-tokens", &u.Limits.MaxTokens, strconv.Atoi, "1000000"),
	); err != nil {
		return nil, err
	}
	addresses, from := s.Get("server")
	if from == "" && host != "" {
		addresses, from = host, "OLLAMA_HOST"
	}
	if u.Named = from != ""; addresses == "" {
		addresses = DefaultServer
	}
	var err error
	if u.Preset.Servers, err = u.servers(addresses, from); err != nil {
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

// model reads `model LABEL: NAME at ADDRESS ADDRESS` and the room that the
// label's answers get.
func (u *Setup) model(m *Model) error {
	if value, from := u.settings.Get("model " + m.Label); from != "" {
		name, addresses, at := strings.Cut(value, " at ")
		m.Name = strings.TrimSpace(name)
		if at {
			servers, err := u.servers(addresses, from)
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
		parse(u.settings, "context"+about, &m.Context, strconv.Atoi, "8192"),
		parse(u.settings, "answer"+about, &m.Answer, strconv.Atoi, "512"),
		parse(u.settings, "thinking"+about, &m.Thinking, strconv.Atoi, "3584"),
	)
}

// servers reads addresses with commas or spaces between them. Each gets the key
// that was set for it, and no other.
func (u *Setup) servers(addresses, from string) ([]Server, error) {
	var servers []Server
	for _, address := range strings.FieldsFunc(addresses, func(r rune) bool { return r == ',' || r == ' ' }) {
		server, err := ParseServer(address)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", from, err)
		}
		for _, kind := range []string{"concurrency", "concurrency " + server.URL} {
			if err := parse(u.settings, kind, &server.Concurrency, strconv.Atoi, "4"); err != nil {
				return nil, err
			}
		}
		if server.Concurrency < 1 {
			server.Concurrency = 2
		}
		server.TokensField, _ = u.settings.Get("tokens " + server.URL)
		if server.Key, err = u.key(server.URL); err != nil {
			return nil, err
		}
		servers = append(servers, server)
	}
	if len(servers) == 0 {
		return nil, fmt.Errorf("%s: no address is given", from)
	}
	return servers, nil
}

// variableName matches what an environment variable is called, and hardly any key.
var variableName = regexp.MustCompile(`^[A-Z_][A-Z0-9_]{0,63}$`)

// key is the key that was set for an address: the name of an environment
// variable, or `file` and the name of a file. Never the key itself.
func (u *Setup) key(address string) (Secret, error) {
	value, place := u.settings.Get("key " + address)
	if place == "" {
		return "", nil
	}
	if path, is := strings.CutPrefix(value, "file "); is {
		text, err := os.ReadFile(strings.TrimSpace(path))
		if err != nil {
			return "", fmt.Errorf("%s: the key of %s: %w", place, address, durable.CannotRead(err))
		}
		return Secret(strings.TrimSpace(string(text))), nil
	}
	if !variableName.MatchString(value) { // the value is not shown: messages end up in logs
		return "", fmt.Errorf("%s: this looks like the key of %s itself; put the key into an environment variable, and write here the variable's name, in capitals", place, address)
	}
	key := os.Getenv(value)
	if key == "" {
		return "", fmt.Errorf("%s: the environment variable %s, which should hold the key of %s, is not set", place, value, address)
	}
	return Secret(key), nil
}

// parse reads a setting into a value; an error names its place.
func parse[T any](s Settings, name string, into *T, parse func(string) (T, error), example string) error {
	text, from := s.Get(name)
	if from == "" {
		return nil
	}
	value, err := parse(text)
	if err != nil {
		return fmt.Errorf("%s: %s is %q; write it as %s", from, name, text, example)
	}
	*into = value
	return nil
}
