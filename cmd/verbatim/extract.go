package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"verbatim/cue"
	"verbatim/internal/cli"
	"verbatim/internal/durable"
	"verbatim/journal"
)

type extractFlags struct {
	intakeFlags
	out, rules string
	workers    int
	explain    bool
}

func extractCommand() *cobra.Command {
	var f extractFlags
	cmd := newCommand("extract", cobra.MinimumNArgs(1), func(ctx context.Context, c *console, args []string) error {
		cards, err := readCards(c, f.rules, journalCards)
		if err != nil {
			return err
		}
		return runExtract(ctx, c, f, cards, args)
	})
	addOut(cmd, &f.out, "the items")
	addIntake(cmd, &f.intakeFlags)
	cmd.Flags().StringVar(&f.rules, "rules", defaultRules, "a folder of your own rule cards (journals/ in it)")
	cmd.Flags().IntVar(&f.workers, "workers", runtime.NumCPU(), "how many journals to process at the same time")
	cmd.Flags().BoolVar(&f.explain, "explain", false, "print each item with its cards and each rejected piece with its reason, for people to read")
	return cmd
}

func runExtract(ctx context.Context, c *console, f extractFlags, cards *cue.Cards, paths []string) error {
	if err := rejectInput(c, f.out, paths...); err != nil {
		return err
	}
	reader, err := f.reader()
	if err != nil {
		return err
	}
	if err := checkInputs(paths); err != nil {
		return err
	}
	if cards.Hash() != journal.Cards().Hash() {
		say(c, "the rule cards in %s change what is found", f.rules)
	}
	var crashes crashFile
	var shown limit
	x := journal.Run{Cards: cards, Workers: f.workers, MadeBy: madeBy(cards),
		Report: func(err error) { shown.print(func() { c.warn(crashes.note(err)) }) }}
	err = writeOut(c, f.out, true, func(w io.Writer) error {
		lines := reader.Journals(paths, cli.Interruptible(ctx, c.in))
		if f.explain {
			return x.Explain(ctx, lines, &cli.Readable{Out: w})
		}
		return x.Items(ctx, lines, w)
	})
	if rest := shown.rest("bad line"); rest != "" {
		c.warn(rest)
	}
	if err == nil && x.Bad > 0 { // the good lines are written
		name := strings.Join(paths, ", ")
		if name == "-" {
			name = "standard input"
		}
		err = &CheckFailed{fmt.Sprintf("%s: %s skipped (see above); %s done", name, count(x.Bad, "line"), count(x.Done, "journal"))}
	}
	return durable.CannotRead(err)
}

// madeBy is what predictions say about the program and the cards that made them.
func madeBy(cards *cue.Cards) string {
	return fmt.Sprintf("verbatim %s, cards %.12s", version(), cards.Hash())
}
