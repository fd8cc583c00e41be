package sentence

import (
	"strings"
	"unicode"
)

// opensLower says whether the writer of a text opens sentences with small
// letters, as people do who write for themselves. A whole text decides: one
// small letter behind a stop is a comma that a scanner misread, many are a
// habit, and so is `i` for `I`.
func (r *Rules) opensLower(text string) bool {
	const sample = 1 << 20 // more would only say the same
	text = text[:min(len(text), sample)]
	small, capital := r.countOpenings(text)
	if small == 0 && capital == 0 {
		return false
	}
	i, I := strings.Count(text, " i "), strings.Count(text, " I ")
	switch {
	case small+capital > 200: // a book: scans have up to one misread comma in fifteen stops
		return small*6 > small+capital
	case i > 0 && i*6 >= i+I:
		return true
	default:
		return (small > 1 || beginsSmall(text)) && small*8 >= small+capital
	}
}

// countOpenings counts small letters and capitals behind a stop and a space.
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
			stop-- // a stop with a space before it
		}
		if stop < 2 || !isSmall(text[stop-1]) || !isSmall(text[stop-2]) || at == len(text) || spaceAt(text, at) == 0 {
			continue
		}
		s.start = max(0, stop-mostWord)
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
