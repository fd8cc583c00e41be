package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/cloze"
	"verbatim/confirm"
	"verbatim/folder"
	"verbatim/internal/durable"
	"verbatim/review"
)

// A workbook is one book with all that the commands of job 1 know of it.
type workbook struct {
	cmd     *cobra.Command
	path    string // of the text
	barcode string
	files   *folder.Folder
	unlock  func() error

	doc         *verbatim.Document
	about       *known
	tagger      *tagger
	book        *cloze.Book
	log         *review.Log
	logFile     *durable.Log
	drafts      []*cloze.Draft
	chat        verbatim.ChatModel // nil: there is no language model
	closeLedger func()
	checker     *confirm.Confirmer // nil likewise

	notes []string // for the summary
}

// close lets another program work on the book.
func (w *workbook) close() error {
	var err error
	if w.logFile != nil {
		err = w.logFile.Close()
	}
	if w.unlock != nil {
		err = errors.Join(err, w.unlock())
	}
	if w.closeLedger != nil {
		w.closeLedger()
	}
	w.logFile, w.unlock, w.closeLedger = nil, nil, nil
	return err
}

// openWorkbook reads and locks a book. What it needs besides is read by steps.
func openWorkbook(cmd *cobra.Command, files *folder.Folder, path string) (*workbook, error) {
	doc, err := openDocument(path, standardInput(cmd))
	if err != nil {
		return nil, err
	}
	w := &workbook{cmd: cmd, path: path, barcode: doc.ID, files: files, doc: doc}
	if w.unlock, err = files.Lock(w.barcode); err != nil {
		return nil, w.plainly(err)
	}
	if err := w.readDecisions(); err != nil {
		return nil, errors.Join(err, w.close())
	}
	return w, nil
}

// plainly says what a scholar can act on where a folder cannot be written.
func (w *workbook) plainly(err error) error {
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, errReadOnly) {
		return fmt.Errorf("%s: the folder %s may not be written; choose another with --dir", w.barcode, w.files.Dir())
	}
	return err
}

// readDecisions opens the log of decisions; a spoilt line is named and left out.
func (w *workbook) readDecisions() error {
	log, problems, err := loadDecisions(w.files.Path(w.barcode, folder.Decisions))
	for _, problem := range problems {
		fmt.Fprintln(w.cmd.ErrOrStderr(), "verbatim:", problem)
	}
	w.log = log
	return err
}

// loadDecisions reads a log that may not be there yet.
func loadDecisions(path string) (*review.Log, []error, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return review.NewLog(), nil, nil
	}
	if err != nil {
		return nil, nil, plainPathError(err)
	}
	defer file.Close()
	log, problems := review.Load(verbatim.Lines(file, path))
	return log, problems, nil
}

// appendDecision puts a decision on the disk. The file is made with the first.
func (w *workbook) appendDecision(d review.Decision) error {
	if w.logFile == nil {
		log, err := durable.OpenLog(w.files.Path(w.barcode, folder.Decisions))
		if err != nil {
			return w.plainly(err)
		}
		if log.Torn != "" {
			fmt.Fprintf(w.cmd.ErrOrStderr(), "verbatim: the last decision of %s was torn by a crash; it lies in %s\n", w.barcode, log.Torn)
		}
		w.logFile = log
	}
	return w.logFile.Append(d)
}

// read takes the book from bytes to candidates: with the tagged sentences of
// its file, which is made where it is not there or stale.
func (w *workbook) read(seed int64) error {
	var err error
	if w.tagger == nil {
		if w.tagger, err = newTagger(filepath.Join(w.files.Dir(), "rules")); err != nil {
			return err
		}
	}
	w.book = cloze.Open(w.doc, w.tagger.cards, w.tagger.split, seed)
	if w.book.Sentences() == 0 {
		return &Wanting{w.path + ": there is no sentence in it"}
	}
	return nil
}

