package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/cloze"
	"verbatim/internal/cli"
	"verbatim/workspace"
)

func statusCommand() *cobra.Command {
	var texts string
	var asJSON bool
	cmd := newCommand("status", cobra.MaximumNArgs(1), func(ctx context.Context, c *console, args []string) error {
		folder, err := workspace.FindFolder(slices.Concat(args, []string{"."})[0])
		if err := errors.Join(err, checkTexts(texts)); err != nil {
			return err
		}
		space, err := newSpaces(c, false, nil).in(ctx, folder)
		if err != nil {
			return err
		}
		goal, err := space.Settings.Goal()
		if err != nil {
			return err
		}
		all, err := space.Status(texts, goal)
		if err != nil {
			return err
		}
		show := &statusPage{ws: space.Workspace, texts: texts, has: c.has}
		if _, set := c.flags["per-category"]; set {
			show.goal = goal
		}
		if asJSON {
			var records []*bookStatus
			for _, s := range all {
				records = append(records, show.record(s))
			}
			return verbatim.Write(c.data, verbatim.All(records))
		}
		_, err = fmt.Fprint(c.out, show.text(all))
		return err
	})
	cmd.Flags().StringVar(&texts, "texts", "", "the folder with the texts (default: beside the working folder)")
	cmd.Flags().Int("per-category", 1, "accepted questions wanted per category and book")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, one object per book")
	return cmd
}

// bookStatus is the status of one book in JSON.
type bookStatus struct {
	Book      string          `json:"book"`
	Stage     workspace.Stage `json:"stage"`
	OutOfDate []string        `json:"out_of_date"`
	Edited    []string        `json:"edited"` // files that a person edited
	Trouble   []string        `json:"trouble"`
	AskAgain  []string        `json:"ask_again"` // accepted questions that the book no longer supports
	Accepted  map[string]int  `json:"accepted"`
	Rejected  int             `json:"rejected"`
	Waiting   int             `json:"waiting"`
	Spare     int             `json:"spare"`
	Disputed  int             `json:"disputed"`
	Flagged   int             `json:"flagged"` // somebody wants to look again
	Questions int             `json:"questions"`
	Next      string          `json:"next"`
}

// A statusPage shows the books of a folder.
type statusPage struct {
	ws    *workspace.Workspace
	texts string // --texts
	goal  int    // --per-category; 0 if it was not given
	has   flags  // of status
}

func (p *statusPage) record(s *workspace.Status) *bookStatus {
	sum := s.Counts.Sum()
	r := &bookStatus{Book: s.Barcode, Stage: s.Stage, OutOfDate: append([]string{}, s.OutOfDate...), Edited: append([]string{}, s.Edited...),
		Trouble: p.has.plainList(s.Trouble), AskAgain: p.has.plainList(s.AskAgain), Accepted: map[string]int{},
		Rejected: sum.Rejected, Waiting: sum.Waiting, Spare: sum.Spare, Disputed: sum.Disputed, Flagged: sum.Flagged, Questions: s.Questions, Next: p.next(s)}
	for category, n := range s.Counts {
		if n.Accepted > 0 {
			r.Accepted[category] = n.Accepted
		}
	}
	if len(s.Forced) > 0 {
		r.Edited = append(r.Edited, fmt.Sprintf("to rebuild %s, move it away or type: %s",
			strings.Join(s.Forced, " and "), draftCommand(p.ws, s.Path, s.Options, "--force")))
	}
	return r
}

// plainList is never null in JSON.
func (has flags) plainList(errs []error) []string {
	texts := []string{}
	for _, err := range errs {
		texts = append(texts, has.plainly(err))
	}
	return texts
}

