package grade

import (
	"bytes"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"
)

// A matcher pairs the predicted items of one journal with its gold items. It is
// used for one journal after another and keeps its memory.
type matcher struct {
	gold, pred []folded
	buf        []byte
	places     placer

	pairs    []int32 // for each prediction its gold item, or -1
	partner  []int32 // for each gold item its prediction, or -1
	used     []bool
	large    bool
	domains  []goldIndex // where a journal is large
	byStart  []int32     // gold items with a place, by its start where there are many
	starts   []int32
	visited  []bool
	trail    []int32
	adjacent map[int32][]int32
}

// folded is an item as it is compared: its domain, and its span without case.
type folded struct {
	text   []byte
	domain int16
	spot   spot
	valid  bool
}

// A spot is a place in a journal's text, in code points; start is -1 where the
// span does not occur.
type spot struct{ start, end int32 }

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
	m.gold, m.pred = m.fold(m.gold[:0], gold), m.fold(m.pred[:0], pred)
	m.pairs = fill(m.pairs, len(m.pred), -1)
	m.partner = fill(m.partner, len(m.gold), -1)
	if m.large = len(m.gold)*len(m.pred) > largeJournal; m.large {
		m.indexGold()
	}
	var result match
	m.containment()
	result.pairs = m.pairs
	for i := range m.pred {
		if !m.pred[i].valid {
			result.invalid++
		}
	}
	result.optimal = m.augmented()
	result.exact = m.exact()
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
		start := len(m.buf)
		m.buf = appendFolded(m.buf, it.span)
		// A buffer that moves leaves its old bytes to those who hold them.
		out = append(out, folded{text: m.buf[start:], domain: it.domain, valid: it.valid(), spot: spot{-1, -1}})
	}
	return out
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
func fits(p, g *folded) bool {
	if p.domain != g.domain || !p.valid || !g.valid {
		return false
	}
	if len(p.text) <= len(g.text) {
		return bytes.Contains(g.text, p.text)
	}
	return bytes.Contains(p.text, g.text)
}

// containment: predictions in file order, each takes the first free gold item.
func (m *matcher) containment() {
	m.used = fill(m.used, len(m.gold), false)
	for i := range m.pred {
		if g := m.firstFree(&m.pred[i]); g >= 0 {
			m.used[g] = true
			m.pairs[i], m.partner[g] = g, int32(i)
		}
	}
}

func (m *matcher) firstFree(p *folded) int32 {
	if !p.valid {
		return -1
	}
	if m.large {
		if index := m.index(p.domain); index != nil {
			return index.firstFree(p, m.gold, m.used)
		}
		return -1
	}
	for g := range m.gold {
		if !m.used[g] && fits(p, &m.gold[g]) {
			return int32(g)
		}
	}
	return -1
}

// augmented is the size of a maximum matching: the greedy pairs, and every
// prediction left over that can be placed by moving others (Kuhn's algorithm).
func (m *matcher) augmented() int {
	size := 0
	m.visited = m.visited[:0]
	for i, g := range m.pairs {
		if g >= 0 {
			size++
			continue
		}
		if !m.pred[i].valid {
			continue
		}
		if len(m.visited) == 0 {
			m.visited = fill(m.visited, len(m.gold), false)
			if m.large {
				m.adjacent = map[int32][]int32{}
			}
		}
		m.trail = m.trail[:0]
		if m.place(int32(i)) {
			size++
			for _, g := range m.trail {
				m.visited[g] = false
			}
		} // what a search that failed has visited leads nowhere later either, and stays marked
	}
	return size
}

// place finds a gold item for a prediction, moving others out of the way.
func (m *matcher) place(p int32) bool {
	if !m.large {
		for g := range m.gold {
			if !m.visited[g] && fits(&m.pred[p], &m.gold[g]) && m.take(p, int32(g)) {
				return true
			}
		}
		return false
	}
	for _, g := range m.candidates(p) {
		if !m.visited[g] && m.take(p, g) {
			return true
		}
	}
	return false
}

func (m *matcher) take(p, g int32) bool {
	m.visited[g] = true
	m.trail = append(m.trail, g)
	if m.partner[g] >= 0 && !m.place(m.partner[g]) {
		return false
	}
	m.partner[g] = p
	return true
}

func (m *matcher) candidates(p int32) []int32 {
	list, known := m.adjacent[p]
	if index := m.index(m.pred[p].domain); !known && index != nil {
		list = index.all(&m.pred[p], m.gold)
		m.adjacent[p] = list
	}
	return list
}

// exact counts pairs with the same domain and equal spans. Which of several
// equal items is taken makes no difference to the number.
func (m *matcher) exact() int {
	pairs := 0
	if m.large {
		for i := range m.pred {
			if p := &m.pred[i]; p.valid && m.index(p.domain) != nil && m.index(p.domain).takeEqual(p, m.gold) {
				pairs++
			}
		}
		return pairs
	}
	m.used = fill(m.used, len(m.gold), false)
	for i := range m.pred {
		p := &m.pred[i]
		for g := range m.gold {
			if gold := &m.gold[g]; !m.used[g] && p.domain == gold.domain && p.valid && gold.valid && bytes.Equal(p.text, gold.text) {
				m.used[g] = true
				pairs++
				break
			}
		}
	}
	return pairs
}

