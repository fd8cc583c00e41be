package sentence

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// mostWord is as far as a word is read: nothing in the lists is longer, and a
// text that is one endless word costs no more than any other.
const mostWord = 48

// wordAt is the word that begins at i: letters, figures and the apostrophes
// and hyphens inside.
func (s *splitter) wordAt(i int) string {
	from, end := i, min(s.end, i+mostWord)
	for i < end {
		if isWordByte[s.text[i]] {
			i++
			continue
		}
		r, size := s.runeAt(i)
		if !isWordRune(r) {
			joint := r == '\'' || r == '’' || r == '-'
			after, _ := s.runeAt(i + size)
			if !joint || i == from || !unicode.IsLetter(after) {
				break
			}
		}
		i += size
	}
	return s.text[from:min(i, s.end)]
}

// wordBefore is the word that ends at i, with the stops inside it: `a.m` of
// `at 5 a.m.`, `Dr` of `"Dr.`
func (s *splitter) wordBefore(i int) string {
	end := i
	for i > s.start && end-i < mostWord {
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

// isWordByte are the letters and figures of ASCII, nearly all there are.
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

func isFigure(word string) bool {
	if word == "" || word[0] < '0' || word[0] > '9' {
		return false
	}
	for i := range len(word) {
		if c := word[i]; (c < '0' || c > '9') && c != '.' && c != ',' {
			return false
		}
	}
	return true
}

func startsUpper(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(r) || unicode.IsTitle(r)
}

func startsLower(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return unicode.IsLower(r)
}

// isInitial says whether a word is one capital: the J of J. B. Moss.
func isInitial(word string) bool {
	r, size := utf8.DecodeRuneInString(word)
	return size == len(word) && unicode.IsUpper(r)
}

// isOrdinal: 1st, 22nd, 3rd, 4th.
func isOrdinal(word string) bool {
	n := len(word) - 2
	return n > 0 && isFigure(word[:n]) && (word[n:] == "st" || word[n:] == "nd" || word[n:] == "rd" || word[n:] == "th")
}

// isMoney: 2s, 6d, 10l.
func isMoney(word string) bool {
	n := len(word) - 1
	return n > 0 && isFigure(word[:n]) && (word[n] == 's' || word[n] == 'd' || word[n] == 'l')
}

// isRoman says whether a word is a Roman number, all small or all capital, by
// its letters; `mix` and `civil` pass, so ask only where a number may stand.
func isRoman(word string) bool {
	if word == "" || len(word) > 12 {
		return false
	}
	upper := word[0] < 'a'
	for i := range len(word) {
		c := word[i]
		if (c < 'a') != upper {
			return false
		}
		switch c | 0x20 {
		case 'i', 'v', 'x', 'l', 'c', 'd', 'm', 'j':
		default:
			return false
		}
	}
	return true
}

// isChapter: a Roman number below 400 in small letters, as books are cited:
// `xii`, but no word that has only such letters, as `ill` and `civil` have.
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
