package workspace

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/durable"
)

// Sources says what a file is made from: a name for each thing and its hash or
// version, for example book, cards, program.
type Sources map[string]string

// entry is what made.json says about one file.
type entry struct {
	From    Sources  `json:"from,omitempty"`
	Options *Changes `json:"options,omitempty"` // of drafts: the options that the settings did not give
	SHA256  string   `json:"sha256,omitempty"`  // of the file; empty while it is being written
	Path    string   `json:"path,omitempty"`    // of the book's text, relative to the folder
}

// State says how a file relates to what it would be made from now.
type State int

// The states of a file.
const (
	Absent    State = iota // there is none
	Current                // made from the same sources: done
	OutOfDate              // made from other sources, or writing it was interrupted
	Edited                 // a person or another program changed it after it was made
)

// State looks at a file. For one that is out of date or edited, why says what
// differs.
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
		return Edited, "nothing says what it was made from", nil
	case e.SHA256 == "":
		return OutOfDate, "writing it was interrupted", nil
	case e.SHA256 != sum:
		return Edited, "it was edited after it was made", nil
	}
	for _, name := range slices.Sorted(maps.Keys(from)) {
		if e.From[name] != from[name] {
			return OutOfDate, "different " + name, nil
		}
	}
	return Current, "", nil
}

// recorded is what made.json says about one source of a file.
func (f *Folder) recorded(barcode, file, source string) string {
	entries, err := f.entries(barcode)
	if err != nil {
		return "" // who needs the file reports that made.json is damaged
	}
	return entries[file].From[source]
}

// lines is a file of one record per line.
func lines[T any](records []T) func(io.Writer) error {
	return func(w io.Writer) error { return verbatim.Write(w, verbatim.All(records)) }
}

// write makes files of a book, each whole or not at all, and records what they
// were made from. The caller holds the book's lock.
func (f *Folder) write(barcode string, from Sources, options *Changes, files map[string]func(io.Writer) error) error {
	made := map[string]entry{}
	for name := range files {
		made[name] = entry{From: from, Options: options}
	}
	// First record that the files are being written: if the program is killed
	// between them, the next run sees it and writes them again.
	if err := f.record(barcode, made); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		sum := sha256.New()
		err := f.replace(f.Path(barcode, name), func(w io.Writer) error { return files[name](io.MultiWriter(w, sum)) })
		if err != nil {
			return fmt.Errorf("writing %s: %w", Name(barcode, name), err)
		}
		made[name] = entry{From: from, Options: options, SHA256: hex.EncodeToString(sum.Sum(nil))}
	}
	return f.record(barcode, made)
}

func (f *Folder) record(barcode string, changed map[string]entry) error {
	entries, err := f.entries(barcode)
	if err != nil {
		return err
	}
	maps.Copy(entries, changed)
	return f.replace(f.Path(barcode, made), func(w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		return enc.Encode(entries)
	})
}

func (f *Folder) entries(barcode string) (map[string]entry, error) {
	entries := map[string]entry{}
	content, err := durable.ReadFile(f.Path(barcode, made))
	if errors.Is(err, fs.ErrNotExist) {
		return entries, nil
	}
	if err != nil {
		return nil, err
	}
	if err = json.Unmarshal(content, &entries); err == nil {
		err = modernize(entries)
	}
	if err != nil {
		return nil, damaged(Name(barcode, made), err)
	}
	return entries, nil
}

// modernize reads what version 0.1.0 wrote: another name for the number of
// drafts, and options as flags.
func modernize(entries map[string]entry) error {
	for file, e := range entries {
		if n, old := e.From["number of candidates"]; old {
			delete(e.From, "number of candidates")
			e.From[numberOfDrafts] = n
		}
		flags, old := e.From["flags"]
		if !old {
			continue
		}
		delete(e.From, "flags")
		var err error
		if e.Options, err = changesFromFlags(strings.Split(flags, "\n")); err != nil {
			return err
		}
		entries[file] = e
	}
	return nil
}

// damaged names a file that the program wrote and cannot read again.
func damaged(file string, err error) error {
	return fmt.Errorf("%s is damaged (%w); delete it and rebuild the book's files", file, err)
}

func hashFile(path string) (string, error) {
	data, err := durable.ReadFile(path)
	if err != nil {
		return "", err
	}
	return hashOf(data), nil
}

// hashOf is the hash of a source.
func hashOf[T string | []byte](text T) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }

// hashFolder hashes the files of a folder of the user's; a missing one is empty.
func hashFolder(dir string) string {
	var all []byte
	_ = fs.WalkDir(durable.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			data, _ := durable.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
			all = fmt.Appendf(all, "%s %d %s\n", name, len(data), data)
		}
		return nil
	})
	return hashOf(all)
}
