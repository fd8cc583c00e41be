package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"verbatim/cloze"
	"verbatim/folder"
	"verbatim/review"
)

// reviewOptions are the flags of review.
type reviewOptions struct {
	makeOptions
	texts   string // --books
	only    string // --book
	decided bool
}

func reviewCommand() *cobra.Command {
	o := &reviewOptions{}
	cmd := &cobra.Command{
		Use:   "review [FOLDER]",
		Short: "Accept or refuse the drafts of a folder",
		Long: `Accept or refuse the drafts that "verbatim make --batch" has made: book by book,
in each the scarcest category first, and a category ends when its goal is
reached. What two people decided differently comes first. One key decides, saves
and goes on; ? shows the keys. Stop whenever you like: the same command goes on
where you were.

With --plain each line is one command, for screen readers and scripts.`,
		Example: `  verbatim review
  verbatim review --book HWWJNQ --categories causalclause
  verbatim review --decided --book HWWJNQ`,
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
			if err := errors.Join(checkTexts(o.texts), takeSettings(cmd, files.Dir())); err != nil {
				return err
			}
			o.distractors, o.candidates, o.minExamples = "all", 1, 1 // make's alone
			if err := o.check(); err != nil {
				return err
			}
			if !o.plain && !(isTerminal(cmd.InOrStdin()) && isTerminal(cmd.OutOrStdout())) {
				return errors.New("this is no terminal; with --plain each line that is read is one command")
			}
			return reviewFolder(cmd, files, o)
		},
	}
	cmd.Flags().StringVar(&o.texts, "books", "", "the folder in which the texts lie (default: beside the working folder)")
	cmd.Flags().StringVar(&o.only, "book", "", "only this book, by its barcode")
	cmd.Flags().BoolVar(&o.decided, "decided", false, "show what was decided; a new decision replaces the old one")
	addQuestionFlags(cmd, &o.makeOptions)
	return cmd
}

func reviewFolder(cmd *cobra.Command, files *folder.Folder, o *reviewOptions) error {
	barcodes, err := files.Books()
	if err != nil {
		return err
	}
	if o.only != "" {
		if !slices.Contains(barcodes, o.only) {
			return fmt.Errorf("--book %s: there is no such book in %s; there are %v", o.only, files.Dir(), barcodes)
		}
		barcodes = []string{o.only}
	}
	m, err := newMaker(cmd, &o.makeOptions)
	if err != nil {
		return err
	}
	open := map[string]*bookUnderReview{} // by barcode
	defer func() {
		for _, b := range open {
			_ = b.w.close()
		}
	}()
	entries, idle := m.toReview(files, barcodes, o)
	if len(entries) == 0 {
		return sayNothingWaits(cmd, files, o)
	}
	asked := len(entries)
	entries = append(entries, idle...)
	for i, e := range entries {
		entries[i].Open = func() (review.Book, error) {
			b, err := m.openForReview(files, e.Barcode, o.texts)
			if err != nil {
				return nil, err
			}
			open[e.Barcode] = b
			return b, nil
		}
	}
	finished, bad, err := m.review(entries, o.decided, func(barcode, category string) string {
		for _, b := range open { // the text's name may be spelled otherwise than the folder's
			if b.w.barcode == barcode {
				return b.w.moreDrafts(category)
			}
		}
		return ""
	})
	if len(open) == 0 {
		return errors.Join(err, fmt.Errorf("nothing in %s could be opened for review", files.Dir()))
	}
	sum := newSummary(cmd, &o.makeOptions, asked)
	for _, e := range entries {
		if b := open[e.Barcode]; b != nil {
			sum.add(b.w)
		}
	}
	sum.table()
	m.afterReview(sum, open, entries, finished && !o.decided && len(o.categories) == 0)
	if err != nil {
		return stopped(cmd, err)
	}
	if finished && bad > 0 {
		return &Wanting{fmt.Sprintf("%d of %s could not be opened (named above)", bad, count(asked, "book"))}
	}
	return nil
}

// sayNothingWaits says so, and what one might have meant.
func sayNothingWaits(cmd *cobra.Command, files *folder.Folder, o *reviewOptions) error {
	what := files.Dir()
	words := []string{"verbatim", "review"}
	if o.only != "" {
		what = o.only
		words = append(words, "--book", o.only)
	}
	if o.texts != "" {
		words = append(words, "--books", o.texts)
	}
	if o.decided {
		fmt.Fprintf(cmd.ErrOrStderr(), "Nothing in %s has been decided yet. To begin, type:\n  %s\n", what, shellLine(append(words, files.Dir())...))
		return nil
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "Nothing in %s waits for review. To look again at what was decided, and for what comes next, type:\n  %s\n  %s\n",
		what, shellLine(append(words, "--decided", files.Dir())...), shellLine("verbatim", "status", files.Dir()))
	return nil
}

