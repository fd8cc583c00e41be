package sentence

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// items is a list inside one paragraph: `1) Salt beef 2) Rum`. Numbers or
// letters count up, and every item starts a sentence.
type items struct {
	open   bool
	letter bool   // a. b. c. instead of 1. 2. 3.
	number int    // of the current item
	close  string // after the number: ".", ")" or ".)"
	bullet string // before the number: "•", "⁃" or nothing
}

// startItems finds the kind of item that the paragraph starts with.
func (s *splitter) startItems() (list items) {
	i := s.first
	if list.bullet = s.bulletAt(i); list.bullet != "" {
		i = skipSpace(s.text, i+len(list.bullet), s.end)
	}
	word := s.wordAt(i)
	list.number, list.letter = itemNumber(word)
	list.close = s.itemClose(i + len(word))
	list.open = list.bullet != "" || list.number > 0 && list.close != ""
	return list
}

func (s *splitter) bulletAt(i int) string {
	for _, bullet := range [...]string{"•", "⁃", "‣", "▪", "●"} {
		if s.has(i, bullet) {
			return bullet
		}
	}
	return ""
}

// itemClose returns the "." or ")" or ".)" at i, if white space comes next.
func (s *splitter) itemClose(i int) string {
	j := i
	for j < s.end && j < i+2 && (s.text[j] == ')' || s.text[j] == '.' && j == i) {
		j++
	}
	if j == i || j >= s.end || spaceAt(s.text, j) == 0 {
		return ""
	}
	return s.text[i:j]
}

// itemNumber parses the number of an item: 9, or 3 for c.
func itemNumber(word string) (number int, letter bool) {
	if len(word) == 1 && 'a' <= word[0] && word[0] <= 'z' {
		return int(word[0]-'a') + 1, true
	}
	if word != "" && len(word) <= 4 && consistsOf(word, "0123456789") {
		number, _ = strconv.Atoi(word)
	}
	return number, false
}

// nextItem returns where the item with a bullet or a number at i starts, or -1.
func (s *splitter) nextItem(i int) int {
	if s.items.bullet != "" {
		if s.has(i, s.items.bullet) {
			return i
		}
		return -1
	}
	word := s.wordBefore(i)
	number, letter := itemNumber(word)
	start := i - len(word)
	if number != s.items.number+1 || letter != s.items.letter || s.itemClose(i) != s.items.close || !s.afterItem(start) {
		return -1
	}
	r, _ := s.runeAt(skipSpace(s.text, i+len(s.items.close), s.end))
	if !unicode.IsUpper(r) {
		return -1
	}
	s.items.number = number
	return start
}

// afterItem reports whether an item may end before i: not in the middle of a
// phrase, as in `of the second kind, and 2) `.
func (s *splitter) afterItem(i int) bool {
	end := trimRight(s.text, s.start, i)
	if end == i || end <= s.start {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(s.text[s.start:end])
	word := s.wordBefore(end)
	return last != ',' && last != ';' && last != ':' && last != '-' && s.rules.kind(word)&(opener|heading|beforeNumber) == 0
}

// isItemNumber reports whether the word numbers a paragraph or an item.
func (s *splitter) isItemNumber(start int, word string) bool {
	if len(word) > 8 || !s.onlyOpeners(start) {
		return false
	}
	if isFigure(word) {
		return len(word) <= 3 || s.start == s.first
	}
	if isDigit(word[0]) { // 2nd. or 1.A.
		return s.start == s.first || isOrdinal(word)
	}
	return isRoman(word) && word != "I" || len(word) == 1 && s.start == s.first
}

// onlyOpeners reports whether the sentence has only opening marks before i.
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

// isHeadingNumber reports whether the number at i follows Chapter or the like.
func (s *splitter) isHeadingNumber(i int) bool {
	word := s.previous(i)
	return s.rules.kind(word)&heading != 0 && s.onlyOpeners(trimRight(s.text, s.start, i)-len(word)-len("."))
}

// maxHeading is the length in bytes above which a paragraph that starts like a
// chapter heading also has text of the chapter.
const maxHeading = 200

// isHeading reports whether the paragraph is a chapter heading, one sentence.
func (s *splitter) isHeading() bool {
	if s.end-s.first > maxHeading {
		return false
	}
	word := s.wordAt(s.first)
	if s.rules.kind(word)&heading == 0 || !startsUpper(word) {
		return false
	}
	number, after := s.nextWord(s.first + len(word))
	if number == "the" || number == "THE" || number == "The" {
		number, after = s.nextWord(after)
	}
	r, size := s.runeAt(after)
	if !isFigure(number) && !isRoman(number) && s.rules.kind(number)&numberWord == 0 || r != '.' && r != 0 {
		return false
	}
	rest, _ := s.nextWord(after + size)
	return !hasLower(word) || rest == "" || startsUpper(rest)
}

func hasLower(text string) bool { return strings.ContainsFunc(text, unicode.IsLower) }

// isRunningHead reports whether a paragraph in capitals ends with the number
// that follows: a running head and its page number are one sentence.
func (s *splitter) isRunningHead(f following) bool {
	if f.at+len(f.word) < s.end || s.end-s.first > maxHeading || !s.isNumber(f) {
		return false
	}
	return f.at > s.first && !hasLower(s.text[s.first:f.at])
}
