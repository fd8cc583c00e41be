package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/internal/durable"
	"verbatim/journal"
	"verbatim/workspace"
)

func verifyCommand() *cobra.Command {
	var texts, journals string
	var asJSON bool
	var how intakeFlags
	cmd := newCommand("verify", cobra.MinimumNArgs(1), func(ctx context.Context, c *console, args []string) error {
		if journals != "" {
			return verifyItems(c, args, journals, how)
		}
		if err := checkTexts(texts); err != nil {
			return err
		}
		return verifyQuestions(ctx, c, args, texts, asJSON)
	})
	cmd.Flags().StringVar(&texts, "texts", "", "the folder with the texts (default: beside the working folder)")
	cmd.Flags().StringVar(&journals, "journals", "", "the journals that the items were found in")
	addIntake(cmd, &how)
	cmd.Flags().BoolVar(&asJSON, "json", false, `print {"file","line","what","status","error"} for each quotation and each other failure`)
	cmd.MarkFlagsMutuallyExclusive("journals", "texts")
	cmd.MarkFlagsMutuallyExclusive("journals", "json")
	return cmd
}

func verifyQuestions(ctx context.Context, c *console, paths []string, texts string, asJSON bool) error {
	counts, err := workspace.Verify(ctx, paths, texts, func(p workspace.Proof) {
		if p.Err != nil {
			c.warn(p.Place() + c.has.plainly(p.Err))
		}
		if asJSON {
			// main reports for all commands that the output could not be written.
			_ = verbatim.Write(c.data, func(yield func(workspace.Proof, error) bool) { yield(p, nil) })
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
	what, unit := count(n.Questions, "question"), "question"
	switch {
	case n.Drafts > 0 && n.Questions > 0:
		what += " and " + count(n.Drafts, "draft")
	case n.Drafts > 0:
		what, unit = count(n.Drafts, "draft"), "draft"
	}
	text := fmt.Sprintf("%s in %s: %s proved, %d written or edited by a person or a model, %d failed\n",
		what, count(n.Files, "file"), count(n.Proved, "quotation"), n.Absent, n.Failed)
	if n.Truths > 0 {
		text += fmt.Sprintf("Among the edited is the ground truth of %s.\n", count(n.Truths, unit))
	}
	if n.Cuts > 0 {
		text += fmt.Sprintf("Page heads, notes and marks inside quotations that were left out: %d.\n", n.Cuts)
	}
	return text
}

// verifyItems proves the items of each file against the journals.
func verifyItems(c *console, files []string, journals string, how intakeFlags) error {
	reader, err := how.reader()
	if err != nil {
		return err
	}
	if err := checkInputs([]string{journals}); err != nil {
		return err
	}
	texts, err := journal.Texts(reader.Journals([]string{journals}, c.in))
	if err != nil {
		return durable.CannotRead(err)
	}
	proved, failed, unread := 0, 0, 0
	for _, name := range files {
		good, bad, err := verifyItemFile(c, name, texts)
		if err != nil && len(files) == 1 {
			return err
		}
		if err != nil { // continue with the other files
			unread++
			c.warn(err)
		}
		proved, failed = proved+good, failed+bad
	}
	if unread == len(files) {
		return fmt.Errorf("none of the %d files could be verified (see above)", unread)
	}
	fmt.Fprintf(c.out, "%s: %d proved, %d failed\n", count(proved+failed, "item"), proved, failed)
	if failed+unread > 0 {
		return &CheckFailed{count(failed+unread, "proof") + " failed (see above)"}
	}
	return nil
}

func verifyItemFile(c *console, name string, texts map[string]*verbatim.Document) (proved, failed int, err error) {
	file, err := os.Open(name)
	if err != nil {
		return 0, 0, durable.CannotRead(err)
	}
	defer file.Close()
	return journal.Verify(file, name, texts, func(err error) { c.warn(err) })
}