// toReview are the books in which something is left to decide, those with
// disputes first; idle are the others, for who wants to undo there what was
// done another day. Only small files are read for it, not the books.
func (m *maker) toReview(files *folder.Folder, barcodes []string, o *reviewOptions) (entries, idle []review.Entry) {
	var others []review.Entry
	for _, barcode := range barcodes {
		log, _, err := loadDecisions(files.Path(barcode, folder.Decisions))
		if err != nil || log == nil {
			log = review.NewLog() // to open the book will say what is wrong
		}
		drafts, err := readDrafts(files.Path(barcode, folder.Drafts))
		waiting, disputed := 0, 0
		for category, t := range review.Count(log, drafts, nil, o.perCategory) {
			if o.wants(category) {
				waiting, disputed = waiting+t.Waiting+t.Unmade, disputed+t.Disputed
			}
		}
		entry := review.Entry{Barcode: barcode, Past: review.Past{Last: log.LastOf(m.reviewer()), Undone: log.LastUndone(m.reviewer())}}
		was := recorded(files, barcode, folder.Questions, "book")
		path, _ := files.Text(barcode, given(o.texts)...)
		switch {
		case disputed > 0:
			entries = append(entries, entry)
		case o.decided && log.Len() > 0, !o.decided && (waiting > 0 || err != nil || was != "" && path != "" && was != hashFileOf(path)):
			others = append(others, entry)
		case log.Len() > 0:
			entry.Idle = true
			idle = append(idle, entry)
		}
	}
	return append(entries, others...), idle
}

// openForReview opens a book that has drafts.
func (m *maker) openForReview(files *folder.Folder, barcode, texts string) (*bookUnderReview, error) {
	path, err := files.Text(barcode, given(texts)...)
	if err != nil {
		return nil, err
	}
	w, err := openWorkbook(m.cmd, files, path)
	if err != nil {
		return nil, err
	}
	b, err := m.withDrafts(w)
	if err != nil {
		return nil, errors.Join(err, w.close())
	}
	return b, nil
}

// withDrafts reads the drafts of a book for its review.
func (m *maker) withDrafts(w *workbook) (*bookUnderReview, error) {
	var err error
	if w.about, err = whatIsKnown(w.files, m.catalogue, w.barcode); err != nil {
		return nil, err
	}
	if w.about.Title == "" {
		return nil, fmt.Errorf("%s: it has no title yet; type: %s", w.barcode, describeIt(w.files, w.path))
	}
	if err := m.read(w); err != nil {
		return nil, err
	}
	if err := w.takeTags(); errors.Is(err, errStale) {
		w.note("%v", err) // the drafts are there and can be reviewed
	} else if err != nil {
		return nil, err
	}
	if w.drafts, err = readDrafts(w.files.Path(w.barcode, folder.Drafts)); err != nil {
		return nil, err
	}
	byCategory := map[string][]*cloze.Draft{}
	for _, d := range w.drafts {
		byCategory[d.Category] = append(byCategory[d.Category], d)
	}
	for s := range w.log.Standings() { // decisions outlive their drafts
		if byCategory[s.Category] == nil {
			byCategory[s.Category] = []*cloze.Draft{}
		}
	}
	categories := w.order(m.o, byCategory)
	return m.underReview(w, categories, func(category string) []*cloze.Draft { return byCategory[category] }), nil
}

// order puts the categories that have drafts or decisions into the order of
// the work: the scarcest first.
func (w *workbook) order(o *makeOptions, drafts map[string][]*cloze.Draft) []string {
	var names []string
	for _, c := range cloze.Categories {
		if _, there := drafts[c.Name]; there && o.wants(c.Name) {
			names = append(names, c.Name)
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return len(w.book.Candidates[a]) - len(w.book.Candidates[b]) })
	return names
}

// afterReview says what to do next.
func (m *maker) afterReview(sum *summary, open map[string]*bookUnderReview, entries []review.Entry, finished bool) {
	sum.sayNotes()
	if !finished {
		fmt.Fprintf(sum.words, "To go on, type:\n  %s\n", commandLine(m.cmd))
		return
	}
	for _, e := range entries {
		b := open[e.Barcode]
		if b == nil {
			continue
		}
		w, waiting := b.w, false
		counts := review.Count(w.log, nil, b.lost, m.o.perCategory)
		for _, category := range b.categories {
			t := counts.Of(category)
			if t.Accepted >= m.o.perCategory {
				continue
			}
			if t.Begun > 0 {
				waiting = true
				continue
			}
			fmt.Fprintf(sum.words, "%s has no draft of %s left; for more, type:\n  %s\n", w.barcode, category, w.moreDrafts(category))
		}
		if waiting {
			fmt.Fprintf(sum.words, "%s: accepted passages wait for their wrong answers; to make them, type:\n  %s\n", w.barcode, remakeCommand(w.files, w.barcode, w.path))
		}
	}
	if len(sum.questions) > 0 {
		fmt.Fprintf(sum.words, "To prove the questions, type:\n  %s\n", shellLine("verbatim", "verify", filepath.Dir(sum.questions[0])))
	}
}
