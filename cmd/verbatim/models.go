package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/chat"
	"verbatim/confirm"
	"verbatim/distractor"
)

func modelsCommand() *cobra.Command {
	var dir string
	var asJSON, card bool
	cmd := newCommand("models", nil, func(ctx context.Context, c *console, folders []string) error {
		return showModels(ctx, c, folders, dir, card, asJSON)
	})
	addServerFlags(cmd)
	addScorerFlag(cmd)
	cmd.Flags().BoolVar(&card, "card", false, "print the card of the next-sentence model inside: its data, training and figures")
	cmd.Flags().StringVar(&dir, "dir", "process_files", "the working folder")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, one object per model and server")
	return cmd
}

func showModels(ctx context.Context, c *console, folders []string, dir string, card, asJSON bool) error {
	if card {
		_, err := io.WriteString(c.out, modelCard())
		return err
	}
	s, err := c.settings(dir)
	if err != nil {
		return err
	}
	broken, err := showNextSentence(c.out, s, folders, asJSON)
	if err != nil {
		return err
	}
	l := &language{Settings: s, c: c}
	if err := l.connect(); err != nil {
		return err
	}
	var all []chat.Presence
	for _, label := range l.wanted() {
		all = append(all, l.client.Look(ctx, label)...)
	}
	if asJSON {
		err = verbatim.Write(c.out, verbatim.All(all))
	} else {
		err = printPresences(c.out, all, l.setup.Named)
	}
	if err != nil {
		return err
	}
	missing := slices.DeleteFunc(all, func(p chat.Presence) bool { return p.There || !p.Answers && !l.setup.Named })
	switch {
	case broken > 0:
		return &CheckFailed{fmt.Sprintf("%s does not load", count(broken, "next-sentence model"))}
	case len(missing) > 0:
		return &CheckFailed{fmt.Sprintf("%s missing", count(len(missing), "model"))}
	}
	return nil
}

// wanted are the labels of the models that a run needs.
func (l *language) wanted() []string {
	labels := append(l.setup.Labels(), l.Or("confirm-model", confirm.DefaultModel), l.Or("negation-model", distractor.DefaultNegator))
	for _, name := range distractor.DefaultTypes {
		if t, err := distractor.ParseType(name); err == nil && t.Model != "" {
			labels = append(labels, t.Model)
		}
	}
	slices.Sort(labels)
	return slices.Compact(labels)
}

func printPresences(out io.Writer, all []chat.Presence, named bool) error {
	slices.SortStableFunc(all, func(a, b chat.Presence) int { return strings.Compare(a.Server, b.Server) })
	server := ""
	for _, p := range all {
		if p.Server != server {
			server = p.Server
			if _, err := fmt.Fprintln(out, serverLine(p)); err != nil {
				return err
			}
		}
		if !p.Answers {
			continue
		}
		if _, err := fmt.Fprintf(out, "  %-22s %s\n", p.Label, presence(p)); err != nil {
			return err
		}
	}
	if !named && len(all) > 0 && !all[0].Answers {
		_, err := fmt.Fprintln(out, "No server was named, so verbatim works without language models.")
		return err
	}
	return nil
}

func serverLine(p chat.Presence) string {
	switch {
	case !p.Answers && p.Remedy != "":
		return fmt.Sprintf("%s does not answer (%s); %s", p.Server, p.Problem, p.Remedy)
	case !p.Answers:
		return fmt.Sprintf("%s does not answer (%s)", p.Server, p.Problem)
	case p.Style == chat.OpenAI:
		return p.Server + " answers (OpenAI style)"
	default:
		return p.Server + " answers (Ollama)"
	}
}

func presence(p chat.Presence) string {
	if !p.There {
		return "missing; " + p.Remedy
	}
	text := "available"
	if p.Model != p.Label {
		text += ", as " + p.Model
	}
	if p.Digest != "" {
		text += fmt.Sprintf(", digest %.12s", p.Digest)
	}
	if p.Context > 0 {
		text += fmt.Sprintf(", context %d", p.Context)
	}
	if p.Thinks {
		text += ", thinks"
	}
	return text
}
