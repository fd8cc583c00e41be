package distractor

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/period"
)

// A token is a word of a candidate.
type token struct {
	word, key, stem string
	start           int
	entry           period.Entry // of the word itself or of its stem
	first           bool         // it opens the candidate or a sentence or speech in it
}

// tokens cuts a text into its words.
func tokens(text string) []token {
	var list []token
	for word, at := range period.Words(text) {
		key := period.Key(word)
		t := token{word: word, key: key, stem: stem(key), start: at, first: opens(text[:at])}
		if t.entry, _ = period.Find(key); t.entry.Word == "" {
			t.entry, _ = period.Find(t.stem)
		}
		list = append(list, t)
	}
	return list
}

// opens reports whether a word after this text opens a sentence or a speech.
func opens(before string) bool {
	before = strings.TrimRight(before, " ")
	last, _ := utf8.DecodeLastRuneInString(before)
	return before == "" || strings.ContainsRune(".?!:\"“‘'(—[", last)
}

// isName reports whether a word is a name that not every book knows. At the start
// of a sentence it must be known as one.
func (t token) isName() bool {
	r, _ := utf8.DecodeRuneInString(t.word)
	return unicode.IsUpper(r) && len(t.word) > 1 && (!t.first || t.entry.Name) && t.entry.Books < 512 && !strings.HasPrefix(t.key, "i'")
}

// content reports whether a word is more than grammar: not one of the shortest and
// most common ones.
func (l *Lures) content(t token) bool { return len(t.key) > 3 && !l.lists["grammar"][t.key] }

// rarity is how many times the number of books with the word must be doubled to
// reach all books: 0 for `with`, about 2 for `harness`, 8 for `phonolite`.
func (t token) rarity() float64 {
	if t.entry.Books == 0 {
		return 8
	}
	return max(0, math.Log2(float64(period.Total)/float64(t.entry.Books)))
}

// stem is a word without the usual endings, so that plural and singular meet.
func stem(key string) string {
	key = strings.TrimSuffix(key, "'s")
	for _, e := range []struct{ end, put string }{{"ations", "at"}, {"ation", "at"}, {"ies", "y"}, {"ings", ""}, {"ing", ""}, {"edly", ""}, {"ied", "y"}, {"ed", ""},
		{"sses", "ss"}, {"es", ""}, {"ers", ""}, {"er", ""}, {"ly", ""}, {"ss", "ss"}, {"s", ""}, {"e", ""}} {
		if cut, found := strings.CutSuffix(key, e.end); found && len(cut) >= 3 {
			return cut + e.put
		}
	}
	return key
}

// topic is how much a candidate speaks of what its passage speaks of: 1 if all its
// rarer words are there, -1 if none is known in the pages around either.
func (s *scene) topic(c *lure) float64 {
	const calm, passage, around, stranger = 4, 1, 0.25, -1
	sum, all := 0.0, 0.0
	seen := map[string]bool{}
	for _, t := range c.tokens {
		if !s.content(t) && !t.isName() || seen[t.stem] {
			continue
		}
		seen[t.stem] = true
		rarity := t.rarity() + 0.3
		all += rarity
		switch {
		case s.stems[t.stem]:
			sum += passage * rarity
		case s.around[t.stem]:
			sum += around * rarity
		case rarity > 1 && (s.thing(t) || t.isName()):
			sum += stranger * rarity
		}
	}
	return sum / (all + calm)
}

// nearness is 1 next to the passage, a half 40 sentences away.
func nearness(d *Detail) float64 {
	if d == nil {
		return 0
	}
	const half = 40
	return half / (half + float64(max(0, d.Distance)))
}
