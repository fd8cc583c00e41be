package workspace

import (
	"errors"
	"os"
	"path/filepath"
)

// Made is the file that says what the other files of a book were made from.
const Made = made

// Votes is the file of blind solves and second opinions about a book.
const Votes = "votes.jsonl"

// Recorded is what made.json says about the files of a book: the hash of each
// as it was written, which is empty while a file is being written. book is the
// hash of the text that the drafts, or else the tags, were made from.
func (f *Folder) Recorded(barcode string) (hashes map[string]string, book string, err error) {
	entries, err := f.entries(barcode)
	if err != nil {
		return nil, "", err
	}
	hashes = map[string]string{}
	for name, e := range entries {
		if name != textEntry {
			hashes[name] = e.SHA256
		}
	}
	for _, name := range []string{Tagged, Drafts} {
		if from := entries[name].From["book"]; from != "" {
			book = from
		}
	}
	return hashes, book, nil
}

// InUse reports whether another program works on a book. If not, the book is
// kept for the caller until release. Unlike Lock it creates no file, so it works
// in a folder that cannot be written.
func (f *Folder) InUse(barcode string) (release func(), inUse bool) {
	path := filepath.Join(f.dir, ".locks", barcode)
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return func() {}, false // nobody has worked on it yet
	}
	unlock, err := lockFile(path)
	if err != nil {
		return func() {}, errors.Is(err, errLocked)
	}
	return func() { _ = unlock() }, false
}
