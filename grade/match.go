package grade

import (
	"bytes"
	"hash/maphash"
	"math/bits"
	"slices"
)

// A matcher pairs the predicted items of one journal with its gold items. It is
// used for one journal after another and keeps its memory.
type matcher struct {
	buf        []byte // the folded spans, gold first
	gold, pred []folded
	index      goldIndex // where a journal is large
	places     placer

	pairs   []int32 // for each prediction its gold item, or -1
	used    []bool
	partner []int32 // of the optimal matching: for each gold item its prediction, or -1
	chosen  []int32 // and for each prediction its gold item
	from    []int32 // the prediction from which a search came to a gold item
	visited []bool
	trail   []int32 // the gold items that a search visited
	queue   []int32
	free    []int32 // of each domain, the gold items without partner
	fitting []int32

	rest   []int32 // predictions that have no equal yet
	heads  []int32 // of lists of gold items, by the hash of their spans or by place: the first + 1
	links  []int32 // of each gold item, the next of its list + 1
	groups []spotGroup
}

// folded is an item as it is compared: its domain, and where in the matcher's
// buffer its span stands without case.
type folded struct {
	from, to int32
	spot     spot
	domain   int16
	valid    bool
}

func (m *matcher) text(f *folded) []byte { return m.buf[f.from:f.to] }

// A match is how the two lists of one journal stand to each other.
type match struct {
	pairs                       []int32 // containment, greedy: gold item of each prediction, or -1
	exact, overlap, optimal     int     // pairs in the other modes
	covered, invalid, goldLoose int     // goldLoose: gold spans that do not occur in the text
}

// largeJournal is the number of comparisons up to which the plain double loop
// is faster than an index.
const largeJournal = 400

// match pairs the items. The result is that of the plain double loop in file
// order, whatever index proposed the candidates. The pairs are valid until the
// next call.
func (m *matcher) match(gold, pred *record, text string, hasText bool) match {
	m.buf = m.buf[:0]
	m.gold = m.fold(m.gold[:0], gold)
	if large := len(gold.items)*len(pred.items) > largeJournal; large {
		m.index.build(m.buf[:len(m.buf):len(m.buf)], m.gold)
	} else {
		m.index.gold = nil
	}
	m.pred = m.fold(m.pred[:0], pred)
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
		result.goldLoose = len(m.gold) - m.locate(m.gold, gold, nil, nil)
		result.covered = m.locate(m.pred, pred, gold, m.pairs)
		result.overlap = m.overlap()
	}
	return result
}

func (m *matcher) fold(out []folded, rec *record) []folded {
	for i := range rec.items {
		it := &rec.items[i]
		from := len(m.buf)
		m.buf = appendFolded(m.buf, it.span)
		out = append(out, folded{from: int32(from), to: int32(len(m.buf)), domain: it.domain, valid: it.valid(), spot: spot{-1, -1}})
	}
	return out
}

// zeros gives n zeros, in the memory of list where it is enough.
func zeros[T any](list []T, n int) []T {
	list = slices.Grow(list[:0], n)[:n]
	clear(list)
	return list
}

func fill[T any](list []T, n int, value T) []T {
	list = slices.Grow(list[:0], n)[:n]
	for i := range list {
		list[i] = value
	}
	return list
}

// fits is the rule of the specification: the same domain, and one span is a
// piece of the other. An invalid item fits nothing.
func (m *matcher) fits(p, g *folded) bool {
	if p.domain != g.domain || !p.valid || !g.valid {
		return false
	}
	if p.to-p.from <= g.to-g.from {
		return bytes.Contains(m.text(g), m.text(p))
	}
	return bytes.Contains(m.text(p), m.text(g))
}

// containment: predictions in file order, each takes the first free gold item.
func (m *matcher) containment() {
	m.pairs = fill(m.pairs, len(m.pred), -1)
	m.used = zeros(m.used, len(m.gold))
	for i := range m.pred {
		if g := m.firstFree(&m.pred[i]); g >= 0 {
			m.used[g] = true
			m.pairs[i] = g
		}
	}
}

func (m *matcher) firstFree(p *folded) int32 {
	first := int32(-1)
	if !p.valid {
		return first
	}
	if m.index.gold != nil {
		m.index.propose(p.domain, m.text(p), m.used, func(g int32) int32 { first = g; return g })
		return first
	}
	for g := range m.gold {
		if !m.used[g] && m.fits(p, &m.gold[g]) {
			return int32(g)
		}
	}
	return first
}

