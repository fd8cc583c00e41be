package main

import (
	"bytes"
	"context"
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
			ctx, c := cmd.Context(), consoleOf(cmd)
			if journals != "" {
				return verifyItemFiles(ctx, c, args, journals)
			}
			if err := checkTexts(books); err != nil {
				return err
			}
			v := &verifier{out: c.out, words: c.messages, books: books, asJSON: asJSON}
			return v.all(ctx, args)
		},
	}
	cmd.Flags().StringVar(&books, "books", "", "the folder in which the texts lie (default: beside the working folder)")
	cmd.Flags().StringVar(&journals, "journals", "", "the journals that the items were found in")
	cmd.Flags().BoolVar(&asJSON, "json", false, `print {"file","line","what","status","error"} for each quotation, and for what else fails`)
	cmd.MarkFlagsMutuallyExclusive("journals", "books")
	cmd.MarkFlagsMutuallyExclusive("journals", "json")
	return cmd
}

// questionFiles is the file named, or those in the folder named.
func questionFiles(arg string) ([]string, error) {
	info, err := os.Stat(arg)
	switch {
	case err != nil:
		return nil, plainPathError(err)
	case !info.IsDir():
		return []string{arg}, refuseText(arg)
	}
	work, err := folder.Find(arg)
	if err != nil {
		return nil, err
	}
	books, err := work.Books()
	if err != nil {
		return nil, plainPathError(err)
	}
	var files []string
	for _, barcode := range books {
		path := work.Path(barcode, folder.Questions)
		if info, err := os.Stat(path); err == nil && info.Size() > 0 { // an empty one: the last was taken back
			files = append(files, path)
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: there are no questions in it yet", work.Dir())
	}
	return files, nil
}

// refuseText says where the questions of a book are, to who named its text.
func refuseText(path string) error {
	if ext := strings.ToLower(filepath.Ext(path)); ext == ".jsonl" || ext != ".txt" && beginsAsJSON(path) {
		return nil
	}
	questions := folder.At(folderOf("", path)).Path(barcode(path), folder.Questions)
	if _, err := os.Stat(questions); err != nil {
		return fmt.Errorf("%s is a text, and it has no questions yet: there is no %s", path, questions)
	}
	return fmt.Errorf("%s is a text; its questions are in %s", path, questions)
}

// beginsAsJSON is true for an empty file, too: it holds no text.
func beginsAsJSON(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return true // whoever reads it will say so
	}
	defer file.Close()
	head, _ := firstBytes(file)
	head = bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\uFEFF")))
	return len(head) == 0 || head[0] == '{'
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

// all proves the files and folders named. One that is none does not stop the
// others.
func (v *verifier) all(ctx context.Context, args []string) error {
	var files []string
	for _, arg := range args {
		found, err := questionFiles(arg)
		switch {
		case err != nil && len(args) == 1:
			return err
		case err != nil:
			v.say(proofLine{File: arg, What: "file"}, err)
		default:
			files = append(files, found...)
		}
	}
	if len(files) == 0 {
		return fmt.Errorf("none of the %d files could be proved (named above)", len(args))
	}
	done := 0
	for ; done < len(files) && ctx.Err() == nil; done++ {
		if err := v.file(files[done]); err != nil {
			v.say(proofLine{File: files[done], What: "file"}, err)
		}
	}
	if done < len(files) && v.failed == 0 {
		return fmt.Errorf("stopped with %d of %s proved", done, count(len(files), "file"))
	}
	return v.end(done)
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
	empty := true
	for line, err := range verbatim.Lines(in, path) {
		if err != nil {
			return err
		}
		empty = false
		q, err := verbatim.Decode[verbatim.Question](line)
		if err != nil {
			v.say(proofLine{File: path, Line: line.Number, What: "line"}, err)
			continue
		}
		v.questions++
		p.question(line.Number, &q)
	}
	if empty {
		return fmt.Errorf("%s holds no question, so that nothing was proved", path)
	}
	return nil
}

// open reads the book, where --books says or beside the folder, and what is
// known of it.
func (p *proving) open() error {
	work := folder.At(filepath.Dir(p.path))
	text, err := work.Text(p.barcode, given(p.books)...)
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
