package sentence

import (
	"unicode"
)

// items is a list inside one paragraph: `1) Salt beef 2) Rum`. Numbers and
// letters count up; every item begins a sentence.
type items struct {
	open   bool
	letter bool   // a. b. c. and not 1. 2. 3.
	number int    // of the item that is open
	close  string // what stands behind the number: ".", ")" or ".)"
	bullet string // what stands before it: "•", "⁃" or nothing
}

// startItems says whether the paragraph begins with an item, and of which kind.
func (s *splitter) startItems() items { return items{} }

// nextItem says whether the next item of the list begins at i.
func (s *splitter) nextItem(i int) bool { return false }

// isItemNumber says whether the word at `from` numbers a paragraph or an item:
// it stands first in its sentence.
func (s *splitter) isItemNumber(from int, word string) bool {
	if len(word) > 8 || !s.onlyOpeners(from) {
		return false
	}
	if isFigure(word) {
		return len(word) <= 3 || s.start == s.first
	}
	return isRoman(word) && word != "I" || len(word) == 1 && s.start == s.first
}

// onlyOpeners says whether nothing but opening marks stands between the start
// of the sentence and i.
func (s *splitter) onlyOpeners(i int) bool {
	for j := s.start; j < i; {
		r, size := s.runeAt(j)
		if j > s.start+12 || unicode.IsLetter(r) || unicode.IsDigit(r) {
			return false
		}
		j += size
	}
	return true
}

// isHeadingNumber says whether the number at i belongs to a word such as
// Chapter that opens the sentence.
func (s *splitter) isHeadingNumber(i int) bool {
	word := s.previous(i)
	return s.rules.kind(word)&heading != 0 && s.onlyOpeners(trimRight(s.text, s.start, i)-len(word))
}

// mostHeading is the length in bytes beyond which a paragraph that begins like
// a chapter heading has the chapter's text in it.
const mostHeading = 200

// isHeading says whether the paragraph is a chapter heading: one sentence.
func (s *splitter) isHeading() bool {
	if s.end-s.first > mostHeading {
		return false
	}
	word := s.wordAt(s.first)
	if s.rules.kind(word)&heading == 0 || !startsUpper(word) {
		return false
	}
	i := skipSpace(s.text, s.first+len(word), s.end)
	number := s.wordAt(i)
	r, size := s.runeAt(i + len(number))
	if !isFigure(number) && !isRoman(number) || r != '.' && r != 0 {
		return false
	}
	rest := s.wordAt(skipSpace(s.text, i+len(number)+size, s.end))
	return word == upper(word) || rest == "" || startsUpper(rest)
}

func upper(word string) string {
	for _, r := range word {
		if unicode.IsLower(r) {
			return ""
		}
	}
	return word
}
