package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/book"
	"verbatim/clean"
	"verbatim/cloze"
	"verbatim/folder"
)

func verifyCommand() *cobra.Command {
	var books, journals string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "verify QUESTIONS.jsonl|ITEMS.jsonl|FOLDER...",
		Short: "Prove every quotation of questions or items against its source",
		Long: `Prove every passage, ground truth and same-book answer of question files against
the text of its book: the bytes are there, and with the repairs that the question
carries they are the string. A repair can put no word in; page heads and notes
that it takes out are those that the cleaner takes out of the book again. Then
that the question asked is the one that its parts make: the passage with the
ground truth masked, the prompt of its category, one right answer, none said
twice, and a frame that says what the metadata say.
What a person or a model wrote has no place in a book and is only counted.
With --journals the files are items, and every evidence span is proved against
its journal. Exits 1 where a proof fails, and names it.`,
		Example: `  verbatim verify process_files
  verbatim verify --books texts HWWJNQ-clozequestions.jsonl
  verbatim verify --journals journals.jsonl items.jsonl`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if journals != "" {
				return verifyItemFiles(cmd, args, journals)
			}
			files, err := questionFiles(args)
			if err != nil {
				return err
			}
			v := &verifier{out: cmd.OutOrStdout(), words: cmd.ErrOrStderr(), books: books, asJSON: asJSON}
			for _, file := range files {
				if err := v.file(file); err != nil {
					v.say(proofLine{File: file, What: "file"}, err)
				}
			}
			return v.end(len(files))
		},
	}
	cmd.Flags().StringVar(&books, "books", "", "where the texts lie (default: beside the working folder)")
	cmd.Flags().StringVar(&journals, "journals", "", "the journals that the items were found in")
	cmd.Flags().BoolVar(&asJSON, "json", false, `print {"file","line","what","status","error"} for each quotation, and for what else fails`)
	cmd.MarkFlagsMutuallyExclusive("journals", "books")
	cmd.MarkFlagsMutuallyExclusive("journals", "json")
	return cmd
}

// questionFiles are the files named, and those in the folders named.
func questionFiles(args []string) ([]string, error) {
	var files []string
	for _, arg := range args {
		info, err := os.Stat(arg)
		switch {
		case err != nil:
			return nil, plainPathError(err)
		case !info.IsDir():
			files = append(files, arg)
			continue
		}
		work, err := folder.Find(arg)
		if err != nil {
			return nil, err
		}
		books, err := work.Books()
		if err != nil {
			return nil, plainPathError(err)
		}
		before := len(files)
		for _, barcode := range books {
			path := work.Path(barcode, folder.Questions)
			if _, err := os.Stat(path); err == nil {
				files = append(files, path)
			}
		}
		if len(files) == before {
			return nil, fmt.Errorf("%s: there is no file of questions in it yet", work.Dir())
		}
	}
	return files, nil
}

// A verifier proves question files and counts.
type verifier struct {
	out, words io.Writer
	books      string
	asJSON     bool

	questions, proved, absent, truths, cuts, failed int
}

// proofLine is one proof as programs get it.
type proofLine struct {
	File   string          `json:"file"`
	Line   int             `json:"line,omitempty"`
	What   string          `json:"what"`
	Status verbatim.Status `json:"status,omitempty"`
	Error  string          `json:"error,omitempty"`
}

// say gives a proof to programs, and one that failed to people.
func (v *verifier) say(p proofLine, err error) {
	if err != nil {
		v.failed++
		p.Error = err.Error()
		place := fmt.Sprintf("%s:%d: %s: ", p.File, p.Line, p.What)
		switch p.What {
		case "file", "line":
			place = "" // the error names it
		case "question":
			place = fmt.Sprintf("%s:%d: ", p.File, p.Line)
		}
		fmt.Fprintf(v.words, "verbatim: %s%v\n", place, err)
	}
	if v.asJSON {
		// That the output is full is seen at the end, for all commands.
		_ = verbatim.Write(v.out, func(yield func(proofLine, error) bool) { yield(p, nil) })
	}
}

// A proving is the questions of one file before their book.
type proving struct {
	*verifier
	path    string
	book    *clean.Reading
	source  *verbatim.Document
	barcode string
	known   *book.Metadata // nil where no file of metadata is there
}

