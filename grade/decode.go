package grade

import "unicode/utf8"

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

const badDomain int32 = -1

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
	p := parser{text: line}
	if !s.quick || !utf8.ValidString(line) || !p.open('{') {
		return false
	}
	hasID, hasItems := false, false
	for p.more('}') {
		key, ok := p.key()
		switch {
		case !ok:
			return false
		case key == "journal_id":
			id, ok := p.str()
			if !ok || hasID || id == "" {
				return false
			}
			rec.id, hasID = id, true
		case key == "items":
			if hasItems || !s.readItems(&p, rec) {
				return false
			}
			hasItems = true
		case !p.skip(0):
			return false
		}
	}
	return p.atEnd() && hasID && hasItems
}

func (s *Schema) readItems(p *parser, rec *record) bool {
	if !p.open('[') {
		return false
	}
	for p.more(']') {
		it, values := rec.add(len(s.Attributes))
		if !s.readItem(p, it, values) {
			return false
		}
	}
	return !p.bad
}

func (s *Schema) readItem(p *parser, it *item, values []int8) bool {
	if !p.open('{') {
		return false
	}
	seen := uint64(0)
	for p.more('}') {
		key, ok := p.key()
		if !ok {
			return false
		}
		n := s.known(key)
		if n < 0 {
			if !p.skip(0) {
				return false
			}
			continue
		}
		if n >= 64 || seen&(1<<n) != 0 || !s.readField(p, s.fields[n], it, values) {
			return false
		}
		seen |= 1 << n
	}
	return !p.bad && it.valid()
}

func (s *Schema) known(key string) int {
	for i := range s.fields {
		if s.fields[i].name == key {
			return i
		}
	}
	return -1
}

func (s *Schema) readField(p *parser, f field, it *item, values []int8) bool {
	if f.kind == placeField {
		n, ok := p.whole()
		it.place[f.n] = n
		return ok
	}
	text, ok := p.str()
	if !ok {
		return false
	}
	switch f.kind {
	case domainField:
		for i, domain := range s.Domains {
			if text == domain {
				it.domain = int32(i)
			}
		}
		return it.domain != badDomain
	case spanField:
		it.span = text
		return text != ""
	case attributeField:
		values[f.n] = s.Attributes[f.n].code(text)
		return values[f.n] != badValue
	}
	return true
}

// readJournal is the fast reader for a line of a journals file.
func readJournal(line string) (id, text string, ok bool) {
	p := parser{text: line}
	if !utf8.ValidString(line) || !p.open('{') {
		return "", "", false
	}
	hasID, hasText := false, false
	for p.more('}') {
		key, ok := p.key()
		switch {
		case !ok:
			return "", "", false
		case key == "journal_id" && !hasID:
			id, hasID = p.str()
			ok = hasID && id != ""
		case key == "text" && !hasText:
			text, hasText = p.str()
			ok = hasText
		default:
			ok = key != "journal_id" && key != "text" && p.skip(0)
		}
		if !ok {
			return "", "", false
		}
	}
	return id, text, p.atEnd() && hasID && hasText
}

// quickID finds a line's journal_id and stops there. The rest of the line is
// checked later.
func quickID(line string) (string, bool) {
	p := parser{text: line}
	if !p.open('{') {
		return "", false
	}
	for p.more('}') {
		key, ok := p.key()
		if !ok {
			return "", false
		}
		if key == "journal_id" {
			id, ok := p.str()
			return id, ok && id != "" && utf8.ValidString(id)
		}
		if !p.skip(0) {
			return "", false
		}
	}
	return "", false
}
