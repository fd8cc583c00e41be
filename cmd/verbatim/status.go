package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
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
	var books string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "status [FOLDER]",
		Short: "Say how far each book is, what is stale, and what to type next",
		Long: `Say of each book in a working folder how far it is: what is known of it, whether
its files were made from the book and the cards as they are now, what waits for
review, how many questions are accepted, and what to type next. It changes
nothing.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := "."
			if len(args) == 1 {
				dir = args[0]
			}
			files, err := folder.Find(dir)
			if err != nil {
				return err
			}
			return status(cmd, files, books, asJSON)
		},
	}
	cmd.Flags().StringVar(&books, "books", "", "where the texts lie (default: beside the working folder)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one object for each book")
	return cmd
}

// bookStatus is what status says of one book.
type bookStatus struct {
	Book      string         `json:"book"`
	Stage     string         `json:"stage"`
	Stale     []string       `json:"stale"`
	Trouble   []string       `json:"trouble"`
	Again     []string       `json:"again"` // accepted questions that the book no longer bears out
	Accepted  map[string]int `json:"accepted"`
	Refused   int            `json:"refused"`
	Waiting   int            `json:"waiting"`
	Disputed  int            `json:"disputed"`
	Questions int            `json:"questions"`
	Next      string         `json:"next"`
}

func status(cmd *cobra.Command, files *folder.Folder, books string, asJSON bool) error {
	barcodes, err := files.Books()
	if err != nil {
		return err
	}
	barcodes = append(barcodes, untouched(files, books, barcodes)...)
	tagger, err := newTagger(filepath.Join(files.Dir(), "rules"))
	if err != nil {
		return err
	}
	var all []*bookStatus
	for _, barcode := range barcodes {
		all = append(all, statusOf(files, tagger, barcode, books))
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
	return printStatus(cmd.OutOrStdout(), files, all)
}

// untouched are texts beside the folder of which nothing has been made yet.
func untouched(files *folder.Folder, books string, known []string) []string {
	dir := filepath.Join(files.Dir(), "..")
	if books != "" {
		dir = books
	}
	var names []string
	found, _ := fs.Glob(os.DirFS(dir), "*.txt") // a folder's name may hold what a pattern means
	for _, path := range found {
		if b := barcode(path); !slices.Contains(known, b) {
			names = append(names, b)
		}
	}
	return names
}

// statusOf looks at the files of one book.
func statusOf(files *folder.Folder, tagger *tagger, barcode, books string) *bookStatus {
	s := &bookStatus{Book: barcode, Stale: []string{}, Trouble: []string{}, Again: []string{}, Accepted: map[string]int{}}
	trouble := func(err error) {
		if err != nil {
			s.Trouble = append(s.Trouble, err.Error())
		}
	}
	var elsewhere []string
	if books != "" {
		elsewhere = append(elsewhere, books)
	}
	path, err := files.Text(barcode, elsewhere...)
	trouble(err)
	var doc *verbatim.Document
	if err == nil {
		doc, err = openDocument(path, nil)
		trouble(err)
	}
	log, problems, err := loadDecisions(files.Path(barcode, folder.Decisions))
	trouble(errors.Join(append(problems, err)...))
	drafts, err := readDrafts(files.Path(barcode, folder.Drafts))
	trouble(err)
	if log == nil {
		log = review.NewLog()
	}
	s.count(log, drafts)
	about, err := whatIsKnown(files, &book.Catalogue{}, barcode)
	trouble(err)
	if doc != nil && about != nil && about.Metadata != nil {
		s.stale(files, tagger, doc, about, log)
		s.lost(tagger, doc, about, log, files)
	}
	s.Questions = countLines(files.Path(barcode, folder.Questions))
	s.next(files, path, about, len(drafts) > 0)
	return s
}

// count takes in the decisions and drafts.
func (s *bookStatus) count(log *review.Log, drafts []*cloze.Draft) {
	for standing := range log.Standings() {
		switch {
		case standing.Disputed:
			s.Disputed++
		case standing.Verdict == review.Accepted:
			s.Accepted[standing.Category]++
		case standing.Verdict == review.Refused:
			s.Refused++
		}
	}
	for _, d := range drafts {
		standing, decided := log.Of(d.ID)
		open := !decided || standing.Verdict == review.Open || standing.Verdict == review.Passage || standing.Verdict == review.Flagged
		if open && s.Accepted[d.Category] == 0 {
			s.Waiting++
		}
	}
}

// lost takes accepted questions that the book no longer bears out from the
// accepted ones: they are asked again.
func (s *bookStatus) lost(tagger *tagger, doc *verbatim.Document, about *known, log *review.Log, files *folder.Folder) {
	sound := true
	for standing := range log.Standings() {
		if q := standing.Question; standing.Verdict == review.Accepted && q != nil {
			for _, claim := range q.Claims() {
				err := claim.Selector.Prove(doc, claim.Text)
				sound = sound && (err == nil || errors.Is(err, verbatim.ErrAbsent))
			}
		}
	}
	if sound {
		return // nothing has moved, and the book need not be read
	}
	w := &workbook{doc: doc, about: about, log: log, files: files, barcode: s.Book, tagger: tagger}
	if err := w.read(0); err != nil {
		s.Trouble = append(s.Trouble, err.Error())
		return
	}
	_, lost := w.questions()
	for id, err := range lost {
		standing, _ := log.Of(id)
		s.Accepted[standing.Category]--
		s.Again = append(s.Again, err.Error())
	}
}

// stale names the files that were made from something else than is there now.
func (s *bookStatus) stale(files *folder.Folder, tagger *tagger, doc *verbatim.Document, about *known, log *review.Log) {
	tagged, _ := os.ReadFile(files.Path(s.Book, folder.Tagged))
	made := folder.Sources{"book": doc.SHA256, "cards": tagger.cards.Hash(), "program": version()}
	withTags := folder.Sources{"book": doc.SHA256, "cards": tagger.cards.Hash(), "program": version(), "tags": hashOf(tagged)}
	if frame := recorded(files, s.Book, folder.Drafts, "frame or prompt"); frame != "" {
		withTags["frame or prompt"] = writtenFrom(files.Dir(), about.Frame())
	}
	for _, f := range []struct {
		name string
		from folder.Sources
	}{{folder.Tagged, made}, {folder.Drafts, withTags},
		{folder.Questions, folder.Sources{"book": doc.SHA256, "metadata": about.hash(), "set of decisions": acceptances(log), "program": version()}}} {
		state, why, err := files.State(s.Book, f.name, f.from)
		switch {
		case err != nil:
			s.Trouble = append(s.Trouble, err.Error())
		case state == folder.Stale:
			s.Stale = append(s.Stale, fmt.Sprintf("%s (%s)", f.name, why))
		case state == folder.Changed:
			s.Stale = append(s.Stale, fmt.Sprintf("%s (%s; it is left as it is)", f.name, why))
		}
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
	if errors.Is(err, fs.ErrNotExist) || err != nil {
		return 0
	}
	return strings.Count(string(data), "\n")
}

// next decides on the stage and on what to type.
func (s *bookStatus) next(files *folder.Folder, path string, about *known, drafted bool) {
	accepted := 0
	for _, n := range s.Accepted {
		accepted += n
	}
	text := s.Book + ".txt"
	if path != "" {
		text = relative(path)
	}
	makeIt := "verbatim make --batch " + shellQuote(text)
	switch {
	case len(s.Trouble) > 0:
		s.Stage, s.Next = "in trouble", "see above"
	case about == nil || len(about.Missing()) > 0:
		s.Stage, s.Next = "not described", "verbatim describe "+shellQuote(text)
	case len(s.Stale) > 0:
		s.Stage, s.Next = "stale", makeIt
	case s.Disputed > 0:
		s.Stage, s.Next = "disputed", "verbatim review "+shellQuote(files.Dir())
	case !drafted && accepted == 0:
		s.Stage, s.Next = "not drafted", makeIt
	case s.Waiting > 0 || len(s.Again) > 0:
		s.Stage, s.Next = "waiting for review", "verbatim review --book "+shellQuote(s.Book)+" "+shellQuote(files.Dir())
	default:
		s.Stage, s.Next = "reviewed", "verbatim verify "+shellQuote(files.Path(s.Book, folder.Questions))
	}
}

func printStatus(out io.Writer, files *folder.Folder, all []*bookStatus) error {
	stages := map[string]int{}
	total := map[string]int{}
	for _, s := range all {
		stages[s.Stage]++
		accepted := 0
		for category, n := range s.Accepted {
			accepted += n
			total[category] += n
		}
		fmt.Fprintf(out, "%-28s %-19s %d accepted, %d refused, %d waiting\n", s.Book, s.Stage, accepted, s.Refused, s.Waiting)
		for _, why := range s.Stale {
			fmt.Fprintf(out, "    stale: %s\n", why)
		}
		for _, why := range s.Trouble {
			fmt.Fprintf(out, "    trouble: %s\n", why)
		}
		for _, why := range s.Again {
			fmt.Fprintf(out, "    accepted before, asked again: %s\n", why)
		}
		if s.Disputed > 0 {
			fmt.Fprintf(out, "    disputed: %s; review shows them first\n", count(s.Disputed, "draft"))
		}
		if s.Next != "" {
			fmt.Fprintf(out, "    next: %s\n", s.Next)
		}
	}
	fmt.Fprintf(out, "\n%s in %s", count(len(all), "book"), files.Dir())
	for _, stage := range []string{"not described", "not drafted", "stale", "disputed", "waiting for review", "reviewed", "in trouble"} {
		if stages[stage] > 0 {
			fmt.Fprintf(out, ", %d %s", stages[stage], stage)
		}
	}
	fmt.Fprintln(out)
	for _, c := range cloze.Categories {
		fmt.Fprintf(out, "  %-18s %d accepted\n", c.Name, total[c.Name])
	}
	return nil
}
