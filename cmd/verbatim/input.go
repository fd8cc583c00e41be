package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"verbatim"
)

// openDocument reads one text; "-" is standard input. The document's id is the
// file's name without .txt, as it stands.
func openDocument(path string, in io.Reader) (*verbatim.Document, error) {
	if path == "-" {
		return readText(in, "standard input", "standard input")
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, plainPathError(err)
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s is a folder; name the text files in it, for example %s", path, filepath.Join(path, "*.txt"))
	}
	return readText(file, barcode(path), path)
}

// readText reads a document, unless its first bytes say that it is no text.
func readText(in io.Reader, id, path string) (*verbatim.Document, error) {
	head, in := firstBytes(in)
	for _, known := range []struct{ start, what string }{
		{"\xFF\xFE", utf16}, {"\xFE\xFF", utf16},
		{"%PDF-", "a PDF file"}, {"PK\x03\x04", "a packed file (DOCX, ODT, EPUB or ZIP)"}, {"{\\rtf", "an RTF file"},
		{"\xD0\xCF\x11\xE0", "an old Word file"}, {"\x1F\x8B", "a packed file (gzip)"},
	} {
		if bytes.HasPrefix(head, []byte(known.start)) {
			return nil, noText(path, known.what)
		}
	}
	zeros := bytes.Count(head, []byte{0})
	if zeros > len(head)/10 { // a stray one is a scanner's slip
		return nil, noText(path, utf16)
	}
	doc, err := verbatim.ReadDocument(in, id)
	if bad := (*verbatim.EncodingError)(nil); errors.As(err, &bad) {
		if zeros > 0 {
			return nil, noText(path, "a file of another kind")
		}
		bad.ID = path // the user typed a path and should see it again
	}
	return doc, err
}

const utf16 = "text in UTF-16, or no text"

// noText says what to do with a file that is no plain text.
func noText(path, what string) error {
	if what == utf16 {
		return fmt.Errorf("%s is %s; convert it first, for example: iconv -f UTF-16 -t UTF-8 OLD.txt > NEW.txt", path, what)
	}
	return fmt.Errorf("%s is %s, and no plain text; open it in the program that made it and save it as text (UTF-8)", path, what)
}

// firstBytes looks at how a file begins, and gives back all of it.
func firstBytes(in io.Reader) ([]byte, io.Reader) {
	const some = 4096
	if file, is := in.(*os.File); is {
		head := make([]byte, some)
		if n, err := file.ReadAt(head, 0); err == nil || err == io.EOF {
			return head[:n], in
		}
	}
	buffered := bufio.NewReaderSize(in, some) // a pipe cannot be read twice
	head, _ := buffered.Peek(some)            // an error comes again with the reading
	return head, buffered
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
func eachDocument(ctx context.Context, c *console, paths []string, work func(path string, doc *verbatim.Document) error) error {
	if err := onlyOneInput(paths...); err != nil {
		return err
	}
	var bad []error
	for _, path := range paths {
		doc, err := openDocument(path, standardInput(ctx, c))
		if err != nil {
			bad = append(bad, err)
			if len(paths) > 1 {
				fmt.Fprintln(c.messages, "verbatim:", err)
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