// exact counts pairs with the same domain and equal spans. Which of several
// equal items is taken makes no difference to the number, so that those whom
// containment brought together may stay so.
func (m *matcher) exact() int {
	pairs := 0
	m.rest = m.rest[:0]
	m.used = zeros(m.used, len(m.gold))
	for p, g := range m.pairs {
		if g >= 0 && m.equal(&m.pred[p], &m.gold[g]) {
			m.used[g] = true
			pairs++
		} else if m.pred[p].valid {
			m.rest = append(m.rest, int32(p))
		}
	}
	if m.index.gold != nil {
		return pairs + m.exactByHash()
	}
	for _, p := range m.rest {
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
	return p.to-p.from == g.to-g.from && p.domain == g.domain && g.valid && bytes.Equal(m.text(p), m.text(g))
}

// exactByHash pairs the rest of the predictions with the gold items not used.
func (m *matcher) exactByHash() int {
	pairs := 0
	m.heads = zeros(m.heads, 2<<bits.Len(uint(len(m.gold))))
	m.links = zeros(m.links, len(m.gold))
	for g := range m.gold {
		if !m.used[g] {
			head := m.head(&m.gold[g])
			m.links[g], *head = *head, int32(g+1)
		}
	}
	for _, p := range m.rest {
		for link := m.head(&m.pred[p]); *link > 0; link = &m.links[*link-1] {
			if m.equal(&m.pred[p], &m.gold[*link-1]) {
				*link = m.links[*link-1]
				pairs++
				break
			}
		}
	}
	return pairs
}

// hashSeed differs in every run; no result depends on it.
var hashSeed = maphash.MakeSeed()

func (m *matcher) head(f *folded) *int32 {
	return &m.heads[maphash.Bytes(hashSeed, m.text(f))&uint64(len(m.heads)-1)]
}

// optimal is the size of a maximum matching: the greedy pairs, and every
// prediction left over that can be placed by moving others (Kuhn's algorithm).
func (m *matcher) optimal() int {
	size := 0
	m.visited = m.visited[:0]
	for p, g := range m.pairs {
		if g >= 0 {
			size++
			continue
		}
		if !m.pred[p].valid {
			continue
		}
		if len(m.visited) == 0 {
			m.startMoving()
		}
		if d := int(m.pred[p].domain); d < len(m.free) && m.free[d] > 0 && m.place(int32(p)) {
			size++
		}
	}
	return size
}

func (m *matcher) startMoving() {
	m.visited = zeros(m.visited, len(m.gold))
	m.from = zeros(m.from, len(m.gold))
	m.partner = fill(m.partner, len(m.gold), -1)
	m.chosen = append(m.chosen[:0], m.pairs...)
	for p, g := range m.pairs {
		if g >= 0 {
			m.partner[g] = int32(p)
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
	m.index.whole()
}

// place finds a gold item for a prediction, moving others out of the way. What
// a search that fails has visited leads nowhere later either, and stays marked.
func (m *matcher) place(p int32) bool {
	m.trail, m.queue = m.trail[:0], append(m.queue[:0], p)
	for at := 0; at < len(m.queue); at++ {
		for _, g := range m.unvisited(m.queue[at]) {
			if m.visited[g] {
				continue
			}
			m.visited[g], m.from[g] = true, m.queue[at]
			m.trail = append(m.trail, g)
			if m.partner[g] < 0 {
				m.move(g)
				for _, g := range m.trail {
					m.visited[g] = false
				}
				m.index.whole()
				return true
			}
			m.queue = append(m.queue, m.partner[g])
		}
	}
	return false
}

// move gives a free gold item to the prediction that came to it, that
// prediction's former one to the next, and so on back to the first.
func (m *matcher) move(g int32) {
	m.free[m.gold[g].domain]--
	for g >= 0 {
		p := m.from[g]
		former := m.chosen[p]
		m.partner[g], m.chosen[p] = p, g
		g = former
	}
}

// unvisited are the gold items that fit a prediction and that the search has
// not seen; the index may name one twice.
func (m *matcher) unvisited(p int32) []int32 {
	m.fitting = m.fitting[:0]
	if m.index.gold != nil {
		m.index.propose(m.pred[p].domain, m.text(&m.pred[p]), m.visited, func(g int32) int32 {
			m.fitting = append(m.fitting, g)
			return int32(len(m.gold))
		})
		return m.fitting
	}
	for g := range m.gold {
		if !m.visited[g] && m.fits(&m.pred[p], &m.gold[g]) {
			m.fitting = append(m.fitting, int32(g))
		}
	}
	return m.fitting
}
