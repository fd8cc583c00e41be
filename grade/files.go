package grade

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"verbatim/internal/durable"
)

// OpenSource opens a file. It reads a pipe into memory, because lines are read
// in any order. The caller must Close the Source.
func OpenSource(path string) (*Source, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && info.Mode().IsRegular() {
		return &Source{Name: path, ReaderAt: file, Size: info.Size()}, nil
	}
	defer file.Close()
	if err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s is a folder; name a file", path)
	}
	text, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	return FromString(path, string(text)), nil
}

// Close closes the file, if there is one.
func (s *Source) Close() error {
	if file, ok := s.ReaderAt.(io.Closer); ok {
		return file.Close()
	}
	return nil
}

// ReadSchema reads a JSON Schema from a file. Without a name, it returns Default.
func ReadSchema(path string) (*Schema, error) {
	if path == "" {
		return Default(), nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	s, err := ParseSchema(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// Outputs are the files of a score: the summary, and a line for each journal.
// An empty name means that the file is not written.
type Outputs struct{ Summary, Rows string }

// NewOutputs names the files. path is the summary, or a folder for it; rows is the
// name of the per-journal file next to it.
func NewOutputs(path, rows string) (Outputs, error) {
	if path == "" {
		return Outputs{}, nil
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() || strings.HasSuffix(path, "/") || strings.HasSuffix(path, string(filepath.Separator)) {
		path = filepath.Join(path, "score_summary.json")
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return Outputs{path, ""}, nil // nothing can be next to a pipe or a device
	}
	o := Outputs{path, filepath.Join(filepath.Dir(path), rows)}
	if filepath.Clean(o.Summary) == filepath.Clean(o.Rows) {
		return o, errors.New("this is the name of the per-journal file; choose another")
	}
	return o, nil
}

// Write lets score write the rows and return the summary, and writes both files.
// If score fails, no file changes. Without a per-journal file, rows is nil.
func (o Outputs) Write(score func(rows io.Writer) (Object, error)) error {
	var summary Object
	do := func(rows io.Writer) (err error) {
		summary, err = score(rows)
		return err
	}
	if o.Rows == "" {
		if err := do(nil); err != nil {
			return err
		}
	} else if err := replace(o.Rows, do); err != nil {
		return err
	}
	if o.Summary == "" {
		return nil
	}
	data, err := summary.JSON()
	if err != nil {
		return err
	}
	return replace(o.Summary, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// replace writes a file completely or not at all, and creates its folder.
func replace(path string, write func(io.Writer) error) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return durable.CannotWrite(path, err)
	}
	return durable.Replace(path, write)
}
