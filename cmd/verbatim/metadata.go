package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/term"

	"verbatim/book"
	"verbatim/folder"
	"verbatim/internal/durable"
)

// isTerminal says whether a person sits at this stream.
func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// workingFolder is where the files of a book are made: --dir, or process_files
// beside the book.
func workingFolder(dir, bookPath string) (*folder.Folder, error) {
	return folder.Open(folderOf(dir, bookPath))
}

// readCatalogues reads all of --catalogue. Broken rows are words, not errors.
func readCatalogues(paths []string, words io.Writer) (*book.Catalogue, error) {
	catalogue := &book.Catalogue{}
	for _, path := range paths {
		file, err := os.Open(path)
		if err != nil {
			return nil, plainPathError(err)
		}
		err = catalogue.Add(file, path)
		if err := errors.Join(err, file.Close()); err != nil {
			return nil, err
		}
	}
	for _, problem := range catalogue.Problems {
		fmt.Fprintln(words, "verbatim:", problem)
	}
	return catalogue, nil
}

// known is what is known of a book, and from where.
type known struct {
	*book.Metadata
	barcode string
	file    string    // the metadata file, read or to be written
	row     *book.Row // of the catalogue; nil where there is none or the file was read
	saved   bool      // the file is there
}

// whatIsKnown reads the book's own file or else the catalogue. What a person
// has once confirmed is never overwritten by a list.
func whatIsKnown(work *folder.Folder, catalogue *book.Catalogue, barcode string) (*known, error) {
	data, path, err := work.ReadMetadata(barcode)
	k := &known{barcode: barcode, file: path}
	switch {
	case err == nil:
		k.saved = true
		k.Metadata, err = book.Parse(data, path)
		return k, err
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	if k.row = catalogue.Find(barcode); k.row != nil {
		k.Metadata = k.row.Metadata
	} else {
		k.Metadata = book.Defaults(barcode)
	}
	return k, nil
}

// save writes the file, and beside it what the catalogue said, as it stood.
func (k *known) save(work *folder.Folder) error {
	path := work.MetadataPath(k.barcode)
	if err := makeFolder(path); err != nil {
		return err
	}
	if k.row != nil {
		raw := filepath.Join(filepath.Dir(path), k.barcode+"-catalogue.json")
		err := durable.Replace(raw, func(w io.Writer) error {
			enc := json.NewEncoder(w)
			enc.SetEscapeHTML(false)
			enc.SetIndent("", "  ")
			row := *k.row
			row.File = filepath.Base(row.File) // no file holds a path of this machine
			return enc.Encode(row)
		})
		if err != nil {
			return err
		}
	}
	k.file, k.saved = path, true
	return durable.Replace(path, func(w io.Writer) error {
		_, err := w.Write(k.File())
		return err
	})
}

// sources are the metadata as a source of other files.
func (k *known) hash() string {
	text, err := k.MarshalJSON()
	if err != nil {
		panic(err) // it has written itself to the disk before
	}
	return hashOf(text)
}
