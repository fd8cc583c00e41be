package sentence

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A mark is where a sentence may end: final punctuation with everything that
// closes after it, as in `lost!"[3]`.
type mark struct {
	start   int  // of the final punctuation
	dots    int  // number of periods; three or more are an ellipsis
	strong  bool // has ! or ?
	spaced  bool // an ellipsis with spaces in it
	quote   bool // a quotation closes after it
	bracket bool
	note    bool // a note mark follows
	final   bool // another period after the closing marks: `(and so on.).`
	smiley  bool // :-)
	end     int  // after the last closing or note mark
}

func (m *mark) ellipsis() bool { return m.dots >= 3 }

// markAt reads the mark at i; its end is i if there is none.
func (s *splitter) markAt(i int) mark {
	m := mark{start: i, end: i}
	if c := s.text[i]; c == ':' || c == ';' {
		m.end = max(s.smileyEnd(i), s.addressEnd(i))
		m.smiley = m.end > i
		return m
	}
	if i = s.finals(&m, i); i == m.start {
		return m
	}
	m.end = s.closers(&m, i)
	if n := s.notes(m.end); n > m.end {
		m.note = true
		m.end = s.closers(&m, n)
	}
	if at := skipSpace(s.text, m.end, min(s.end, m.end+4)); s.smileyEnd(at) > at {
		m.smiley = true // It is done. :)
		m.end = s.smileyEnd(at)
	}
	return m
}

// finals reads periods, ! and ?, also periods with spaces between them.
func (s *splitter) finals(m *mark, i int) int {
	for {
		r, size := s.runeAt(i)
		switch r {
		case '.':
			m.dots++
		case '…':
			m.dots += 3
		case '!', '?', '‽', '⁇', '⁈', '⁉':
			m.strong = true
		default:
			if size = s.spacedDot(i, m) - i; size <= 0 {
				return i
			}
		}
		i += size
	}
}

// spacedDot reads ` .` if it continues an ellipsis and returns the position of
// the period. Two periods with a space between them are not an ellipsis.
func (s *splitter) spacedDot(i int, m *mark) int {
	if m.dots == 0 {
		return i
	}
	next := skipSpace(s.text, i, min(s.end, i+4))
	if next == i || next >= s.end || s.text[next] != '.' {
		return i
	}
	after := skipSpace(s.text, next+1, min(s.end, next+5))
	if m.dots >= 2 || after < s.end && s.text[after] == '.' {
		m.spaced = true
		return next
	}
	return i
}

// closers reads the quotation marks and brackets that close after a mark.
func (s *splitter) closers(m *mark, i int) int {
	for {
		r, size := s.runeAt(i)
		switch r {
		case '"', '\'', '”', '’', '›', '»':
			if s.opensQuote(i) {
				return i
			}
			m.quote = true
		case ')', ']', '}':
			m.bracket = true
		case '_':
		case '.', '!', '?':
			if !m.quote && !m.bracket {
				return i
			}
			m.final = true // `(so he said.).`, `"Why!"?`
		default:
			return i
		}
		i += size
	}
}

// opensQuote reports whether the straight quotation mark at i, directly after
// final punctuation, opens a quotation because a space is missing: `end."Next`.
func (s *splitter) opensQuote(i int) bool {
	r, _ := s.runeAt(i + 1)
	return s.text[i] == '"' && unicode.IsUpper(r)
}

// notes reads note marks: `*`, `†`, `[3]`, numbers that are attached or raised.
func (s *splitter) notes(i int) int {
	for {
		start := i
		switch r, size := s.runeAt(i); {
		case r == '*' || r == '†' || r == '‡' || r == '¹' || r == '²' || r == '³' || '⁰' <= r && r <= '⁹':
			i += size
		case r == '[':
			i = s.noteBracket(i)
		case r == ' ' && i+1 < s.end:
			if n := s.noteAfterSpace(i + 1); n > i+1 {
				i = n
			}
		case '0' <= r && r <= '9':
			i = s.gluedNumber(i)
		}
		if i == start {
			return i
		}
	}
}

