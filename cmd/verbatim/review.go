package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"verbatim/internal/cli"
	"verbatim/internal/durable"
	"verbatim/review"
	"verbatim/review/terminal"
	"verbatim/workspace"
)

func reviewCommand() *cobra.Command {
	var o workspace.ReviewOptions
	var only, selection string
	var filter review.Filter
	var plain bool
	cmd := newCommand("review", cobra.MaximumNArgs(1), func(ctx context.Context, c *console, args []string) error {
		folder, err := reviewFolder(slices.Concat(args, []string{"."})[0], &only, &o.Texts)
		if err != nil {
			return err
		}
		if only != "" {
			o.Books = []string{only}
		}
		if filter.State, err = selectionOf(selection); err != nil {
			return err
		}
		o.All = filter != (review.Filter{})
		if err := checkTexts(o.Texts); err != nil {
			return err
		}
		settings, err := newMakeRun(c, folder.Dir(), false, nil, nil)
		if err != nil {
			return err
		}
		o.Goal, o.Reviewer, o.Categories = settings.goal, settings.reviewer, settings.o.Categories
		run := &reviewRun{makeRun: settings, what: &o}
		run.only = filter
		if run.space, err = run.in(ctx, folder); err != nil {
			return err
		}
		run.space.LateModels = run.lateModels
		if run.plain = plain; !plain && !c.interactive() {
			return errors.New("not running in a terminal; with --plain each line of input is one command")
		}
		return run.folder(ctx)
	})
	cmd.Flags().StringVar(&o.Texts, "texts", "", "the folder with the texts (default: beside the working folder)")
	cmd.Flags().StringVar(&only, "book", "", "only this book, by its barcode")
	cmd.Flags().BoolVar(&o.Decided, "decided", false, "show the drafts with a decision; a new decision replaces the old one")
	cmd.Flags().StringVar(&selection, "only", "", "only these drafts: waiting, flagged, disputed, accepted, rejected or noted")
	cmd.Flags().StringVar(&filter.Text, "search", "", "only drafts with these words in passage, answers or notes")
	cmd.Flags().StringVar(&filter.Reviewer, "by", "", "only drafts about which this reviewer decided or noted something")
	addReviewFlags(cmd, &plain)
	return cmd
}

// reviewFolder is the working folder that a person means by a folder or by the
// text of a book, which is then the only one.
func reviewFolder(name string, only, texts *string) (*workspace.Folder, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil && strings.HasSuffix(name, ".txt"):
		return nil, durable.CannotRead(err)
	case err != nil || info.IsDir():
		return workspace.FindFolder(name)
	}
	if *only != "" && *only != workspace.Barcode(name) {
		return nil, fmt.Errorf("--book %s and the book %s are two books; name one of them", *only, name)
	}
	*only = workspace.Barcode(name)
	if *texts == "" {
		*texts = filepath.Dir(name)
	}
	return workspace.FindFolder(filepath.Dir(name))
}

func selectionOf(word string) (review.Selection, error) {
	if word == "noted" {
		return review.OnlyNoted, nil
	}
	if s := review.Selection(word); slices.Contains(review.Selections, s) {
		return s, nil
	}
	return "", fmt.Errorf("--only %s: choose one of waiting, flagged, disputed, accepted, rejected, noted", word)
}

// lateModels connects language models when a reviewer asks for one: until then
// a review needs none.
func (run *reviewRun) lateModels(ctx context.Context) (*workspace.Models, error) {
	quiet := *run.c
	quiet.messages = io.Discard // the screen says that there is none
	l, err := openLanguage(ctx, &quiet, run.space.Settings)
	if err != nil {
		return nil, err
	}
	return l.forWorkspace()
}

// A reviewRun is one call of review.
type reviewRun struct {
	*makeRun
	space *space
	what  *workspace.ReviewOptions
}

func (run *reviewRun) folder(ctx context.Context) error {
	dir := run.space.Dir()
	if len(run.what.Books) > 0 {
		there, err := run.space.Books()
		if err != nil {
			return err
		}
		if only := run.what.Books[0]; !slices.Contains(there, only) {
			return fmt.Errorf("--book %s: no such book in %s; the books are %v", only, dir, there)
		}
	}
	books, err := run.space.Review(*run.what)
	if err != nil {
		return err
	}
	defer books.Close()
	if books.Waiting == 0 {
		return run.nothingWaits()
	}
	if run.only != (review.Filter{}) && len(run.listed(books.Entries)) == 0 {
		fmt.Fprintf(run.c.messages, "No draft is like this: %s.\n", run.only)
		return nil
	}
	finished, err := run.session(ctx, books.Entries, run.what.Decided, books.Opened)
	opened := books.Opened()
	if len(opened) == 0 {
		return errors.Join(err, fmt.Errorf("no book in %s could be opened for review", dir))
	}
	run.sum = newSummary(run.c, run.goal, books.Waiting)
	for _, b := range opened {
		run.sum.add(b)
	}
	run.sum.table()
	run.after(opened, finished && !run.what.Decided && len(run.what.Categories) == 0)
	if err != nil {
		return stopped(ctx, run.c, err)
	}
	if bad := books.Failed(); finished && bad > 0 {
		return &CheckFailed{fmt.Sprintf("%d of %s could not be opened (see above)", bad, count(books.Waiting, "book"))}
	}
	return nil
}

