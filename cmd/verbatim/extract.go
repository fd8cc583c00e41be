package main

import (
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
	cmd := &cobra.Command{
		Use:   "extract JOURNALS.jsonl",
		Short: "Find evidence-backed items in personal health journals",
		Long: `Find items (symptoms, food, emotions, states of mind) in personal health
journals with rule cards: offline, without a model, and with the same output for
any number of workers. Every item carries its evidence from the journal, the
place of the evidence in bytes and code points, and the card that made it.

Each input line is one journal, {"journal_id", "text"}; other fields are ignored.
The output has one line per journal, in the same order. A bad line is reported
with its number and skipped, and the exit status is 1. Messages name journals by
their id and never quote them. Only --explain prints text from the journals.`,
		Example: `  verbatim extract journals.jsonl -o predictions.jsonl
  verbatim extract --explain journals.jsonl`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, c := cmd.Context(), consoleOf(cmd)
			if err := checkRulesFlag(c, rules); err != nil {
				return err
			}
			cards, err := readCards(rules, journalCards)
			if err != nil {
				return err
			}
			if err := rejectInput(c, out, args...); err != nil {
				return err
			}
			return withInput(ctx, c, args[0], func(file string, in io.Reader) error {
				x := journal.Run{Cards: cards, File: file, Workers: workers, Report: func(err error) { c.warn(err) }}
				err := writePrivate(c, out, func(w io.Writer) error {
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
		},
	}
	addOut(cmd, &out, "the items")
	cmd.Flags().StringVar(&rules, "rules", defaultRules, "a folder of your own rule cards (journals/ in it)")
	cmd.Flags().IntVar(&workers, "workers", runtime.NumCPU(), "how many journals to process at the same time")
	cmd.Flags().BoolVar(&explain, "explain", false, "print each item with its cards and each rejected piece with its reason, for people to read")
	return cmd
}
