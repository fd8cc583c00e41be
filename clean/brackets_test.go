package clean

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// numbered writes pages of prose; label is put in front of the last words of
// each page's first sentence. Each page begins a paragraph.
func numbered(pages int, label func(page int) string) string {
	var text strings.Builder
	for page := range pages {
		text.WriteString("The coach left the inn at " + label(page) + "nine.\n")
		for range 14 {
			text.WriteString("It went by the lower road, over the bridge and past the old mill of Wyle\n")
			text.WriteString("where nobody had lived since the flood, and the driver did not stop.\n")
		}
		text.WriteString("\n")
	}
	return text.String()
}

// Page numbers in brackets that count through the book are removed, wherever
// they stand, and every span is still proved in the source.
func TestBracketedPageNumbersAreRemoved(t *testing.T) {
	for _, form := range []struct{ name, before, after, want string }{
		{"in a sentence", "[%d] ", "", "at nine."},
		{"in braces", "{%d} ", "", "at nine."},
		{"before a line end", "a quarter [%d]\nto ", "", "at a quarter to nine."},
		{"at a line start", "a quarter\n[%d] to ", "", "at a quarter to nine."},
		{"without spaces", "mid[%d]night, not ", "", "at midnight, not nine."},
		{"on a line of its own", "a quarter\n\n[%d]\n\nto ", "", "at a quarter to nine."},
		{"at a new paragraph", "eight.\n\n[%d] The clock struck ", "", "at eight.\n\nThe clock struck nine."},
		{"where the page splits a paragraph", "a quarter to\n\n[%d] ", "", "at a quarter to nine."},
	} {
		t.Run(form.name, func(t *testing.T) {
			r := checkReading(t, numbered(12, func(page int) string { return fmt.Sprintf(form.before, 113+page) }))
			if strings.ContainsAny(r.Copy.Text, "[]{}0123456789") {
				t.Errorf("a number is still there: %.300q", r.Copy.Text)
			}
			if got := strings.Count(r.Copy.Text, "The coach left the inn "+form.want); got != 12 {
				t.Errorf("%q occurs %d times, want 12: %.300q", form.want, got, r.Copy.Text)
			}
		})
	}
}

// Page numbers are found between note marks that start again in every chapter.
func TestBracketedPageNumbersAmongNotes(t *testing.T) {
	r := checkReading(t, numbered(16, func(page int) string { return fmt.Sprintf("[%d] or after [%d] ", 40+page, 1+page%4) }))
	if got := strings.Count(r.Copy.Text, "at or after ["); got != 16 {
		t.Errorf("%d of 16 pages lost only their number: %.300q", got, r.Copy.Text)
	}
}

// Numbers in brackets that do not count the pages belong to the author.
func TestOtherBracketedNumbersStay(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	notes := 0
	for name, label := range map[string]func(page int) string{
		"years":       func(page int) string { return fmt.Sprintf("[%d] ", 1862+page) },
		"same number": func(int) string { return "[113] " },
		"notes of each chapter": func(page int) string {
			return fmt.Sprintf("[%d] ", 1+page%4)
		},
		"any number": func(int) string { return fmt.Sprintf("[%d] ", 1+random.IntN(400)) },
		"notes here and there": func(page int) string {
			text := ""
			for range random.IntN(4) {
				notes++
				text += fmt.Sprintf("[%d] so, and ", notes)
			}
			return text
		},
		"few": func(page int) string {
			if page < 4 {
				return fmt.Sprintf("[%d] ", 113+page)
			}
			return ""
		},
	} {
		text := numbered(12, label)
		if r := checkReading(t, text); strings.Count(r.Copy.Text, "[") != strings.Count(text, "[") {
			t.Errorf("%s: %d of %d numbers stayed", name, strings.Count(r.Copy.Text, "["), strings.Count(text, "["))
		}
	}
}