// next is what to type.
func (p *statusPage) next(s *workspace.Status) string {
	again := func(flags ...string) string { return draftCommand(p.ws, s.Path, s.Options, flags...) }
	switch s.Stage {
	case workspace.InTrouble:
		return "see above"
	case workspace.NotBegun, workspace.NotDescribed:
		return bookLine(p.ws.Dir(), s.Path, "describe")
	case workspace.StageOutOfDate:
		if slices.Contains(s.Forced, workspace.Drafts) {
			return again("--force")
		}
		return again()
	case workspace.NotDrafted, workspace.WaitingAnswers:
		return again()
	case workspace.BeingMade:
		return bookLine(p.ws.Dir(), s.Path, "make")
	case workspace.Disputed:
		return p.command("review", p.ws.Dir())
	case workspace.WaitingReview:
		return p.command("review", "--book", s.Barcode, p.ws.Dir())
	}
	if s.Questions == 0 || len(s.AskAgain) > 0 {
		more := s.Options
		more.Drafts += 7
		return draftCommand(p.ws, s.Path, more)
	}
	return p.command("verify", p.ws.Path(s.Barcode, workspace.Questions))
}

// command is what to type, with the --texts and --per-category of this command.
func (p *statusPage) command(name string, rest ...string) string {
	words := []string{"verbatim", name}
	if p.texts != "" {
		words = append(words, "--texts", p.texts)
	}
	if name == "review" && p.goal > 0 {
		words = append(words, "--per-category", fmt.Sprint(p.goal))
	}
	return cli.Line(append(words, rest...)...)
}

func (p *statusPage) text(all []*workspace.Status) string {
	if len(all) == 0 {
		return fmt.Sprintf("No books in %s yet. To begin, type:\n  %s\n", p.ws.Dir(),
			cli.Line("verbatim", "make", "--batch", "--dir", p.ws.Dir(), "BOOK.txt"))
	}
	var text strings.Builder
	reached := map[workspace.Stage]int{}
	total := map[string]int{}
	for _, s := range all {
		reached[s.Stage]++
		for category, n := range s.Counts {
			total[category] += n.Accepted
		}
		text.WriteString(p.book(s))
	}
	fmt.Fprintf(&text, "\n%s in %s", count(len(all), "book"), p.ws.Dir())
	for _, stage := range workspace.Stages {
		if reached[stage] > 0 {
			fmt.Fprintf(&text, ", %d %s", reached[stage], stage)
		}
	}
	fmt.Fprintln(&text)
	for _, c := range cloze.Categories {
		fmt.Fprintf(&text, "  %-18s %d accepted\n", c.Name, total[c.Name])
	}
	if line := leakLine(p.ws.Folder); line != "" {
		fmt.Fprintln(&text, line)
	}
	return text.String()
}

// book is the lines about one book.
func (p *statusPage) book(s *workspace.Status) string {
	var text strings.Builder
	r := p.record(s)
	if s.Stage == workspace.NotBegun {
		return fmt.Sprintf("%-24s %s\n    next: %s\n", r.Book, r.Stage, r.Next)
	}
	fmt.Fprintf(&text, "%-24s %-19s %d accepted, %d rejected, %d waiting\n", r.Book, r.Stage, s.Counts.Sum().Accepted, r.Rejected, r.Waiting)
	for _, part := range []struct {
		what  string
		lines []string
	}{{"out of date", r.OutOfDate}, {"edited", r.Edited}, {"trouble", r.Trouble}, {"accepted before, asked again", r.AskAgain}} {
		for _, line := range part.lines {
			fmt.Fprintf(&text, "    %s: %s\n", part.what, line)
		}
	}
	if r.Disputed > 0 {
		fmt.Fprintf(&text, "    disputed: %s; review shows them first\n", count(r.Disputed, "draft"))
	}
	if r.Flagged > 0 {
		fmt.Fprintf(&text, "    flagged: %s; to look at them, type: %s\n", count(r.Flagged, "draft"), p.command("review", "--only", "flagged", "--book", r.Book, p.ws.Dir()))
	}
	fmt.Fprintf(&text, "    next: %s\n", r.Next)
	return text.String()
}
