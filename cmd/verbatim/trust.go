package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"verbatim/chat"
	"verbatim/internal/cli"
	"verbatim/workspace"
)

func trustCommand() *cobra.Command {
	var list, remove, yes bool
	cmd := newCommand("trust", cobra.MaximumNArgs(1), func(ctx context.Context, c *console, args []string) error {
		trust, err := trustStore()
		if err != nil {
			return err
		}
		dir := slices.Concat(args, []string{"."})[0]
		switch {
		case list:
			return listTrust(c, trust)
		case remove:
			return removeTrust(c, trust, dir)
		}
		return addTrust(ctx, c, trust, dir, yes)
	})
	cmd.Flags().BoolVar(&list, "list", false, "print the folders that you trust")
	cmd.Flags().BoolVar(&remove, "remove", false, "trust this folder no longer")
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask in a terminal")
	cmd.MarkFlagsMutuallyExclusive("list", "remove")
	return cmd
}

// trustVariable names another file for the folders that the user trusts.
const trustVariable = "VERBATIM_TRUSTED_FOLDERS"

// trustStore is the user's file, outside all working folders.
func trustStore() (*workspace.Trust, error) {
	if file := os.Getenv(trustVariable); file != "" {
		return workspace.TrustIn(file), nil
	}
	dir, err := os.UserConfigDir()
	if err != nil {
		return nil, fmt.Errorf("there is no place to remember whom you trust (%w); name a file in the environment variable %s", err, trustVariable)
	}
	return workspace.TrustIn(filepath.Join(dir, "verbatim", "trusted.jsonl")), nil
}

// settingsIn are the settings of the working folder that a person means: the
// folder itself, or process_files in it.
func settingsIn(dir string) (*workspace.Settings, error) {
	for _, d := range []string{dir, filepath.Join(dir, workspace.Usual)} {
		if info, err := os.Stat(filepath.Join(d, "settings.txt")); err == nil && info.Mode().IsRegular() {
			return workspace.ReadSettings(d)
		}
	}
	return nil, fmt.Errorf("there is no settings.txt in %s or in its folder %s, so there is nothing to trust", dir, workspace.Usual)
}

func addTrust(ctx context.Context, c *console, trust *workspace.Trust, dir string, yes bool) error {
	s, err := settingsIn(dir)
	if err != nil {
		return err
	}
	setup, err := chat.ReadSetup(s, os.Getenv("OLLAMA_HOST"))
	if err != nil {
		return err
	}
	spare, err := spareKeys(s, setup)
	if err != nil {
		return err
	}
	reach := reachOf(s, setup) + spare
	if reach == "" {
		fmt.Fprintf(c.out, "%s names no server and no key: there is nothing to trust.\n", s.File())
		return nil
	}
	fmt.Fprintf(c.out, "%s says\n%s", s.File(), reach)
	if c.interactive() && !yes {
		if agreed, err := c.agree(ctx, "Trust this folder?"); err != nil || !agreed {
			return cmp.Or(err, errors.New("not trusted; nothing was changed"))
		}
	}
	if err := trust.Add(s); err != nil {
		return err
	}
	fmt.Fprintf(c.out, "Trusted, until one of these lines changes. To undo it, type:\n  %s\n", cli.Line("verbatim", "trust", "--remove", dir))
	return nil
}

func listTrust(c *console, trust *workspace.Trust) error {
	all, err := trust.All()
	if err != nil {
		return err
	}
	if len(all) == 0 {
		fmt.Fprintln(c.messages, "no folder is trusted")
	}
	for _, one := range all {
		note := ""
		if s, err := workspace.ReadSettings(one.Folder); err != nil || !slices.Equal(s.Reach(), one.Lines) {
			note = "  (its settings have changed, so it is asked about again)"
		}
		fmt.Fprintf(c.out, "%s%s\n", one.Folder, note)
		for _, line := range one.Lines {
			fmt.Fprintf(c.out, "  %s\n", chat.WithoutSecrets(line))
		}
	}
	return nil
}

// removeTrust forgets a folder or the process_files in it.
func removeTrust(c *console, trust *workspace.Trust, dir string) error {
	found := false
	for _, d := range []string{dir, filepath.Join(dir, workspace.Usual)} {
		was, err := trust.Remove(d)
		if err != nil {
			return err
		}
		found = found || was
	}
	if !found {
		return fmt.Errorf("%s was not trusted; to see the folders that are, type: verbatim trust --list", dir)
	}
	fmt.Fprintf(c.out, "%s is no longer trusted.\n", dir)
	return nil
}

