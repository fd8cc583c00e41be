package workspace

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"verbatim/internal/durable"
	"verbatim/internal/parallel"
)

// replace writes a file of the folder, whole or not at all. A folder may come from
// somebody else, so no link in it leads the program to another file of the user's.
func (f *Folder) replace(path string, write func(io.Writer) error) error {
	if err := durable.Within(f.dir, path); err != nil {
		return err
	}
	return durable.Replace(path, write)
}

// within says why one of a book's files must not be written to.
func (f *Folder) within(barcode, file string) error {
	return durable.Within(f.dir, f.Path(barcode, file))
}

// A NoLockError says that a book cannot be locked where its working folder is.
type NoLockError struct {
	File string // the lock file
	Err  error
}

func (e *NoLockError) Error() string {
	return fmt.Sprintf("%s cannot be locked (%v): this disk does not support locks, as some network disks do not, so two programs could change one book at the same time and lose work; use a working folder on another disk", e.File, e.Err)
}

func (e *NoLockError) Unwrap() error { return e.Err }

// clearLeftovers removes what a killed program left behind while it wrote a file
// of this book. The book is locked, so nobody is writing it now; its metadata can
// be written without the lock, so only old leftovers of those are removed. What
// cannot be removed stays: it does no harm.
func (ws *Workspace) clearLeftovers(barcode string) {
	for _, left := range ws.leftovers() {
		of, _ := durable.Leftover(filepath.Base(left))
		own, is := bookOf(of, Tagged, Rejected, Drafts, Questions, made, crash)
		described := filepath.Base(filepath.Dir(left)) == "metadata" && slices.Contains([]string{barcode + ".json", barcode + "-catalogue.json"}, of)
		info, err := os.Lstat(left)
		switch {
		case err != nil || !info.Mode().IsRegular():
		case is && own == barcode && filepath.Dir(left) == filepath.Clean(ws.dir),
			described && time.Since(info.ModTime()) > time.Hour:
			_ = os.Remove(left)
		}
	}
}

// findLeftovers are the temporary files in the folder and among the metadata.
func (f *Folder) findLeftovers() []string {
	var left []string
	for _, dir := range []string{f.dir, filepath.Join(f.dir, "metadata")} {
		entries, _ := os.ReadDir(dir) // one that cannot be read has none that we could remove
		for _, entry := range entries {
			if _, is := durable.Leftover(entry.Name()); is {
				left = append(left, filepath.Join(dir, entry.Name()))
			}
		}
	}
	return left
}

// A CrashError says that the program crashed on one book: a fault of the program.
// The other books are not affected.
type CrashError struct {
	Barcode string
	Stage   string // what was being done
	File    string // holds the stack, for developers; empty if it could not be written
	Err     *parallel.PanicError
}

func (e *CrashError) Error() string {
	text := fmt.Sprintf("%s: the program crashed while %s (%v); this is a fault of the program, and other books are not affected", e.Barcode, e.Stage, e.Err.Value)
	if e.File != "" {
		text += "; for a report to its developers, the details are in " + e.File
	}
	return text
}

func (e *CrashError) Unwrap() error { return e.Err }

// The stages of a book, as a message about a crash names them.
const (
	whileOpening    = "opening the book"
	whileCleaning   = "cleaning the text"
	whileTagging    = "tagging the sentences"
	whileConfirming = "confirming connectors"
	whileDrafting   = "drawing drafts"
	whileRanking    = "ranking wrong answers"
	whileAnswering  = "writing wrong answers"
	whileSaving     = "saving the files"
)

// during runs one stage of work on a book and turns a panic in it, or in one of
// its workers, into a *CrashError.
func (b *Book) during(stage string, do func() error) error {
	return b.ws.during(b.Barcode, stage, do)
}

func (ws *Workspace) during(barcode, stage string, do func() error) error {
	err := parallel.Guard(func() error {
		if ws.enter != nil {
			ws.enter(barcode, stage)
		}
		return do()
	})
	return ws.crashed(barcode, stage, err)
}

// crashed names the book and the stage of a panic, and keeps its stack. Other
// errors, and a crash that has a name already, come back as they are.
func (ws *Workspace) crashed(barcode, stage string, err error) error {
	caught, is := errors.AsType[*parallel.PanicError](err)
	if _, named := errors.AsType[*CrashError](err); !is || named {
		return err
	}
	e := &CrashError{Barcode: barcode, Stage: stage, Err: caught}
	path := ws.Path(barcode, crash)
	written := ws.replace(path, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "verbatim %s crashed on %s while %s.\n\n%v\n\n%s", ws.Program, barcode, stage, caught.Value, caught.Stack)
		return err
	})
	if written == nil {
		e.File = path
	}
	return e
}

// FinishBook runs the last work on a book, such as writing its questions. A panic
// is a *CrashError.
func (b *Book) FinishBook(do func() error) error { return b.during(whileSaving, do) }

// makeFolder creates a folder of a working folder, unless a link there leaves it.
func (f *Folder) makeFolder(name string) (string, error) {
	dir := filepath.Join(f.dir, name)
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return dir, durable.Within(f.dir, dir)
	}
	return dir, durable.CannotWrite(dir, os.MkdirAll(dir, 0o777))
}
