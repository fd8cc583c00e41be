package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/workspace"
)

func verifyCommand() *cobra.Command {
	var texts, journals string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "verify QUESTIONS.jsonl|ITEMS.jsonl|FOLDER...",
		Short: "Prove every quotation of questions or items against its source",
		Long: `Prove every passage, ground truth and same-book answer of question files against
the text of its book: the bytes are there, and with the repairs that the question
carries they are the string. A repair cannot add a word; page heads and notes
that it removes must be those that the cleaner removes from the book again. Then
check that the question is the one that its parts make: the passage with the
ground truth masked, the prompt of its category, one right answer, no answer
twice, and a frame that says what the metadata say.
What a person or a model wrote has no place in a book and is only counted.
With --journals the files are items, and every evidence span is proved against
its journal. Exits with 1 if a proof fails, and names it.`,
		Example: `  verbatim verify process_files
  verbatim verify --texts texts HWWJNQ-clozequestions.jsonl
  verbatim verify --journals journals.jsonl items.jsonl`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, c := cmd.Context(), consoleOf(cmd)
			if journals != "" {
				return verifyItemFiles(ctx, c, args, journals)
			}
			if err := checkTexts(texts); err != nil {
				return err
			}
			return verifyQuestions(ctx, c, args, texts, asJSON)
		},
	}
	cmd.Flags().StringVar(&texts, "texts", "", "the folder with the texts (default: beside the working folder)")
	cmd.Flags().StringVar(&journals, "journals", "", "the journals that the items were found in")
	cmd.Flags().BoolVar(&asJSON, "json", false, `print {"file","line","what","status","error"} for each quotation, and for what else fails`)
	cmd.MarkFlagsMutuallyExclusive("journals", "texts")
	cmd.MarkFlagsMutuallyExclusive("journals", "json")
	return cmd
}

func verifyQuestions(ctx context.Context, c *console, paths []string, texts string, asJSON bool) error {
	counts, err := workspace.Verify(ctx, paths, texts, func(p workspace.Proof) {
		if p.Err != nil {
			c.warn(p.Place() + plainly(p.Err))
		}
		if asJSON {
			// main reports for all commands that the output could not be written.
			_ = verbatim.Write(c.out, func(yield func(workspace.Proof, error) bool) { yield(p, nil) })
		}
	})
	switch {
	case errors.Is(err, context.Canceled) && counts.Failed == 0:
		return fmt.Errorf("stopped with %s verified", count(counts.Files, "file"))
	case err != nil && !errors.Is(err, context.Canceled):
		return err
	}
	if !asJSON {
		fmt.Fprint(c.out, proofSummary(counts))
	}
	if counts.Failed > 0 {
		return &CheckFailed{count(counts.Failed, "proof") + " failed (see above)"}
	}
	return nil
}

// proofSummary is the counts, in lines.
func proofSummary(n workspace.ProofCounts) string {
	text := fmt.Sprintf("%s in %s: %s proved, %d written or edited by a person or a model, %d failed\n",
		count(n.Questions, "question"), count(n.Files, "file"), count(n.Proved, "quotation"), n.Absent, n.Failed)
	if n.Truths > 0 {
		text += fmt.Sprintf("Among the edited is the ground truth of %s.\n", count(n.Truths, "question"))
	}
	if n.Cuts > 0 {
		text += fmt.Sprintf("Page heads, notes and marks inside quotations that were left out: %d.\n", n.Cuts)
	}
	return text
}
