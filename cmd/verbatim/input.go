package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"verbatim"
)

// openDocument reads one text; "-" is standard input. The document's id is the
// file's name without .txt, as it stands.
func openDocument(path string, in io.Reader) (*verbatim.Document, error) {
	if path == "-" {
		return verbatim.ReadDocument(in, "standard input")
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, plainPathError(err)
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s is a folder; name the text files in it, for example %s", path, filepath.Join(path, "*.txt"))
	}
	doc, err := verbatim.ReadDocument(file, barcode(path))
	if bad := (*verbatim.EncodingError)(nil); errors.As(err, &bad) {
		bad.ID = path // the user typed a path and should see it again
	}
	return doc, err
}

// barcode is a book's name: its file's without folder and .txt.
func barcode(path string) string {
	name := filepath.Base(path)
	if ext := filepath.Ext(name); strings.EqualFold(ext, ".txt") {
		name = strings.TrimSuffix(name, ext)
	}
	return name
}

// plainPathError says what a scholar can act on, without the system call.
func plainPathError(err error) error {
	var path *fs.PathError
	switch {
	case !errors.As(err, &path):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: there is no such file", path.Path)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s: this file may not be read", path.Path)
	default:
		return fmt.Errorf("%s: %w", path.Path, path.Err)
	}
}

// eachDocument does a piece of work for each file. One bad file does not stop
// the others: it is named at once, and the error at the end counts it again.
func eachDocument(cmd *cobra.Command, paths []string, work func(path string, doc *verbatim.Document) error) error {
	var bad []error
	for _, path := range paths {
		doc, err := openDocument(path, cmd.InOrStdin())
		if err != nil {
			bad = append(bad, err)
			if len(paths) > 1 {
				fmt.Fprintln(cmd.ErrOrStderr(), "verbatim:", err)
			}
			continue
		}
		if err := work(path, doc); err != nil {
			return err // the output failed; no other file would fare better
		}
	}
	switch {
	case len(bad) == 0:
		return nil
	case len(paths) == 1:
		return bad[0]
	case len(bad) == len(paths):
		return fmt.Errorf("none of the %d files could be read", len(paths))
	default:
		return &Wanting{fmt.Sprintf("%d of %d files could not be read (named above); the others are done", len(bad), len(paths))}
	}
}
