package main

import (
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/spf13/cobra"

	"verbatim/cloze"
	"verbatim/folder"
	"verbatim/review"
	"verbatim/review/terminal"
)

func reviewCommand() *cobra.Command {
	o := makeOptions{distractors: "all"}
	var books, book, category string
	var decided bool
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
  verbatim review --book HWWJNQ --category causalclause
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
			if err := takeSettings(cmd, files.Dir()); err != nil {
				return err
			}
			if category != "" {
				kind, known := cloze.CategoryOf(category)
				if !known {
					return fmt.Errorf("--category %s: there is no such category; there are %s", category, categoryNames())
				}
				category = kind.Name
			}
			if err := o.checkReview(); err != nil {
				return err
			}
			if !o.plain && !(isTerminal(cmd.InOrStdin()) && isTerminal(cmd.OutOrStdout())) {
				return errors.New("this is no terminal; with --plain each line that is read is one command")
			}
			return reviewFolder(cmd, files, &o, books, book, category, decided)
		},
	}
	cmd.Flags().StringVar(&books, "books", "", "where the texts lie (default: beside the working folder)")
	cmd.Flags().StringVar(&book, "book", "", "only this book, by its barcode")
	cmd.Flags().StringVar(&category, "category", "", "only this category")
	cmd.Flags().BoolVar(&decided, "decided", false, "show what was decided; a new decision replaces the old one")
	addQuestionFlags(cmd, &o)
	return cmd
}

// checkReview is check without what only make has.
func (o *makeOptions) checkReview() error {
	o.candidates = 7
	return o.check()
}

func reviewFolder(cmd *cobra.Command, files *folder.Folder, o *makeOptions, books, only, category string, decided bool) error {
	barcodes, err := files.Books()
	if err != nil {
		return err
	}
	if only != "" {
		if !slices.Contains(barcodes, only) {
			return fmt.Errorf("--book %s: there is no such book in %s; there are %v", only, files.Dir(), barcodes)
		}
		barcodes = []string{only}
	}
	m, err := newMaker(cmd, o)
	if err != nil {
		return err
	}
	o.dir = files.Dir()
	open := map[*terminal.Work]*workbook{}
	defer func() {
		for _, w := range open {
			_ = w.close()
		}
	}()
	var works []*terminal.Work
	for _, barcode := range m.toReview(files, barcodes, decided) {
		works = append(works, &terminal.Work{Open: func(target *terminal.Work) error {
			w, work, err := m.deskOf(files, barcode, books)
			if err == nil {
				open[target] = w
				*target = *work
			}
			return err
		}})
	}
	finished, err := m.review(works, category, decided)
	if len(open) == 0 && len(works) > 0 {
		return errors.Join(err, fmt.Errorf("nothing in %s could be opened for review", files.Dir()))
	}
	sum := &summary{out: cmd.OutOrStdout(), words: cmd.ErrOrStderr(), goal: o.perCategory}
	for _, work := range works {
		if w := open[work]; w != nil {
			sum.add(w, o)
		}
	}
	if len(works) == 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "Every book in %s is reviewed. To look again, type:\n  verbatim review --decided %s\n", files.Dir(), shellQuote(files.Dir()))
		return nil
	}
	sum.table()
	m.afterReview(sum, works, finished && !decided && category == "")
	if err != nil {
		return stopped(cmd, err)
	}
	if bad := len(works) - len(open); finished && bad > 0 {
		return &Wanting{fmt.Sprintf("%d of %s could not be opened (named above)", bad, count(len(works), "book"))}
	}
	return nil
}

// toReview are the books in which something is left to decide, those with
// disputes first. Only small files are read for it, not the books.
func (m *maker) toReview(files *folder.Folder, barcodes []string, decided bool) []string {
	var disputed, others []string
	for _, barcode := range barcodes {
		log, _, err := loadDecisions(files.Path(barcode, folder.Decisions))
		if err != nil || log == nil {
			log = review.NewLog() // to open the book will say what is wrong
		}
		drafts, err := readDrafts(files.Path(barcode, folder.Drafts))
		s := &bookStatus{Accepted: map[string]int{}}
		s.count(log, drafts)
		path, _ := files.Text(barcode)
		changed := recorded(files, barcode, folder.Questions, "book") != "" && path != "" && recorded(files, barcode, folder.Questions, "book") != hashFileOf(path)
		switch {
		case s.Disputed > 0:
			disputed = append(disputed, barcode)
		case decided && log.Len() > 0, !decided && (s.Waiting > 0 || err != nil || changed || m.o.perCategory > 1):
			others = append(others, barcode)
		}
	}
	return append(disputed, others...)
}

// deskOf opens a book that has drafts.
func (m *maker) deskOf(files *folder.Folder, barcode, books string) (*workbook, *terminal.Work, error) {
	var elsewhere []string
	if books != "" {
		elsewhere = append(elsewhere, books)
	}
	path, err := files.Text(barcode, elsewhere...)
	if err != nil {
		return nil, nil, err
	}
	w, err := openWorkbook(m.cmd, files, path)
	if err != nil {
		return nil, nil, err
	}
	work, err := m.lay(w)
	if err != nil {
		return nil, nil, errors.Join(err, w.close())
	}
	return w, work, nil
}

// lay reads the drafts of a book and lays them on the desk.
func (m *maker) lay(w *workbook) (*terminal.Work, error) {
	var err error
	if w.about, err = whatIsKnown(w.files, m.catalogue, w.barcode); err != nil {
		return nil, err
	}
	if w.about.Title == "" {
		return nil, fmt.Errorf("%s: it has no title yet; type: verbatim describe %s", w.barcode, shellQuote(relative(w.path)))
	}
	if err := m.read(w); err != nil {
		return nil, err
	}
	if err := w.takeTags(); err != nil {
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
	return m.desk(w, categories, func(category string) iter.Seq[*cloze.Draft] { return slices.Values(byCategory[category]) }), nil
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
func (m *maker) afterReview(sum *summary, works []*terminal.Work, finished bool) {
	for _, note := range sum.notes {
		fmt.Fprintln(sum.words, note)
	}
	if !finished {
		fmt.Fprintf(sum.words, "To go on, type:\n  %s\n", commandLine(m.cmd))
		return
	}
	waiting := false
	for _, work := range works {
		if work.Log == nil {
			continue
		}
		for _, category := range work.Categories {
			if work.Accepted(category) >= m.o.perCategory {
				continue
			}
			if work.Count(category, review.Passage) > 0 {
				waiting = true
				continue
			}
			fmt.Fprintf(sum.words, "%s has no draft of %s left; for more, type:\n  %s\n", work.Book.Barcode, category, work.More(category))
		}
	}
	if waiting {
		fmt.Fprintln(sum.words, "Some passages are accepted and wait for wrong answers; make them with: verbatim make --batch --distractors=accepted BOOK.txt...")
	}
}
