package workspace

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
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
	// Unlisted says why the catalogue has no row; nil if it has one or there is no
	// catalogue.
	Unlisted *book.NotListed
}

// Describe reads the book's own file, under its name or an older one, or else its row in the catalogue, which
// may be nil. What a person once confirmed is never overwritten by a catalogue.
func (f *Folder) Describe(catalogue *book.Catalogue, barcode string) (*Description, error) {
	usual := f.MetadataPath(barcode)
	old := barcode + "_metadata.json"
	for _, path := range []string{usual, filepath.Join(f.dir, "metadata", old), filepath.Join(f.dir, old)} {
		data, err := durable.ReadFile(path)
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
		} else {
			d.Unlisted = catalogue.NotListed(barcode)
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
	if _, err := f.makeFolder("metadata"); err != nil {
		return err
	}
	if d.Row != nil {
		raw := filepath.Join(filepath.Dir(path), d.Barcode+"-catalogue.json")
		err := f.replace(raw, func(w io.Writer) error {
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
	return f.replace(path, func(w io.Writer) error {
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
	text := fmt.Sprintf("%s is not described yet; missing: %s", e.Barcode, strings.Join(names, ", "))
	if e.Unlisted != nil {
		text += "; " + e.Unlisted.Error()
	}
	return text
}

// Complete is the description of a book if nothing is missing. What a catalogue
// row leaves open counts as unknown, and the description is saved. Otherwise the
// error is a *NotDescribedError.
func (f *Folder) Complete(d *Description, path string) error {
	switch {
	case d.Saved && len(d.Missing()) == 0:
		return nil
	case d.Row != nil && d.Title != "":
		d.StateAll()
		return f.Save(d)
	}
	return &NotDescribedError{d, path}
}

// A Frame is the sentence about a book that begins each of its questions.
type Frame struct {
	Book  string `json:"book"`
	Frame string `json:"frame"`
	File  string `json:"file"`
}

// Frames are the frames of metadata files, of all rows of catalogues (.csv), or
// of the metadata files in folders. What cannot be read goes to report.
func Frames(paths []string, report func(error)) []Frame {
	var frames []Frame
	for _, path := range paths {
		files := []string{path}
		if isDir(path) {
			if files = metadataFiles(path); len(files) == 0 {
				report(fmt.Errorf("%s: no metadata files in this folder or in its metadata folder", path))
			}
		}
		for _, file := range files {
			read := metadataFrame
			if strings.EqualFold(filepath.Ext(file), ".csv") {
				read = catalogueFrames
			}
			found, err := read(file, report)
			if err != nil {
				report(err)
			}
			frames = append(frames, found...)
		}
	}
	return frames
}

func metadataFiles(dir string) []string {
	var files []string
	for _, pattern := range []string{"metadata/*.json", "process_files/metadata/*.json", "*_metadata.json", "*.json"} {
		found, _ := fs.Glob(durable.DirFS(dir), pattern)
		for _, name := range found {
			file := filepath.Join(dir, filepath.FromSlash(name))
			if !strings.HasSuffix(name, "-catalogue.json") && !strings.HasSuffix(name, "-made.json") && !slices.Contains(files, file) {
				files = append(files, file)
			}
		}
	}
	return files
}

func catalogueFrames(path string, report func(error)) ([]Frame, error) {
	catalogue, err := ReadCatalogues([]string{path}, nil)
	if err != nil {
		return nil, err
	}
	for _, problem := range catalogue.Problems {
		report(problem)
	}
	var frames []Frame
	for row := range catalogue.Rows() {
		frames = append(frames, Frame{row.Raw["barcode_src"], row.Metadata.Frame(), path})
	}
	return frames, nil
}

func metadataFrame(path string, _ func(error)) ([]Frame, error) {
	data, err := durable.ReadFile(path)
	if err != nil {
		return nil, durable.CannotRead(err)
	}
	m, err := book.Parse(data, path)
	if err != nil {
		return nil, err
	}
	if m.Title == "" {
		return nil, fmt.Errorf("%s: source_title is missing; a frame needs a title", path)
	}
	name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".json"), "_metadata")
	return []Frame{{name, m.Frame(), path}}, nil
}

// ReadCatalogues reads library lists into one catalogue, only the rows of the
// books at these paths if there are any. Bad rows are its Problems.
func ReadCatalogues(paths, books []string) (*book.Catalogue, error) {
	catalogue := &book.Catalogue{}
	if len(books) > 0 {
		var barcodes []string
		for _, path := range books {
			barcodes = append(barcodes, Barcode(path))
		}
		catalogue.Only(barcodes)
	}
	for _, path := range paths {
		if isDir(path) {
			return nil, fmt.Errorf("%s is a folder; name the list in it", path)
		}
		file, err := durable.Open(path)
		if err != nil {
			return nil, durable.CannotRead(err)
		}
		err = catalogue.Add(file, path)
		if err := errors.Join(err, file.Close()); err != nil {
			return nil, err
		}
	}
	return catalogue, nil
}
