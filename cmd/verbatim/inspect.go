package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/internal/cli"
	"verbatim/internal/fields"
	"verbatim/journal"
	"verbatim/sentence"
	"verbatim/workspace"
)

func inspectCommand() *cobra.Command {
	cmd := newGroup("inspect", inspectSentencesCommand(), inspectCleaningCommand(), inspectConnectorsCommand(), inspectFramesCommand(),
		inspectFieldsCommand(), inspectRankingCommand(), inspectNegationsCommand(), inspectPolarityCommand())
	cmd.PersistentPreRun = func(cmd *cobra.Command, _ []string) {
		for _, name := range []string{"json", "spans", "sentences"} {
			if asJSON, _ := cmd.Flags().GetBool(name); asJSON {
				return // JSON escapes them itself
			}
		}
		cmd.SetOut(&cli.Readable{Out: cmd.OutOrStdout()})
	}
	return cmd
}

func inspectFieldsCommand() *cobra.Command {
	var asJSON bool
	cmd := newCommand("inspect-fields", cobra.ExactArgs(2), func(_ context.Context, c *console, paths []string) error {
		all, err := fields.Compare(paths[0], paths[1])
		if err != nil {
			return err
		}
		if asJSON {
			return verbatim.Write(c.out, verbatim.All(all))
		}
		return printFields(c.out, paths, all)
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, `print {"field","first","second"} for each field`)
	return cmd
}

func printFields(out io.Writer, paths []string, all []fields.Field) error {
	both := 0
	for i, path := range paths {
		fmt.Fprintf(out, "only in %s:\n", path)
		none := true
		for _, f := range all {
			here, there := f.First, f.Second
			if i == 1 {
				here, there = there, here
			}
			if here.Records > 0 && there.Records == 0 {
				none = false
				fmt.Fprintf(out, "  %-24s in %d of %d, %v\n", f.Name, here.Records, here.Of, here.Types)
			}
		}
		if none {
			fmt.Fprintln(out, "  nothing")
		}
	}
	for _, f := range all {
		if f.First.Records > 0 && f.Second.Records > 0 {
			both++
			if !slices.Equal(f.First.Types, f.Second.Types) {
				fmt.Fprintf(out, "different type: %s is %v in the first and %v in the second\n", f.Name, f.First.Types, f.Second.Types)
			}
		}
	}
	_, err := fmt.Fprintf(out, "in both: %s\n", count(both, "field"))
	return err
}

func inspectFramesCommand() *cobra.Command {
	var asJSON bool
	cmd := newCommand("inspect-frames", cobra.MinimumNArgs(1), func(_ context.Context, c *console, paths []string) error {
		bad := 0
		frames := workspace.Frames(paths, func(err error) { bad++; c.warn(err) })
		if asJSON {
			if err := verbatim.Write(c.out, verbatim.All(frames)); err != nil {
				return err
			}
		} else {
			for _, f := range frames {
				fmt.Fprintf(c.out, "%s\n  %s\n", f.Book, wrap(f.Frame, 76, 2))
			}
		}
		switch {
		case bad > 0 && len(frames) == 0:
			return errors.New("none of the metadata could be read (see above)")
		case bad > 0:
			return &CheckFailed{fmt.Sprintf("%s could not be read (see above)", count(bad, "record"))}
		}
		return nil
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, `print {"book","frame","file"} for each`)
	return cmd
}

// scopeLine is one negation or doubt in JSON. Span is the sentence's place in the
// file; from and to are the scope in the sentence.
type scopeLine struct {
	Polarity string `json:"polarity"`
	Card     string `json:"card"`
	verbatim.Span
	Sentence   string `json:"sentence"`
	ScopeStart int    `json:"from"`
	ScopeEnd   int    `json:"to"`
}

func inspectPolarityCommand() *cobra.Command {
	var asJSON, spans bool
	var rules string
	cmd := newCommand("inspect-polarity", cobra.ExactArgs(1), func(ctx context.Context, c *console, args []string) error {
		cards, err := readCards(c, rules, journalCards)
		if err != nil {
			return err
		}
		judge := journal.NewJudge(cards)
		if spans || asJSON && args[0] == "-" {
			return answerLines(ctx, c, args[0], "question", "answered", judge.Answer)
		}
		return eachDocument(ctx, c, args, func(_ string, doc *verbatim.Document) error {
			return showPolarity(c.out, judge, doc, asJSON)
		})
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, `print {"polarity","card","start","end","sentence","from","to"} for each`)
	cmd.Flags().BoolVar(&spans, "spans", false, "read questions, one JSON object per line")
	cmd.Flags().StringVar(&rules, "rules", defaultRules, "a folder of your own rule cards")
	return cmd
}

// showPolarity prints each negation and doubt in its sentence.
func showPolarity(out io.Writer, judge *journal.Judge, doc *verbatim.Document, asJSON bool) error {
	var lines []scopeLine
	w := bufio.NewWriter(out)
	for s := range sentence.Split(doc) {
		text := verbatim.FoldSpace(doc.Quote(s.Span))
		for _, r := range judge.Scopes(text) {
			lines = append(lines, scopeLine{r.Sense, r.Card, s.Span, text, r.Scope.Start, r.Scope.End})
			if !asJSON {
				fmt.Fprintf(w, "%-10s %-22s %s\n", r.Sense, r.Card, bracketed(text, r.Scope))
			}
		}
	}
	if asJSON {
		return verbatim.Write(out, verbatim.All(lines))
	}
	return w.Flush()
}