// tag makes the file of tagged sentences and keeps the candidates that it has.
// A file that a person has changed is taken as it is.
func (w *workbook) tag(check *tagCheck) error {
	state, why, err := w.files.State(w.barcode, folder.Tagged, w.tagger.sources(w.doc))
	if err != nil {
		return err
	}
	if state == folder.Changed {
		w.note("%s is taken as it is: %s", folder.Name(w.barcode, folder.Tagged), why)
	} else {
		run := &tagRun{cmd: w.cmd, check: check}
		result := bookResult{job: bookJob{path: w.path, barcode: w.barcode, dir: w.files.Dir(), tagger: w.tagger}}
		if err := run.makeFiles(w.cmd.Context(), &result, w.files, w.doc); err != nil {
			return w.plainly(err)
		}
	}
	return w.takeTags()
}

func (w *workbook) note(format string, args ...any) {
	w.notes = append(w.notes, fmt.Sprintf(format, args...))
}

// errStale is for tagged sentences that are not those of the book.
var errStale = errors.New("is stale")

// takeTags drops the candidates that the file of tagged sentences has lost. A
// file about other sentences, of another edition or split by other lists, drops
// none: nearly all would be lost.
func (w *workbook) takeTags() error {
	path := w.files.Path(w.barcode, folder.Tagged)
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return plainPathError(err)
	}
	defer file.Close()
	by := map[string]string{}
	for line, err := range verbatim.Read[verbatim.Tagged](file, path) {
		if err != nil {
			return err
		}
		if !w.book.Fits(&line) {
			anew := append(append([]string{"verbatim", "tag", "--force"}, dirFlag(w.files, w.path)...), relative(w.path))
			return fmt.Errorf("%s %w: the book has another sentence %d now; to make it anew, type: %s", path, errStale, line.Index, shellLine(anew...))
		}
		for _, tag := range line.Tags {
			by[fmt.Sprint(line.Index, tag.Name)] = tag.Confirmed
		}
	}
	w.book.Confirm(func(sentence int, category string) string { return by[fmt.Sprint(sentence, category)] })
	return nil
}

// check asks a language model about a draft's connector, where one is there
// and has not been asked.
func (w *workbook) check(ctx context.Context, d *cloze.Draft) (bool, error) {
	verdict, asked, err := w.ask(ctx, d)
	switch {
	case errors.Is(err, verbatim.ErrNoAnswer):
		return true, nil // the rules' verdict stands
	case err != nil:
		return false, err
	case !asked:
		return true, nil
	}
	d.CheckedBy = verdict.By
	return verdict.Keep, nil
}

// ask puts the draft's connector to a model, if it is still open.
func (w *workbook) ask(ctx context.Context, d *cloze.Draft) (verdict confirm.Verdict, asked bool, err error) {
	if w.checker == nil {
		return verdict, false, nil
	}
	previous, s, tag := w.book.Tagged(d)
	if !w.checker.Questions.Open(tag) {
		return verdict, false, nil
	}
	verdict, err = w.checker.Ask(ctx, previous, &s, tag)
	return verdict, true, err
}

// askAhead asks about the first drafts of each category. The answers go into
// the ledger, where check finds them.
func (w *workbook) askAhead(categories []string) func(context.Context) {
	return func(ctx context.Context) {
		for _, category := range categories {
			n := 0
			for d := range w.book.Drafts(category) {
				if _, _, err := w.ask(ctx, d); ctx.Err() != nil || err != nil && !errors.Is(err, verbatim.ErrNoAnswer) {
					return // whoever needs the answer will ask again, and be told
				}
				if n++; n == 3 {
					break
				}
			}
		}
	}
}

// enough are the categories that can give questions, scarcest first.
func (w *workbook) enough(o *makeOptions) []string {
	var names []string
	for _, c := range cloze.Categories {
		if o.wants(c.Name) && len(w.book.Candidates[c.Name]) >= o.minExamples {
			names = append(names, c.Name)
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return len(w.book.Candidates[a]) - len(w.book.Candidates[b]) })
	return names
}

// truths are the ground truths of accepted questions, but for one draft's.
func (w *workbook) truths(but string) []string {
	var truths []string
	for s := range w.log.Standings() {
		if s.Verdict == review.Accepted && s.Draft != but {
			truths = append(truths, s.Truth)
		}
	}
	return truths
}
