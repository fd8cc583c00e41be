package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/user"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/cloze"
	"verbatim/review"
	"verbatim/review/terminal"
)

// A bookUnderReview is what a review session sees of a workbook.
type bookUnderReview struct {
	*maker
	w          *workbook
	categories []string
	drafts     func(category string) []*cloze.Draft
	lost       map[string]bool
	drawn      bool // drafts are drawn while a person waits, and so are their wrong answers
}

func (m *maker) underReview(w *workbook, categories []string, drafts func(category string) []*cloze.Draft) *bookUnderReview {
	return &bookUnderReview{maker: m, w: w, categories: categories, drafts: drafts, lost: w.lost()}
}

func (b *bookUnderReview) Cloze() *cloze.Book                    { return b.w.book }
func (b *bookUnderReview) Frame() string                         { return b.w.about.Frame() }
func (b *bookUnderReview) Log() *review.Log                      { return b.w.log }
func (b *bookUnderReview) Append(d review.Decision) error        { return b.w.appendDecision(d) }
func (b *bookUnderReview) Save() error                           { return b.w.saveQuestions(false) }
func (b *bookUnderReview) Categories() []string                  { return b.categories }
func (b *bookUnderReview) Drafts(category string) []*cloze.Draft { return b.drafts(category) }
func (b *bookUnderReview) Lost() map[string]bool                 { return b.lost }

func (b *bookUnderReview) Question(category string, s review.State) (*verbatim.Question, error) {
	return b.w.question(category, s)
}

func (b *bookUnderReview) Confirm(ctx context.Context, d *cloze.Draft) (bool, error) {
	if !b.drawn {
		return true, nil
	}
	return b.w.check(ctx, d)
}

func (b *bookUnderReview) Distract(ctx context.Context, d *cloze.Draft) error {
	if !b.drawn {
		return review.ErrLater
	}
	return b.distract(ctx, b.w, d)
}

// Ahead asks language models about the first drafts of each category.
func (b *bookUnderReview) Ahead(ctx context.Context) {
	if b.drawn && b.w.checker != nil {
		b.w.askAhead(b.categories)(ctx)
	}
}

// moreDrafts is what to type for more drafts of a category.
func (w *workbook) moreDrafts(category string) string {
	return remakeCommand(w.files, w.barcode, w.path, "--categories="+category, fmt.Sprintf("--candidates=%d", 7+countDrafts(w, category)))
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
func (m *maker) distract(ctx context.Context, w *workbook, d *cloze.Draft) error {
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
	drafts := func(category string) []*cloze.Draft { // one session: its acts run one at a time
		if cache[category] == nil {
			cache[category] = append(instead[category], slices.Collect(w.book.Drafts(category))...)
		}
		return cache[category]
	}
	categories := w.enough(m.o)
	if w.checker != nil {
		slices.SortStableFunc(categories, func(a, b string) int { return m.needsModel(w, a) - m.needsModel(w, b) })
	}
	b := m.underReview(w, categories, drafts)
	b.drawn = true
	finished, _, err = m.review([]review.Entry{{Barcode: w.barcode, Book: b}}, false,
		func(_, category string) string { return w.moreDrafts(category) })
	return finished, err
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

// review runs a review session; finished means that nothing was left to show,
// failed is how many books did not open.
func (m *maker) review(entries []review.Entry, decided bool, more func(barcode, category string) string) (finished bool, failed int, err error) {
	s := &review.Session{Entries: entries, Reviewer: m.reviewer(), Goal: m.o.perCategory, Decided: decided,
		More:     more,
		HelpNote: "Title, author or year are wrong? Quit, and type: verbatim describe --edit BOOK.txt"}
	if m.o.plain || os.Getenv("TERM") == "dumb" {
		err = terminal.Plain(m.cmd.Context(), s, standardInput(m.cmd), m.cmd.OutOrStdout())
	} else {
		in, _ := m.cmd.InOrStdin().(*os.File)
		out, _ := m.cmd.OutOrStdout().(*os.File)
		err = terminal.Run(m.cmd.Context(), s, in, out)
	}
	for _, problem := range s.Problems() {
		fmt.Fprintln(m.cmd.ErrOrStderr(), "verbatim:", problem)
	}
	return s.Item() == nil && err == nil, len(s.Problems()), err
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
