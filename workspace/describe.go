package workspace

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"verbatim/book"
	"verbatim/internal/durable"
)

// A Description is what is known about a book, and where it comes from.
type Description struct {
	*book.Metadata
	Barcode string
	File    string    // the metadata file, read or to be written
	Row     *book.Row // of the catalogue; nil if there is none or the file was read
	Saved   bool      // the file exists
}

// Describe reads the book's own file, under its name or an older one, or else its row in the catalogue, which
// may be nil. What a person once confirmed is never overwritten by a catalogue.
func (f *Folder) Describe(catalogue *book.Catalogue, barcode string) (*Description, error) {
	usual := f.MetadataPath(barcode)
	old := barcode + "_metadata.json"
	for _, path := range []string{usual, filepath.Join(f.dir, "metadata", old), filepath.Join(f.dir, old)} {
		data, err := os.ReadFile(path)
		switch {
		case err == nil:
			m, err := book.Parse(data, path)
			return &Description{Metadata: m, Barcode: barcode, File: path, Saved: true}, err
		case !errors.Is(err, fs.ErrNotExist):
			return nil, err
		}
	}
	d := &Description{Metadata: book.Defaults(barcode), Barcode: barcode, File: usual}
	if catalogue != nil {
		if d.Row = catalogue.Find(barcode); d.Row != nil {
			d.Metadata = d.Row.Metadata
		}
	}
	return d, nil
}

// MetadataPath is where the metadata of a book are written.
func (f *Folder) MetadataPath(barcode string) string {
	return filepath.Join(f.dir, "metadata", barcode+".json")
}

// Save writes the metadata file, and beside it what the catalogue said.
func (f *Folder) Save(d *Description) error {
	path := f.MetadataPath(d.Barcode)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return durable.CannotWrite(path, err)
	}
	if d.Row != nil {
		raw := filepath.Join(filepath.Dir(path), d.Barcode+"-catalogue.json")
		err := durable.Replace(raw, func(w io.Writer) error {
			enc := json.NewEncoder(w)
			enc.SetEscapeHTML(false)
			enc.SetIndent("", "  ")
			row := *d.Row
			row.File = filepath.Base(row.File) // no file holds a path of this machine
			return enc.Encode(row)
		})
		if err != nil {
			return err
		}
	}
	d.File, d.Saved = path, true
	return durable.Replace(path, func(w io.Writer) error {
		_, err := w.Write(d.Metadata.File())
		return err
	})
}

// hash is the metadata as a source of other files.
func (d *Description) hash() string {
	text, err := d.MarshalJSON()
	if err != nil {
		panic(err) // it has written itself to the disk before
	}
	return hashOf(text)
}

// A NotDescribedError says that a book must be described first.
type NotDescribedError struct {
	*Description
	Path string // of the text
}

func (e *NotDescribedError) Error() string {
	var names []string
	for _, f := range e.Missing() {
		names = append(names, f.Name)
	}
	return fmt.Sprintf("%s is not described yet; missing: %s", e.Barcode, strings.Join(names, ", "))
}

// Complete is the description of a book if nothing is missing. What a catalogue
// row leaves open counts as unknown, and the description is saved. Otherwise the
// error is a *NotDescribedError.
func (f *Folder) Complete(d *Description, path string) error {
	switch {
	case len(d.Missing()) == 0:
		return nil
	case d.Row != nil && d.Title != "":
		d.StateAll()
		return f.Save(d)
	}
	return &NotDescribedError{d, path}
}
