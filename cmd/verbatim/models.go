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
	cmd := &cobra.Command{
		Use:   "models [FOLDER...]",
		Short: "Which models are there, and what is missing",
		Long: `Show the next-sentence model that ranks same-book distractors (the small one
inside, or another: --nsp-model); then which servers of language models answer,
which of the wanted models they have, and what to type to get the missing ones.
Nothing is sent but these questions, and nothing is fetched.

Models are wanted by label. A label is the name of a model on Ollama, unless
settings.txt in the working folder says otherwise:

  server: http://localhost:11434
  model gpt-oss:20b: openai/gpt-oss-20b at https://example.org/api/v1
  key https://example.org/api/v1: EXAMPLE_API_KEY
  context gpt-oss:20b: 16384
  concurrency: 4

An address that ends in /v1 is spoken to in the OpenAI style (vLLM, llama.cpp,
LM Studio, OpenRouter), any other as Ollama. Several addresses share the load.
A key is the name of an environment variable, and is sent to that address only.
Each setting without a model can be given as VERBATIM_NAME in the environment
or as a flag; OLLAMA_HOST is honoured.

Each FOLDER is looked at as a next-sentence model: does it load, and if not,
what is wrong with it?`,
		RunE: func(cmd *cobra.Command, folders []string) error {
			return showModels(cmd.Context(), consoleOf(cmd), folders, dir, card, asJSON)
		},
	}
	addServerFlags(cmd)
	addScorerFlag(cmd)
	cmd.Flags().BoolVar(&card, "card", false, "print what is known of the next-sentence model inside: its data, its training, its figures")
	cmd.Flags().StringVar(&dir, "dir", "process_files", "the working folder")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one object for each model and server")
	return cmd
}

func showModels(ctx context.Context, c *console, folders []string, dir string, card, asJSON bool) error {
	if card {
		return printCard(c.out)
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
	out := c.out
	if asJSON {
		err = verbatim.Write(out, func(yield func(chat.Presence, error) bool) {
			for _, p := range all {
				if !yield(p, nil) {
					return
				}
			}
		})
	} else {
		err = printPresences(out, all, l.named)
	}
	if err != nil {
		return err
	}
	missing := slices.DeleteFunc(all, func(p chat.Presence) bool { return p.There || !p.Answers && !l.named })
	switch {
	case broken > 0:
		return &CheckFailed{fmt.Sprintf("%s does not load", count(broken, "next-sentence model"))}
	case len(missing) > 0:
		return &CheckFailed{fmt.Sprintf("%s missing", count(len(missing), "model"))}
	}
	return nil
}

// wanted are the labels that a run would ask for.
func (l *language) wanted() []string {
	labels := append(l.labels(), l.Or("confirm-model", confirm.DefaultModel), l.Or("negation-model", distractor.DefaultNegator))
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
		_, err := fmt.Fprintln(out, "No server was named, so that work goes on without language models.")
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
	text := "there"
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
