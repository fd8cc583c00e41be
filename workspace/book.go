package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync/atomic"

	"verbatim"
	"verbatim/cloze"
	"verbatim/confirm"
	"verbatim/internal/durable"
	"verbatim/review"
	"verbatim/tag"
)

// A Book is one book of a workspace. It is locked for this program until Close.
type Book struct {
	Path    string // of the text
	Barcode string
	Source  *verbatim.Document
	About   *Description
	// Reviewed are the categories that Drafted puts under review, in the order of
	// work.
	Reviewed []string
	// Notes are what a summary should say about the book.
	Notes []error

	ws       *Workspace
	tagger   *tag.Tagger
	unlock   func() error
	log      *review.Log
	logFile  *durable.Log
	text     *tag.Book
	lines    []verbatim.Tagged // the tagged sentences
	rejected []verbatim.RejectedTag
	book     atomic.Pointer[cloze.Book] // with its candidates; replaced when tags are confirmed
	drafts   []*cloze.Draft
	edited   bool // a person edited the tagged sentences
	unsaved  bool // a model said something about tags that is not in their file yet
	left     confirming

	chat        verbatim.ChatModel // nil: there is no language model
	closeLedger func()
	confirmer   *confirm.Confirmer // nil likewise
}

// OpenBook reads and locks a book, and reads what was decided about it.
func (ws *Workspace) OpenBook(path string) (b *Book, err error) {
	err = ws.during(Barcode(path), whileOpening, func() (err error) {
		b, err = ws.openBook(path)
		return err
	})
	return b, err
}

func (ws *Workspace) openBook(path string) (*Book, error) {
	doc, err := OpenText(path)
	if err != nil {
		return nil, err
	}
	tagger, err := ws.Tagger()
	if err != nil {
		return nil, err
	}
	b := &Book{ws: ws, Path: path, Barcode: doc.ID, Source: doc, tagger: tagger}
	b.left.done = map[string]confirm.Counts{}
	if b.unlock, err = ws.Lock(b.Barcode); err != nil {
		return nil, b.cannot(err)
	}
	ws.clearLeftovers(b.Barcode)
	log, problems, err := ws.decisions(b.Barcode)
	for _, problem := range problems {
		ws.notice("%v", problem)
	}
	b.log = log
	return b.unless(err)
}

// Close lets another program work on the book.
func (b *Book) Close() error {
	var err error
	if b.logFile != nil {
		err = b.logFile.Close()
	}
	if b.unlock != nil {
		err = errors.Join(err, b.unlock())
	}
	if b.closeLedger != nil {
		b.closeLedger()
	}
	b.logFile, b.unlock, b.closeLedger = nil, nil, nil
	return err
}

// Cloze is the book with its candidates.
func (b *Book) Cloze() *cloze.Book { return b.book.Load() }

// Log is what people decided.
func (b *Book) Log() *review.Log { return b.log }

// AllDrafts are the drafts of the book's file, in order.
func (b *Book) AllDrafts() []*cloze.Draft { return b.drafts }

// File is the path of one of the book's files.
func (b *Book) File(name string) string { return b.ws.Path(b.Barcode, name) }

// Workspace is where the book's files are.
func (b *Book) Workspace() *Workspace { return b.ws }

// Note adds something that a summary should say about the book, once.
func (b *Book) Note(format string, args ...any) {
	note := fmt.Errorf(format, args...)
	if !slices.ContainsFunc(b.Notes, func(other error) bool { return other.Error() == note.Error() }) {
		b.Notes = append(b.Notes, note)
	}
}

// A NotWritableError says that a working folder cannot be written.
type NotWritableError struct{ Barcode, Dir string }

func (e *NotWritableError) Error() string {
	return fmt.Sprintf("%s: no permission to write in the folder %s", e.Barcode, e.Dir)
}

func (b *Book) cannot(err error) error {
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, durable.ErrReadOnly) {
		return &NotWritableError{b.Barcode, b.ws.dir}
	}
	return err
}

// decisions reads a log that may not exist yet. A damaged line is left out and
// named.
func (f *Folder) decisions(barcode string) (*review.Log, []error, error) {
	path := f.Path(barcode, Decisions)
	file, err := durable.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return review.NewLog(), nil, nil
	}
	if err != nil {
		return review.NewLog(), nil, durable.CannotRead(err)
	}
	defer file.Close()
	log, problems := review.Load(verbatim.Lines(file, path))
	return log, problems, nil
}

// Append puts a decision on the disk. The file is created with the first.
func (b *Book) Append(d review.Decision) error {
	if b.logFile == nil {
		if err := b.ws.within(b.Barcode, Decisions); err != nil {
			return err
		}
		log, err := durable.OpenLog(b.File(Decisions))
		if err != nil {
			return b.cannot(err)
		}
		if log.Torn != "" {
			b.ws.notice("a crash cut off the last decision about %s; what is left of it is in %s", b.Barcode, log.Torn)
		}
		b.logFile = log
	}
	return b.logFile.Append(d)
}

// connect gives the book its language models, through its ledger.
func (b *Book) connect() (err error) {
	if b.ws.Models == nil || b.chat != nil {
		return nil
	}
	if err := b.ws.within(b.Barcode, Ledger); err != nil {
		return err
	}
	if b.chat, b.closeLedger, err = b.ws.Models.Open(b.File(Ledger)); err != nil {
		return err
	}
	questions, err := b.ws.questions()
	if err != nil {
		return err
	}
	b.confirmer = &confirm.Confirmer{Chat: b.chat, Model: b.ws.Models.Confirm, Questions: questions,
		Cap: b.ws.Models.ConfirmCap, Workers: b.ws.Models.Workers}
	return nil
}

// readFile reads all records of a file; there are none if it does not exist.
func readFile[T any](path string) ([]T, error) {
	file, err := durable.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, durable.CannotRead(err)
	}
	defer file.Close()
	var records []T
	for r, err := range verbatim.Read[T](file, path) {
		if err != nil {
			return nil, err
		}
		records = append(records, r)
	}
	return records, nil
}

// ReadDrafts reads a file of drafts; there are none if it does not exist.
func ReadDrafts(path string) ([]*cloze.Draft, error) {
	drafts, err := readFile[*cloze.Draft](path)
	if err == nil && slices.Contains(drafts, nil) {
		err = errors.New("a line is null")
	}
	if err != nil {
		return nil, damaged(path, err)
	}
	return drafts, nil
}
