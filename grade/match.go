package grade

import (
	"bytes"
	"slices"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"verbatim"
)

// A matcher pairs the predicted items of one journal with its gold items. It is
// reused from journal to journal and keeps its memory.
type matcher struct {
	buf        []byte // the folded spans, gold first
	gold, pred []folded
	kinds      *kindIndex // nil for small journals
	places     placer

	pairs []int32 // the gold item of each prediction, or -1
	used  []bool

	// The optimal matching.
	partner []int32 // the prediction of each gold item, or -1
	visited []bool
	trail   []int32 // the gold items that a search visited
	free    []int32 // the number of gold items without a partner, by domain
}

// A folded item is an item as it is compared: its domain, and its span without
// case in the matcher's buffer.
type folded struct {
	start, end int32
	spot       spot
	domain     int32
	valid      bool
}

func (m *matcher) text(f *folded) []byte { return m.buf[f.start:f.end] }

// A match is the result for one journal.
type match struct {
	pairs                        []int32 // containment, greedy: gold item of each prediction, or -1
	exact, overlap, optimal      int     // pairs in the other modes
	covered, invalid, goldAbsent int     // goldAbsent: gold spans that are not in the text
}

// plainLimit is the number of comparisons up to which the plain double loop is
// faster than an index.
const plainLimit = 200_000

// match pairs the items. The result is that of the plain double loop in file
// order, with or without an index. The pairs are valid until the next call.
func (m *matcher) match(gold, pred *record, text string, hasText bool) match {
	m.start(gold, pred, len(gold.items)*len(pred.items) > plainLimit)
	return m.count(gold, pred, text, hasText)
}

func (m *matcher) start(gold, pred *record, indexed bool) {
	m.buf = m.buf[:0]
	m.gold = m.fold(m.gold[:0], gold)
	m.pred = m.fold(m.pred[:0], pred)
	if m.kinds = nil; indexed {
		m.kinds = newKindIndex(m)
	}
}

// count pairs the items in every mode.
func (m *matcher) count(gold, pred *record, text string, hasText bool) match {
	var result match
	m.containment()
	result.pairs = m.pairs
	for i := range m.pred {
		if !m.pred[i].valid {
			result.invalid++
		}
	}
	result.exact = m.exact()
	result.optimal = m.optimal()
	if hasText {
		m.places.reset(text, len(m.gold)+len(m.pred))
		result.goldAbsent = len(m.gold) - m.locate(m.gold, gold, nil, nil)
		result.covered = m.locate(m.pred, pred, gold, m.pairs)
		result.overlap = m.overlap()
	}
	return result
}

func (m *matcher) fold(out []folded, rec *record) []folded {
	for i := range rec.items {
		it := &rec.items[i]
		start := len(m.buf)
		m.buf = appendFolded(m.buf, it.span)
		out = append(out, folded{start: int32(start), end: int32(len(m.buf)), domain: it.domain, valid: it.valid(), spot: spot{-1, -1}})
	}
	return out
}

// fill returns n values, in the memory of list if it is large enough.
func fill[T any](list []T, n int, value T) []T {
	list = slices.Grow(list[:0], n)[:n]
	for i := range list {
		list[i] = value
	}
	return list
}

// fits is the rule of the specification: the same domain, and one span contains
// the other. An invalid item fits nothing.
func (m *matcher) fits(p, g *folded) bool {
	if p.domain != g.domain || !p.valid || !g.valid {
		return false
	}
	if p.end-p.start <= g.end-g.start {
		return bytes.Contains(m.text(g), m.text(p))
	}
	return bytes.Contains(m.text(p), m.text(g))
}

// containment: predictions in file order each take the first free gold item.
func (m *matcher) containment() {
	m.pairs = fill(m.pairs, len(m.pred), -1)
	if m.kinds != nil {
		for p := range m.pred {
			m.pairs[p] = m.kinds.take(p)
		}
		return
	}
	m.used = fill(m.used, len(m.gold), false)
	for p := range m.pred {
		for g := range m.gold {
			if !m.used[g] && m.fits(&m.pred[p], &m.gold[g]) {
				m.used[g], m.pairs[p] = true, int32(g)
				break
			}
		}
	}
}

// exact counts pairs with the same domain and equal spans. The choice among
// equal items does not change the number, so containment's equal pairs stay.
func (m *matcher) exact() int {
	if m.kinds != nil {
		return m.kinds.equalPairs()
	}
	m.used = fill(m.used, len(m.gold), false)
	pairs := 0
	for p, g := range m.pairs {
		if g >= 0 && m.equal(&m.pred[p], &m.gold[g]) {
			m.used[g] = true
			pairs++
		}
	}
	for p, paired := range m.pairs {
		if !m.pred[p].valid || paired >= 0 && m.equal(&m.pred[p], &m.gold[paired]) {
			continue
		}
		for g := range m.gold {
			if !m.used[g] && m.equal(&m.pred[p], &m.gold[g]) {
				m.used[g] = true
				pairs++
				break
			}
		}
	}
	return pairs
}

func (m *matcher) equal(p, g *folded) bool {
	return p.end-p.start == g.end-g.start && p.domain == g.domain && g.valid && bytes.Equal(m.text(p), m.text(g))
}

