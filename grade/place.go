package grade

import (
	"slices"
	"sort"
	"strings"
	"unicode/utf8"
)

// A spot is a place in a journal's text, in code points; start is -1 where the
// span does not occur.
type spot struct{ start, end int32 }

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
	if m.index.gold != nil {
		m.groupGold()
		for i := range m.pred {
			if p := &m.pred[i]; p.valid && p.spot.start >= 0 && m.takeOverlap(p) {
				pairs++
			}
		}
		return pairs
	}
	m.used = zeros(m.used, len(m.gold))
	for i := range m.pred {
		for g := range m.gold {
			if !m.used[g] && m.overlaps(&m.pred[i], &m.gold[g]) {
				m.used[g] = true
				pairs++
				break
			}
		}
	}
	return pairs
}

func (m *matcher) overlaps(p, g *folded) bool {
	return p.domain == g.domain && p.valid && g.valid && halfShared(p.spot, g.spot)
}

// A spotGroup is the gold items of one domain at one place that are still free.
type spotGroup struct {
	spot   spot
	domain int16
	first  int32 // gold item + 1, or 0
	next   int32 // group + 1 of the same cell, or 0
}

// cellSize is a number of code points. The groups that begin in the same so
// many make a list.
const cellSize = 32

func (m *matcher) groupGold() {
	m.groups = m.groups[:0]
	m.links = zeros(m.links, len(m.gold))
	m.heads = zeros(m.heads, len(m.places.text)/cellSize+1)
	for g := len(m.gold) - 1; g >= 0; g-- {
		if f := &m.gold[g]; f.valid && f.spot.start >= 0 {
			group := m.group(f)
			m.links[g], group.first = group.first, int32(g+1)
		}
	}
}

func (m *matcher) group(f *folded) *spotGroup {
	cell := &m.heads[f.spot.start/cellSize]
	for k := *cell; k > 0; k = m.groups[k-1].next {
		if group := &m.groups[k-1]; group.spot == f.spot && group.domain == f.domain {
			return group
		}
	}
	m.groups = append(m.groups, spotGroup{spot: f.spot, domain: f.domain, next: *cell})
	*cell = int32(len(m.groups))
	return &m.groups[len(m.groups)-1]
}

// takeOverlap gives a prediction the first free gold item that overlaps it.
func (m *matcher) takeOverlap(p *folded) bool {
	var best *spotGroup
	// Half of the union in common: the gold item begins at most one length
	// before the prediction, and at most half a length behind its start.
	length := p.spot.end - p.spot.start
	from, to := max(0, p.spot.start-length)/cellSize, (p.spot.start+length/2+1)/cellSize
	for _, k := range m.heads[from:min(int(to)+1, len(m.heads))] {
		for k > 0 {
			group := &m.groups[k-1]
			if group.domain == p.domain && group.first > 0 && (best == nil || group.first < best.first) && halfShared(p.spot, group.spot) {
				best = group
			}
			k = group.next
		}
	}
	if best != nil {
		best.first = m.links[best.first-1]
	}
	return best != nil
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
	bytes  []byte // of the text, where there is an index
	span   []byte
	large  bool
}

// largeSearch is the number of bytes to be searched from which an index pays.
const largeSearch = 1 << 13

func (f *placer) reset(text string, spans int) {
	f.text, f.points = text, f.points[:0]
	f.large = spans*len(text) > largeSearch
	if f.large {
		f.bytes = append(f.bytes[:0], text...)
		f.grams.reset(len(text))
		f.grams.add(f.bytes, 0, len(text), 0)
	}
	if !isASCII(text) {
		f.points = slices.Grow(f.points, len(text)+1)[:len(text)+1]
		n := int32(-1) // the letter at hand; its further bytes count as its first
		for i := range len(text) {
			if utf8.RuneStart(text[i]) {
				n++
			}
			f.points[i] = n
		}
		f.points[len(text)] = n + 1
	}
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
	if f.large && len(it.span) >= gramSize {
		f.span = append(f.span[:0], it.span...)
		at = f.grams.first(f.bytes, f.span)
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
