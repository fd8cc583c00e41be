package grade

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A parser reads JSON from left to right. It accepts what encoding/json accepts;
// a fuzz test checks that. After an error, bad stays true and results mean nothing.
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

func (p *parser) fail(wrong bool) { p.bad = p.bad || wrong }

func (p *parser) take(c byte) {
	p.space()
	if p.at < len(p.text) && p.text[p.at] == c {
		p.at++
	} else {
		p.bad = true
	}
}

func (p *parser) open(bracket byte) {
	p.take(bracket)
	p.comma = false
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
		p.take(',')
		p.space()
		p.fail(p.at < len(p.text) && p.text[p.at] == closing) // trailing comma
	}
	p.comma = true
	return !p.bad
}

func (p *parser) key() string {
	key := p.str()
	p.take(':')
	return key
}

func (p *parser) atEnd() bool {
	p.space()
	return !p.bad && p.at == len(p.text)
}

// str reads a string. Without escapes, it shares the line's memory.
func (p *parser) str() string {
	p.space()
	if p.at < len(p.text) && p.text[p.at] == '"' {
		start := p.at + 1
		for i := start; i < len(p.text) && p.text[i] >= ' '; i++ {
			switch p.text[i] {
			case '"':
				p.at = i + 1
				return p.text[start:i]
			case '\\':
				return p.escaped(start, i)
			}
		}
	}
	p.bad = true
	return ""
}

// escaped reads a string whose first escape is at i.
func (p *parser) escaped(start, i int) string {
	var out strings.Builder
	for plain := start; i < len(p.text) && p.text[i] >= ' '; {
		switch p.text[i] {
		case '"':
			out.WriteString(p.text[plain:i])
			p.at = i + 1
			return out.String()
		case '\\':
			out.WriteString(p.text[plain:i])
			r, size := unescape(p.text[i:])
			p.fail(size == 0)
			out.WriteRune(r)
			i += max(1, size)
			plain = i
		default:
			i++
		}
	}
	p.bad = true
	return ""
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

// scalar returns the text of a number or a word, unchecked.
func (p *parser) scalar() string {
	p.space()
	start := p.at
	for ; p.at < len(p.text); p.at++ {
		switch p.text[p.at] {
		case ',', ']', '}', ' ', '\t', '\n', '\r':
			return p.text[start:p.at]
		}
	}
	return p.text[start:]
}

// whole reads a number that consists of at most nine digits.
func (p *parser) whole() int {
	digits := p.scalar()
	n, err := strconv.ParseUint(digits, 10, 32)
	p.fail(err != nil || n >= 1e9 || len(digits) > 1 && digits[0] == '0')
	return int(n)
}

// maxDepth is that of encoding/json. Near it, examine decides.
const maxDepth = 10000

// skip skips any value.
func (p *parser) skip(depth int) {
	p.space()
	if p.at >= len(p.text) || depth > maxDepth-10 {
		p.bad = true
		return
	}
	switch p.text[p.at] {
	case '"':
		p.str()
	case '{':
		p.open('{')
		for p.more('}') {
			p.key()
			p.skip(depth + 1)
		}
	case '[':
		p.open('[')
		for p.more(']') {
			p.skip(depth + 1)
		}
	default:
		p.fail(!json.Valid([]byte(p.scalar())))
	}
}
