package cue

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// kind is the kind of a token: a word, or one kind of punctuation.
type kind uint8

const (
	word kind = iota
	comma
	semicolon
	colon
	dash
	stop // . ! ?
	openQuote
	closeQuote
	openBracket
	closeBracket
	mark // anything else
)

// A token is a word or a punctuation mark with its position in the sentence.
type token struct {
	start, end int32
	place      int32 // index of the white-space word that contains it
	kind       kind
	capital    bool // starts with a capital letter
	ends       suffix
	entry      *entry // its word lists; never nil
}

// suffix is what the form of a word shows, mainly its ending.
type suffix uint8

const (
	endsED suffix = 1 << iota
	endsING
	endsLY
	endsS
	endsETH // heareth, calledst
	hasDigit
	allCapitals
)

// A text is a sentence split into tokens, once for all cards.
type text struct {
	sentence, previous   string
	tokens               []token
	words                int // how many tokens are words
	finite, adjective    memo
	buf                  []byte
	lex                  *lexicon
	grammar              *grammar
	closed               set // the lists of the closed classes
	given                Given
	piece                bits // the signature of the current piece,
	pieceStart, pieceEnd int  // which has these tokens
}

// memo remembers the answer for each token: 0 unknown, 1 yes, -1 no.
type memo []int8

func (a *memo) get(t *text, i int, ask func(*text, int) bool) bool {
	for len(*a) < len(t.tokens) {
		*a = append(*a, 0)
	}
	if (*a)[i] == 0 {
		(*a)[i] = -1 // the answer for a recursive call
		if ask(t, i) {
			(*a)[i] = 1
		}
	}
	return (*a)[i] == 1
}

// tokenize puts every byte that is not white space into exactly one token.
func (t *text) tokenize(sentence string, lex *lexicon) {
	t.sentence, t.tokens, t.words, t.finite, t.adjective = sentence, t.tokens[:0], 0, t.finite[:0], t.adjective[:0]
	t.pieceStart, t.pieceEnd = 0, -1
	place, inSpace := int32(-1), true
	for i := 0; i < len(sentence); {
		c := sentence[i]
		r, size := rune(c), 1
		if c >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(sentence[i:])
		}
		if c == ' ' || c == '\n' || c == '\t' || c == '\r' || c >= utf8.RuneSelf && unicode.IsSpace(r) || c == '\v' || c == '\f' {
			inSpace = true
			i += size
			continue
		}
		if inSpace {
			place++
			inSpace = false
		}
		start := i
		if isWordRune(r) {
			i = t.scanWord(start, lex)
			t.words++
			t.tokens[len(t.tokens)-1].place = place
			continue
		}
		i += size
		k := t.markKind(r, start, i)
		for k == dash && i < len(sentence) && sentence[i] == '-' { // "--" is one dash
			i++
		}
		t.tokens = append(t.tokens, token{start: int32(start), end: int32(i), place: place, kind: k, entry: lex.none})
	}
}

func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// scanWord reads a word at start: letters and digits, with apostrophes and
// hyphens inside. A hyphen before a connector that is a separate word ("the
// empty barns-for nobody threshed") is a printed or scanned dash; but
// "uncalled-for" is a word.
func (t *text) scanWord(start int, lex *lexicon) int {
	s := t.sentence
	buf := t.buf[:0]
	i := start
	first, _ := utf8.DecodeRuneInString(s[start:])
	upper, lower, digit := 0, 0, false
scan:
	for i < len(s) {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		switch {
		case 'a' <= r && r <= 'z':
			lower++
		case 'A' <= r && r <= 'Z':
			upper++
			r |= 0x20
		case '0' <= r && r <= '9':
			digit = true
		case isApostrophe(r) && wordAt(s, i+size):
			r = '\''
		case r == '-' && wordAt(s, i+1) && (endings(buf)&endsED != 0 || !lex.opensAfterHyphen(s[i+1:])):
		case (r == '/' || r == ':') && isDigit(s[i-1]) && i+1 < len(s) && isDigit(s[i+1]): // 3/10, 2:30
		case r == '/' && i == start+1 && isLetter(s[start]) && i+1 < len(s) && isLetter(s[i+1]) && !wordAt(s, i+2): // c/o, N/V
		case r >= utf8.RuneSelf && unicode.IsUpper(r):
			upper++
			r = unicode.ToLower(r)
		case r >= utf8.RuneSelf && isWordRune(r):
			lower++
			r = unicode.ToLower(r)
		default:
			break scan
		}
		buf = utf8.AppendRune(buf, r)
		i += size
	}
	t.buf = buf
	tok := token{start: int32(start), end: int32(i), kind: word, capital: unicode.IsUpper(first), entry: lex.lookup(buf), ends: endings(buf)}
	if digit {
		tok.ends |= hasDigit
	}
	if upper > 1 && lower == 0 {
		tok.ends |= allCapitals
	}
	t.tokens = append(t.tokens, tok)
	return i
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isApostrophe includes U+0092, a Windows apostrophe read as Latin-1.
func isApostrophe(r rune) bool { return r == '\'' || r == '’' || r == '\u0092' || r == 'ʼ' }

func wordAt(s string, i int) bool {
	if i >= len(s) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s[i:])
	return isWordRune(r)
}

func endings(w []byte) suffix {
	n := len(w)
	if n < 3 {
		return 0
	}
	switch c, b, a := w[n-3], w[n-2], w[n-1]; {
	case a == 'd' && b == 'e' && c != 'e' && n > 3:
		return endsED
	case a == 'g' && b == 'n' && c == 'i' && n > 4:
		return endsING
	case a == 'y' && b == 'l' && n > 3:
		return endsLY
	case a == 's' && b != 's' && b != 'u' && b != 'i' && b != '\'':
		return endsS
	case n > 5 && (a == 'h' && b == 't' && c == 'e' || a == 't' && b == 's' && c == 'd'):
		return endsETH
	}
	return 0
}

// markKind classifies a punctuation mark. A straight quotation mark opens if a
// word follows it directly and none comes directly before it.
func (t *text) markKind(r rune, start, end int) kind {
	switch r {
	case ',':
		return comma
	case ';':
		return semicolon
	case ':':
		return colon
	case '.', '!', '?', '…':
		return stop
	case '-', '–', '—', '―':
		return dash
	case '(', '[', '{':
		return openBracket
	case ')', ']', '}':
		return closeBracket
	case '“', '‘', '«', '„':
		return openQuote
	case '”', '’', '»':
		return closeQuote
	case '"', '\'', '`':
		before := start > 0 && !isSpaceByte(t.sentence[start-1]) && !strings.ContainsRune("([-\"'—", rune(t.sentence[start-1]))
		if !before && end < len(t.sentence) && !isSpaceByte(t.sentence[end]) {
			return openQuote
		}
		return closeQuote
	}
	return mark
}

func isSpaceByte(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// lower returns a token as the lists write it.
func (t *text) lower(i int) string {
	if e := t.tokens[i].entry; e.text != "" {
		return e.text
	}
	return strings.ReplaceAll(strings.ToLower(t.sentence[t.tokens[i].start:t.tokens[i].end]), "’", "'")
}

// wordsBefore counts the words before token i, up to limit.
func (t *text) wordsBefore(i, limit int) int {
	if i > window {
		return limit
	}
	start := 0
	if i > 1 && t.tokens[0].ends&hasDigit != 0 && t.tokens[1].kind == stop {
		start = 2 // a paragraph number: "12. But ..."
	}
	return t.countWords(start, i, limit)
}
