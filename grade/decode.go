package grade

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A record is one line of an items file, reduced to what is compared.
type record struct {
	id     string
	items  []item
	values []int8 // attribute codes of all items in order
}

// An item is invalid if its span is blank or its domain is bad.
type item struct {
	domain int32 // index into Schema.Domains, or badDomain
	span   string
	place  [4]int // byte_start, byte_end, start, end; -1 if not given
}

const badDomain int32 = -1 // the index of what is not in a list

func (it *item) valid() bool { return it.domain != badDomain && it.hasSpan() }

// hasSpan reports whether the span is more than white space, which would be in
// every text.
func (it *item) hasSpan() bool {
	return it.span != "" && (it.span[0] > ' ' && it.span[0] < utf8.RuneSelf || strings.TrimSpace(it.span) != "")
}

func (r *record) reset() {
	r.id, r.items, r.values = "", r.items[:0], r.values[:0]
}

// add appends an empty item for the caller to fill in.
func (r *record) add(attributes int) (*item, []int8) {
	r.items = append(r.items, item{domain: badDomain, place: [4]int{-1, -1, -1, -1}})
	for range attributes {
		r.values = append(r.values, noValue)
	}
	return &r.items[len(r.items)-1], r.values[len(r.values)-attributes:]
}

// read is the fast reader. It returns true only if encoding/json and the schema
// find nothing wrong with the line; for all other lines, examine says what is
// wrong. Strings share the line's memory.
func (s *Schema) read(line string, rec *record) bool {
	rec.reset()
	if !s.quick || !utf8.ValidString(line) {
		return false
	}
	p := parser{text: line}
	hasItems := false
	p.open('{')
	for p.more('}') {
		switch p.key() {
		case "journal_id":
			rec.id = p.id(rec.id)
		case "items":
			p.fail(hasItems)
			hasItems = true
			p.open('[')
			for p.more(']') {
				it, values := rec.add(len(s.Attributes))
				s.readItem(&p, it, values)
			}
		default:
			p.skip(0)
		}
	}
	return p.atEnd() && rec.id != "" && hasItems
}

// id reads an id, which must not be empty. before is an earlier one of the line.
func (p *parser) id(before string) string {
	id := p.str()
	p.fail(id == "" || before != "")
	return id
}

func (s *Schema) readItem(p *parser, it *item, values []int8) {
	p.open('{')
	seen := uint64(0)
	for p.more('}') {
		n := s.known(p.key())
		if n < 0 {
			p.skip(0)
			continue
		}
		p.fail(n >= 64 || seen&(1<<n) != 0)
		seen |= 1 << n
		s.readField(p, s.fields[n], it, values)
	}
	p.fail(!it.valid())
}

func (s *Schema) known(key string) int {
	for i := range s.fields {
		if s.fields[i].name == key {
			return i
		}
	}
	return -1
}

func (s *Schema) readField(p *parser, f field, it *item, values []int8) {
	if f.kind == placeField {
		it.place[f.n] = p.whole()
		return
	}
	switch text := p.str(); f.kind {
	case domainField:
		it.domain = int32(slices.Index(s.Domains, text))
	case spanField:
		it.span = text
	case attributeField:
		values[f.n] = s.Attributes[f.n].code(text)
		p.fail(values[f.n] == badValue)
	}
}

// readJournal is the fast reader for a line of a journals file.
func readJournal(line string) (id, text string, ok bool) {
	p := parser{text: line}
	hasText := false
	p.open('{')
	for p.more('}') {
		switch p.key() {
		case "journal_id":
			id = p.id(id)
		case "text":
			p.fail(hasText)
			text, hasText = p.str(), true
		default:
			p.skip(0)
		}
	}
	return id, text, p.atEnd() && id != "" && hasText && utf8.ValidString(line)
}

// quickID finds a line's journal_id and stops there. The rest of the line is
// checked later.
func quickID(line string) (id string, ok bool) {
	p := parser{text: line}
	p.open('{')
	for id == "" && p.more('}') {
		if p.key() == "journal_id" {
			id = p.id("")
		} else {
			p.skip(0)
		}
	}
	return id, !p.bad && id != "" && utf8.ValidString(id)
}

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
