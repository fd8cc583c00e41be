// Package workspace is the working folder of job 1 as a library: its files and
// locks, settings, metadata and cards, what each file was made from, and the
// operations on it: Describe, Tag, Draft, Review, Questions, Verify, Status.
//
// What to count on: a file that was made from the same sources is not touched; a
// file that a person edited is never overwritten unless the caller forces it;
// decisions are never touched; and two programs never work on one book at the
// same time. Operations return values and report progress through a callback;
// nothing here prints, asks, or knows a flag.
package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"verbatim/internal/durable"
)

// The files of a book: each name follows the barcode and a hyphen.
const (
	Tagged    = "tagged.jsonl"
	Rejected  = "refused.jsonl"
	Drafts    = "drafts.jsonl"
	Decisions = "decisions.jsonl"
	Questions = "clozequestions.jsonl"
	Ledger    = "ledger.jsonl"
	made      = "made.json"
	crash     = "crash.txt" // the stack of the last crash, for developers
)

// Usual is the name of the working folder beside the books.
const Usual = "process_files"

// A Folder is a working folder, usually process_files beside the books.
type Folder struct{ dir string }

// OpenFolder gives the working folder and creates it if there is none.
func OpenFolder(dir string) (*Folder, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("cannot create the working folder: %w", durable.CannotWrite(dir, err))
	}
	return &Folder{dir}, nil
}

// FindFolder gives the working folder that a person means: dir itself, or
// process_files in it. It creates nothing.
func FindFolder(dir string) (*Folder, error) {
	for _, d := range []string{filepath.Join(dir, Usual), dir} {
		if isDir(d) && (d != dir || isWorking(d)) {
			return &Folder{d}, nil
		}
	}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: no such folder", dir)
	}
	return nil, fmt.Errorf("%s: %w", dir, ErrNoFolder)
}

// ErrNoFolder says that a folder holds no working folder yet.
var ErrNoFolder = errors.New("no working folder here yet")

// FolderAt is a working folder at a path, whether or not it exists.
func FolderAt(dir string) *Folder { return &Folder{dir} }

// DirOf is the path of a book's working folder: dir if it is given, otherwise
// process_files beside the book.
func DirOf(dir, bookPath string) string {
	if dir != "" {
		return dir
	}
	return filepath.Join(filepath.Dir(bookPath), Usual)
}

// isWorking reports whether a folder holds files that only a working folder has.
func isWorking(dir string) bool {
	if filepath.Base(dir) == Usual {
		return true
	}
	entries, err := os.ReadDir(dir)
	return err == nil && slices.ContainsFunc(entries, func(entry fs.DirEntry) bool {
		_, is := bookOf(entry.Name(), made, Decisions, Drafts)
		return is || entry.Name() == "metadata"
	})
}

// Dir is the folder's path, as it was given.
func (f *Folder) Dir() string { return f.dir }

// Path is the path of a book's file.
func (f *Folder) Path(barcode, file string) string {
	return filepath.Join(f.dir, Name(barcode, file))
}

// Name is the name of a book's file without its folder.
func Name(barcode, file string) string { return barcode + "-" + file }

// bookOf is the barcode of the book whose file is at a path, if the file is one
// of the kinds given.
func bookOf(path string, kinds ...string) (barcode string, is bool) {
	for _, kind := range kinds {
		if barcode, is := strings.CutSuffix(filepath.Base(path), Name("", kind)); is {
			return barcode, true
		}
	}
	return "", false
}

// Barcode is a book's name: that of its file without folder and .txt.
func Barcode(path string) string {
	name := filepath.Base(path)
	if ext := filepath.Ext(name); strings.EqualFold(ext, ".txt") {
		name = strings.TrimSuffix(name, ext)
	}
	return name
}

// Key is the same for two barcodes that a file system may take for one: those
// that differ only in case or in how accents are encoded.
func Key(barcode string) string {
	return strings.ToLower(norm.NFC.String(barcode))
}

// Books are the barcodes that have a file in the folder, in order.
func (f *Folder) Books() ([]string, error) {
	entries, err := os.ReadDir(f.dir)
	if err != nil {
		return nil, durable.CannotRead(err)
	}
	var barcodes []string
	for _, entry := range entries {
		if barcode, _ := bookOf(entry.Name(), Tagged, Drafts, Decisions, Questions); barcode != "" {
			barcodes = append(barcodes, barcode)
		}
	}
	slices.Sort(barcodes)
	return slices.Compact(barcodes), nil
}

// Lock takes a book for this program. It does not wait: a book that another
// program has open is an error. The lock ends with unlock or with the process.
func (f *Folder) Lock(barcode string) (unlock func() error, err error) {
	locks, err := f.makeFolder(".locks")
	if err != nil {
		return nil, err
	}
	path := filepath.Join(locks, barcode)
	if err := durable.Within(f.dir, path); err != nil {
		return nil, err
	}
	// The lock file stays: if it were deleted, a third program could lock a name
	// that a second one still waits for.
	unlock, err = lockFile(path)
	if noLocks(err) {
		return nil, &NoLockError{path, err}
	}
	if errors.Is(err, errLocked) {
		return nil, fmt.Errorf("another verbatim is working on %s in %s; wait until it is done, or use another working folder", barcode, f.dir)
	}
	return unlock, err
}

var errLocked = errors.New("locked")

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
