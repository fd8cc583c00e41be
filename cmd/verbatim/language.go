package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/chat"
	"verbatim/confirm"
	"verbatim/distractor"
	"verbatim/internal/durable"
	"verbatim/workspace"
)

// addServerFlags says where language models are.
func addServerFlags(cmd *cobra.Command) {
	cmd.Flags().String("server", "", "address of a model server, or several with commas (default OLLAMA_HOST, or Ollama on this computer)")
	cmd.Flags().Duration("timeout", 10*time.Minute, "time limit of one call")
}

// addModelFlags gives a command the flags for asking language models.
func addModelFlags(cmd *cobra.Command) {
	addServerFlags(cmd)
	f := cmd.Flags()
	f.Int("concurrency", 2, "calls to one server at the same time")
	f.Duration("patience", 30*time.Minute, "how long to wait for a server that does not answer")
	f.Int("max-calls", 0, "stop before more calls than this (0: no limit)")
	f.Int("max-tokens", 0, "stop after this many tokens (0: no limit)")
	f.Bool("no-models", false, "work without language models")
	f.Bool("no-replay", false, "ask again what the ledger already answers")
	f.Bool("offline", false, "answer from the ledger only")
}

// addConfirmFlags is for commands that confirm connectors.
func addConfirmFlags(cmd *cobra.Command) {
	cmd.Flags().Int("confirm-cap", 100, "how many tags of a category a language model confirms in one book; the others when they are drawn (-1: all)")
	cmd.Flags().String("confirm-model", confirm.DefaultModel, "label of the model that confirms connectors")
}

// language is how a command reaches language models.
type language struct {
	*workspace.Settings
	c       *console
	client  *chat.Client // nil: there are none
	named   bool         // somebody named a server; it is waited for
	replay  bool
	offline bool
	workers int // places at all servers together
}

// openLanguage makes the client of the settings. If no server was named and
// none runs on this computer, there is no client, and a message says so.
func openLanguage(ctx context.Context, c *console, s *workspace.Settings) (*language, error) {
	l := &language{Settings: s, c: c, replay: c.flags["no-replay"] != "true", offline: c.flags["offline"] == "true"}
	without := false
	if err := workspace.Parse(s, "no-models", &without, strconv.ParseBool, "true or false"); err != nil || without {
		return l, err
	}
	if err := l.connect(); err != nil {
		return nil, err
	}
	if !l.named && !l.offline && !l.client.Answers(ctx, chat.DefaultServer) {
		l.client = nil
		c.warn("no language model at " + chat.DefaultServer + ", and no server was named; continuing without (to start one: ollama serve)")
	}
	return l, nil
}

// connect makes the client.
func (l *language) connect() error {
	preset, models, err := l.models()
	if err != nil {
		return err
	}
	var limits chat.Limits
	if err := errors.Join(
		workspace.Parse(l.Settings, "timeout", &limits.Timeout, time.ParseDuration, "10m"),
		workspace.Parse(l.Settings, "patience", &limits.Patience, time.ParseDuration, "30m"),
		workspace.Parse(l.Settings, "max-calls", &limits.MaxCalls, strconv.Atoi, "1000"),
		workspace.Parse(l.Settings, "max-tokens", &limits.MaxTokens, strconv.Atoi, "1000000"),
	); err != nil {
		return err
	}
	if l.client, err = chat.New(models, preset, limits); err != nil {
		return err
	}
	l.client.Notice = func(n chat.Notice) { l.c.warn(noticeText(n)) }
	l.client.Advice = modelAdvice
	return nil
}

// models are the preset for any label, and the labels that have settings.
func (l *language) models() (preset chat.Model, models []chat.Model, err error) {
	addresses, from := l.Get("server")
	if from == "" {
		if host := os.Getenv("OLLAMA_HOST"); host != "" {
			addresses, from = host, "OLLAMA_HOST"
		}
	}
	l.named = from != ""
	if addresses == "" {
		addresses = chat.DefaultServer
	}
	if preset.Servers, err = l.servers(addresses, from); err != nil {
		return preset, nil, err
	}
	if err := l.room(&preset, ""); err != nil {
		return preset, nil, err
	}
	for _, label := range l.labels() {
		m := preset
		m.Label = label
		if err := l.alias(&m); err != nil {
			return preset, nil, err
		}
		models = append(models, m)
	}
	for _, m := range append([]chat.Model{preset}, models...) {
		places := 0
		for _, s := range m.Servers {
			places += s.Concurrency
		}
		l.workers = max(l.workers, places)
	}
	return preset, models, nil
}

// labels are the models that the settings file mentions.
func (l *language) labels() []string {
	var labels []string
	for _, kind := range []string{"model", "context", "answer", "thinking", "think"} {
		labels = append(labels, l.About(kind)...)
	}
	slices.Sort(labels)
	return slices.Compact(labels)
}

// alias reads `model LABEL: NAME at ADDRESS ADDRESS` and the room that the
// label's answers get.
func (l *language) alias(m *chat.Model) error {
	if value, from := l.Get("model " + m.Label); from != "" {
		name, addresses, at := strings.Cut(value, " at ")
		m.Name = strings.TrimSpace(name)
		if at {
			servers, err := l.servers(addresses, from)
			if err != nil {
				return err
			}
			m.Servers, l.named = servers, true
		}
	}
	if value, from := l.Get("think " + m.Label); from != "" {
		m.Think = value
	}
	return l.room(m, " "+m.Label)
}

