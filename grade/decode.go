package grade

import (
	"slices"
	"unicode/utf8"
)

// A record is one line of an items file, reduced to what is compared.
type record struct {
	id     string
	items  []item
	values []int8 // attribute codes of all items in order
}

// An item is invalid if its span is empty or its domain is bad.
type item struct {
	domain int32 // index into Schema.Domains, or badDomain
	span   string
	place  [4]int // byte_start, byte_end, start, end; -1 if not given
}

const badDomain int32 = -1 // the index of what is not in a list

func (it *item) valid() bool { return it.domain != badDomain && it.span != "" }

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