// checkTrust lets the settings file of a folder send texts and keys only if the
// user agreed to that. What flags and the environment say needs no trust. Every
// command that reaches a server comes through here, before a key is read.
func (c *console) checkTrust(ctx context.Context, s *workspace.Settings, setup *chat.Setup) error {
	reach := reachOf(s, setup)
	if reach == "" {
		return nil
	}
	trust, err := trustStore()
	if err != nil {
		return err
	}
	if has, err := trust.Has(s); err != nil || has {
		return err
	}
	if !c.interactive() {
		return fmt.Errorf("%w: %s says\n%sIf you want that, type:\n  %s", errUntrusted, s.File(), reach, cli.Line("verbatim", "trust", s.Dir()))
	}
	fmt.Fprintf(c.messages, "This folder is not trusted yet, or its settings have changed. %s says\n%s", s.File(), reach)
	agreed, err := c.agree(ctx, "Use these servers and keys, now and later?")
	if err != nil {
		return err
	}
	if !agreed {
		return fmt.Errorf("%w, so no server was asked", errUntrusted)
	}
	return trust.Add(s)
}

// errUntrusted says that a folder's settings would reach a server, and that the
// user has not agreed.
var errUntrusted = errors.New("this folder is not trusted")

// reachOf lists the servers and keys of a setup that the settings file of a folder
// chose, with the models there. It is empty if there are none.
func reachOf(s *workspace.Settings, setup *chat.Setup) string {
	var text strings.Builder
	for _, server := range setup.Servers() {
		ownServer, ownKey := s.InFile(server.Setting), s.InFile(server.KeyAt.Setting)
		if !ownServer && !ownKey {
			continue
		}
		_, from := s.Get(server.Setting)
		fmt.Fprintf(&text, "  texts go to    %s  (%s)\n", server.URL, cmp.Or(from, "not from this file"))
		if models := modelsAt(setup, server); models != "" {
			fmt.Fprintf(&text, "    for          %s\n", models)
		}
		if server.KeyAt != (chat.KeySource{}) {
			fmt.Fprintf(&text, "    with the key in %s  (%s)\n", keyPlace(server.KeyAt), server.KeyAt.From)
		}
	}
	return text.String()
}

// spareKeys lists the keys for servers that the settings do not name. They count
// when the user names such a server.
func spareKeys(s *workspace.Settings, setup *chat.Setup) (string, error) {
	text := ""
	for _, address := range s.About("key") {
		if slices.ContainsFunc(setup.Servers(), func(server chat.Server) bool { return server.URL == address }) {
			continue
		}
		at, err := setup.KeyAt(address)
		if err != nil {
			return "", err
		}
		text += fmt.Sprintf("  if you name    %s\n    it gets the key in %s  (%s)\n", chat.WithoutSecrets(address), keyPlace(at), at.From)
	}
	return text, nil
}

// keyPlace shows a key's file as the file that would be read.
func keyPlace(k chat.KeySource) string {
	if absolute, err := filepath.Abs(k.File); k.File != "" && err == nil {
		k.File = absolute
	}
	return k.String()
}

// modelsAt are the models that the settings send to a server.
func modelsAt(setup *chat.Setup, server chat.Server) string {
	var names []string
	for _, m := range setup.Models {
		at := slices.ContainsFunc(m.Servers, func(s chat.Server) bool { return s.URL == server.URL && s.Setting == server.Setting })
		switch {
		case at && m.Name != "" && m.Name != m.Label:
			names = append(names, m.Label+" (there: "+m.Name+")")
		case at:
			names = append(names, m.Label)
		}
	}
	if server.Setting == "server" {
		names = append(names, "all other models")
	}
	return strings.Join(names, ", ")
}

// agree asks a person a question; only y or yes agrees.
func (c *console) agree(ctx context.Context, question string) (bool, error) {
	fmt.Fprintf(c.messages, "%s [y/N] ", question)
	answer, err := bufio.NewReaderSize(cli.Interruptible(ctx, c.in), 16).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	answer = strings.ToLower(strings.TrimSpace(answer))
	return answer == "y" || answer == "yes", nil
}
