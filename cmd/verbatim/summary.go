package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"verbatim/cloze"
	"verbatim/folder"
	"verbatim/review"
)

// A summary says at the end of a run what a person would want to know.
type summary struct {
	out, words io.Writer
	o          *makeOptions
	asked      int // books that the command was given
	books      int // books that were done
	failed     []error
	unknown    []string // paths of books that nobody has described
	notes      []string
	folders    map[string]*review.Tally
	questions  []string // files
	total      review.Counts
	missing    map[string]int // wrong answers that could not be made, by type
	why        map[string]string
}

func newSummary(cmd *cobra.Command, o *makeOptions, asked int) *summary {
	return &summary{out: cmd.OutOrStdout(), words: cmd.ErrOrStderr(), o: o, asked: asked,
		folders: map[string]*review.Tally{}, total: review.Counts{}, missing: map[string]int{}, why: map[string]string{}}
}

// fail names a book that failed, at once; the end counts it. The error of a
// single book is that of the command.
func (s *summary) fail(err error) {
	s.failed = append(s.failed, err)
	if unknown := (*notDescribed)(nil); errors.As(err, &unknown) {
		s.unknown = append(s.unknown, unknown.path)
		err = errors.New(unknown.short())
	}
	if s.asked > 1 {
		fmt.Fprintln(s.words, "verbatim:", err)
	}
}

// add takes in one finished book.
func (s *summary) add(w *workbook) {
	s.books++
	dir := w.files.Dir()
	if s.folders[dir] == nil {
		s.folders[dir] = &review.Tally{}
	}
	book := review.Count(w.log, w.drafts, w.lost(), s.o.perCategory)
	for _, c := range cloze.Categories {
		book.Of(c.Name).Candidates = len(w.book.Candidates[c.Name])
		s.total.Of(c.Name).Add(*book[c.Name])
	}
	s.folders[dir].Add(book.Sum())
	if book.Sum().Accepted > 0 {
		s.questions = append(s.questions, w.files.Path(w.barcode, folder.Questions))
	}
	for _, d := range w.drafts {
		for _, f := range d.Failed {
			s.missing[f.Type]++
			s.why[f.Type] = f.Why
		}
	}
	for standing := range w.log.Standings() {
		if standing.Disputed {
			s.notes = append(s.notes, fmt.Sprintf("%s: two people disagree about a draft of %s; review shows it first", w.barcode, standing.Category))
		}
	}
	for _, note := range uniqueNotes(w.notes) {
		s.notes = append(s.notes, w.barcode+": "+note)
	}
}

// end prints the table, what failed and why, and what to type next.
func (s *summary) end() error {
	if s.books > 0 {
		s.table()
	}
	s.sayNotes()
	for _, kind := range slices.Sorted(maps.Keys(s.missing)) {
		fmt.Fprintf(s.words, "%s of type %s could not be made (the last: %s)\n", count(s.missing[kind], "wrong answer"), kind, s.why[kind])
	}
	for _, dir := range slices.Sorted(maps.Keys(s.folders)) {
		s.next(dir, s.folders[dir])
	}
	return s.verdict()
}

func (s *summary) sayNotes() {
	for _, note := range s.notes {
		fmt.Fprintln(s.words, note)
	}
}

// next says what to do with the books of a folder.
func (s *summary) next(dir string, t *review.Tally) {
	switch {
	case t.Waiting+t.Disputed > 0:
		fmt.Fprintf(s.words, "Next, look at the drafts:\n  %s\n", s.reviewCommand(dir))
	case t.Accepted > 0:
		fmt.Fprintf(s.words, "Nothing waits for review. To prove the questions, type:\n  %s\n", shellLine("verbatim", "verify", dir))
	}
}

// reviewCommand passes on how many questions are wanted, where a flag said so.
func (s *summary) reviewCommand(dir string) string {
	words := []string{"verbatim", "review"}
	usual := &makeOptions{}
	if err := takeSettings(makeCommandOf(usual), dir); err == nil && usual.perCategory != s.o.perCategory {
		words = append(words, "--per-category", fmt.Sprint(s.o.perCategory))
	}
	return shellLine(append(words, dir)...)
}

// verdict is the error of the whole run.
func (s *summary) verdict() error {
	if len(s.unknown) > 0 && s.asked > 1 {
		fmt.Fprintf(s.words, "%s not described yet. Take what is known from a library's list, or answer on a terminal:\n  %s\n  %s\n", are(len(s.unknown), "book", "books"),
			s.describeCommand("--catalogue", "LIST.csv"), s.describeCommand())
	}
	switch {
	case len(s.failed) == 0:
		return nil
	case s.books == 0:
		return noneDone(s.failed, "drafted")
	default:
		return &Wanting{fmt.Sprintf("%d of %d books failed; the others are done:\n  %s", len(s.failed), s.asked, firstLines(s.failed))}
	}
}

func (s *summary) describeCommand(flags ...string) string {
	words := append([]string{"verbatim", "describe"}, flags...)
	if s.o.dir != "" {
		words = append(words, "--dir", s.o.dir)
	}
	return shellLine(append(words, s.unknown...)...)
}

// noneDone is the error of a command that did nothing: it could not, unless
// every book was read and found wanting.
func noneDone(failed []error, what string) error {
	if len(failed) == 1 {
		return failed[0]
	}
	text := fmt.Sprintf("none of the %d books was %s (named above)", len(failed), what)
	for _, err := range failed {
		if wanting := (*Wanting)(nil); !errors.As(err, &wanting) {
			return errors.New(text)
		}
	}
	return &Wanting{text}
}

func firstLines(errs []error) string {
	var lines []string
	for _, err := range errs {
		first, _, _ := strings.Cut(err.Error(), "\n")
		lines = append(lines, first)
	}
	return strings.Join(lines, "\n  ")
}

// table prints the numbers. Where drafts are drawn while a person waits there
// are none on the disk, and nothing to say of them.
func (s *summary) table() {
	all := s.total.Sum()
	line := func(name string, candidates, accepted, refused, drafts, waiting, spare any) {
		fmt.Fprintf(s.out, "%-18s %10v %9v %8v", name, candidates, accepted, refused)
		if all.Drafts > 0 {
			fmt.Fprintf(s.out, " %7v %8v %6v", drafts, waiting, spare)
		}
		fmt.Fprintln(s.out)
	}
	line(count(s.books, "book"), "candidates", "accepted", "refused", "drafts", "waiting", "spare")
	for _, c := range cloze.Categories {
		t := s.total.Of(c.Name)
		line(c.Name, t.Candidates, t.Accepted, t.Rejected, t.Drafts, t.Waiting, t.Spare)
	}
	line("all", all.Candidates, all.Accepted, all.Rejected, all.Drafts, all.Waiting, all.Spare)
}
