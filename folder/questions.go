package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The files of a book on its way to questions.
const (
	Drafts    = "drafts.jsonl"
	Decisions = "decisions.jsonl"
	Questions = "clozequestions.jsonl"
	Ledger    = "ledger.jsonl"
)

// Usual is the name of the working folder beside the books.
const Usual = "process_files"

// Find gives the working folder that a person means: dir itself, or
// process_files in it. It makes nothing.
func Find(dir string) (*Folder, error) {
	for _, d := range []string{filepath.Join(dir, Usual), dir} {
		if info, err := os.Stat(d); err == nil && info.IsDir() && (d != dir || isWorking(d)) {
			return &Folder{d}, nil
		}
	}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: there is no such folder", dir)
	}
	return nil, fmt.Errorf("%s holds no working folder yet; make drafts first with: verbatim make --batch BOOK.txt", dir)
}

// At is a working folder at a path, whether or not it is there.
func At(dir string) *Folder { return &Folder{dir} }

// isWorking says whether a folder holds files that only a working folder has.
func isWorking(dir string) bool {
	if filepath.Base(dir) == Usual {
		return true
	}
	entries, err := os.ReadDir(dir)
	return err == nil && slices.ContainsFunc(entries, func(entry fs.DirEntry) bool {
		name := entry.Name()
		return name == "metadata" || strings.HasSuffix(name, "-"+made) || strings.HasSuffix(name, "-"+Decisions) || strings.HasSuffix(name, "-"+Drafts)
	})
}

// Dir is the folder's path, as it was given.
func (f *Folder) Dir() string { return f.dir }

// MetadataPath is where the metadata of a book are written.
func (f *Folder) MetadataPath(barcode string) string {
	return filepath.Join(f.dir, "metadata", barcode+".json")
}

// ReadMetadata gives the metadata file of a book under its name or its older
// one, and the path it was read from. fs.ErrNotExist says that there is none.
func (f *Folder) ReadMetadata(barcode string) (data []byte, path string, err error) {
	for _, path := range []string{f.MetadataPath(barcode), filepath.Join(f.dir, "metadata", barcode+"_metadata.json"), filepath.Join(f.dir, barcode+"_metadata.json")} {
		data, err := os.ReadFile(path)
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return data, path, err
		}
	}
	return nil, f.MetadataPath(barcode), fs.ErrNotExist
}

// Books are the barcodes that have a file in the folder, in order.
func (f *Folder) Books() ([]string, error) {
	entries, err := os.ReadDir(f.dir)
	if err != nil {
		return nil, err
	}
	found := map[string]bool{}
	for _, entry := range entries {
		for _, file := range []string{Tagged, Drafts, Decisions, Questions} {
			if barcode, ok := strings.CutSuffix(entry.Name(), "-"+file); ok && barcode != "" {
				found[barcode] = true
			}
		}
	}
	var barcodes []string
	for barcode := range found {
		barcodes = append(barcodes, barcode)
	}
	slices.Sort(barcodes)
	return barcodes, nil
}
