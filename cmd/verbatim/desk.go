package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"os/user"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"verbatim/cloze"
	"verbatim/review/terminal"
)

// desk makes of a book what the review interface works on.
func (m *maker) desk(w *workbook, categories []string, drafts func(category string) iter.Seq[*cloze.Draft]) *terminal.Work {
	return &terminal.Work{
		Book: w.book, Frame: w.about.Frame(), Log: w.log, Append: w.appendDecision,
		Drafts: drafts, Categories: categories, Gone: w.lost(),
		Question: w.question,
		Save:     func() error { return w.saveQuestions(false) },
		More: func(category string) string {
			return remakeCommand(w.files, w.barcode, w.path, "--categories="+category, fmt.Sprintf("--candidates=%d", 7+countDrafts(w, category)))
		},
	}
}

func countDrafts(w *workbook, category string) int {
	n := 0
	for _, d := range w.drafts {
		if d.Category == category {
			n++
		}
	}
	return n
}

// distract makes the wrong answers of one draft while its reviewer waits.
func (m *maker) distract(w *workbook) func(context.Context, *cloze.Draft) error {
	return func(ctx context.Context, d *cloze.Draft) error {
		g, err := m.generator(w)
		if err != nil {
			return err
		}
		sameBook, written := m.o.typeLists()
		taken := w.truths(d.ID)
		answers, err := g.Make(ctx, w.book.Request(d, w.about.Frame(), sameBook, taken))
		if err != nil {
			return err
		}
		w.book.TakeSameBook(d, answers)
		if w.chat != nil && len(written) > 0 {
			request := w.book.Request(d, w.about.Frame(), written, taken)
			request.Candidates, request.Chat = nil, w.chat
			if answers, err = g.Make(ctx, request); err != nil {
				return err
			}
			d.TakeWritten(answers)
		}
		d.Made = true
		return nil
	}
}

// makeTogether makes questions with a person: book by book, first what is known
// of it, then draft after draft.
func makeTogether(cmd *cobra.Command, paths []string, o *makeOptions) error {
	m, sum, jobs, err := begin(cmd, paths, o)
	if err != nil {
		return err
	}
	finished := true
	for _, job := range jobs {
		w, err := m.prepare(job.path)
		if err == nil && len(w.enough(o)) == 0 {
			err = errors.Join(m.errTooShort(w), w.close())
		}
		if err != nil {
			if cmd.Context().Err() != nil || fatal(err) {
				return stopped(cmd, err)
			}
			sum.fail(err)
			continue
		}
		finished, err = m.together(w)
		sum.add(w)
		if err := errors.Join(err, w.close()); err != nil {
			return stopped(cmd, err)
		}
		if !finished {
			break
		}
	}
	if sum.books > 0 {
		sum.table()
	}
	sum.sayNotes()
	m.modelSummaries()
	switch {
	case !finished:
		fmt.Fprintf(cmd.ErrOrStderr(), "To go on, type:\n  %s\n", commandLine(cmd))
	case len(sum.questions) > 0:
		fmt.Fprintf(cmd.ErrOrStderr(), "Nothing is left to decide. The questions are in\n  %s\nTo prove them, type:\n  %s\n",
			strings.Join(sum.questions, "\n  "), shellLine(append([]string{"verbatim", "verify"}, sum.questions...)...))
	case sum.books > 0:
		fmt.Fprintln(cmd.ErrOrStderr(), "Nothing is left to decide, and no question was accepted. To look again, type:\n  "+
			shellLine("verbatim", "review", "--decided", folderOf(o.dir, jobs[0].path)))
	}
	return sum.verdict()
}

// together shows the drafts of one book as they are drawn; no wrong answer is
// computed before its passage is accepted. Categories that need no language
// model come first, so that the first draft stands at once.
func (m *maker) together(w *workbook) (finished bool, err error) {
	if _, err := m.generator(w); err != nil {
		return false, err
	}
	cache := map[string][]*cloze.Draft{}
	instead := w.instead()
	drafts := func(category string) iter.Seq[*cloze.Draft] {
		if cache[category] == nil {
			cache[category] = append(instead[category], slices.Collect(w.book.Drafts(category))...)
		}
		return slices.Values(cache[category])
	}
	categories := w.enough(m.o)
	if w.checker != nil {
		slices.SortStableFunc(categories, func(a, b string) int { return m.needsModel(w, a) - m.needsModel(w, b) })
	}
	work := m.desk(w, categories, drafts)
	work.Check, work.Distract = w.check, m.distract(w)
	if w.checker != nil {
		work.Ahead = w.askAhead(categories)
	}
	return m.review([]*terminal.Work{work}, false)
}

// needsModel is 1 where the first draft of a category must be checked.
func (m *maker) needsModel(w *workbook, category string) int {
	for d := range w.book.Drafts(category) {
		if _, _, tag := w.book.Tagged(d); w.checker.Questions.Open(tag) {
			return 1
		}
		break
	}
	return 0
}

// review runs the interface; finished says that nothing was left to show.
func (m *maker) review(works []*terminal.Work, decided bool) (finished bool, err error) {
	s := &terminal.Session{Works: works, Reviewer: m.reviewer(), Goal: m.o.perCategory, Decided: decided}
	if m.o.plain || os.Getenv("TERM") == "dumb" {
		err = terminal.Plain(m.cmd.Context(), s, standardInput(m.cmd.Context(), consoleOf(m.cmd)), m.cmd.OutOrStdout())
	} else {
		in, _ := m.cmd.InOrStdin().(*os.File)
		out, _ := m.cmd.OutOrStdout().(*os.File)
		err = terminal.Run(m.cmd.Context(), s, in, out)
	}
	for _, problem := range s.Problems {
		fmt.Fprintln(m.cmd.ErrOrStderr(), "verbatim:", problem)
	}
	return s.Item == nil && err == nil, err
}

// reviewer is the name in the decisions.
func (m *maker) reviewer() string {
	if m.o.reviewer != "" {
		return m.o.reviewer
	}
	if u, err := user.Current(); err == nil {
		if name := strings.TrimSpace(u.Name); name != "" {
			return name
		}
		return u.Username
	}
	return "someone"
}
