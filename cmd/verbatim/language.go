package main

import (
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
	"github.com/spf13/pflag"

	"verbatim"
	"verbatim/chat"
	"verbatim/folder"
)

// addServerFlags says where language models are.
func addServerFlags(cmd *cobra.Command) {
	cmd.Flags().String("server", "", "address of a model server, or several with commas (default OLLAMA_HOST, or Ollama on this computer)")
	cmd.Flags().Duration("timeout", 10*time.Minute, "time limit of one call")
}

// addModelFlags gives a command the flags with which language models are asked.
func addModelFlags(cmd *cobra.Command) {
	addServerFlags(cmd)
	f := cmd.Flags()
	f.Int("concurrency", 2, "calls to one server at a time")
	f.Duration("patience", 30*time.Minute, "how long to wait for a server that is away")
	f.Int("max-calls", 0, "stop before more calls than this (0: no limit)")
	f.Int("max-tokens", 0, "stop after this many tokens (0: no limit)")
	f.Bool("no-models", false, "do without language models")
	f.Bool("no-replay", false, "ask anew what the ledger already answers")
	f.Bool("offline", false, "answer from the ledger alone")
}

// language is how a command speaks to language models.
type language struct {
	*settings
	dir     string
	client  *chat.Client // nil: there are none
	named   bool         // somebody named a server; it is waited for
	replay  bool
	offline bool
	workers int // places at all servers together
}

// openLanguage makes the client of the settings. Without any server named and
// with none on this computer there is no client, and a word says so once.
func openLanguage(cmd *cobra.Command, dir string) (*language, error) {
	s, err := readSettings(cmd, dir)
	if err != nil {
		return nil, err
	}
	noReplay, _ := cmd.Flags().GetBool("no-replay")
	offline, _ := cmd.Flags().GetBool("offline")
	l := &language{settings: s, dir: dir, replay: !noReplay, offline: offline}
	without := false
	if err := parsed(s, "no-models", &without, strconv.ParseBool, "true or false"); err != nil || without {
		return l, err
	}
	if err := l.connect(); err != nil {
		return nil, err
	}
	if !l.named && !offline && !l.client.Answers(cmd.Context(), chat.DefaultServer) {
		l.client = nil
		fmt.Fprintln(cmd.ErrOrStderr(), "verbatim: no language model: nobody answers at "+chat.DefaultServer+" and no server was named; going on without (start one with: ollama serve)")
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
		parsed(l.settings, "timeout", &limits.Timeout, time.ParseDuration, "10m"),
		parsed(l.settings, "patience", &limits.Patience, time.ParseDuration, "30m"),
		parsed(l.settings, "max-calls", &limits.MaxCalls, strconv.Atoi, "1000"),
		parsed(l.settings, "max-tokens", &limits.MaxTokens, strconv.Atoi, "1000000"),
	); err != nil {
		return err
	}
	if l.client, err = chat.New(models, preset, limits); err != nil {
		return err
	}
	l.client.Notice = func(n chat.Notice) { fmt.Fprintln(l.cmd.ErrOrStderr(), "verbatim:", noticeText(n)) }
	l.client.Advice = advice
	return nil
}

