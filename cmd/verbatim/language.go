package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/chat"
	"verbatim/confirm"
	"verbatim/distractor"
	"verbatim/internal/setting"
	"verbatim/workspace"
)

// addServerFlags adds the flags that say where language models are.
func addServerFlags(cmd *cobra.Command) {
	cmd.Flags().String("server", "", "address of a model server, or several with commas (default: OLLAMA_HOST, or Ollama on this computer)")
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
	f.Bool("no-replay", false, "ask again even if the ledger has the answer")
	f.Bool("offline", false, "use only answers from the ledger")
}

// addConfirmFlags is for commands that confirm connectors.
func addConfirmFlags(cmd *cobra.Command) {
	cmd.Flags().Int("confirm-cap", 100, "how many tags per category and book a language model confirms; the others when they are drawn (-1: all)")
	cmd.Flags().String("confirm-model", confirm.DefaultModel, "label of the model that confirms connectors")
}

// language is how a command reaches language models.
type language struct {
	*workspace.Settings
	c       *console
	setup   *chat.Setup  // nil with --no-models
	client  *chat.Client // nil: there are none
	replay  bool
	offline bool
}

// openLanguage makes the client of the settings. If no server was named and
// none runs on this computer, there is no client, and a message says so.
func openLanguage(ctx context.Context, c *console, s *workspace.Settings) (*language, error) {
	l := &language{Settings: s, c: c, replay: c.flags["no-replay"] != "true", offline: c.flags["offline"] == "true"}
	without := false
	if err := setting.Parse(s.Get, "no-models", &without, strconv.ParseBool, "true or false"); err != nil || without {
		return l, err
	}
	if l.offline { // no server is asked, and no key is read
		return l, l.plan()
	}
	err := l.connect(ctx)
	if errors.Is(err, errUntrusted) {
		err = fmt.Errorf("%w\nTo work without language models, add --no-models", err)
	}
	if err != nil {
		return nil, err
	}
	if !l.setup.Named && !l.client.Answers(ctx, chat.DefaultServer) {
		l.client = nil
		c.warn("no language model at " + chat.DefaultServer + ", and no server was named; continuing without (to start one: ollama serve)")
	}
	return l, nil
}

// connect makes a client that can ask. It is the only way to a server, and the
// user must trust what the settings of a folder say about servers and keys.
func (l *language) connect(ctx context.Context) (err error) {
	if l.setup, err = chat.ReadSetup(l.Settings, os.Getenv("OLLAMA_HOST")); err != nil {
		return err
	}
	if err := l.c.checkTrust(ctx, l.Settings, l.setup); err != nil {
		return err
	}
	if err := l.setup.ReadKeys(); err != nil {
		return err
	}
	return l.open()
}

// plan makes a client that knows the models but has no keys: for estimates, and
// for answers from a ledger.
func (l *language) plan() (err error) {
	if l.setup, err = chat.ReadSetup(l.Settings, os.Getenv("OLLAMA_HOST")); err != nil {
		return err
	}
	return l.open()
}

func (l *language) open() (err error) {
	if l.client, err = chat.New(l.setup.Models, l.setup.Preset, l.setup.Limits); err != nil {
		return err
	}
	l.client.Notice = func(n chat.Notice) { l.c.warn(l.c.has.noticeText(n)) }
	l.client.Advice = l.c.has.modelAdvice
	return nil
}

// forWorkspace are the models as a workspace uses them; nil if there are none.
func (l *language) forWorkspace() (*workspace.Models, error) {
	if l.client == nil {
		return nil, nil
	}
	m := &workspace.Models{Open: l.book, Workers: l.setup.Workers, ConfirmCap: 100,
		Confirm: l.Or("confirm-model", confirm.DefaultModel), Negate: l.Or("negation-model", distractor.DefaultNegator)}
	if err := setting.Parse(l.Settings.Get, "confirm-cap", &m.ConfirmCap, strconv.Atoi, "100"); err != nil {
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
		l.c.warn(fmt.Sprintf("the last line of %s was cut off and moved to %s", ledger, torn))
	}
	for _, damaged := range opened.Damaged {
		l.c.warn(fmt.Sprintf("%v (a damaged line of the ledger: its call is made again)", damaged))
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
		return fmt.Errorf("%w\nNo answer is lost. Then resume with:\n  %s\nor work without language models: --no-models", err, c.typed)
	case ctx.Err() != nil, kind == chat.Unreachable, kind == chat.Busy, kind == chat.OverBudget, kind == chat.Auth:
		return fmt.Errorf("%w\nNo answer is lost. To resume, type:\n  %s", err, c.typed)
	}
	return err
}
