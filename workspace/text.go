package workspace

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/durable"
)

// textEntry is the entry of made.json that says where a book's text is, if it
// is neither beside the working folder nor in it.
const textEntry = "text"

// Text is the path of a book's text. With folder it is looked for there and
// nowhere else; without, where it was when the book was last worked on, beside
// the working folder, or in it.
func (f *Folder) Text(barcode, folder string) (string, error) {
	if folder != "" {
		if path := textIn(barcode, folder); path != "" {
			return path, nil
		}
		return "", &NoTextError{barcode, "in " + folder}
	}
	entries, _ := f.entries(barcode) // who needs them reports that they are damaged
	if noted := entries[textEntry].Path; noted != "" {
		if path := filepath.Join(f.dir, filepath.FromSlash(noted)); isRegular(path) {
			return path, nil
		}
	}
	if path := f.usualText(barcode); path != "" {
		return path, nil
	}
	return "", &NoTextError{barcode, "beside " + f.dir + " or in it"}
}

// A NoTextError says that a book's text was not found.
type NoTextError struct{ Barcode, Where string }

func (e *NoTextError) Error() string {
	return fmt.Sprintf("the text %s.txt is not %s", e.Barcode, e.Where)
}

// noteText records where a book's text is, so that Text finds it again. The
// path is relative to the folder, and recorded only if it is not the usual one.
func (f *Folder) noteText(barcode, path string) error {
	entries, err := f.entries(barcode)
	if err != nil {
		return err
	}
	noted := ""
	usual, _ := os.Stat(f.usualText(barcode))
	if now, _ := os.Stat(path); !os.SameFile(usual, now) {
		noted = f.relative(path)
	}
	if noted == entries[textEntry].Path {
		return nil
	}
	return f.record(barcode, map[string]entry{textEntry: {Path: noted}})
}

// relative is a path as seen from the folder, with slashes; empty if there is
// none.
func (f *Folder) relative(path string) string {
	dir, err := filepath.Abs(f.dir)
	absolute, err2 := filepath.Abs(path)
	relative, err3 := filepath.Rel(dir, absolute)
	if errors.Join(err, err2, err3) != nil {
		return ""
	}
	return filepath.ToSlash(relative)
}

func (f *Folder) usualText(barcode string) string {
	return textIn(barcode, filepath.Join(f.dir, ".."), f.dir)
}

func textIn(barcode string, dirs ...string) string {
	for _, dir := range dirs {
		for _, ext := range []string{".txt", ".TXT", ".Txt", ""} {
			if path := filepath.Join(dir, barcode+ext); isRegular(path) {
				return path
			}
		}
	}
	return ""
}

// untouched are the texts in the folder given, or else beside the working
// folder, that nothing has been made from yet.
func (f *Folder) untouched(folder string, known []string) []string {
	if folder == "" {
		folder = filepath.Join(f.dir, "..")
	}
	entries, _ := os.ReadDir(folder) // a folder that cannot be read has no text for us
	var paths []string
	for _, entry := range entries {
		path := filepath.Join(folder, entry.Name())
		if isRegular(path) && strings.EqualFold(filepath.Ext(path), ".txt") && !slices.Contains(known, Barcode(path)) {
			paths = append(paths, path)
		}
	}
	return paths
}

func isRegular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// OpenText reads a book's text. The document's id is the barcode.
func OpenText(path string) (*verbatim.Document, error) {
	file, err := durable.Open(path)
	if err != nil {
		return nil, durable.CannotRead(err)
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s is a folder; name the text files in it, for example %s", path, filepath.Join(path, "*.txt"))
	}
	return ReadText(file, Barcode(path), path)
}

