package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"verbatim/chat"
	"verbatim/distractor"
	"verbatim/internal/cli"
	"verbatim/internal/durable"
	"verbatim/review"
	"verbatim/workspace"
)

func makeCommand() *cobra.Command {
	var dir string
	var catalogues []string
	var batch, plain, force, quick bool
	cmd := newCommand("make", cobra.MinimumNArgs(1), func(ctx context.Context, c *console, paths []string) error {
		if err := checkNames(paths); err != nil {
			return err
		}
		run, err := newMakeRun(c, workspace.DirOf(dir, paths[0]), true, catalogues, paths)
		if err != nil {
			return err
		}
		run.dir, run.plain, run.force, run.quick = dir, plain, force, quick
		if batch {
			return run.batch(ctx, paths)
		}
		return run.together(ctx, paths)
	})
	f := cmd.Flags()
	f.StringVar(&dir, "dir", "", "the working folder (default: process_files beside the book)")
	f.StringArrayVar(&catalogues, "catalogue", nil, "a library's list as CSV; several complete each other")
	f.BoolVar(&batch, "batch", false, "make drafts without asking; review them later")
	f.BoolVar(&quick, "quick", false, "in a terminal: categories that need no language model first")
	cmd.MarkFlagsMutuallyExclusive("batch", "quick")
	f.BoolVar(&force, "force", false, "rebuild files, even if you edited them")
	addCorrectedFlag(cmd)
	standard := workspace.Standard()
	f.Int("drafts", standard.Drafts, "with --batch: drafts per category and book")
	f.String("distractors", standard.Distractors, "with --batch: all, or accepted: only for drafts whose passage was accepted")
	f.Int64("seed", 0, "another seed draws other drafts")
	addChoose(cmd)
	f.Int("min-examples", standard.MinExamples, "examples that a category needs for questions")
	f.StringSlice("types", nil, "wrong answers to make (default: "+strings.Join(distractor.DefaultTypes, ",")+")")
	addReviewFlags(cmd, &plain)
	addModelFlags(cmd)
	addConfirmFlags(cmd)
	addScorerFlag(cmd)
	f.String("negation-model", distractor.DefaultNegator, "label of the model that writes negations")
	return cmd
}

// addCorrectedFlag is for commands that make files from a text.
func addCorrectedFlag(cmd *cobra.Command) {
	cmd.Flags().Bool("corrected", false, "the text is the corrected one of a book whose files were made from another file")
}

// addReviewFlags are the flags that make and review share.
func addReviewFlags(cmd *cobra.Command, plain *bool) {
	f := cmd.Flags()
	f.Int("per-category", 1, "accepted questions per category and book")
	f.StringSlice("categories", nil, "only these categories (default: all)")
	f.String("reviewer", "", "your name in the decisions (default: your login)")
	f.BoolVar(plain, "plain", false, "line by line, for screen readers and scripts")
}

// A makeRun is one call of make.
type makeRun struct {
	*spaces
	dir          string // --dir
	o            workspace.Options
	goal         int
	reviewer     string
	plain, force bool
	quick        bool // categories that need no model first
	only         review.Filter
	sum          *summary
}

// newMakeRun reads the settings of a folder, which count for all books.
func newMakeRun(c *console, dir string, models bool, catalogues, books []string) (*makeRun, error) {
	settings, err := c.settings(dir)
	if err != nil {
		return nil, err
	}
	run := &makeRun{reviewer: settings.Reviewer()}
	if run.o, err = settings.Options(); err != nil {
		return nil, err
	}
	if run.goal, err = settings.Goal(); err != nil {
		return nil, err
	}
	if len(catalogues) == 0 {
		catalogues = settings.Catalogues()
	}
	catalogue, err := readCatalogues(c, catalogues, books)
	run.spaces = newSpaces(c, models, catalogue)
	return run, err
}

// begin gives each book once. Books that would overwrite each other are reported
// and left out.
func (run *makeRun) begin(paths []string) []workspace.Job {
	jobs, twins := workspace.Jobs(run.dir, paths)
	run.sum = newSummary(run.c, run.goal, len(jobs)+len(twins))
	run.sum.dir = run.dir
	for _, err := range twins {
		run.sum.fail(err)
	}
	return jobs
}

// prepare finds the candidates of a book. Missing metadata are asked for in a
// terminal.
func (run *makeRun) prepare(ctx context.Context, job workspace.Job) (*workspace.Book, error) {
	ws, err := run.at(ctx, job.Dir)
	if err != nil {
		return nil, err
	}
	return ws.Prepare(ctx, job.Path, &run.o, false, func(b *workspace.Book) error {
		run.bar.Clear()
		return completeDescription(ctx, run.c, ws.Folder, b.About, job.Path, describeOptions{plain: run.plain})
	})
}

// batch drafts questions of many books. One that fails does not stop the others.
// Each book is read, drafted and ranked, and its drafts written. Those with work
// for language models wait for a wave to be full.
func (run *makeRun) batch(ctx context.Context, paths []string) error {
	jobs := run.begin(paths)
	if err := run.estimate(ctx, jobs); err != nil {
		return err
	}
	var waiting wave
	defer func() { waiting.close() }()
	for i, job := range jobs {
		b, err := run.draft(ctx, job)
		run.bar.Clear()
		switch {
		case ctx.Err() != nil:
			return stopped(ctx, run.c, ctx.Err())
		case err != nil && fatal(err):
			return stopped(ctx, run.c, err)
		case err != nil:
			run.sum.fail(err)
		case b.Waiting(&run.o) > 0:
			waiting.add(b)
		default:
			if err := run.finish(b); err != nil {
				return err
			}
		}
		run.bar.Show("books", i+1, len(jobs))
		if waiting.full() || i+1 == len(jobs) {
			if err := run.answer(ctx, &waiting); err != nil {
				return err
			}
		}
	}
	run.summaries()
	return run.sum.end()
}

