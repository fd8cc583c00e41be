package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"verbatim/book"
	"verbatim/cloze"
	"verbatim/confirm"
	"verbatim/distractor"
	"verbatim/folder"
)

// makeOptions are the flags of make, and of review where it goes on with it.
type makeOptions struct {
	describeOptions
	batch       bool
	seed        int64
	candidates  int
	perCategory int
	minExamples int
	categories  []string
	distractors string
	types       []string
	reviewer    string
	force       bool
}

func (o *makeOptions) wants(category string) bool {
	return len(o.categories) == 0 || slices.Contains(o.categories, category)
}

// check says what is wrong with the flags.
func (o *makeOptions) check() error {
	for i, name := range o.categories {
		category, known := cloze.CategoryOf(name)
		if !known {
			return fmt.Errorf("--categories %s: there is no such category; there are %s", name, categoryNames())
		}
		o.categories[i] = category.Name
	}
	for _, name := range o.types {
		if _, err := distractor.ParseType(name); err != nil {
			return fmt.Errorf("--types: %w", err)
		}
	}
	switch {
	case o.distractors != "all" && o.distractors != "accepted":
		return fmt.Errorf("--distractors=%s: give all, or accepted for those whose passage is accepted already", o.distractors)
	case o.candidates < 1 || o.perCategory < 1 || o.minExamples < 1:
		return errors.New("--candidates, --per-category and --min-examples must be at least 1")
	}
	return nil
}

func categoryNames() string {
	var names []string
	for _, c := range cloze.Categories {
		names = append(names, c.Name)
	}
	return strings.Join(names, ", ")
}

func makeCommand() *cobra.Command { return makeCommandOf(&makeOptions{}) }

func makeCommandOf(o *makeOptions) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "make BOOK.txt...",
		Short: "Make questions of books: on a terminal together with you, with --batch alone",
		Long: `Make cloze questions of books. On a terminal you are asked what is not known of
the book, and then you see one draft after the other and accept or refuse it;
every decision is saved at once, and the same command goes on where you stopped.

With --batch nobody is asked: for each book and category some drafts are made
and ranked, to be looked at later with "verbatim review". A batch that was
stopped goes on with the same command, and one that is done is left alone. Only
what was made from another book, card, prompt or setting is made anew; your
decisions are never touched.

All files are in process_files beside the book; the questions you accepted are
in BARCODE-clozequestions.jsonl.`,
		Example: `  verbatim make HWWJNQ.txt
  verbatim make --batch --catalogue primary_metadata.csv *.txt
  verbatim make --batch --candidates 14 --categories causalclause HWWJNQ.txt`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, paths []string) error {
			if err := checkNames(paths); err != nil {
				return err
			}
			if err := takeSettings(cmd, folderOf(o.dir, paths[0])); err != nil {
				return err
			}
			if err := o.check(); err != nil {
				return err
			}
			if !o.batch && !o.plain && !(isTerminal(cmd.InOrStdin()) && isTerminal(cmd.OutOrStdout())) {
				if _, err := os.Stat(paths[0]); err != nil {
					return plainPathError(err)
				}
				return errors.New("this is no terminal, so nobody can be asked; draft with --batch and look at the drafts later with: verbatim review")
			}
			if o.batch {
				return makeBatch(cmd, paths, o)
			}
			return makeTogether(cmd, paths, o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.dir, "dir", "", "the working folder (default: process_files beside the book)")
	f.StringArrayVar(&o.catalogues, "catalogue", nil, "a library's list as CSV; several fill each other's gaps")
	f.BoolVar(&o.batch, "batch", false, "draft without asking; review later")
	f.IntVar(&o.candidates, "candidates", 7, "with --batch: drafts per category and book")
	f.StringVar(&o.distractors, "distractors", "all", "with --batch: all, or accepted: only for drafts whose passage was accepted")
	f.BoolVar(&o.force, "force", false, "make files anew, also those that were changed by hand")
	f.Int64Var(&o.seed, "seed", 0, "another seed, another draw")
	f.IntVar(&o.minExamples, "min-examples", 4, "a category gives questions when it has so many examples")
	f.StringSliceVar(&o.types, "types", nil, "wrong answers to make (default: "+strings.Join(distractor.DefaultTypes, ",")+")")
	addQuestionFlags(cmd, o)
	addModelFlags(cmd)
	addScorerFlag(cmd)
	cmd.Flags().String("negation-model", distractor.DefaultNegator, "label of the model that writes negations")
	cmd.Flags().String("check-model", confirm.DefaultModel, "label of the model that checks connectors")
	cmd.Flags().Int("verify-cap", 100, "with --batch: how many cases of a category a model checks in one book; the others when they are drawn (-1: all)")
	return cmd
}

// takeSettings puts what the environment or settings.txt say into the flags
// that were not given.
func takeSettings(cmd *cobra.Command, dir string) error {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return fmt.Errorf("%s is a file and no folder; move it away, or choose another with --dir", dir)
	}
	s, err := readSettings(cmd, dir)
	if err != nil {
		return err
	}
	for _, name := range []string{"seed", "reviewer", "catalogue", "categories", "candidates", "per-category", "min-examples", "distractors", "types"} {
		flag := cmd.Flags().Lookup(name)
		value, from := s.get(name)
		if flag == nil || flag.Changed || from == "" {
			continue
		}
		if name == "catalogue" && !filepath.IsAbs(value) {
			value = filepath.Join(dir, value) // beside the settings that name it
		}
		if err := flag.Value.Set(value); err != nil {
			return fmt.Errorf("%s: %s is %q; it must be %s", from, name, value, kindOf(flag.Value.Type()))
		}
	}
	return nil
}