// ReadText reads a text, unless its first bytes show that it is not plain text.
func ReadText(in io.Reader, id, path string) (*verbatim.Document, error) {
	head, in := start(in)
	for _, known := range fileKinds {
		if bytes.HasPrefix(head, []byte(known.start)) && bytes.Contains(head, []byte(known.within)) {
			return nil, fmt.Errorf("%s is %s", path, known.what)
		}
	}
	first := bytes.ToLower(bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\uFEFF")), " \t\r\n"))
	if bytes.HasPrefix(first, []byte("<!doctype html")) || bytes.HasPrefix(first, []byte("<html")) || bytes.HasPrefix(first, []byte("<?xml")) && bytes.Contains(first, []byte("<html")) {
		return nil, fmt.Errorf("%s is a web page (HTML), not plain text; open it in a browser and save it as text, or type: pandoc -f html -t plain OLD.html -o NEW.txt", path)
	}
	zeros := bytes.Count(head, []byte{0})
	if zeros > len(head)/10 { // a single one is a scanner's slip
		return nil, fmt.Errorf("%s is %s", path, utf16)
	}
	doc, err := verbatim.ReadDocument(in, id)
	if bad := (*verbatim.EncodingError)(nil); errors.As(err, &bad) {
		if zeros > 0 {
			return nil, fmt.Errorf("%s is a file of another kind, not plain text%s", path, saveAsText)
		}
		bad.ID = path // the user typed a path and should see it again
	}
	return doc, err
}

const (
	utf16      = "in UTF-16, or not a text; convert it first, for example: iconv -f UTF-16 -t UTF-8 OLD.txt > NEW.txt"
	saveAsText = "; open it in the program that made it and save it as text (UTF-8)"
	zipped     = "PK\x03\x04"
)

// fileKinds are files that people take for texts: how they begin, what else is in
// their first bytes, and what to do.
var fileKinds = []struct{ start, within, what string }{
	{"\xFF\xFE", "", utf16}, {"\xFE\xFF", "", utf16},
	{"%PDF-", "", "a PDF file, not plain text; get its text with: pdftotext BOOK.pdf BOOK.txt. If that is empty, the pages are pictures: put it through OCR first, for example: ocrmypdf OLD.pdf NEW.pdf"},
	{zipped, "application/epub+zip", "an EPUB book, not plain text; convert it, for example with Calibre: ebook-convert BOOK.epub BOOK.txt"},
	{zipped, "opendocument.text", "a LibreOffice document (ODT), not plain text" + saveAsText},
	{zipped, "[Content_Types].xml", "a Word document (DOCX), not plain text" + saveAsText},
	{zipped, "word/", "a Word document (DOCX), not plain text" + saveAsText},
	{zipped, "", "a zipped file (ZIP, DOCX, ODT or EPUB), not plain text; unpack it, or open it in the program that made it and save it as text (UTF-8)"},
	{"{\\rtf", "", "an RTF file, not plain text" + saveAsText},
	{"\xD0\xCF\x11\xE0", "", "an old Word file, not plain text" + saveAsText},
	{"\x1F\x8B", "", "a compressed file (gzip), not plain text; unpack it first: gunzip FILE.gz"},
	{"II*\x00", "", tiff}, {"MM\x00*", "", tiff}, {"\xFF\xD8\xFF", "", tiff}, {"\x89PNG", "", tiff},
	{"AT&TFORM", "", "a DjVu file, not plain text; get its text with: djvutxt BOOK.djvu BOOK.txt"},
}

const tiff = "a picture, not plain text; put it through OCR first, for example: tesseract PAGE.png PAGE"

// start looks at the first bytes of a file, and gives back a reader of all of it.
func start(in io.Reader) ([]byte, io.Reader) {
	const some = 4096
	if file, is := in.(*os.File); is {
		head := make([]byte, some)
		if n, err := file.ReadAt(head, 0); err == nil || err == io.EOF {
			return head[:n], in
		}
	}
	buffered := bufio.NewReaderSize(in, some) // a pipe cannot be read twice
	head, _ := buffered.Peek(some)            // an error comes again when it is read
	return head, buffered
}