// locate finds the items in the text and counts those that are there. A
// prediction that says what its gold item says stands where that stands.
func (m *matcher) locate(list []folded, rec, gold *record, pairs []int32) int {
	found := 0
	for i := range list {
		it := &rec.items[i]
		if pairs != nil && pairs[i] >= 0 && gold.items[pairs[i]].span == it.span && gold.items[pairs[i]].place == it.place {
			list[i].spot = m.gold[pairs[i]].spot
		} else if it.span != "" {
			list[i].spot = m.places.find(it)
		}
		// An item with a bad domain may be covered; one without a span is not.
		if list[i].spot.start >= 0 {
			found++
		}
	}
	return found
}

// overlap counts pairs with the same domain whose places have an intersection
// of at least half of their union, greedy in file order.
func (m *matcher) overlap() int {
	pairs := 0
	m.used = fill(m.used, len(m.gold), false)
	m.byStart = m.byStart[:0]
	for g := range m.gold {
		if m.gold[g].valid && m.gold[g].spot.start >= 0 {
			m.byStart = append(m.byStart, int32(g))
		}
	}
	large := len(m.byStart)*len(m.pred) > largeJournal
	if large {
		slices.SortStableFunc(m.byStart, func(a, b int32) int { return int(m.gold[a].spot.start - m.gold[b].spot.start) })
		m.starts = m.starts[:0]
		for _, g := range m.byStart {
			m.starts = append(m.starts, m.gold[g].spot.start)
		}
	}
	for i := range m.pred {
		if p := &m.pred[i]; p.valid && p.spot.start >= 0 {
			if g := m.firstOverlap(p, large); g >= 0 {
				m.used[g] = true
				pairs++
			}
		}
	}
	return pairs
}

func (m *matcher) firstOverlap(p *folded, large bool) int32 {
	list := m.byStart
	if large {
		// Half of the union in common: the gold item begins at most one length
		// before the prediction, and at most half a length behind its start.
		length := p.spot.end - p.spot.start
		from, _ := slices.BinarySearch(m.starts, p.spot.start-length)
		to := from
		for to < len(list) && m.starts[to] <= p.spot.start+length/2+1 {
			to++
		}
		list = list[from:to]
	}
	best := int32(-1)
	for _, g := range list {
		if !m.used[g] && m.gold[g].domain == p.domain && (best < 0 || g < best) && halfShared(p.spot, m.gold[g].spot) {
			best = g
		}
	}
	return best
}

func halfShared(a, b spot) bool {
	common := min(a.end, b.end) - max(a.start, b.start)
	union := a.end - a.start + b.end - b.start - common
	return common > 0 && 2*common >= union
}

// A placer finds spans in one text.
type placer struct {
	text   string
	points []int32 // code points before each byte; nil where the text is ASCII
	grams  gramIndex
	large  bool
}

// largeSearch is the number of bytes to be searched from which an index pays.
const largeSearch = 1 << 16

func (f *placer) reset(text string, spans int) {
	f.text, f.points = text, f.points[:0]
	f.large = spans*len(text) > largeSearch
	if f.large {
		f.grams.build([]byte(text))
	}
	if !isASCII(text) {
		f.points = slices.Grow(f.points, len(text)+1)[:len(text)+1]
		n := int32(0)
		for i := range len(text) {
			f.points[i] = n // the middle of a letter is never asked for
			if utf8.RuneStart(text[i]) {
				n++
			}
		}
		f.points[len(text)] = n
	}
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// find gives the place that the item carries if its words stand there, else
// where they first occur.
func (f *placer) find(it *item) spot {
	if s, e := it.place[0], it.place[1]; s >= 0 && f.isAt(s, e, it.span) {
		return f.spot(s, e)
	}
	if s := f.byteOf(it.place[2]); s >= 0 && f.isAt(s, s+len(it.span), it.span) {
		if at := f.spot(s, s+len(it.span)); int(at.end) == it.place[3] {
			return at
		}
	}
	at := -1
	if f.large && len(it.span) >= shortest {
		at = f.grams.first(it.span)
	} else {
		at = strings.Index(f.text, it.span)
	}
	if at < 0 {
		return spot{-1, -1}
	}
	return f.spot(at, at+len(it.span))
}

func (f *placer) isAt(start, end int, span string) bool {
	return start <= end && end <= len(f.text) && f.text[start:end] == span
}

func (f *placer) spot(start, end int) spot {
	if len(f.points) > 0 {
		return spot{f.points[start], f.points[end]}
	}
	return spot{int32(start), int32(end)}
}

// byteOf is the byte at which a code point begins, or -1.
func (f *placer) byteOf(point int) int {
	if len(f.points) == 0 || point < 0 {
		return point
	}
	at := sort.Search(len(f.points), func(i int) bool { return int(f.points[i]) >= point })
	if at == len(f.points) || int(f.points[at]) != point {
		return -1
	}
	return at
}
