package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"verbatim/internal/cli"
	"verbatim/workspace"
)

func balanceCommand() *cobra.Command {
	var o workspace.BalanceOptions
	var undo bool
	cmd := newCommand("balance", cobra.MaximumNArgs(1), func(ctx context.Context, c *console, args []string) error {
		folder, err := workspace.FindFolder(append(args, ".")[0])
		if err := errors.Join(err, checkTexts(o.Texts)); err != nil {
			return err
		}
		space, err := newSpaces(c, false, nil).in(ctx, folder)
		if err != nil {
			return err
		}
		if undo {
			n, err := space.Unbalance(o.Texts)
			say(c, "%s: questions have the answers again that were accepted", count(n, "book"))
			return err
		}
		bar := cli.NewProgress(c.messages)
		space.Progress = bar.Show
		done, err := space.Balance(ctx, o)
		bar.Clear()
		if err != nil {
			return stopped(ctx, c, err)
		}
		return saidBalanced(c, space.Workspace, done)
	})
	f := cmd.Flags()
	f.StringVar(&o.Texts, "texts", "", "the folder with the texts (default: beside the working folder)")
	f.BoolVar(&o.Reviewed, "reviewed", false, "choose only among wrong answers that a reviewer has accepted")
	f.BoolVar(&undo, "undo", false, "give the questions the answers again that were accepted")
	addScorerFlag(cmd)
	return cmd
}

// saidBalanced says what was chosen, and what it is worth.
func saidBalanced(c *console, ws *workspace.Workspace, done *workspace.Balanced) error {
	for _, err := range done.Problems {
		c.warn(err)
	}
	if done.Questions == 0 && len(done.Problems) == 0 {
		return fmt.Errorf("%s has no accepted questions to balance; accept some first:\n  %s", ws.Dir(), cli.Line("verbatim", "review", ws.Dir()))
	}
	say(c, "%s balanced (set %s), %d changed", count(done.Questions, "question"), done.Set, done.Changed)
	if done.Unseen > 0 {
		say(c, "%s were chosen that no reviewer has seen; the field choice says in which questions. To choose among accepted ones only, type:\n  %s",
			count(done.Unseen, "wrong answer"), cli.Line("verbatim", "balance", "--reviewed", ws.Dir()))
	}
	if done.Small > 0 {
		say(c, "%s had nothing to choose from", count(done.Small, "question"))
	}
	say(c, "To measure what is left, type:\n  %s", cli.Line("verbatim", "lint", ws.Dir()))
	if len(done.Problems) > 0 {
		return &CheckFailed{fmt.Sprintf("%s could not be read and %s left out", count(len(done.Problems), "book"), wasWere(len(done.Problems)))}
	}
	return nil
}
