package distractor

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// HalfPair reports whether a text has one half of a pair of quotation marks or
// brackets: the reader sees at once that it was cut out of something else.
func (l *Lures) HalfPair(text string) bool {
	if strings.Count(text, `"`)%2 != 0 {
		return true
	}
	for _, pair := range []string{"“”", "()", "[]", "{}", "«»"} {
		left, size := utf8.DecodeRuneInString(pair)
		if !balanced(text, left, []rune(pair[size:])[0]) {
			return true
		}
	}
	return l.halfSingle(text)
}

// balanced reports whether every left mark has its right one after it.
func balanced(text string, left, right rune) bool {
	open := 0
	for _, r := range text {
		switch r {
		case left:
			open++
		case right:
			if open--; open < 0 {
				return false
			}
		}
	}
	return open == 0
}

// halfSingle is HalfPair for single quotation marks, which look like
// apostrophes. One before a word opens, unless letters are left out there
// ('twas); one after punctuation closes.
func (l *Lures) halfSingle(text string) bool {
	open, last := 0, ' '
	for i, r := range text {
		rest := text[i+utf8.RuneLen(r):]
		next, _ := utf8.DecodeRuneInString(rest)
		switch {
		case r != '\'' && r != '‘' && r != '’' || unicode.IsLetter(last) && unicode.IsLetter(next):
		case unicode.IsLetter(next) && !unicode.IsLetter(last) && r != '’' && !l.clipped(rest):
			open++
		case strings.ContainsRune(".,;:!?—-", last):
			open--
		case unicode.IsLetter(last) && open > 0: // the end of a quotation, or of a possessive in it
			open--
		}
		if open < 0 {
			return true
		}
		last = r
	}
	return open != 0
}

// clipped reports whether a text starts with a word that has lost its first
// letters: 'tis, 'em, 'ave.
func (l *Lures) clipped(rest string) bool {
	end := strings.IndexFunc(rest, func(r rune) bool { return !unicode.IsLetter(r) })
	if end < 0 {
		end = len(rest)
	}
	return l.lists["clipped"][strings.ToLower(rest[:end])]
}
