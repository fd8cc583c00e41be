package align

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A token is a word, a mark or a sign, folded so that forms of the same
// character are equal.
type token struct {
	word       string
	start, end int32 // bytes of the text
	letters    int32 // characters of the word
	kind       tokenKind
}

type tokenKind uint8

const (
	aWord   tokenKind = iota
	aNumber           // a word with a digit
	aMark             // punctuation that says little
	aSign             // all others: +, ?, an emoji
)

// A scanner cuts a text into tokens.
type scanner struct {
	text   string
	tokens []token
	folded []byte
	ends   []int32 // of each token: where its word ends in folded
	open   bool    // the last token may still grow
}

// tokensOf never returns nil.
func tokensOf(text string) []token {
	s := scanner{text: text, tokens: make([]token, 0, len(text)/4+1), ends: make([]int32, 0, len(text)/4+1), folded: make([]byte, 0, len(text)+8)}
	if norm.NFC.IsNormalString(text) {
		for at := 0; at < len(text); {
			if n := s.addLetters(at); n > 0 { // most are
				at += n
				continue
			}
			r, size := utf8.DecodeRuneInString(text[at:])
			s.add(r, at, at+size)
			at += size
		}
	} else {
		s.addSegments()
	}
	folded, start := string(s.folded), int32(0)
	for i := range s.tokens {
		t := &s.tokens[i]
		t.word = folded[start:s.ends[i]]
		start = s.ends[i]
	}
	return s.tokens
}

// addLetters adds a run of plain letters and returns their number.
func (s *scanner) addLetters(at int) (n int) {
	for ; at+n < len(s.text); n++ {
		c := s.text[at+n] | 0x20
		if c < 'a' || c > 'z' {
			break
		}
		if n == 0 && (!s.open || s.last().kind > aNumber) {
			s.begin(aWord, at)
		}
		s.folded = append(s.folded, c)
	}
	if n > 0 {
		last := s.last()
		last.end, last.letters = int32(at+n), last.letters+int32(n)
		s.ends[len(s.ends)-1] = int32(len(s.folded))
	}
	return n
}

// addSegments adds characters that Unicode may write in several ways, each with
// all the bytes that it is written with.
func (s *scanner) addSegments() {
	for at := 0; at < len(s.text); {
		n := norm.NFC.NextBoundaryInString(s.text[at:], true)
		if n <= 0 {
			_, n = utf8.DecodeRuneInString(s.text[at:])
		}
		for _, r := range norm.NFC.String(s.text[at : at+n]) {
			s.add(r, at, at+n)
		}
		at += n
	}
}

// add adds one character that is written with the bytes from start to end.
func (s *scanner) add(r rune, start, end int) {
	switch {
	case r < utf8.RuneSelf && r > ' ': // most are
	case unicode.IsSpace(r):
		s.open = false
		return
	case invisible(r):
		if s.open { // it belongs to the character before it
			s.tokens[len(s.tokens)-1].end = int32(end)
		}
		return
	}
	r = foldRune(r)
	switch {
	case r == '…':
		for range 3 {
			s.mark('.', start, end)
		}
	case stands(r):
		s.begin(aWord, start)
		s.grow(r, end)
	case inWord(r):
		if !s.open || s.last().kind > aNumber {
			s.begin(aWord, start)
		}
		if unicode.IsDigit(r) {
			s.last().kind = aNumber
		}
		s.grow(r, end)
	case s.inside(r, end):
		s.grow(r, end)
	case strings.ContainsRune(marks, r):
		s.mark(r, start, end)
	default:
		s.begin(aSign, start)
		s.grow(r, end)
	}
}

// marks may be added or missing. A question mark is a doubt and is none of them.
const marks = `.,;:!'"-()[]।`

// mark adds a mark. A run of dashes or of dots is one mark.
func (s *scanner) mark(r rune, start, end int) {
	if n := len(s.tokens); n > 0 && (r == '-' || r == '.') {
		if last := s.last(); last.kind == aMark && int(last.end) >= start && s.folded[len(s.folded)-1] == byte(r) {
			last.end = int32(end)
			return
		}
	}
	s.begin(aMark, start)
	s.grow(r, end)
	s.open = false
}

// inside reports whether a mark stands inside a word (don't) or a number (5.5).
func (s *scanner) inside(r rune, end int) bool {
	if !s.open || s.last().kind > aNumber || r != '\'' && r != '.' && r != ',' {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(s.text[:s.last().end])
	after, _ := utf8.DecodeRuneInString(s.text[end:])
	if r == '\'' {
		return unicode.IsLetter(before) && unicode.IsLetter(after)
	}
	return unicode.IsDigit(before) && unicode.IsDigit(after)
}

func (s *scanner) last() *token { return &s.tokens[len(s.tokens)-1] }

func (s *scanner) begin(kind tokenKind, start int) {
	s.tokens = append(s.tokens, token{start: int32(start), kind: kind})
	s.ends = append(s.ends, int32(len(s.folded)))
	s.open = true
}

func (s *scanner) grow(r rune, end int) {
	s.folded = utf8.AppendRune(s.folded, r)
	s.ends[len(s.ends)-1] = int32(len(s.folded))
	last := s.last()
	last.end, last.letters = int32(end), last.letters+1
}

// invisible characters do not count: soft hyphens, joiners, marks of direction,
// and selectors of an emoji's look.
func invisible(r rune) bool {
	return r == 0xAD || r == 0xFEFF || 0x200B <= r && r <= 0x200F || 0x202A <= r && r <= 0x202E || 0x2060 <= r && r <= 0x2069 ||
		0xFE00 <= r && r <= 0xFE0F || 0x180B <= r && r <= 0x180F
}

// foldRune maps all forms of a character to one.
func foldRune(r rune) rune {
	switch {
	case 'A' <= r && r <= 'Z':
		return r + 'a' - 'A'
	case r == '`':
		return '\''
	case r < utf8.RuneSelf:
		return r
	}
	switch r {
	case '‘', '’', '‚', '‛', 'ʼ', '´', '′', '‹', '›':
		return '\''
	case '“', '”', '„', '‟', '«', '»', '″':
		return '"'
	case '−':
		return '-'
	}
	if unicode.Is(unicode.Pd, r) {
		return '-'
	}
	least := r
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		least = min(least, f)
	}
	if 'A' <= least && least <= 'Z' {
		least += 'a' - 'A'
	}
	return least
}
