package folder

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// text is the entry of made.json that says where a book's own text lies, where
// it lies neither beside the working folder nor in it.
const text = "text"

// Text is the path of a book's own text: in one of the folders given, and
// nowhere else; without any, where it was when the book was last worked on,
// beside the working folder or in it.
func (f *Folder) Text(barcode string, given ...string) (string, error) {
	if len(given) > 0 {
		if path := textIn(barcode, given...); path != "" {
			return path, nil
		}
		return "", fmt.Errorf("the text %s.txt is not in %s; name the folder in which it lies with --books", barcode, strings.Join(given, " or "))
	}
	entries, _ := f.entries(barcode) // whoever needs them says that they are damaged
	if noted := entries[text].Path; noted != "" {
		if path := filepath.Join(f.dir, filepath.FromSlash(noted)); isRegular(path) {
			return path, nil
		}
	}
	if path := f.usualText(barcode); path != "" {
		return path, nil
	}
	return "", fmt.Errorf("the text %s.txt is neither beside %s nor in it; say where it lies with --books FOLDER", barcode, f.dir)
}

// NoteText remembers where a book's text lies, so that Text finds it again. The
// path is noted as seen from the folder, and only where it is not the usual one.
func (f *Folder) NoteText(barcode, path string) error {
	entries, err := f.entries(barcode)
	if err != nil {
		return err
	}
	noted := ""
	if usual := f.usualText(barcode); usual == "" || !sameFile(usual, path) {
		noted = f.SeenFrom(path)
	}
	if noted == entries[text].Path {
		return nil
	}
	return f.note(barcode, []string{text}, func(string) entry { return entry{Path: noted} })
}

// SeenFrom is a path from the folder, with slashes; empty where none leads there.
func (f *Folder) SeenFrom(path string) string {
	dir, err := filepath.Abs(f.dir)
	if err != nil {
		return ""
	}
	if path, err = filepath.Abs(path); err != nil {
		return ""
	}
	if path, err = filepath.Rel(dir, path); err != nil {
		return ""
	}
	return filepath.ToSlash(path)
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

func isRegular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}
