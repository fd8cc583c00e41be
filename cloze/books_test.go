package cloze

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"verbatim"
)

// Every draft of the ten books: mask, passage and proof.
func TestEveryDraftOfTheBooks(t *testing.T) {
	paths, _ := filepath.Glob("../../shared/data/books/*.txt")
	if len(paths) == 0 {
		t.Skip("no books beside this checkout")
	}
	total := 0
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := verbatim.NewDocument(filepath.Base(path), string(data))
		if err != nil {
			t.Fatal(err)
		}
		b := fromRules(t, doc, 0)
		for _, category := range Categories {
			for d := range b.Drafts(category.Name) {
				total++
				check(t, b, d)
			}
		}
	}
	t.Logf("%d drafts from %d books", total, len(paths))
}

// check tests what passages and masks promise.
func check(t *testing.T, b *Book, d *Draft) {
	t.Helper()
	prove(t, b, d.Masking)
	before, after, found := strings.Cut(d.Masked, d.Kind().Mask)
	switch {
	case !found || strings.Contains(after, d.Kind().Mask):
		t.Errorf("%s: the mask must occur once in %q", b.Barcode, d.Masked)
	case before+d.Truth+after != d.Passage:
		t.Errorf("%s: unmasked it is not the passage: %q", b.Barcode, d.Masked)
	case len(strings.Fields(before)) < wordsBefore:
		t.Errorf("%s: only %d words before the mask", b.Barcode, len(strings.Fields(before)))
	case b.Reading.Heading(d.Place):
		t.Errorf("%s: a heading in %q", b.Barcode, d.Passage)
	case d.Kind().Clause() && strings.ContainsAny(d.Truth[len(d.Truth)-1:], ".;,:"):
		t.Errorf("%s: the clause includes its punctuation: %q", b.Barcode, d.Truth)
	case verbatim.FoldSpace(d.Passage) != d.Passage || strings.TrimSpace(d.Truth) != d.Truth:
		t.Errorf("%s: white space is not folded in %q", b.Barcode, d.Passage)
	}
}

// Drafts of any text can be proved, and no text causes a panic.
func FuzzDrafts(f *testing.F) {
	f.Add(page, int64(0))
	f.Add(strings.ReplaceAll(page, "\n", "\r\n"), int64(1))
	f.Add(strings.ReplaceAll(page, ". ", ".\u00a0"), int64(2))
	f.Add(strings.Repeat(page+"<page 7>\n8 THE LAMP.\n", 3), int64(3))
	f.Fuzz(func(t *testing.T, text string, seed int64) {
		doc, err := verbatim.NewDocument("fuzz", text)
		if err != nil {
			t.Skip("not UTF-8")
		}
		b := fromRules(t, doc, seed)
		for _, category := range Categories {
			for d := range b.Drafts(category.Name) {
				prove(t, b, d.Masking)
				if strings.Replace(d.Masked, d.Kind().Mask, d.Truth, 1) != d.Passage {
					t.Errorf("unmasked it is not the passage: %q", d.Masked)
				}
				for _, by := range []int{-1, 1} {
					if moved, err := b.Move(d.Masking, d.Kind(), d.Place, by, 0); err == nil {
						prove(t, b, moved)
					}
					if moved, err := b.Move(d.Masking, d.Kind(), d.Place, 0, by); err == nil {
						prove(t, b, moved)
					}
				}
			}
		}
	})
}
