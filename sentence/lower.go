package sentence

import (
	"strings"
	"unicode"
)

// opensLower reports whether the writer starts sentences with lower-case
// letters, as people do in private notes. The whole text decides: one
// lower-case letter after a period is a misread comma, many are a habit, and so
// is `i` for `I`.
func (r *Rules) opensLower(text string) bool {
	const sample = 1 << 20 // bytes are enough
	text = text[:min(len(text), sample)]
	small, capital := r.countOpenings(text)
	if small == 0 && capital == 0 {
		return false
	}
	i, I := strings.Count(text, " i "), strings.Count(text, " I ")
	switch {
	case small+capital > 200: // a book: in scans up to one period in fifteen is a misread comma
		return small*6 > small+capital
	case i > 0 && i*6 >= i+I:
		return true
	default:
		return (small > 1 || beginsSmall(text)) && small*8 >= small+capital
	}
}

// countOpenings counts lower-case letters and capitals after a period.
func (r *Rules) countOpenings(text string) (small, capital int) {
	s := splitter{rules: r, text: text, end: len(text)}
	for at := 0; ; {
		stop := strings.IndexByte(text[at:], '.')
		if stop < 0 {
			return small, capital
		}
		stop += at
		at = stop + 1
		if stop > 2 && text[stop-1] == ' ' {
			stop-- // a period with a space before it
		}
		if stop < 2 || !isSmall(text[stop-1]) || !isSmall(text[stop-2]) || at == len(text) || spaceAt(text, at) == 0 {
			continue
		}
		s.start = max(0, stop-maxWord)
		if r.kind(s.wordBefore(stop))&(abbreviation|beforeNumber) != 0 {
			continue
		}
		switch c, _ := s.runeAt(skipSpace(text, at, len(text))); {
		case unicode.IsLower(c):
			small++
		case unicode.IsUpper(c):
			capital++
		}
	}
}

func isSmall(c byte) bool { return 'a' <= c && c <= 'z' }

func beginsSmall(text string) bool {
	for i, r := range text {
		if unicode.IsLetter(r) || i > 64 {
			return unicode.IsLower(r)
		}
	}
	return false
}
