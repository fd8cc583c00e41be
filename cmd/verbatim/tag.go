package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/chat"
	"verbatim/cloze"
	"verbatim/confirm"
	"verbatim/internal/parallel"
	"verbatim/workspace"
)

func tagCommand() *cobra.Command {
	run := &tagRun{}
	var workers int
	cmd := newCommand("tag", cobra.MinimumNArgs(1), func(ctx context.Context, c *console, paths []string) error {
		if err := checkNames(paths); err != nil {
			return err
		}
		run.spaces = newSpaces(c, true, nil)
		jobs, err := run.plan(ctx, paths)
		if err != nil {
			return err
		}
		return run.all(ctx, jobs, workers)
	})
	cmd.Flags().StringVar(&run.dir, "dir", "", "the working folder (default: process_files beside each book)")
	cmd.Flags().BoolVar(&run.force, "force", false, "rebuild the files, even if they are up to date or edited")
	cmd.Flags().IntVar(&workers, "workers", runtime.GOMAXPROCS(0), "how many books to read at the same time")
	addCorrectedFlag(cmd)
	addModelFlags(cmd)
	addConfirmFlags(cmd)
	return cmd
}

// tagRun is one call of tag.
type tagRun struct {
	*spaces
	dir    string
	force  bool
	failed []error
	asked  confirm.Counts
}

// A tagged is the result for one book.
type tagged struct {
	workspace.TagResult
	job workspace.Job
	err error
}

// plan opens each book's folder and reads its cards. Books that would replace
// each other are set aside.
func (run *tagRun) plan(ctx context.Context, paths []string) ([]workspace.Job, error) {
	jobs, twins := workspace.Jobs(run.dir, paths)
	for _, err := range twins {
		run.failed = append(run.failed, err)
		run.c.warn(err)
	}
	for _, job := range jobs {
		ws, err := run.at(ctx, job.Dir)
		if err != nil {
			return nil, err
		}
		if _, err := ws.Tagger(); err != nil {
			return nil, fmt.Errorf("%w\nno book was tagged; fix the cards in %s first", err, job.Dir+"/rules")
		}
	}
	return jobs, nil
}

func (run *tagRun) all(ctx context.Context, jobs []workspace.Job, workers int) error {
	var total workspace.TagCounts
	made, current := 0, 0
	for result, err := range parallel.Map(ctx, workers, verbatim.All(jobs), run.book) {
		if err != nil || result.err != nil || result.Rebuilt != "" {
			run.bar.Clear() // before a message
		}
		switch {
		case errors.Is(err, context.Canceled):
			run.report()
			return fmt.Errorf("stopped with %d of %d books done; to resume, type:\n  %s", made+current, len(jobs), run.c.typed)
		case err != nil:
			run.report()
			return resume(ctx, run.c, err)
		case result.err != nil:
			run.failed = append(run.failed, result.err)
			if len(jobs) > 1 { // the error of a single book is that of the command
				run.c.warn(result.err)
			}
			continue
		case result.Current:
			current++
		default:
			made++
		}
		if result.Rebuilt != "" {
			fmt.Fprintf(run.c.messages, "%s was out of date (%s) and was rebuilt\n", workspace.Name(result.job.Barcode, workspace.Tagged), result.Rebuilt)
		}
		total.Add(result.Tags)
		run.asked.Add(result.Asked)
		run.bar.Show("books", made+current, len(jobs))
	}
	run.report()
	return run.summary(total, made, current)
}

// book tags one book; its error is a result and does not stop the others.
func (run *tagRun) book(ctx context.Context, job workspace.Job) (tagged, error) {
	if err := ctx.Err(); err != nil {
		return tagged{}, err
	}
	result := tagged{job: job}
	result.TagResult, result.err = run.open[job.Dir].Tag(ctx, job.Path, run.force)
	if chat.KindOf(result.err) != "" {
		return result, result.err // a model that is lost is lost for every book
	}
	return result, nil
}

// report says what the model did.
func (run *tagRun) report() {
	run.bar.Clear()
	if n := run.asked; n.Asked+n.Unconfirmed > 0 {
		text := fmt.Sprintf("a language model was asked about %s: %d kept, %d rejected", count(n.Asked, "connector"), n.Kept, n.Rejected)
		if n.Failed > 0 {
			text += fmt.Sprintf(", %d without an answer (the cards decided)", n.Failed)
		}
		if n.Unconfirmed > 0 {
			text += fmt.Sprintf("; %d more will be confirmed when they are drawn", n.Unconfirmed)
		}
		fmt.Fprintln(run.c.messages, text)
	}
	run.summaries()
}

func (run *tagRun) summary(total workspace.TagCounts, made, current int) error {
	if made+current == 0 {
		return noneDone(run.failed, "tagged")
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%-18s %8s %8s\n", "", "sure", "wide")
	for _, c := range cloze.Categories {
		fmt.Fprintf(&text, "%-18s %8d %8d\n", c.Name, total.Sure[c.Name], total.Wide[c.Name])
	}
	fmt.Fprintf(&text, "%s in %s: %d tagged", count(total.Sentences, "sentence"), count(made+current, "book"), made)
	if current > 0 {
		fmt.Fprintf(&text, ", %d up to date", current)
	}
	fmt.Fprintln(run.c.out, text.String())
	if len(run.failed) == 0 {
		return nil
	}
	return &CheckFailed{fmt.Sprintf("%d of %d books could not be tagged; the others are done:\n  %s", len(run.failed), len(run.failed)+made+current, firstLines(run.failed))}
}