// optimal is the size of a maximum matching: the greedy pairs, and each
// remaining prediction that fits after others move (Kuhn's algorithm).
func (m *matcher) optimal() (size int) {
	m.visited = fill(m.visited, len(m.gold), false)
	m.partner = fill(m.partner, len(m.gold), -1)
	for p, g := range m.pairs {
		if g >= 0 {
			m.partner[g] = int32(p)
			size++
		}
	}
	m.free = m.free[:0]
	for g := range m.gold {
		if f := &m.gold[g]; f.valid && m.partner[g] < 0 {
			for len(m.free) <= int(f.domain) {
				m.free = append(m.free, 0)
			}
			m.free[f.domain]++
		}
	}
	for p, g := range m.pairs {
		d := int(m.pred[p].domain)
		if g >= 0 || !m.pred[p].valid || d >= len(m.free) || m.free[d] == 0 {
			continue
		}
		m.trail = m.trail[:0]
		if m.kinds != nil {
			m.kinds.trail = m.kinds.trail[:0]
		}
		if m.place(int32(p)) {
			size++
			m.free[d]--
			m.forget()
		}
	}
	return size
}

// place finds a gold item for a prediction and moves others to make room. What
// a failed search visited cannot help a later one, so it stays marked.
// Predictions of one kind fit the same items: a search looks once.
func (m *matcher) place(p int32) bool {
	if m.kinds == nil {
		for g := range m.gold {
			if !m.visited[g] && m.fits(&m.pred[p], &m.gold[g]) && m.give(int32(g), p) {
				return true
			}
		}
		return false
	}
	k := m.kinds.pred[p]
	if m.kinds.visited[k] {
		return false
	}
	m.kinds.visited[k], m.kinds.trail = true, append(m.kinds.trail, k)
	for _, fitting := range m.kinds.fits[k] {
		for _, g := range m.kinds.gold[fitting] {
			if !m.visited[g] && m.give(g, p) {
				return true
			}
		}
	}
	return false
}

// give gives a gold item to a prediction if it is free or its partner finds
// another one.
func (m *matcher) give(g, p int32) bool {
	m.visited[g], m.trail = true, append(m.trail, g)
	if m.partner[g] >= 0 && !m.place(m.partner[g]) {
		return false
	}
	m.partner[g] = p
	return true
}

// forget clears the marks of a successful search.
func (m *matcher) forget() {
	for _, g := range m.trail {
		m.visited[g] = false
	}
	if m.kinds != nil {
		for _, k := range m.kinds.trail {
			m.kinds.visited[k] = false
		}
	}
}

// A Pair is a gold item and the prediction that matches it, by index.
type Pair struct{ Gold, Pred int }

// Match pairs the gold and predicted items of one journal by the rule of this
// package. Items without a domain or a span match nothing. The pairs are in the
// order of the predictions.
func Match(gold, pred []verbatim.Item) []Pair { return matchItems(gold, pred, false) }

// MatchOptimal pairs the items so that no other choice gives more pairs.
func MatchOptimal(gold, pred []verbatim.Item) []Pair { return matchItems(gold, pred, true) }

func matchItems(gold, pred []verbatim.Item, optimal bool) (pairs []Pair) {
	domains := map[string]int32{"": badDomain}
	var m matcher
	m.start(recordOf(gold, domains), recordOf(pred, domains), len(gold)*len(pred) > plainLimit)
	m.containment()
	if optimal {
		m.optimal()
		for g, p := range m.partner {
			if p >= 0 {
				m.pairs[p] = int32(g)
			}
		}
	}
	for p, g := range m.pairs {
		if g >= 0 {
			pairs = append(pairs, Pair{int(g), p})
		}
	}
	return pairs
}

func recordOf(items []verbatim.Item, domains map[string]int32) *record {
	rec := &record{}
	for i := range items {
		domain, known := domains[items[i].Domain]
		if !known {
			domain = int32(len(domains) - 1)
			domains[items[i].Domain] = domain
		}
		it, _ := rec.add(0)
		it.domain, it.span = domain, items[i].EvidenceSpan
	}
	return rec
}

// appendFolded appends a span as it is compared: in Unicode NFC and without case
// (simple folding, one to one: ß is not ss). Quotes do not change.
func appendFolded(buf []byte, span string) []byte {
	start, table, all := len(buf), foldTable(), byte(0)
	buf = append(buf, span...)
	added := buf[start:]
	for i, c := range added {
		all |= c
		added[i] = byte(table[c])
	}
	if all < utf8.RuneSelf { // ASCII only
		return buf
	}
	buf = buf[:start]
	if !norm.NFC.IsNormalString(span) {
		span = norm.NFC.String(span)
	}
	for _, r := range span {
		if int(r) < foldTableSize {
			r = table[r]
		} else {
			r = lowestOfOrbit(r)
		}
		buf = utf8.AppendRune(buf, r)
	}
	return buf
}

// foldTableSize covers Latin, Greek, Cyrillic and the scripts up to Tibetan.
const foldTableSize = 0x1000

var foldTable = sync.OnceValue(func() *[foldTableSize]rune {
	var table [foldTableSize]rune
	for r := range table {
		table[r] = lowestOfOrbit(rune(r))
	}
	return &table
})

// lowestOfOrbit returns the lowest of the letters that differ only in case. For
// ASCII that is the capital (k, K and the Kelvin sign: K).
func lowestOfOrbit(r rune) rune {
	lowest := r
	for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
		lowest = min(lowest, other)
	}
	return lowest
}