// A wave is the open books for which language models write together, one model
// after the other. An open book costs two file handles and some ten times its text
// in memory, so a wave is limited; it is large enough that loading a model for
// each wave costs little.
type wave struct {
	books []*workspace.Book
	bytes int
}

const (
	waveBooks = 40
	waveBytes = 8 << 20
)

func (w *wave) add(b *workspace.Book) {
	w.books = append(w.books, b)
	w.bytes += len(b.Source.Text)
}

func (w *wave) full() bool { return len(w.books) >= waveBooks || w.bytes >= waveBytes }

// close closes books that were not finished.
func (w *wave) close() {
	for _, b := range w.books {
		_ = b.Close()
	}
	*w = wave{}
}

// answer lets the language models write for a wave, and finishes its books.
func (run *makeRun) answer(ctx context.Context, w *wave) error {
	defer w.close()
	run.bar.Clear()
	failed, err := workspace.WriteAnswers(ctx, &run.o, w.books)
	run.bar.Clear()
	if err != nil {
		return stopped(ctx, run.c, err)
	}
	for _, b := range w.books {
		if err := failed[b]; err != nil {
			run.sum.fail(err)
			continue
		}
		if err := run.finish(b); err != nil {
			return err
		}
	}
	return nil
}

// draft makes the drafts of one book, and asks nobody.
func (run *makeRun) draft(ctx context.Context, job workspace.Job) (*workspace.Book, error) {
	ws, err := run.at(ctx, job.Dir)
	if err != nil {
		return nil, err
	}
	return ws.Draft(ctx, job.Path, &run.o, run.force)
}

// finish writes the questions of a book and its part of the summary.
func (run *makeRun) finish(b *workspace.Book) error {
	err := b.FinishBook(func() error {
		if err := b.SaveQuestions(run.force); err != nil {
			b.Note("%w", err)
		}
		run.sum.add(b)
		return nil
	})
	if err != nil {
		run.sum.fail(err)
	}
	return b.Close()
}

// estimate says before a batch how many calls to language models it may take.
// Without models it says nothing.
func (run *makeRun) estimate(ctx context.Context, jobs []workspace.Job) error {
	var all workspace.Estimate
	for _, job := range jobs {
		ws, err := run.at(ctx, job.Dir)
		if err != nil {
			return err
		}
		e, err := ws.Estimate(ctx, job.Path, &run.o)
		if err != nil {
			return err
		}
		all.Confirm, all.Answers = all.Confirm+e.Confirm, all.Answers+e.Answers
	}
	if n := all.Confirm + all.Answers; n > 0 {
		run.c.warn(fmt.Sprintf("about %s to language models: %d to confirm connectors, %d for wrong answers (fewer if the ledger has answers; --max-calls sets a limit)",
			count(n, "call"), all.Confirm, all.Answers))
	}
	return nil
}

// fatal reports whether every other book would fail as well.
func fatal(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, durable.ErrNoSpace) || chat.KindOf(err) != ""
}

// stopped adds to the error of a run that was stopped the command that resumes it.
func stopped(ctx context.Context, c *console, err error) error {
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		err = errors.New("stopped")
	}
	if errors.Is(err, durable.ErrNoSpace) {
		return fmt.Errorf("%w\nNothing is lost. Free some space on the disk, then type:\n  %s", err, c.typed)
	}
	return resume(ctx, c, err)
}

// together makes questions with a person, book by book: first its metadata, then
// draft after draft.
func (run *makeRun) together(ctx context.Context, paths []string) error {
	if !run.plain && !run.c.interactive() {
		if _, err := os.Stat(paths[0]); err != nil {
			return durable.CannotRead(err)
		}
		return errors.New("not running in a terminal, so you cannot be asked; make drafts with --batch and review them later with: verbatim review")
	}
	jobs := run.begin(paths)
	finished := true
	for _, job := range jobs {
		b, err := run.prepare(ctx, job)
		if err != nil {
			if ctx.Err() != nil || fatal(err) {
				return stopped(ctx, run.c, err)
			}
			run.sum.fail(err)
			continue
		}
		finished, err = run.live(ctx, b)
		run.sum.add(b)
		if err := errors.Join(err, b.Close()); err != nil {
			return stopped(ctx, run.c, err)
		}
		if !finished {
			break
		}
	}
	return run.endTogether(jobs, finished)
}

// endTogether says what was done and what to type next.
func (run *makeRun) endTogether(jobs []workspace.Job, finished bool) error {
	if run.sum.books > 0 {
		run.sum.table()
	}
	run.sum.sayNotes()
	run.summaries()
	switch messages := run.c.messages; {
	case !finished:
		fmt.Fprintf(messages, "To resume, type:\n  %s\n", run.c.typed)
	case len(run.sum.questions) > 0:
		fmt.Fprintf(messages, "Nothing is left to decide. The questions are in\n  %s\nTo verify them, type:\n  %s\n",
			strings.Join(run.sum.questions, "\n  "), cli.Line(append([]string{"verbatim", "verify"}, run.sum.questions...)...))
	case run.sum.books > 0:
		fmt.Fprintln(messages, "Nothing is left to decide, and no question was accepted. To look again, type:\n  "+
			cli.Line("verbatim", "review", "--decided", workspace.DirOf(run.dir, jobs[0].Path)))
	}
	return run.sum.verdict()
}