// noteAfterSpace reads `[3]` or a number before a word that starts sentences:
// `It is lost. 4 The rest`. Before other words a number is a quantity.
func (s *splitter) noteAfterSpace(i int) int {
	if s.text[i] == '[' {
		return s.noteBracket(i)
	}
	j := s.digits(i, 2)
	if j == i || j+1 >= s.end || s.text[j] != ' ' {
		return i
	}
	if word := s.wordAt(j + 1); startsUpper(word) && s.rules.kind(word)&(opener|numberWord) == opener {
		return j
	}
	return i
}

// digits returns the end of the digits at i, of which there may be `most`.
func (s *splitter) digits(i, most int) int {
	for end := min(s.end, i+most); i < end && isDigit(s.text[i]); i++ {
	}
	return i
}

// noteBracket reads [3], [3, 4], [12-14], [a], [*], [note 3], [citation needed].
func (s *splitter) noteBracket(i int) int {
	const longest = 24
	figures, words := 0, 0
	for j := i + 1; j < min(s.end, i+longest); {
		r, size := s.runeAt(j)
		switch {
		case r == ']' && figures+words > 0:
			return j + 1
		case '0' <= r && r <= '9' || r == '*' || r == '†' || r == '‡':
			figures++
		case 'a' <= r && r <= 'z':
			word := s.wordAt(j)
			if words == 0 && s.rules.kind(word)&noteWord == 0 {
				return i
			}
			words++
			size = len(word)
		case !strings.ContainsRune(" ,-:.–", r):
			return i
		}
		j += size
	}
	return i
}

// gluedNumber reads a note number attached to the period: `lost.4 He`. After a
// digit (3.14) or an abbreviation (p.4) it is not a note.
func (s *splitter) gluedNumber(i int) int {
	j := s.digits(i, 3)
	if j < s.end && spaceAt(s.text, j) == 0 {
		return i
	}
	stop := i - 1
	for stop > s.start && !isFinal(s.text[stop]) {
		stop--
	}
	before, _ := utf8.DecodeLastRuneInString(s.text[s.start:stop])
	word := s.wordBefore(stop)
	next := skipSpace(s.text, j, s.end)
	r, _ := s.runeAt(next)
	if !unicode.IsLower(before) && before != ')' && before != '”' && before != '"' || len(word) == 1 ||
		s.rules.kind(word)&(abbreviation|beforeNumber) != 0 || next < s.end && unicode.IsLower(r) {
		return i
	}
	return j
}

// smileyEnd reads an emoticon at i: `:)`, `;-(`, `:D`. It needs white space or
// final punctuation before it and white space after it.
func (s *splitter) smileyEnd(i int) int {
	if i >= s.end || s.text[i] != ':' && s.text[i] != ';' && s.text[i] != '=' {
		return i
	}
	j := i + 1
	if j < s.end && s.text[j] == '-' {
		j++
	}
	start := j
	for j < s.end && (s.text[j] == ')' || s.text[j] == '(') {
		j++
	}
	if j == start && j < s.end && (s.text[j] == 'D' || s.text[j] == 'P') {
		j++
	}
	alone := i == s.start || spaceAt(s.text, i-1) > 0 || isFinal(s.text[i-1])
	if j == start || j < s.end && spaceAt(s.text, j) == 0 || !alone {
		return i
	}
	return j
}

// addressEnd reads the rest of a web address, from :// to the next white space.
func (s *splitter) addressEnd(i int) int {
	const longest = 512
	if !s.has(i, "://") {
		return i
	}
	j := i
	for j < min(s.end, i+longest) && s.text[j] > ' ' {
		j++
	}
	if isFinal(s.text[j-1]) || s.text[j-1] == ',' || s.text[j-1] == ')' || s.text[j-1] == '>' {
		return i
	}
	return j
}

func isFinal(c byte) bool { return c == '.' || c == '!' || c == '?' }

func (s *splitter) has(i int, what string) bool {
	return i+len(what) <= s.end && s.text[i:i+len(what)] == what
}

// runeAt returns the character at i, or 0 at the end of the paragraph.
func (s *splitter) runeAt(i int) (rune, int) {
	if i >= s.end {
		return 0, 0
	}
	if c := s.text[i]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	return utf8.DecodeRuneInString(s.text[i:s.end])
}
