package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"verbatim/cloze"
	"verbatim/internal/cli"
	"verbatim/review"
	"verbatim/workspace"
)

// A summary is what make and review print at the end.
type summary struct {
	c         *console
	goal      int
	dir       string // --dir
	asked     int    // books that the command was given
	books     int    // books that were done
	failed    []error
	unknown   []string // paths of books without metadata
	unlisted  bool     // a catalogue was given, and one of them is not in it
	notes     []string
	folders   map[string]*review.Tally
	spaces    map[string]*workspace.Workspace
	questions []string // files
	total     review.Counts
	onDisk    int            // drafts in files
	missing   map[string]int // wrong answers that could not be made, by type
	why       map[string]string
}

func newSummary(c *console, goal, asked int) *summary {
	return &summary{c: c, goal: goal, asked: asked, folders: map[string]*review.Tally{}, spaces: map[string]*workspace.Workspace{},
		total: review.Counts{}, missing: map[string]int{}, why: map[string]string{}}
}

// fail reports a book at once; the end counts it. The error of a single book is
// that of the command.
func (s *summary) fail(err error) {
	s.failed = append(s.failed, err)
	text := s.c.has.plainly(err)
	if unknown, is := errors.AsType[*workspace.NotDescribedError](err); is {
		s.unknown = append(s.unknown, unknown.Path)
		s.unlisted = s.unlisted || unknown.Unlisted != nil
		text = unknown.Error()
	}
	if s.asked > 1 {
		s.c.warn(text)
	}
}

// add takes in one finished book.
func (s *summary) add(b *workspace.Book) {
	s.books++
	dir := b.Workspace().Dir()
	if s.folders[dir] == nil {
		s.folders[dir], s.spaces[dir] = &review.Tally{}, b.Workspace()
	}
	counts := review.Count(b.Log(), b.AllDrafts(), b.Lost(), s.goal)
	for _, c := range cloze.Categories {
		counts.Of(c.Name).Candidates = len(b.Cloze().Candidates[c.Name])
		s.total.Of(c.Name).Add(*counts.Of(c.Name))
	}
	s.folders[dir].Add(counts.Sum())
	s.onDisk += len(b.AllDrafts())
	if counts.Sum().Accepted > 0 {
		s.questions = append(s.questions, b.File(workspace.Questions))
	}
	for _, d := range b.AllDrafts() {
		for _, f := range d.Failed {
			s.missing[f.Type]++
			s.why[f.Type] = f.Why
		}
	}
	for standing := range b.Log().Standings() {
		if standing.Disputed {
			s.notes = append(s.notes, fmt.Sprintf("%s: two people disagree about a draft of %s; review shows it first", b.Barcode, standing.Category))
		}
	}
	for _, note := range b.Notes {
		s.notes = append(s.notes, b.Barcode+": "+s.c.has.plainly(note))
	}
}

// end prints the table, what failed and why, and what to type next.
func (s *summary) end() error {
	if s.books > 0 {
		s.table()
	}
	s.sayNotes()
	for _, kind := range slices.Sorted(maps.Keys(s.missing)) {
		fmt.Fprintf(s.c.messages, "%s of type %s could not be made (the last: %s)\n", count(s.missing[kind], "wrong answer"), kind, s.why[kind])
	}
	for _, dir := range slices.Sorted(maps.Keys(s.folders)) {
		s.next(dir, s.folders[dir])
	}
	return s.verdict()
}

func (s *summary) sayNotes() {
	for _, note := range s.notes {
		fmt.Fprintln(s.c.messages, note)
	}
}

// next says what to do with the books of a folder.
func (s *summary) next(dir string, t *review.Tally) {
	switch {
	case t.Waiting+t.Disputed > 0:
		fmt.Fprintf(s.c.messages, "Next, review the drafts:\n  %s\n", s.reviewCommand(dir))
	case t.Accepted > 0:
		fmt.Fprintf(s.c.messages, "No drafts wait for review. To verify the questions, type:\n  %s\n", cli.Line("verbatim", "verify", dir))
	}
}

// reviewCommand repeats --per-category if it was given.
func (s *summary) reviewCommand(dir string) string {
	words := []string{"verbatim", "review"}
	if _, set := s.c.flags["per-category"]; set {
		alone := *s.spaces[dir].Settings
		alone.Override = nil
		if usual, err := alone.Goal(); err == nil && usual != s.goal {
			words = append(words, "--per-category", fmt.Sprint(s.goal))
		}
	}
	return cli.Line(append(words, dir)...)
}

// verdict is the error of the whole run.
func (s *summary) verdict() error {
	switch {
	case len(s.unknown) == 0 || s.asked == 1:
	case s.unlisted:
		fmt.Fprintf(s.c.messages, "%s without metadata. Correct the list, or answer in a terminal:\n  %s\n", count(len(s.unknown), "book"), s.describeCommand())
	default:
		fmt.Fprintf(s.c.messages, "%s without metadata. Take them from a library's list, or answer in a terminal:\n  %s\n  %s\n",
			count(len(s.unknown), "book"), s.describeCommand("--catalogue", "LIST.csv"), s.describeCommand())
	}
	switch {
	case len(s.failed) == 0:
		return nil
	case s.books == 0:
		return noneDone(s.failed, "drafted")
	default:
		return &CheckFailed{fmt.Sprintf("%d of %d books failed; the others are done:\n  %s", len(s.failed), s.asked, firstLines(s.failed))}
	}
}

func (s *summary) describeCommand(flags ...string) string {
	words := append([]string{"verbatim", "describe"}, flags...)
	if s.dir != "" {
		words = append(words, "--dir", s.dir)
	}
	return cli.Line(append(words, s.unknown...)...)
}

// noneDone is the error of a command that did nothing: it could not run, unless
// every book was read and failed a check.
func noneDone(failed []error, what string) error {
	if len(failed) == 1 {
		return failed[0]
	}
	text := fmt.Sprintf("none of the %d books was %s (see above)", len(failed), what)
	for _, err := range failed {
		if !isCheck(err) {
			return errors.New(text)
		}
	}
	return &CheckFailed{text}
}

func firstLines(errs []error) string {
	var lines []string
	for _, err := range errs {
		first, _, _ := strings.Cut(plainly(err), "\n")
		lines = append(lines, first)
	}
	return strings.Join(lines, "\n  ")
}

// table prints the numbers. A session that draws drafts one by one has none on
// the disk to count.
func (s *summary) table() {
	all := s.total.Sum()
	line := func(name string, candidates, accepted, rejected, drafts, waiting, spare any) {
		fmt.Fprintf(s.c.out, "%-18s %10v %9v %8v", name, candidates, accepted, rejected)
		if s.onDisk > 0 {
			fmt.Fprintf(s.c.out, " %7v %8v %6v", drafts, waiting, spare)
		}
		fmt.Fprintln(s.c.out)
	}
	line(count(s.books, "book"), "candidates", "accepted", "rejected", "drafts", "waiting", "spare")
	for _, c := range cloze.Categories {
		t := s.total.Of(c.Name)
		line(c.Name, t.Candidates, t.Accepted, t.Rejected, t.Drafts, t.Waiting, t.Spare)
	}
	line("all", all.Candidates, all.Accepted, all.Rejected, all.Drafts, all.Waiting, all.Spare)
}