// listed are the drafts that --only, --by and --search take.
func (run *reviewRun) listed(entries []review.Entry) []review.Row {
	look := &review.Session{Entries: entries, Goal: run.goal}
	look.Start()
	return look.List(run.only)
}

// nothingWaits says that no draft waits, and what to type instead.
func (run *reviewRun) nothingWaits() error {
	what := run.space.Dir()
	words := []string{"verbatim", "review"}
	if len(run.what.Books) > 0 {
		what = run.what.Books[0]
		words = append(words, "--book", what)
	}
	if run.what.Texts != "" {
		words = append(words, "--texts", run.what.Texts)
	}
	dir := run.space.Dir()
	if run.what.Decided {
		fmt.Fprintf(run.c.messages, "No draft in %s has a decision yet. To review drafts, type:\n  %s\n", what, cli.Line(append(words, dir)...))
		return nil
	}
	fmt.Fprintf(run.c.messages, "No draft in %s waits for review. To look at your decisions again, or to see what is next, type:\n  %s\n  %s\n",
		what, cli.Line(append(words, "--decided", dir)...), cli.Line("verbatim", "status", dir))
	return nil
}

// after says what to do next.
func (run *reviewRun) after(opened []*workspace.Book, finished bool) {
	run.sum.sayNotes()
	if !finished {
		fmt.Fprintf(run.c.messages, "To resume, type:\n  %s\n", run.c.typed)
		return
	}
	for _, b := range opened {
		counts := review.Count(b.Log(), b.AllDrafts(), b.Lost(), run.goal)
		waiting := false
		for _, category := range b.Reviewed {
			switch n := counts.Of(category); {
			case n.Accepted >= run.goal:
			case n.Begun > 0:
				waiting = true
			default:
				fmt.Fprintf(run.c.messages, "%s has no more drafts of %s; to make more, type:\n  %s\n", b.Barcode, category, againCommand(b, category))
			}
		}
		if waiting {
			fmt.Fprintf(run.c.messages, "%s: some accepted passages have no wrong answers yet; to make them, type:\n  %s\n", b.Barcode, againCommand(b, ""))
		}
	}
	if line := leakLine(run.space.Folder); line != "" {
		fmt.Fprintln(run.c.messages, line)
	}
	if len(run.sum.questions) > 0 {
		fmt.Fprintf(run.c.messages, "To verify the questions, type:\n  %s\n", cli.Line("verbatim", "verify", filepath.Dir(run.sum.questions[0])))
	}
}

// live shows the drafts of one book as they are drawn; no wrong answer is
// computed before its passage is accepted.
func (run *makeRun) live(ctx context.Context, b *workspace.Book) (finished bool, err error) {
	book, err := b.Live(ctx, &run.o, run.quick)
	if err != nil {
		return false, err
	}
	finished, err = run.session(ctx, []review.Entry{{Barcode: b.Barcode, Book: book}}, false, func() []*workspace.Book { return []*workspace.Book{b} })
	return finished, errors.Join(err, b.EndLive(&run.o))
}

// modelHelp is how to set up a language model for a reviewer who asks for one.
const modelHelp = "start Ollama (ollama serve) and it is found, or write the address of a server into settings.txt in the working folder, for example `server: http://localhost:11434`"

// session runs the review session; finished says that nothing is left to show.
func (run *makeRun) session(ctx context.Context, entries []review.Entry, decided bool, books func() []*workspace.Book) (finished bool, err error) {
	run.bar.Clear()
	s := &review.Session{Entries: entries, Reviewer: run.reviewer, Goal: run.goal, Decided: decided,
		Only: run.only, ModelHelp: modelHelp,
		HelpNote: "Are title, author or year wrong? Quit and type: verbatim describe --edit BOOK.txt"}
	s.More = func(barcode, category string) string {
		for _, b := range books() {
			if b.Barcode == barcode {
				return againCommand(b, category)
			}
		}
		return ""
	}
	if run.plain || os.Getenv("TERM") == "dumb" {
		err = terminal.Plain(ctx, s, cli.Interruptible(ctx, run.c.in), run.c.out)
	} else {
		in, _ := run.c.in.(*os.File)
		err = terminal.Run(ctx, s, in, run.c.screen)
	}
	if len(s.Unsaved()) > 0 {
		fmt.Fprintln(run.c.messages, "What you typed and did not save is kept. It is there when you open the same field again.")
	}
	for _, problem := range s.Problems() {
		run.c.warn(problem)
	}
	return s.Item() == nil && err == nil, err
}