// addQuestionFlags are the flags that make and review share.
func addQuestionFlags(cmd *cobra.Command, o *makeOptions) {
	f := cmd.Flags()
	f.IntVar(&o.perCategory, "per-category", 1, "accepted questions per category and book")
	f.StringSliceVar(&o.categories, "categories", nil, "only these categories (default: all)")
	f.StringVar(&o.reviewer, "reviewer", "", "your name in the decisions (default: your login)")
	f.BoolVar(&o.plain, "plain", false, "line by line, for screen readers and scripts")
}

// A maker is one call of make or review: the tools that all books share.
type maker struct {
	cmd        *cobra.Command
	o          *makeOptions
	catalogue  *book.Catalogue
	languages  map[string]*language // by working folder: each has settings of its own
	taggers    map[string]*tagger
	generators map[string]*distractor.Generator
	scorers    map[string]string // the hash of the model that ranks
}

func newMaker(cmd *cobra.Command, o *makeOptions) (*maker, error) {
	catalogue, err := readCatalogues(o.catalogues, cmd.ErrOrStderr())
	if err != nil {
		return nil, err
	}
	return &maker{cmd: cmd, o: o, catalogue: catalogue, languages: map[string]*language{}, taggers: map[string]*tagger{},
		generators: map[string]*distractor.Generator{}, scorers: map[string]string{}}, nil
}

// language is the language of a working folder, opened once.
func (m *maker) language(dir string) (*language, error) {
	if l := m.languages[dir]; l != nil {
		return l, nil
	}
	l, err := openLanguage(m.cmd, dir)
	if err == nil {
		m.languages[dir] = l
	}
	return l, err
}

// prepare opens a book and takes it as far as its candidates.
func (m *maker) prepare(path string) (w *workbook, err error) {
	files, err := workingFolder(m.o.dir, path)
	if err != nil {
		return nil, err
	}
	if w, err = openWorkbook(m.cmd, files, path); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, w.close())
		}
	}()
	// First the book: nobody is asked about one that gives no question.
	if err = m.read(w); err != nil {
		return w, err
	}
	if len(w.enough(m.o)) == 0 {
		return w, m.errTooShort(w)
	}
	if w.about, err = whatIsKnown(files, m.catalogue, w.barcode); err != nil {
		return w, err
	}
	if err = w.about.complete(w.path, files, m.cmd, m.o.describeOptions); err != nil {
		return w, w.plainly(err)
	}
	if err = files.NoteText(w.barcode, w.path); err != nil {
		return w, w.plainly(err)
	}
	l, err := m.language(files.Dir())
	if err != nil {
		return w, err
	}
	check, err := m.batchCheck(l)
	if err != nil {
		return w, err
	}
	if err = w.tag(check); err != nil {
		return w, err
	}
	return w, m.connect(w, l)
}

// batchCheck lets a language model check the connectors of a whole book, in a
// batch. With a person waiting, each is checked when it is drawn.
func (m *maker) batchCheck(l *language) (*tagCheck, error) {
	if !m.o.batch {
		return nil, nil
	}
	return checkWith(l)
}

// read opens the text with the rules of its folder.
func (m *maker) read(w *workbook) error {
	dir := w.files.Dir()
	w.tagger = m.taggers[dir]
	if err := w.read(m.o.seed); err != nil {
		return err
	}
	m.taggers[dir] = w.tagger
	return nil
}

// connect gives a book its language models, through its ledger.
func (m *maker) connect(w *workbook, l *language) (err error) {
	if w.chat, w.closeLedger, err = l.book(w.files.Path(w.barcode, folder.Ledger)); err != nil || w.chat == nil {
		return err
	}
	questions, err := confirm.Load(l.rules("questions"), confirm.Embedded())
	if err != nil {
		return err
	}
	w.checker = &confirm.Confirmer{Chat: w.chat, Model: l.label("check-model", confirm.DefaultModel), Questions: questions}
	return nil
}

// typeLists are the wrong answers to make, those of the book and those that a
// language model writes.
func (o *makeOptions) typeLists() (sameBook, written []string) {
	types := o.types
	if len(types) == 0 {
		types = distractor.DefaultTypes
	}
	for _, name := range types {
		if name == "same_book" {
			sameBook = append(sameBook, name)
		} else {
			written = append(written, name)
		}
	}
	return sameBook, written
}

// errTooShort says that a book gives no questions.
func (m *maker) errTooShort(w *workbook) error {
	best, most := "", 0
	for _, c := range cloze.Categories {
		if n := len(w.book.Candidates[c.Name]); m.o.wants(c.Name) && n > most {
			best, most = c.Name, n
		}
	}
	if most == 0 {
		return &Wanting{fmt.Sprintf("%s: none of its %s begins or ends with a connector of the categories wanted, so that it gives no question", w.path, count(w.book.Sentences(), "sentence"))}
	}
	return &Wanting{fmt.Sprintf("%s: no category has the %d examples that a question needs (the best, %s, has %d); the text is too short, or lower --min-examples", w.path, m.o.minExamples, best, most)}
}

// modelSummaries say what the models of each folder did.
func (m *maker) modelSummaries() {
	for _, dir := range slices.Sorted(maps.Keys(m.languages)) {
		m.languages[dir].summary()
	}
}

// stopped adds to an error of a run that was stopped the command that goes on.
func stopped(cmd *cobra.Command, err error) error {
	if errors.Is(err, context.Canceled) && cmd.Context().Err() != nil {
		err = errors.New("stopped")
	}
	if errors.Is(err, errNoSpace) {
		return fmt.Errorf("%w\nNothing that was written is lost. Make room on the disk and type again:\n  %s", err, commandLine(cmd))
	}
	return goOn(cmd, err)
}
