package journal

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// invent returns a word that is in no list, always the same for the same word. It
// keeps the capital letter, but not the length or the ending.
func invent(word string) string {
	n := 0
	for _, r := range strings.ToLower(word) {
		n = (n*31 + int(r)) % 1_000_003
	}
	heads := []string{"bl", "dr", "fl", "gr", "kl", "pr", "sn", "tr", "v", "z"}
	middles := []string{"ab", "ep", "im", "ok", "ud", "orb", "ank", "elv"}
	tails := []string{"ot", "ung", "ax", "im", "ogg", "urn", "ep", "osk"}
	made := heads[n%10] + middles[n/10%8] + tails[n/80%8]
	if r, _ := utf8.DecodeRuneInString(word); unicode.IsUpper(r) {
		made = strings.ToUpper(made[:1]) + made[1:]
	}
	return made
}

// inventAll replaces every name of an ailment, a food or a feeling with an
// invented word, in the text and in the spans.
func (o ownText) inventAll() ownText {
	swap := func(s string) string { return s }
	for _, name := range o.Words {
		for word := range strings.FieldsSeq(name) {
			before := swap
			whole := regexp.MustCompile(`(^|[^\pL\pM])` + regexp.QuoteMeta(word) + `($|[^\pL\pM])`)
			swap = func(s string) string {
				s = before(s)
				for whole.MatchString(s) {
					s = whole.ReplaceAllString(s, "${1}"+invent(word)+"${2}")
				}
				return s
			}
		}
	}
	made := o
	made.Text = swap(o.Text)
	made.Items = nil
	for _, it := range o.Items {
		it.Span = swap(it.Span)
		made.Items = append(made.Items, it)
	}
	return made
}

// found counts the expected items that the extractor finds, by the scorer's
// containment mode, and all items that it finds.
func (o ownText) found(e *Extractor) (found, exact, given int) {
	claims, _ := e.find(o.Text)
	taken := make([]bool, len(o.Items))
	for _, c := range claims {
		span := strings.ToLower(o.Text[c.Start:c.End])
		for i, it := range o.Items {
			want := strings.ToLower(it.Span)
			if !taken[i] && c.domain == it.Domain && (strings.Contains(span, want) || strings.Contains(want, span)) {
				taken[i] = true
				found++
				if span == want {
					exact++
				}
				break
			}
		}
	}
	return found, exact, len(claims)
}

// No card names an ailment, a food or a feeling: the extractor relies on the
// wording. So it must find most items when the names are invented words.
func TestItemsAreFoundWithInventedWords(t *testing.T) {
	texts, err := readOwnTexts(filepath.Join("testdata", "own"))
	if err != nil {
		t.Fatal(err)
	}
	e := New(Cards())
	before, after, all := 0, 0, 0
	for _, o := range texts {
		found, _, _ := o.found(e)
		invented := o.inventAll()
		kept, _, _ := invented.found(e)
		before, after, all = before+found, after+kept, all+len(o.Items)
		if kept < found {
			t.Logf("%s: %d of %d items: %s", o.ID, kept, found, invented.Text)
		}
	}
	share := float64(after) / float64(before)
	t.Logf("with names %d of %d items, with invented words %d: %.3f kept", before, all, after, share)
	if share < 0.75 {
		t.Errorf("invented words keep %.3f of the items, want at least 0.75", share)
	}
}
