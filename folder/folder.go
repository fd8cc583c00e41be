// Package folder is the working folder of job 1: what its files are called,
// who may write them, and what each was made from. What to count on: a file is
// done when it was made from the same things, and then it is left alone; a file
// that a person changed is never overwritten unasked; and two programs never
// work on one book at a time.
package folder

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"verbatim/internal/durable"
)

// The files of a book, as they follow its barcode.
const (
	Tagged  = "tagged.jsonl"
	Refused = "refused.jsonl"
	made    = "made.json"
)

// A Folder is a working folder, usually process_files beside the books.
type Folder struct{ dir string }

// Open gives the working folder and makes it where there is none.
func Open(dir string) (*Folder, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("the working folder %s cannot be made: %w; choose another with --dir", dir, err)
	}
	return &Folder{dir}, nil
}

// Path is where a file of a book lies.
func (f *Folder) Path(barcode, file string) string {
	return filepath.Join(f.dir, barcode+"-"+file)
}

// Name is a file's name without its folder, for words to a person.
func Name(barcode, file string) string { return barcode + "-" + file }

// Key is the same for two barcodes that a file system may take for one: those
// that differ only in case or in the way accents are written.
func Key(barcode string) string {
	return strings.ToLower(norm.NFC.String(barcode))
}

// Sources says what a file is made from: a name for each thing and its hash or
// version, for example book, cards, program.
type Sources map[string]string

// entry is what made.json says of one file.
type entry struct {
	From   Sources `json:"from,omitempty"`
	SHA256 string  `json:"sha256,omitempty"` // of the file; empty while it is being made
	Path   string  `json:"path,omitempty"`   // of the book's text, seen from the folder
}

// State says how a file stands to what it would be made from now.
type State int

// The states of a file.
const (
	Absent  State = iota // there is none
	Fresh                // made from the same: done
	Stale                // made from something else, or its making was broken off
	Changed              // a person or another program changed it after it was made
)

// State looks at a file. why says, for a stale or changed file, what differs.
func (f *Folder) State(barcode, file string, from Sources) (state State, why string, err error) {
	sum, err := hashFile(f.Path(barcode, file))
	if errors.Is(err, fs.ErrNotExist) {
		return Absent, "", nil
	}
	if err != nil {
		return Absent, "", err
	}
	entries, err := f.entries(barcode)
	if err != nil {
		return Absent, "", err
	}
	e, known := entries[file]
	switch {
	case !known:
		return Changed, "nothing says what it was made from", nil
	case e.SHA256 == "":
		return Stale, "its making was broken off", nil
	case e.SHA256 != sum:
		return Changed, "it was changed after it was made", nil
	}
	for _, name := range slices.Sorted(maps.Keys(from)) {
		if e.From[name] != from[name] {
			if strings.HasSuffix(name, "s") {
				return Stale, "other " + name, nil
			}
			return Stale, "another " + name, nil
		}
	}
	return Fresh, "", nil
}

// Write makes files of a book, whole or not at all, and notes what they were
// made from. Whoever calls it holds the book's lock.
func (f *Folder) Write(barcode string, from Sources, files map[string]func(io.Writer) error) error {
	names := slices.Sorted(maps.Keys(files))
	// First say that the files are in the making: if the program is killed
	// between them, the next run sees it and makes them anew.
	if err := f.note(barcode, names, func(string) entry { return entry{From: from} }); err != nil {
		return err
	}
	sums := map[string]string{}
	for _, name := range names {
		sum := sha256.New()
		err := durable.Replace(f.Path(barcode, name), func(w io.Writer) error { return files[name](io.MultiWriter(w, sum)) })
		if err != nil {
			return fmt.Errorf("writing %s: %w", Name(barcode, name), err)
		}
		sums[name] = hex.EncodeToString(sum.Sum(nil))
	}
	return f.note(barcode, names, func(name string) entry { return entry{From: from, SHA256: sums[name]} })
}

func (f *Folder) note(barcode string, names []string, say func(name string) entry) error {
	entries, err := f.entries(barcode)
	if err != nil {
		return err
	}
	for _, name := range names {
		entries[name] = say(name)
	}
	return durable.Replace(f.Path(barcode, made), func(w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		return enc.Encode(entries)
	})
}

func (f *Folder) entries(barcode string) (map[string]entry, error) {
	entries := map[string]entry{}
	content, err := os.ReadFile(f.Path(barcode, made))
	if errors.Is(err, fs.ErrNotExist) {
		return entries, nil
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(content, &entries); err != nil {
		return nil, fmt.Errorf("%s is damaged (%w); delete it, and type the command again with --force", Name(barcode, made), err)
	}
	return entries, nil
}

func hashFile(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// Lock takes a book for this program. It does not wait: a book that another
// program is at work on is an error. The lock ends with unlock or with the
// process, however it ends.
func (f *Folder) Lock(barcode string) (unlock func() error, err error) {
	locks := filepath.Join(f.dir, ".locks")
	if err := os.MkdirAll(locks, 0o777); err != nil {
		return nil, err
	}
	// The lock file stays: to delete it would let a third program lock a name
	// that a second one still waits on.
	unlock, err = lockFile(filepath.Join(locks, barcode))
	if errors.Is(err, errLocked) {
		return nil, fmt.Errorf("another verbatim is at work on %s in %s; let it finish, or choose another folder with --dir", barcode, f.dir)
	}
	return unlock, err
}

var errLocked = errors.New("locked")
