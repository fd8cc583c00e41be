package grade

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A parser reads JSON from left to right. It accepts what encoding/json accepts;
// a fuzz test checks that.
type parser struct {
	text  string
	at    int
	bad   bool
	comma bool // a comma must come before the next value
}

func (p *parser) space() {
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		default:
			return
		}
	}
}

func (p *parser) open(bracket byte) bool {
	p.space()
	if p.at < len(p.text) && p.text[p.at] == bracket {
		p.at++
		p.comma = false
		return true
	}
	return false
}

// more skips a comma and reports whether another value follows. If none does,
// it skips the closing bracket.
func (p *parser) more(closing byte) bool {
	p.space()
	if p.bad || p.at >= len(p.text) {
		p.bad = true
		return false
	}
	if p.text[p.at] == closing {
		p.at++
		p.comma = true // the object or list was a value itself
		return false
	}
	if p.comma {
		if p.text[p.at] != ',' {
			p.bad = true
			return false
		}
		p.at++
		p.space()
		if p.at < len(p.text) && p.text[p.at] == closing { // trailing comma
			p.bad = true
			return false
		}
	}
	p.comma = true
	return true
}

func (p *parser) key() (string, bool) {
	key, ok := p.str()
	p.space()
	if !ok || p.at >= len(p.text) || p.text[p.at] != ':' {
		return "", false
	}
	p.at++
	return key, true
}

func (p *parser) atEnd() bool {
	p.space()
	return !p.bad && p.at == len(p.text)
}

// str reads a string. Without escapes, it shares the line's memory.
func (p *parser) str() (string, bool) {
	p.space()
	if p.at >= len(p.text) || p.text[p.at] != '"' {
		return "", false
	}
	start := p.at + 1
	for i := start; i < len(p.text); i++ {
		switch c := p.text[i]; {
		case c == '"':
			p.at = i + 1
			return p.text[start:i], true
		case c == '\\':
			return p.escaped(start, i)
		case c < ' ':
			return "", false
		}
	}
	return "", false
}

// escaped reads a string whose first escape is at i.
func (p *parser) escaped(start, i int) (string, bool) {
	var out strings.Builder
	for plain := start; i < len(p.text); {
		switch c := p.text[i]; {
		case c == '"':
			out.WriteString(p.text[plain:i])
			p.at = i + 1
			return out.String(), true
		case c < ' ':
			return "", false
		case c != '\\':
			i++
		default:
			out.WriteString(p.text[plain:i])
			r, size := unescape(p.text[i:])
			if size == 0 {
				return "", false
			}
			out.WriteRune(r)
			i += size
			plain = i
		}
	}
	return "", false
}

// unescape reads one escape. Half of a surrogate pair becomes U+FFFD, as in
// encoding/json.
func unescape(s string) (r rune, size int) {
	if len(s) < 2 {
		return 0, 0
	}
	if at := strings.IndexByte(`"\/bfnrt`, s[1]); at >= 0 {
		return rune("\"\\/\b\f\n\r\t"[at]), 2
	}
	r, ok := hex4(s)
	if !ok {
		return 0, 0
	}
	if utf16.IsSurrogate(r) {
		low, ok := hex4(s[6:])
		if pair := utf16.DecodeRune(r, low); ok && pair != utf8.RuneError {
			return pair, 12
		}
		return utf8.RuneError, 6
	}
	return r, 6
}

// hex4 reads \u and four digits.
func hex4(s string) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(s[2:6], 16, 32)
	return rune(n), err == nil
}

// whole reads a number that consists of digits only.
func (p *parser) whole() (int, bool) {
	p.space()
	start, n := p.at, 0
	for p.at < len(p.text) && p.text[p.at] >= '0' && p.text[p.at] <= '9' {
		n = 10*n + int(p.text[p.at]-'0')
		p.at++
	}
	digits := p.at - start
	badLength := digits == 0 || digits > 9 || digits > 1 && p.text[start] == '0'
	continues := p.at < len(p.text) && strings.IndexByte(".eE+-", p.text[p.at]) >= 0
	return n, !badLength && !continues
}

// maxDepth is that of encoding/json.
const maxDepth = 10000

// skip skips any value.
func (p *parser) skip(depth int) bool {
	p.space()
	if p.at >= len(p.text) || depth > maxDepth-10 { // near the limit, examine decides
		return false
	}
	switch p.text[p.at] {
	case '"':
		_, ok := p.str()
		return ok
	case '{':
		return p.skipAll('{', '}', depth)
	case '[':
		return p.skipAll('[', ']', depth)
	case 't':
		return p.word("true")
	case 'f':
		return p.word("false")
	case 'n':
		return p.word("null")
	default:
		return p.number()
	}
}

func (p *parser) skipAll(opening, closing byte, depth int) bool {
	p.open(opening)
	for p.more(closing) {
		if opening == '{' {
			if _, ok := p.key(); !ok {
				return false
			}
		}
		if !p.skip(depth + 1) {
			return false
		}
	}
	return !p.bad
}

func (p *parser) word(word string) bool {
	if !strings.HasPrefix(p.text[p.at:], word) {
		return false
	}
	p.at += len(word)
	return true
}

// number: -? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?
func (p *parser) number() bool {
	p.take("-")
	if !p.take("0") && !p.digits() {
		return false
	}
	if p.take(".") && !p.digits() {
		return false
	}
	if p.take("eE") {
		p.take("+-")
		return p.digits()
	}
	return true
}

func (p *parser) take(set string) bool {
	if p.at < len(p.text) && strings.IndexByte(set, p.text[p.at]) >= 0 {
		p.at++
		return true
	}
	return false
}

func (p *parser) digits() bool {
	start := p.at
	for p.at < len(p.text) && p.text[p.at] >= '0' && p.text[p.at] <= '9' {
		p.at++
	}
	return p.at > start
}
