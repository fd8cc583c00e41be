package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"verbatim"
	"verbatim/book"
	"verbatim/cloze"
	"verbatim/internal/durable"
	"verbatim/tag"
)

// A Proof is one thing that Verify proved, or could not.
type Proof struct {
	File   string          `json:"file"`
	Line   int             `json:"line,omitempty"`
	What   string          `json:"what"` // passage, ground truth, same_book, ...; file, line or question for faults of those
	Status verbatim.Status `json:"status,omitempty"`
	Error  string          `json:"error,omitempty"`

	Err error `json:"-"` // nil: proved
}

// Place says where the proof is, for a message about a failed one.
func (p Proof) Place() string {
	switch p.What {
	case "file", "line":
		return "" // the error names it
	case "question":
		return fmt.Sprintf("%s:%d: ", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d: %s: ", p.File, p.Line, p.What)
}

// ProofCounts are the numbers of a run of Verify.
type ProofCounts struct {
	Files, Questions, Drafts, Proved, Failed int
	Absent                                   int // written or edited by a person or a model
	Truths                                   int // ground truths among them
	Cuts                                     int // page heads, notes and marks left out of quotations
}

// Verify proves the questions, or drafts, of files and folders against the texts of their
// books, which are in the folder `texts` or beside the working folder. Every
// proof goes to report. One bad file does not stop the others; the error says
// that nothing could be proved, or that the context ended.
func Verify(ctx context.Context, paths []string, texts string, report func(Proof)) (ProofCounts, error) {
	v := &verifier{texts: texts, report: report}
	var files []string
	for _, path := range paths {
		found, err := questionFiles(path)
		switch {
		case err != nil && len(paths) == 1:
			return v.ProofCounts, err
		case err != nil:
			v.path = path
			v.say(0, "file", "", err)
		default:
			files = append(files, found...)
		}
	}
	if len(files) == 0 {
		return v.ProofCounts, fmt.Errorf("none of the %d files could be verified (see above)", len(paths))
	}
	for _, path := range files {
		if ctx.Err() != nil {
			return v.ProofCounts, ctx.Err()
		}
		if err := v.file(path); err != nil {
			v.say(0, "file", "", err)
		}
		v.Files++
	}
	return v.ProofCounts, nil
}

// questionFiles is the file given, or those in the folder given: the questions, or
// the drafts where nobody has accepted any yet.
func questionFiles(path string) ([]string, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, durable.CannotRead(err)
	case !info.IsDir():
		return []string{path}, isNoText(path)
	}
	folder, err := FindFolder(path)
	if err != nil {
		return nil, err
	}
	books, err := folder.Books()
	if err != nil {
		return nil, err
	}
	var files []string
	for _, kind := range []string{Questions, Drafts} { // drafts where there is no question
		for _, barcode := range books {
			path := folder.Path(barcode, kind)
			if info, err := os.Stat(path); err == nil && info.Size() > 0 { // empty: the last one was undone
				files = append(files, path)
			}
		}
		if len(files) > 0 {
			break
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: there are no questions or drafts in it yet", folder.dir)
	}
	return files, nil
}

// isNoText says where the questions of a book are, if its text was given.
func isNoText(path string) error {
	if ext := strings.ToLower(filepath.Ext(path)); ext == ".jsonl" || ext != ".txt" && beginsAsJSON(path) {
		return nil
	}
	questions := FolderAt(DirOf("", path)).Path(Barcode(path), Questions)
	if _, err := os.Stat(questions); err != nil {
		return fmt.Errorf("%s is a text, and it has no questions yet: there is no %s", path, questions)
	}
	return fmt.Errorf("%s is a text; its questions are in %s", path, questions)
}

// beginsAsJSON is true for an empty file, too: it holds no text.
func beginsAsJSON(path string) bool {
	file, err := durable.Open(path)
	if err != nil {
		return true // reading it will say so
	}
	defer file.Close()
	head, _ := start(file)
	head = bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\uFEFF")))
	return len(head) == 0 || head[0] == '{'
}

type verifier struct {
	ProofCounts
	texts  string
	report func(Proof)

	path    string // of the file being verified; what follows is about its book
	barcode string
	book    *tag.Book
	about   *book.Metadata // nil if there is no metadata file
	gone    int            // quotations of drafts that were made from the book as it was before
}

func (v *verifier) say(line int, what string, status verbatim.Status, err error) {
	p := Proof{File: v.path, Line: line, What: what, Status: status, Err: err}
	if err != nil {
		v.Failed++
		p.Error = err.Error()
	}
	v.report(p)
}

// file proves one file against its book.
func (v *verifier) file(path string) error {
	v.path, v.gone = path, 0
	prove, counted := v.question, &v.Questions
	if _, drafts := bookOf(path, Drafts); drafts {
		prove, counted = v.draft, &v.Drafts
	}
	ours := false
	if v.barcode, ours = bookOf(path, Questions, Drafts); !ours {
		v.barcode = strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	}
	in, err := durable.Open(path)
	if err != nil {
		return durable.CannotRead(err)
	}
	defer in.Close()
	if err := v.open(); err != nil {
		return err
	}
	empty := true
	for line, err := range verbatim.Lines(in, path) {
		if err != nil {
			return err
		}
		empty = false
		if err := prove(line); err != nil {
			v.say(line.Number, "line", "", err)
			continue
		}
		*counted++
	}
	switch {
	case empty:
		return fmt.Errorf("%s has no question, so nothing was proved", path)
	case v.gone > 0: // drafts are made again all together, so one error is enough
		return &OutdatedError{v.barcode, fmt.Errorf("%s: the book has changed since these drafts were made, and %d of their quotations are no longer in their places", path, v.gone)}
	}
	return nil
}

// open reads the book and what is known about it.
func (v *verifier) open() error {
	folder := FolderAt(filepath.Dir(v.path))
	text, err := folder.Text(v.barcode, v.texts)
	if err != nil {
		return fmt.Errorf("%s: %w", v.path, err)
	}
	source, err := OpenText(text)
	if err != nil {
		return err
	}
	v.book, v.about = (&tag.Tagger{}).Open(source), nil
	about, err := folder.Describe(nil, v.barcode)
	if err != nil {
		v.say(0, "file", "", err) // the quotations can still be proved
	} else if about.Saved {
		v.about = about.Metadata
	}
	return nil
}

// ErrNoProof says that a question cannot be proved.
var ErrNoProof = errors.New("this question carries no proof (it has no field verbatim.sha256)")

// An OutdatedError says that a question must be written again: its book or what
// is known about it has changed.
type OutdatedError struct {
	Barcode string
	Err     error
}

func (e *OutdatedError) Error() string { return e.Err.Error() }

func (e *OutdatedError) Unwrap() error { return e.Err }

// draft proves what one draft quotes.
func (v *verifier) draft(line verbatim.Line) error {
	d, err := verbatim.Decode[cloze.Draft](line)
	if err != nil {
		return err
	}
	claims := []verbatim.Claim{{Name: "passage", Text: d.Passage, Selector: &d.PassageAt}, {Name: "ground truth", Text: d.Truth, Selector: &d.TruthAt}}
	for _, o := range append(d.Options, d.Reserve...) {
		claims = append(claims, verbatim.Claim{Name: o.Type, Text: o.Text, Selector: &o.At})
	}
	was := FolderAt(filepath.Dir(v.path)).recorded(v.barcode, Drafts, "book")
	changed := was != "" && was != v.book.Source.SHA256
	v.gone += v.claims(line.Number, claims, changed)
	return nil
}

// question proves what one question quotes and what it asks.
func (v *verifier) question(line verbatim.Line) error {
	q, err := verbatim.Decode[verbatim.Question](line)
	if err != nil {
		return err
	}
	v.asks(line.Number, &q)
	if q.Verbatim.SHA256 == "" {
		return nil
	}
	changed := q.Verbatim.SHA256 != v.book.Source.SHA256
	if gone := v.claims(line.Number, q.Claims(), changed); changed { // one error: each quotation would say the same
		what := "the book has changed since this question was written"
		if gone > 0 {
			what += fmt.Sprintf(", and %d of its quotations are no longer in their places", gone)
		}
		v.say(line.Number, "question", "", &OutdatedError{v.barcode, errors.New(what)})
	}
	return nil
}

// asks checks that a question is what its parts make, and that it is about the
// book and what is known about it now.
func (v *verifier) asks(line int, q *verbatim.Question) {
	wrong := func(err error) { v.say(line, "question", "", err) }
	outdated := func(err error) { wrong(&OutdatedError{v.barcode, err}) }
	if q.Verbatim.SHA256 == "" {
		wrong(ErrNoProof)
		return
	}
	for _, err := range cloze.Check(q) {
		if errors.Is(err, cloze.ErrNoPlace) {
			outdated(err)
			continue
		}
		wrong(err)
	}
	if v.about != nil {
		for _, f := range book.Fields {
			if said, known := cloze.Described(q).Get(f.Name), v.about.Get(f.Name); said != known {
				outdated(fmt.Errorf("%s: the question says %q, the metadata of the book say %q", f.Name, said, known))
			}
		}
	}
}

// claims proves the passage, the ground truth and the answers, in this order. If
// the book has changed, those that fail are only counted.
func (v *verifier) claims(line int, claims []verbatim.Claim, changed bool) (gone int) {
	for i, claim := range claims {
		err := v.book.Reading.Prove(claim.Selector, claim.Text)
		switch {
		case errors.Is(err, verbatim.ErrAbsent): // a person or a model wrote it, and the record says so
			err = nil
			v.Absent++
			if i == 1 {
				v.Truths++
			}
		case err == nil:
			v.Proved++
			v.Cuts += len(claim.Selector.Cuts(v.book.Source))
		case changed:
			gone++
			continue
		}
		v.say(line, claim.Name, claim.Selector.Status, err)
	}
	return gone
}
