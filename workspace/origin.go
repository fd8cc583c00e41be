package workspace

import (
	"fmt"
	"os"

	"verbatim"
)

// An OtherTextError says that the files of a book were made from another text with
// the same barcode. They are left as they are.
type OtherTextError struct {
	Barcode, Dir string
	Path         string // of the text
	Other        string // of the text that the files were made from; empty if it is gone
}

func (e *OtherTextError) Error() string {
	other := e.Other
	if other == "" {
		other = "one that is no longer there"
	}
	return fmt.Sprintf("%s: the files of %s in %s were made from another text, %s, and would be replaced; rename one of the texts, or give each a working folder of its own",
		e.Path, e.Barcode, e.Dir, other)
}

// checkOrigin rejects a text that is not the one that the book's files were made
// from. A text with the same words is the same, wherever it is, and so is the file
// at the same place with other words: it was corrected. Another file with other
// words is another book, unless the caller knows better (Corrected), or the first
// file is gone and most of its sentences are in this one: it was moved and corrected.
func (b *Book) checkOrigin() error {
	was := b.ws.recorded(b.Barcode, Tagged, "book")
	if was == "" || was == b.Source.SHA256 || b.ws.Corrected {
		return nil
	}
	old, err := b.ws.Text(b.Barcode, "")
	if err != nil {
		if b.sharesMost() {
			return nil
		}
		return &OtherTextError{b.Barcode, b.ws.dir, b.Path, ""}
	}
	first, err := os.Stat(old)
	now, err2 := os.Stat(b.Path)
	if err == nil && err2 == nil && os.SameFile(first, now) {
		return nil
	}
	return &OtherTextError{b.Barcode, b.ws.dir, b.Path, old}
}

// sharesMost reports whether at least half of the sentences in the book's tagged
// file are in its text.
func (b *Book) sharesMost() bool {
	before, err := readFile[verbatim.Tagged](b.File(Tagged))
	if err != nil || b.read() != nil {
		return false
	}
	has := map[string]bool{}
	for i := range b.text.Sentences {
		has[verbatim.FoldSpace(b.text.Text(i))] = true
	}
	shared := 0
	for i := range before {
		if has[verbatim.FoldSpace(before[i].Sentence)] {
			shared++
		}
	}
	return 2*shared >= len(before)
}