// file proves one file against its book.
func (v *verifier) file(path string) error {
	p := &proving{verifier: v, path: path}
	var ours bool
	if p.barcode, ours = strings.CutSuffix(filepath.Base(path), "-"+folder.Questions); !ours {
		p.barcode = strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	}
	in, err := os.Open(path)
	if err != nil {
		return plainPathError(err)
	}
	defer in.Close()
	if err := p.open(); err != nil {
		return err
	}
	for line, err := range verbatim.Lines(in, path) {
		if err != nil {
			return err
		}
		q, err := verbatim.Decode[verbatim.Question](line)
		if err != nil {
			v.say(proofLine{File: path, Line: line.Number, What: "line"}, err)
			continue
		}
		v.questions++
		p.question(line.Number, &q)
	}
	return nil
}

// open reads the book, where --books says or beside the folder, and what is
// known of it.
func (p *proving) open() error {
	work := folder.At(filepath.Dir(p.path))
	var elsewhere []string
	if p.books != "" {
		elsewhere = append(elsewhere, p.books)
	}
	text, err := work.Text(p.barcode, elsewhere...)
	if err != nil {
		return fmt.Errorf("%s: %w", p.path, err)
	}
	if p.source, err = openDocument(text, nil); err != nil {
		return err
	}
	p.book = clean.Read(p.source)
	about, err := whatIsKnown(work, &book.Catalogue{}, p.barcode)
	if err != nil {
		p.say(proofLine{File: p.path, What: "file"}, err) // the quotations can be proved all the same
	} else if about.saved {
		p.known = about.Metadata
	}
	return nil
}

// question proves what one question quotes and what it asks.
func (p *proving) question(line int, q *verbatim.Question) {
	wrong := func(err error) { p.say(proofLine{File: p.path, Line: line, What: "question"}, err) }
	anew := fmt.Sprintf("write it anew with: verbatim make --batch %s.txt", p.barcode)
	if q.Verbatim.SHA256 == "" {
		wrong(errors.New("this question carries no proof (it has no field verbatim.sha256)"))
		return
	}
	if q.Verbatim.SHA256 != p.source.SHA256 {
		wrong(fmt.Errorf("the book has changed since this question was written; %s", anew))
	}
	for _, err := range cloze.Check(q) {
		wrong(err)
	}
	if p.known != nil {
		for _, f := range book.Fields {
			if said, known := cloze.Described(q).Get(f.Name), p.known.Get(f.Name); said != known {
				wrong(fmt.Errorf("%s: the question says %q, the metadata of the book say %q; %s", f.Name, said, known, anew))
			}
		}
	}
	for i, claim := range q.Claims() {
		p.claim(proofLine{File: p.path, Line: line, What: claim.Name, Status: claim.Selector.Status}, claim, i == 1)
	}
}

func (p *proving) claim(proof proofLine, claim verbatim.Claim, truth bool) {
	err := p.book.Prove(claim.Selector, claim.Text)
	switch {
	case errors.Is(err, verbatim.ErrAbsent): // a person or a model wrote it, and the question says so
		err = nil
		p.absent++
		if truth {
			p.truths++
		}
	case err == nil:
		p.proved++
		p.cuts += len(claim.Selector.Cuts(p.source))
	}
	p.say(proof, err)
}

func (v *verifier) end(files int) error {
	if !v.asJSON {
		fmt.Fprint(v.out, v.summary(files))
	}
	if v.failed > 0 {
		return &Wanting{count(v.failed, "proof") + " failed (named above)"}
	}
	return nil
}

// summary is the counts, in lines.
func (v *verifier) summary(files int) string {
	text := fmt.Sprintf("%s in %s: %s proved, %d written or edited by a person or a model, %d failed\n",
		count(v.questions, "question"), count(files, "file"), count(v.proved, "quotation"), v.absent, v.failed)
	if v.truths > 0 {
		text += fmt.Sprintf("Among the edited is the ground truth of %s.\n", count(v.truths, "question"))
	}
	if v.cuts > 0 {
		text += fmt.Sprintf("Page heads, notes and marks that stand inside of quotations and were left out: %d.\n", v.cuts)
	}
	return text
}
