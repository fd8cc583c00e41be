package workspace

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"sync"

	"verbatim/internal/durable"
)

// unsaved is the file of texts that a person typed for a book and did not save.
const unsaved = "unsaved.json"

// Unsaved are the texts that a person typed for a book and did not save: they
// stopped, or the terminal closed. They are on the disk, by the field that they
// were typed into, until they are saved or dropped.
type Unsaved struct {
	folder *Folder
	path   string
	mu     sync.Mutex
	texts  map[string]string // nil: not read yet
}

// Unsaved are the texts of a book.
func (f *Folder) Unsaved(barcode string) *Unsaved {
	return &Unsaved{folder: f, path: f.Path(barcode, unsaved)}
}

// Kept is the text of a field, or "".
func (u *Unsaved) Kept(field string) string {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.read()
	return u.texts[field]
}

// read reads the file once. One that cannot be read holds nothing that a person
// could still use: the next text replaces it.
func (u *Unsaved) read() {
	if u.texts == nil {
		u.texts = map[string]string{}
		if data, err := durable.ReadFile(u.path); err == nil && json.Unmarshal(data, &u.texts) != nil || u.texts == nil {
			u.texts = map[string]string{}
		}
	}
}

// Keep puts a text on the disk; "" forgets the field. The file goes with its
// last text.
func (u *Unsaved) Keep(field, text string) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.read()
	if u.texts[field] == text {
		return nil
	}
	after := maps.Clone(u.texts)
	if after[field] = text; text == "" {
		delete(after, field)
	}
	if err := u.write(after); err != nil {
		return err
	}
	u.texts = after
	return nil
}

func (u *Unsaved) write(texts map[string]string) error {
	if len(texts) == 0 {
		if err := os.Remove(u.path); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(u.path), 0o777); err != nil {
		return durable.CannotWrite(u.path, err)
	}
	return u.folder.replace(u.path, func(w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(texts)
	})
}

// Kept is what a reviewer typed into a field and did not save, or "".
func (u *underReview) Kept(field string) string { return u.typed.Kept(field) }

// Keep puts what a reviewer typed into a field on the disk; "" forgets it.
func (u *underReview) Keep(field, text string) error { return u.typed.Keep(field, text) }