// models are the preset for any label, and the labels that have settings.
func (l *language) models() (preset chat.Model, models []chat.Model, err error) {
	addresses, from := l.get("server")
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

// labels are the models that the settings file speaks of.
func (l *language) labels() []string {
	var labels []string
	for _, kind := range []string{"model", "context", "answer", "thinking", "think"} {
		labels = append(labels, l.about(kind)...)
	}
	slices.Sort(labels)
	return slices.Compact(labels)
}

// alias reads `model LABEL: NAME at ADDRESS ADDRESS` and the room that the
// label's answers get.
func (l *language) alias(m *chat.Model) error {
	if value, from := l.get("model " + m.Label); from != "" {
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
	if value, from := l.get("think " + m.Label); from != "" {
		m.Think = value
	}
	return l.room(m, " "+m.Label)
}

func (l *language) room(m *chat.Model, about string) error {
	return errors.Join(
		parsed(l.settings, "context"+about, &m.Context, strconv.Atoi, "8192"),
		parsed(l.settings, "answer"+about, &m.Answer, strconv.Atoi, "512"),
		parsed(l.settings, "thinking"+about, &m.Thinking, strconv.Atoi, "3584"),
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
			if err := parsed(l.settings, kind, &server.Concurrency, strconv.Atoi, "4"); err != nil {
				return nil, err
			}
		}
		if server.Concurrency < 1 {
			server.Concurrency = 2
		}
		server.TokensField, _ = l.get("tokens " + server.URL)
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
	value, place := l.get("key " + address)
	if place == "" {
		return "", nil
	}
	if path, is := strings.CutPrefix(value, "file "); is {
		text, err := os.ReadFile(strings.TrimSpace(path))
		if err != nil {
			return "", fmt.Errorf("%s: the key of %s: %w", place, address, plainPathError(err))
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

// label is the model that does a work, by a setting or by default.
func (l *language) label(setting, standard string) string {
	if value, from := l.get(setting); from != "" {
		return value
	}
	return standard
}

// ledgerFile follows a book's barcode.
const ledgerFile = "ledger.jsonl"

// book is the client as one book sees it, through its ledger, which the caller
// closes; nil where there are no models.
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
		fmt.Fprintf(l.cmd.ErrOrStderr(), "verbatim: the last line of %s was torn; it lies in %s\n", ledger, torn)
	}
	closing := func() { _ = opened.Close() } // every entry is already on the disk
	if l.offline {
		return l.client.Offline(opened), closing, nil
	}
	return l.client.For(opened), closing, nil
}

// lockLedger keeps a second program from writing to a ledger that belongs to
// no book.
func lockLedger(ledger string) (unlock func() error, err error) {
	files, err := folder.Open(filepath.Dir(ledger))
	if err != nil {
		return nil, err
	}
	return files.Lock(filepath.Base(ledger))
}

// summary says what the models did, if they did anything.
func (l *language) summary() {
	if l.client == nil {
		return
	}
	if s := l.client.Stats(); s.Calls+s.Replays+len(s.Errors) > 0 {
		fmt.Fprintln(l.cmd.ErrOrStderr(), "language models:", s)
	}
}

// goOn adds to an error that stopped a run the command that goes on with it.
func goOn(cmd *cobra.Command, err error) error {
	if err == nil {
		return nil
	}
	switch kind := chat.KindOf(err); {
	case kind == chat.ModelNotFound:
		return fmt.Errorf("%w\nNothing that was answered is lost. Then go on with the same command:\n  %s\nor do without language models: --no-models", err, commandLine(cmd))
	case cmd.Context().Err() != nil, kind == chat.Unreachable, kind == chat.Busy, kind == chat.OverBudget, kind == chat.Auth:
		return fmt.Errorf("%w\nNothing that was answered is lost. To go on, type:\n  %s", err, commandLine(cmd))
	}
	return err
}

// commandLine is what the user typed, quoted for the shell.
func commandLine(cmd *cobra.Command) string {
	words := []string{cmd.CommandPath()}
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		switch {
		case flag.Value.Type() == "bool" && flag.Value.String() == "true":
			words = append(words, "--"+flag.Name)
			return
		case flag.NoOptDefVal != "": // a value in a word of its own would be an argument
			words = append(words, "--"+flag.Name+"="+shellQuote(flag.Value.String()))
			return
		}
		values := []string{flag.Value.String()}
		if list, is := flag.Value.(pflag.SliceValue); is { // given several times, or with commas
			values = list.GetSlice()
		}
		for _, value := range values {
			words = append(words, "--"+flag.Name, shellQuote(value))
		}
	})
	args := cmd.Flags().Args()
	if slices.ContainsFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "-") && arg != "-" }) {
		words = append(words, "--") // what follows are no flags
	}
	for _, arg := range args {
		words = append(words, shellQuote(arg))
	}
	return strings.Join(words, " ")
}
