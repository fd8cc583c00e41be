package main

import (
	"context"
	"fmt"
	"io"
	"runtime"

	"github.com/spf13/cobra"

	"verbatim/internal/cli"
	"verbatim/journal"
)

func extractCommand() *cobra.Command {
	var out, rules string
	var workers int
	var explain bool
	cmd := newCommand("extract", cobra.ExactArgs(1), func(ctx context.Context, c *console, args []string) error {
		cards, err := readCards(c, rules, journalCards)
		if err != nil {
			return err
		}
		if err := rejectInput(c, out, args...); err != nil {
			return err
		}
		return withInput(ctx, c, args[0], func(file string, in io.Reader) error {
			var crashes crashFile
			x := journal.Run{Cards: cards, File: file, Workers: workers, Report: func(err error) { c.warn(crashes.note(err)) }}
			err := writeOut(c, out, true, func(w io.Writer) error {
				if explain {
					return x.Explain(ctx, in, &cli.Readable{Out: w})
				}
				return x.Items(ctx, in, w)
			})
			if err == nil && x.Bad > 0 { // the good lines are written
				err = &CheckFailed{fmt.Sprintf("%s: %s skipped (see above); %s done", file, count(x.Bad, "line"), count(x.Done, "journal"))}
			}
			return err
		})
	})
	addOut(cmd, &out, "the items")
	cmd.Flags().StringVar(&rules, "rules", defaultRules, "a folder of your own rule cards (journals/ in it)")
	cmd.Flags().IntVar(&workers, "workers", runtime.NumCPU(), "how many journals to process at the same time")
	cmd.Flags().BoolVar(&explain, "explain", false, "print each item with its cards and each rejected piece with its reason, for people to read")
	return cmd
}
