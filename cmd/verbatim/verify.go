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
carries they are the string. Nothing but the book and the file is needed for it.
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
					v.complain("%v", err)
				}
			}
			return v.end(len(files))
		},
	}
	cmd.Flags().StringVar(&books, "books", "", "where the texts lie (default: beside the working folder)")
	cmd.Flags().StringVar(&journals, "journals", "", "the journals that the items were found in")
	cmd.Flags().BoolVar(&asJSON, "json", false, `print {"file","line","what","status","error"} for each quotation`)
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
		found, err := filepath.Glob(filepath.Join(work.Dir(), "*-"+folder.Questions))
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("%s: there is no file of questions in it yet", work.Dir())
		}
		files = append(files, found...)
	}
	return files, nil
}

// A verifier proves question files and counts.
type verifier struct {
	out, words io.Writer
	books      string
	asJSON     bool

	questions, proved, absent, failed int
}

// proofLine is one proof as programs get it.
type proofLine struct {
	File   string          `json:"file"`
	Line   int             `json:"line"`
	What   string          `json:"what"`
	Status verbatim.Status `json:"status"`
	Error  string          `json:"error,omitempty"`
}

func (v *verifier) complain(format string, args ...any) {
	v.failed++
	fmt.Fprintf(v.words, "verbatim: "+format+"\n", args...)
}

// file proves one file against its book.
func (v *verifier) file(path string) error {
	barcode, ours := strings.CutSuffix(filepath.Base(path), "-"+folder.Questions)
	if !ours {
		barcode = strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	}
	in, err := os.Open(path)
	if err != nil {
		return plainPathError(err)
	}
	defer in.Close()
	source, err := v.source(path, barcode)
	if err != nil {
		return err
	}
	line := 0
	for q, err := range verbatim.Read[verbatim.Question](in, path) {
		line++
		if bad := (*verbatim.LineError)(nil); errors.As(err, &bad) {
			line = bad.Line
			v.complain("%v", bad)
			continue
		}
		if err != nil {
			return err
		}
		v.questions++
		v.question(path, line, source, &q)
	}
	return nil
}

// source is the text of a book: where --books says, or beside the folder.
func (v *verifier) source(path, barcode string) (*verbatim.Document, error) {
	work := folder.At(filepath.Dir(path))
	var elsewhere []string
	if v.books != "" {
		elsewhere = append(elsewhere, v.books)
	}
	text, err := work.Text(barcode, elsewhere...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return openDocument(text, nil)
}

func (v *verifier) question(path string, line int, source *verbatim.Document, q *verbatim.Question) {
	switch {
	case q.Verbatim.SHA256 == "":
		v.complain("%s:%d: this question carries no proof (it has no field verbatim.sha256)", path, line)
		return
	case len(q.AnswerStrings) != len(q.Verbatim.Answers) || len(q.AnswerStrings) != len(q.AnswerTypes) || len(q.AnswerStrings) != len(q.AnswerProbabilities):
		v.complain("%s:%d: the lists of answers, types, probabilities and places have different lengths", path, line)
	case q.Verbatim.SHA256 != source.SHA256:
		v.complain("%s:%d: the book has changed since this question was written; write it anew with: verbatim make --batch %s.txt", path, line, source.ID)
	}
	for _, claim := range q.Claims() {
		proof := proofLine{File: path, Line: line, What: claim.Name, Status: claim.Selector.Status}
		err := claim.Selector.Prove(source, claim.Text)
		switch {
		case errors.Is(err, verbatim.ErrAbsent): // a person or a model wrote it, and the question says so
			v.absent++
		case err != nil:
			proof.Error = err.Error()
			v.complain("%s:%d: %s: %v", path, line, claim.Name, err)
		default:
			v.proved++
		}
		if v.asJSON {
			if err := verbatim.Write(v.out, func(yield func(proofLine, error) bool) { yield(proof, nil) }); err != nil {
				return
			}
		}
	}
}

func (v *verifier) end(files int) error {
	if !v.asJSON {
		fmt.Fprintf(v.out, "%s in %s: %s proved, %d written or edited by a person or a model, %d failed\n",
			count(v.questions, "question"), count(files, "file"), count(v.proved, "quotation"), v.absent, v.failed)
	}
	if v.failed > 0 {
		return &Wanting{count(v.failed, "proof") + " failed (named above)"}
	}
	return nil
}
