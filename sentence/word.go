package sentence

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxWord limits how far a word is read: no word in the lists is longer, and a
// text that is one endless word costs no more than any other.
const maxWord = 48

// wordAt returns the word at i: letters, digits, inner apostrophes and hyphens.
func (s *splitter) wordAt(i int) string {
	start, end := i, min(s.end, i+maxWord)
	for i < end {
		if isWordByte[s.text[i]] {
			i++
			continue
		}
		r, size := s.runeAt(i)
		if !isWordRune(r) {
			joint := r == '\'' || r == '’' || r == '-'
			after, _ := s.runeAt(i + size)
			if !joint || i == start || !unicode.IsLetter(after) {
				break
			}
		}
		i += size
	}
	return s.text[start:min(i, s.end)]
}

// nextWord returns the first word after i and white space, and where it ends.
func (s *splitter) nextWord(i int) (word string, end int) {
	i = skipSpace(s.text, i, s.end)
	word = s.wordAt(i)
	return word, i + len(word)
}

// wordBefore returns the word that ends at i, with inner periods: `a.m`, `Dr`.
func (s *splitter) wordBefore(i int) string {
	end := i
	for i > s.start && end-i < maxWord {
		if isWordByte[s.text[i-1]] {
			i--
			continue
		}
		r, size := utf8.DecodeLastRuneInString(s.text[s.start:i])
		if !isWordRune(r) && r != '&' && r != '°' {
			joint := r == '.' || r == '\'' || r == '’'
			before, _ := utf8.DecodeLastRuneInString(s.text[s.start : i-size])
			if !joint || i == end || i-size == s.start || !isWordRune(before) {
				break
			}
		}
		i -= size
	}
	return s.text[i:end]
}

// isWordByte marks the ASCII letters and digits.
var isWordByte = func() (table [256]bool) {
	for c := range utf8.RuneSelf {
		table[c] = unicode.IsLetter(rune(c)) || unicode.IsDigit(rune(c))
	}
	return table
}()

func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return isWordByte[r]
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isFigure(word string) bool {
	return word != "" && isDigit(word[0]) && consistsOf(word, "0123456789.,")
}

func consistsOf(word, bytes string) bool { return strings.Trim(word, bytes) == "" }

func startsUpper(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(r) || unicode.IsTitle(r)
}

func startsLower(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return unicode.IsLower(r)
}

// isInitial reports whether a word is one capital: the J of J. B. Moss.
func isInitial(word string) bool {
	r, size := utf8.DecodeRuneInString(word)
	return size == len(word) && unicode.IsUpper(r)
}

// isOrdinal reports whether a word is like 1st, 22nd, 3rd or 4th.
func isOrdinal(word string) bool {
	n := len(word) - 2
	return n > 0 && isFigure(word[:n]) && (word[n:] == "st" || word[n:] == "nd" || word[n:] == "rd" || word[n:] == "th")
}

// isMoney reports whether a word is like 2s, 6d or 10l.
func isMoney(word string) bool {
	n := len(word) - 1
	return n > 0 && isFigure(word[:n]) && (word[n] == 's' || word[n] == 'd' || word[n] == 'l')
}

// isRoman reports whether a word has only letters of Roman numerals, all lower
// case or all capitals. `mix` and `civil` pass, so call it only where a number
// is likely.
func isRoman(word string) bool {
	if word == "" || len(word) > 12 {
		return false
	}
	for i := range len(word) {
		switch c := word[i]; c | 0x20 {
		case 'i', 'v', 'x', 'l', 'c', 'd', 'm', 'j':
			if c&0x20 == word[0]&0x20 {
				continue
			}
		}
		return false
	}
	return true
}

// isChapter reports whether a word is a Roman numeral below 400 in lower case,
// as in citations: `xii`, but not words with only such letters, as `ill` and
// `civil`.
func isChapter(word string) bool {
	rest := word
	for _, digit := range [...]struct{ nine, four, five, one string }{{"", "", "", "c"}, {"xc", "xl", "l", "x"}, {"ix", "iv", "v", "i"}} {
		if digit.nine != "" && (strings.HasPrefix(rest, digit.nine) || strings.HasPrefix(rest, digit.four)) {
			rest = rest[2:]
			continue
		}
		rest = strings.TrimPrefix(rest, digit.five)
		for n := 0; n < 3 && strings.HasPrefix(rest, digit.one); n++ {
			rest = rest[1:]
		}
	}
	return word != "" && rest == ""
}

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
