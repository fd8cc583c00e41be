package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/book"
	"verbatim/cloze"
	"verbatim/folder"
	"verbatim/review"
)

func statusCommand() *cobra.Command {
	run := &statusRun{}
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "status [FOLDER]",
		Short: "Say how far each book is, what is stale, and what to type next",
		Long: `Say of each book in a working folder how far it is: what is known of it, whether
its files were made from the book, the cards and the settings as they are now,
what waits for review, how many questions are accepted, and what to type next.
It changes nothing.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			dir := "."
			if len(args) == 1 {
				dir = args[0]
			}
			if run.files, err = folder.Find(dir); err != nil {
				return err
			}
			if err := errors.Join(checkTexts(run.texts), takeSettings(cmd, run.files.Dir())); err != nil {
				return err
			}
			if run.goal < 1 {
				return errors.New("per-category must be at least 1")
			}
			run.cmd = cmd
			all, err := run.books()
			if err != nil {
				return err
			}
			if asJSON {
				return verbatim.Write(cmd.OutOrStdout(), func(yield func(*bookStatus, error) bool) {
					for _, s := range all {
						if !yield(s, nil) {
							return
						}
					}
				})
			}
			return printStatus(cmd.OutOrStdout(), run.files, all)
		},
	}
	cmd.Flags().StringVar(&run.texts, "books", "", "the folder in which the texts lie (default: beside the working folder)")
	cmd.Flags().IntVar(&run.goal, "per-category", 1, "accepted questions that are wanted per category and book")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one object for each book")
	return cmd
}

// A statusRun is one call of status.
type statusRun struct {
	cmd    *cobra.Command
	files  *folder.Folder
	texts  string // --books
	goal   int
	tagger *tagger
}

// bookStatus is what status says of one book.
type bookStatus struct {
	Book      string         `json:"book"`
	Stage     string         `json:"stage"`
	Stale     []string       `json:"stale"`
	Changed   []string       `json:"changed"` // files that a person changed
	Trouble   []string       `json:"trouble"`
	Again     []string       `json:"again"` // accepted questions that the book no longer bears out
	Accepted  map[string]int `json:"accepted"`
	Refused   int            `json:"refused"`
	Waiting   int            `json:"waiting"`
	Spare     int            `json:"spare"`
	Disputed  int            `json:"disputed"`
	Questions int            `json:"questions"`
	Next      string         `json:"next"`

	unmade int
	forced bool // only --force makes the drafts anew
}

// books looks at every book; those that nobody has begun come last.
func (run *statusRun) books() ([]*bookStatus, error) {
	barcodes, err := run.files.Books()
	if err != nil {
		return nil, err
	}
	if run.tagger, err = newTagger(filepath.Join(run.files.Dir(), "rules")); err != nil {
		return nil, err
	}
	var all []*bookStatus
	for _, barcode := range barcodes {
		all = append(all, run.book(barcode))
	}
	for _, path := range run.untouched(barcodes) {
		s := newBookStatus(barcode(path))
		about, err := whatIsKnown(run.files, &book.Catalogue{}, s.Book)
		switch {
		case err != nil:
			s.trouble(err)
			s.Stage, s.Next = "in trouble", "see above"
		case about.saved && len(about.Missing()) == 0:
			s.Stage, s.Next = "not drafted", remakeCommand(run.files, s.Book, path)
		default:
			s.Stage, s.Next = "not begun", describeIt(run.files, path)
		}
		all = append(all, s)
	}
	return all, nil
}

// untouched are texts beside the folder of which nothing has been made yet.
func (run *statusRun) untouched(known []string) []string {
	dir := filepath.Join(run.files.Dir(), "..")
	if run.texts != "" {
		dir = run.texts
	}
	entries, _ := os.ReadDir(dir) // a folder that may not be read holds no text for us
	var paths []string
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		info, err := os.Stat(path)
		if err == nil && info.Mode().IsRegular() && strings.EqualFold(filepath.Ext(path), ".txt") && !slices.Contains(known, barcode(path)) {
			paths = append(paths, path)
		}
	}
	return paths
}

func newBookStatus(barcode string) *bookStatus {
	return &bookStatus{Book: barcode, Stale: []string{}, Changed: []string{}, Trouble: []string{}, Again: []string{}, Accepted: map[string]int{}}
}

func (s *bookStatus) trouble(err error) {
	if err != nil {
		s.Trouble = append(s.Trouble, err.Error())
	}
}

// book looks at the files of one book.
func (run *statusRun) book(barcode string) *bookStatus {
	s := newBookStatus(barcode)
	w := &workbook{cmd: run.cmd, files: run.files, barcode: barcode, tagger: run.tagger, log: review.NewLog()}
	var err error
	if w.path, err = run.files.Text(barcode, given(run.texts)...); err == nil {
		w.doc, err = openDocument(w.path, nil)
	}
	s.trouble(err)
	log, problems, err := loadDecisions(run.files.Path(barcode, folder.Decisions))
	s.trouble(errors.Join(append(problems, err)...))
	if log != nil {
		w.log = log
	}
	w.drafts, err = readDrafts(run.files.Path(barcode, folder.Drafts))
	s.trouble(err)
	w.about, err = whatIsKnown(run.files, &book.Catalogue{}, barcode)
	s.trouble(err)
	var again *remake
	if w.path != "" {
		again, err = remakeOf(run.files, barcode, w.path)
		s.trouble(err)
	}
	lost := map[string]bool{}
	if len(s.Trouble) == 0 {
		s.stale(w, again)
		lost = s.lost(w)
	}
	s.count(review.Count(w.log, w.drafts, lost, run.goal))
	s.Questions = countLines(run.files.Path(barcode, folder.Questions))
	run.next(s, w, again)
	return s
}

func (s *bookStatus) count(by review.Counts) {
	for category, t := range by {
		if t.Accepted > 0 {
			s.Accepted[category] = t.Accepted
		}
	}
	all := by.Sum()
	s.Refused, s.Waiting, s.Spare, s.Disputed, s.unmade = all.Rejected, all.Waiting, all.Spare, all.Disputed, all.Unmade
}

// lost are accepted questions that the book no longer bears out: they are asked
// again.
func (s *bookStatus) lost(w *workbook) map[string]bool {
	lost := map[string]bool{}
	sound := true
	for standing := range w.log.Standings() {
		if q := standing.Question; standing.Verdict == review.Accepted && q != nil {
			for _, claim := range q.Claims() {
				err := claim.Selector.Prove(w.doc, claim.Text)
				sound = sound && (err == nil || errors.Is(err, verbatim.ErrAbsent))
			}
		}
	}
	if sound {
		return lost // nothing has moved, and the book need not be read
	}
	if err := w.read(0); err != nil {
		s.trouble(err)
		return lost
	}
	_, gone := w.questions()
	for _, q := range gone {
		lost[q.draft] = true
		s.Again = append(s.Again, q.err.Error())
	}
	return lost
}

// stale names the files that were made from something else than is there now,
// and those that a person has changed.
func (s *bookStatus) stale(w *workbook, again *remake) {
	tagged := w.tagger.sources(w.doc)
	drafts := w.draftSources(&again.makeOptions, scorerHash(again.settings))
	if recorded(w.files, w.barcode, folder.Drafts, "frame or prompt") != "" {
		drafts["frame or prompt"] = writtenFrom(w.files.Dir(), w.about.Frame())
	}
	var anew []string // changed by hand, and only written over by force
	for _, f := range []struct {
		name string
		from folder.Sources
	}{{folder.Tagged, tagged}, {folder.Drafts, drafts}, {folder.Questions, w.questionSources()}} {
		state, why, err := w.files.State(s.Book, f.name, f.from)
		switch {
		case err != nil:
			s.trouble(err)
		case state == folder.Stale:
			s.Stale = append(s.Stale, fmt.Sprintf("%s (%s)", f.name, why))
		case state == folder.Changed && f.name == folder.Tagged:
			s.Changed = append(s.Changed, fmt.Sprintf("%s (%s); it is taken as it is", f.name, why))
		case state == folder.Changed:
			s.Changed = append(s.Changed, fmt.Sprintf("%s (%s); it is left as it is", f.name, why))
			anew = append(anew, f.name)
			s.forced = s.forced || f.name == folder.Drafts
		}
	}
	if len(anew) > 0 {
		s.Changed = append(s.Changed, fmt.Sprintf("to make %s anew, move it away or type: %s",
			strings.Join(anew, " and "), remakeCommand(w.files, w.barcode, w.path, "--force")))
	}
}

// recorded is what made.json says of one source of a file.
func recorded(files *folder.Folder, barcode, file, source string) string {
	data, err := os.ReadFile(files.Path(barcode, "made.json"))
	if err != nil {
		return ""
	}
	var entries map[string]struct {
		From map[string]string `json:"from"`
	}
	if json.Unmarshal(data, &entries) != nil {
		return ""
	}
	return entries[file].From[source]
}

func countLines(path string) int {
	data, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	return strings.Count(string(data), "\n")
}

// next decides on the stage and on what to type.
func (run *statusRun) next(s *bookStatus, w *workbook, again *remake) {
	switch {
	case len(s.Trouble) > 0:
		s.Stage, s.Next = "in trouble", "see above"
	case len(w.about.Missing()) > 0:
		s.Stage, s.Next = "not described", describeIt(run.files, w.path)
	case len(s.Stale) > 0 && s.forced:
		s.Stage, s.Next = "stale", remakeCommand(run.files, s.Book, w.path, "--force")
	case len(s.Stale) > 0:
		s.Stage, s.Next = "stale", again.command()
	case s.Disputed > 0:
		s.Stage, s.Next = "disputed", run.command("review", run.files.Dir())
	case len(w.drafts) == 0 && w.log.Len() == 0:
		s.Stage, s.Next = "not drafted", again.command()
	case len(w.drafts) == 0 && run.unfinished(s, again):
		s.Stage, s.Next = "being made", shellLine(append(append([]string{"verbatim", "make"}, dirFlag(run.files, w.path)...), relative(w.path))...)
	case s.Waiting > 0 || len(s.Again) > 0:
		s.Stage, s.Next = "waiting for review", run.command("review", "--book", s.Book, run.files.Dir())
	case s.unmade > 0:
		s.Stage, s.Next = "waiting for answers", again.command()
	case s.Questions == 0:
		s.Stage, s.Next = "reviewed", remakeCommand(run.files, s.Book, w.path, fmt.Sprintf("--candidates=%d", again.candidates+7))
	default:
		s.Stage, s.Next = "reviewed", run.command("verify", run.files.Path(s.Book, folder.Questions))
	}
}

// unfinished says of a book that is made at the terminal, without drafts on the
// disk, whether a category may still get its question.
func (run *statusRun) unfinished(s *bookStatus, again *remake) bool {
	counts, err := countFile(run.files.Path(s.Book, folder.Tagged))
	if err != nil {
		return false
	}
	for n, name := range tagNames {
		tags := counts.tags[0][n] + counts.tags[1][n]
		if tags >= again.minExamples && again.wants(name) && s.Accepted[name] < run.goal {
			return true
		}
	}
	return false
}

// command is what to type, with where the texts lie and how many questions are
// wanted, where status was told so.
func (run *statusRun) command(name string, rest ...string) string {
	words := []string{"verbatim", name}
	if run.texts != "" {
		words = append(words, "--books", run.texts)
	}
	if name == "review" && run.cmd.Flags().Changed("per-category") {
		words = append(words, "--per-category", fmt.Sprint(run.goal))
	}
	return shellLine(append(words, rest...)...)
}

var stages = []string{"in trouble", "not described", "stale", "not drafted", "being made", "disputed", "waiting for answers", "waiting for review", "reviewed", "not begun"}

func printStatus(out io.Writer, files *folder.Folder, all []*bookStatus) error {
	var text strings.Builder
	reached := map[string]int{}
	total := map[string]int{}
	for _, s := range all {
		reached[s.Stage]++
		accepted := 0
		for category, n := range s.Accepted {
			accepted += n
			total[category] += n
		}
		if s.Stage == "not begun" {
			fmt.Fprintf(&text, "%-24s %s\n    next: %s\n", s.Book, s.Stage, s.Next)
			continue
		}
		fmt.Fprintf(&text, "%-24s %-19s %d accepted, %d refused, %d waiting\n", s.Book, s.Stage, accepted, s.Refused, s.Waiting)
		say := func(what string, lines []string) {
			for _, line := range lines {
				fmt.Fprintf(&text, "    %s: %s\n", what, line)
			}
		}
		say("stale", s.Stale)
		say("changed by hand", s.Changed)
		say("trouble", s.Trouble)
		say("accepted before, asked again", s.Again)
		if s.Disputed > 0 {
			fmt.Fprintf(&text, "    disputed: %s; review shows them first\n", count(s.Disputed, "draft"))
		}
		fmt.Fprintf(&text, "    next: %s\n", s.Next)
	}
	if len(all) == 0 {
		_, err := fmt.Fprintf(out, "There is no book in %s yet. To begin, type:\n  %s\n", files.Dir(),
			shellLine("verbatim", "make", "--batch", "--dir", files.Dir(), "BOOK.txt"))
		return err
	}
	fmt.Fprintf(&text, "\n%s in %s", count(len(all), "book"), files.Dir())
	for _, stage := range stages {
		if reached[stage] > 0 {
			fmt.Fprintf(&text, ", %d %s", reached[stage], stage)
		}
	}
	fmt.Fprintln(&text)
	for _, c := range cloze.Categories {
		fmt.Fprintf(&text, "  %-18s %d accepted\n", c.Name, total[c.Name])
	}
	_, err := io.WriteString(out, text.String())
	return err
}