func (l *language) room(m *chat.Model, about string) error {
	return errors.Join(
		workspace.Parse(l.Settings, "context"+about, &m.Context, strconv.Atoi, "8192"),
		workspace.Parse(l.Settings, "answer"+about, &m.Answer, strconv.Atoi, "512"),
		workspace.Parse(l.Settings, "thinking"+about, &m.Thinking, strconv.Atoi, "3584"),
	)
}

// servers reads addresses, divided by commas or spaces. Each gets the key that
// was set for it, and no other.
func (l *language) servers(addresses, from string) ([]chat.Server, error) {
	var servers []chat.Server
	for _, address := range strings.FieldsFunc(addresses, func(r rune) bool { return r == ',' || r == ' ' }) {
		server, err := chat.ParseServer(address)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", from, err)
		}
		for _, kind := range []string{"concurrency", "concurrency " + server.URL} {
			if err := workspace.Parse(l.Settings, kind, &server.Concurrency, strconv.Atoi, "4"); err != nil {
				return nil, err
			}
		}
		if server.Concurrency < 1 {
			server.Concurrency = 2
		}
		server.TokensField, _ = l.Get("tokens " + server.URL)
		if server.Key, err = l.key(server.URL); err != nil {
			return nil, err
		}
		servers = append(servers, server)
	}
	if len(servers) == 0 {
		return nil, fmt.Errorf("%s: no address is given", from)
	}
	return servers, nil
}

// variableName is what an environment variable is called, and hardly any key.
var variableName = regexp.MustCompile(`^[A-Z_][A-Z0-9_]{0,63}$`)

// key is the key that was set for an address: the name of an environment
// variable, or `file` and the name of a file. Never the key itself.
func (l *language) key(address string) (chat.Secret, error) {
	value, place := l.Get("key " + address)
	if place == "" {
		return "", nil
	}
	if path, is := strings.CutPrefix(value, "file "); is {
		text, err := os.ReadFile(strings.TrimSpace(path))
		if err != nil {
			return "", fmt.Errorf("%s: the key of %s: %w", place, address, durable.CannotRead(err))
		}
		return chat.Secret(strings.TrimSpace(string(text))), nil
	}
	if !variableName.MatchString(value) { // and it is not shown: who knows where these words end up
		return "", fmt.Errorf("%s: this looks like the key of %s itself; put the key into an environment variable, and write here the variable's name, in capitals", place, address)
	}
	key := os.Getenv(value)
	if key == "" {
		return "", fmt.Errorf("%s: the environment variable %s, which is to hold the key of %s, is not set", place, value, address)
	}
	return chat.Secret(key), nil
}

// forWorkspace are the models as a workspace uses them; nil if there are none.
func (l *language) forWorkspace() (*workspace.Models, error) {
	if l.client == nil {
		return nil, nil
	}
	m := &workspace.Models{Open: l.book, Workers: l.workers, ConfirmCap: 100,
		Confirm: l.Or("confirm-model", confirm.DefaultModel), Negate: l.Or("negation-model", distractor.DefaultNegator)}
	if err := workspace.Parse(l.Settings, "confirm-cap", &m.ConfirmCap, strconv.Atoi, "100"); err != nil {
		return nil, err
	}
	if m.ConfirmCap < -1 {
		return nil, fmt.Errorf("confirm-cap is %d; give a number, or -1 for all", m.ConfirmCap)
	}
	return m, nil
}

// book is the client as one book sees it, through its ledger, which the caller
// closes; nil if there are no models.
func (l *language) book(ledger string) (verbatim.ChatModel, func(), error) {
	if l.client == nil {
		return nil, func() {}, nil
	}
	if err := makeFolder(ledger); err != nil {
		return nil, nil, err
	}
	opened, err := chat.OpenLedger(ledger, l.replay)
	if err != nil {
		return nil, nil, err
	}
	if torn := opened.Torn(); torn != "" {
		l.c.warn(fmt.Sprintf("the last line of %s was cut off; it is in %s now", ledger, torn))
	}
	closing := func() { _ = opened.Close() } // every entry is already on the disk
	if l.offline {
		return l.client.Offline(opened), closing, nil
	}
	return l.client.For(opened), closing, nil
}

// lockLedger keeps a second program from writing to a ledger that belongs to no
// book.
func lockLedger(ledger string) (unlock func() error, err error) {
	folder, err := workspace.OpenFolder(filepath.Dir(ledger))
	if err != nil {
		return nil, err
	}
	return folder.Lock(filepath.Base(ledger))
}

// summary says what the models did, if they did anything.
func (l *language) summary() {
	if l.client == nil {
		return
	}
	if s := l.client.Stats(); s.Calls+s.Replays+len(s.Errors) > 0 {
		fmt.Fprintln(l.c.messages, "language models:", s)
	}
}

// resume adds to an error that stopped a run the command that resumes it.
func resume(ctx context.Context, c *console, err error) error {
	if err == nil {
		return nil
	}
	switch kind := chat.KindOf(err); {
	case kind == chat.ModelNotFound:
		return fmt.Errorf("%w\nNo answer is lost. Then resume with the same command:\n  %s\nor work without language models: --no-models", err, c.typed)
	case ctx.Err() != nil, kind == chat.Unreachable, kind == chat.Busy, kind == chat.OverBudget, kind == chat.Auth:
		return fmt.Errorf("%w\nNo answer is lost. To resume, type:\n  %s", err, c.typed)
	}
	return err
}
