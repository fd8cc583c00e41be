package grade

import (
	"index/suffixarray"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"
)

// A spot is a place in a journal's text, in code points; start is -1 if the span
// is not in the text.
type spot struct{ start, end int32 }

// locate finds the items in the text and counts those it finds. A prediction that
// equals its gold item is at the same place.
func (m *matcher) locate(list []folded, rec, gold *record, pairs []int32) int {
	found := 0
	for i := range list {
		it := &rec.items[i]
		if pairs != nil && pairs[i] >= 0 && gold.items[pairs[i]].span == it.span && gold.items[pairs[i]].place == it.place {
			list[i].spot = m.gold[pairs[i]].spot
		} else if it.hasSpan() {
			list[i].spot = m.places.find(it)
		}
		// An item with a bad domain can be covered; one without a span cannot.
		if list[i].spot.start >= 0 {
			found++
		}
	}
	return found
}

// overlap counts pairs with the same domain whose places share at least half of
// their union, greedy in file order.
func (m *matcher) overlap() int {
	if m.kinds != nil {
		return m.overlapByPlace()
	}
	pairs := 0
	m.used = fill(m.used, len(m.gold), false)
	for i := range m.pred {
		p := &m.pred[i]
		for g := range m.gold {
			f := &m.gold[g]
			if !m.used[g] && p.domain == f.domain && p.valid && f.valid && halfShared(p.spot, f.spot) {
				m.used[g] = true
				pairs++
				break
			}
		}
	}
	return pairs
}

// A spotGroup is the free gold items of one domain at one place.
type spotGroup struct {
	spot   spot
	domain int32
	free   []int32
}

// overlapByPlace is overlap for large journals: it looks only at gold items
// that start near the prediction.
func (m *matcher) overlapByPlace() int {
	groups := m.groupGold()
	pairs := 0
	for i := range m.pred {
		p := &m.pred[i]
		if !p.valid || p.spot.start < 0 {
			continue
		}
		// If half of the union is shared, the gold item starts at most one length
		// before the prediction and at most half a length after its start.
		length := p.spot.end - p.spot.start
		first, _ := slices.BinarySearchFunc(groups, p.spot.start-length, func(g spotGroup, at int32) int { return int(g.spot.start - at) })
		var best *spotGroup
		for k := first; k < len(groups) && groups[k].spot.start <= p.spot.start+length/2; k++ {
			g := &groups[k]
			if g.domain == p.domain && len(g.free) > 0 && (best == nil || g.free[0] < best.free[0]) && halfShared(p.spot, g.spot) {
				best = g
			}
		}
		if best != nil {
			best.free = best.free[1:]
			pairs++
		}
	}
	return pairs
}

// groupGold groups the gold items by place and sorts the groups by their start.
func (m *matcher) groupGold() (groups []spotGroup) {
	type place struct {
		spot   spot
		domain int32
	}
	numbers := map[place]int{}
	for g := range m.gold {
		f := &m.gold[g]
		if !f.valid || f.spot.start < 0 {
			continue
		}
		at := place{f.spot, f.domain}
		n, known := numbers[at]
		if !known {
			n = len(groups)
			numbers[at], groups = n, append(groups, spotGroup{spot: f.spot, domain: f.domain})
		}
		groups[n].free = append(groups[n].free, int32(g))
	}
	slices.SortFunc(groups, func(a, b spotGroup) int { return int(a.spot.start - b.spot.start) })
	return groups
}

func halfShared(a, b spot) bool {
	common := min(a.end, b.end) - max(a.start, b.start)
	union := a.end - a.start + b.end - b.start - common
	return common > 0 && 2*common >= union
}

// A placer finds spans in one text.
type placer struct {
	text   string
	points []int32            // code points before each byte; empty if the text is ASCII
	array  *suffixarray.Index // nil for a small search
}

// largeSearch is the number of bytes to search from which an index pays.
const largeSearch = 1 << 20

func (f *placer) reset(text string, spans int) {
	f.text, f.points, f.array = text, f.points[:0], nil
	if spans*len(text) > largeSearch {
		f.array = suffixarray.New([]byte(text))
	}
	if utf8.RuneCountInString(text) < len(text) { // not ASCII
		f.points = slices.Grow(f.points, len(text)+1)[:len(text)+1]
		n := int32(-1) // the current code point; its later bytes count as its first
		for i := range len(text) {
			if utf8.RuneStart(text[i]) {
				n++
			}
			f.points[i] = n
		}
		f.points[len(text)] = n + 1
	}
}

// find returns the place that the item names if its span is there, otherwise
// the span's first occurrence.
func (f *placer) find(it *item) spot {
	if s, e := it.place[0], it.place[1]; s >= 0 && f.isAt(s, e, it.span) {
		return f.spot(s, e)
	}
	if s := f.byteOf(it.place[2]); s >= 0 && f.isAt(s, s+len(it.span), it.span) {
		if at := f.spot(s, s+len(it.span)); int(at.end) == it.place[3] {
			return at
		}
	}
	at := f.first(it.span)
	if at < 0 {
		return spot{-1, -1}
	}
	return f.spot(at, at+len(it.span))
}

// first is the first occurrence of a span, or -1. In a large text a frequent
// span is soon found; a suffix array finds the rare ones.
func (f *placer) first(span string) int {
	if f.array == nil {
		return strings.Index(f.text, span)
	}
	const soon = 1 << 9
	if at := strings.Index(f.text[:min(soon, len(f.text))], span); at >= 0 {
		return at
	}
	all := f.array.Lookup([]byte(span), -1)
	if len(all) == 0 {
		return -1
	}
	return slices.Min(all)
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

// byteOf is the byte at which a code point starts, or -1.
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

// A kindIndex matches large journals. Items with the same domain and span are
// one kind: kinds are compared once, so thousands of equal items cost little.
// Suffix arrays of the spans find which kinds contain which.
type kindIndex struct {
	pred  []int32   // the kind of each prediction, or -1 if it is invalid
	count []int     // of each kind: its predictions
	gold  [][]int32 // of each kind: its gold items, in file order
	fits  [][]int32 // of each kind of prediction: the gold kinds that fit

	free    [][]int32 // of each kind: the gold items that no prediction took
	visited []bool    // kinds of predictions that a search for the optimal matching visited
	trail   []int32   // those of the current search
}

// A claimKind is a domain and a folded span.
type claimKind struct {
	domain int32
	span   string
}

func newKindIndex(m *matcher) *kindIndex {
	ix := &kindIndex{}
	numbers := map[claimKind]int32{}
	var kinds []claimKind
	number := func(f *folded) int32 {
		if !f.valid {
			return -1
		}
		k := claimKind{f.domain, string(m.text(f))}
		n, known := numbers[k]
		if !known {
			n = int32(len(kinds))
			numbers[k], kinds = n, append(kinds, k)
			ix.gold, ix.count = append(ix.gold, nil), append(ix.count, 0)
		}
		return n
	}
	for g := range m.gold {
		if n := number(&m.gold[g]); n >= 0 {
			ix.gold[n] = append(ix.gold[n], int32(g))
		}
	}
	for p := range m.pred {
		n := number(&m.pred[p])
		ix.pred = append(ix.pred, n)
		if n >= 0 {
			ix.count[n]++
		}
	}
	ix.compare(kinds)
	ix.free = slices.Clone(ix.gold)
	ix.visited = make([]bool, len(kinds))
	return ix
}

// compare fills in which gold kinds fit which kinds of predictions.
func (ix *kindIndex) compare(kinds []claimKind) {
	ix.fits = make([][]int32, len(kinds))
	golds := newSpanIndex(kinds, func(k int) bool { return len(ix.gold[k]) > 0 })
	preds := newSpanIndex(kinds, func(k int) bool { return ix.count[k] > 0 })
	for i, k := range kinds {
		if ix.count[i] > 0 {
			ix.fits[i] = append(ix.fits[i], golds.containing(k)...)
		}
		if len(ix.gold[i]) > 0 {
			for _, p := range preds.containing(k) {
				ix.fits[p] = append(ix.fits[p], int32(i))
			}
		}
	}
	for i := range ix.fits {
		slices.Sort(ix.fits[i])
		ix.fits[i] = slices.Compact(ix.fits[i])
	}
}

// take gives a prediction the first free gold item that fits, or -1.
func (ix *kindIndex) take(pred int) int32 {
	if ix.pred[pred] < 0 {
		return -1
	}
	best := int32(-1)
	for _, k := range ix.fits[ix.pred[pred]] {
		if free := ix.free[k]; len(free) > 0 && (best < 0 || free[0] < ix.free[best][0]) {
			best = k
		}
	}
	if best < 0 {
		return -1
	}
	first := ix.free[best][0]
	ix.free[best] = ix.free[best][1:]
	return first
}

// equalPairs counts the pairs of equal items.
func (ix *kindIndex) equalPairs() int {
	pairs := 0
	for k, golds := range ix.gold {
		pairs += min(len(golds), ix.count[k])
	}
	return pairs
}

// A spanIndex finds the spans that contain a given one.
type spanIndex struct {
	kinds []claimKind
	array *suffixarray.Index
	owner []int32 // of each byte of the joined spans: its kind
	found []int32
}

// newSpanIndex joins the wanted spans with a byte that UTF-8 never uses.
func newSpanIndex(kinds []claimKind, wanted func(k int) bool) *spanIndex {
	x := &spanIndex{kinds: kinds}
	var text []byte
	for i, k := range kinds {
		if !wanted(i) {
			continue
		}
		text = append(append(text, k.span...), 0xFF)
		for len(x.owner) < len(text) {
			x.owner = append(x.owner, int32(i))
		}
	}
	x.array = suffixarray.New(text)
	return x
}

// containing returns the kinds of the same domain whose span contains k's. It
// may name one twice. The list is valid until the next call.
func (x *spanIndex) containing(k claimKind) []int32 {
	x.found = x.found[:0]
	for _, at := range x.array.Lookup([]byte(k.span), -1) {
		if owner := x.owner[at]; x.kinds[owner].domain == k.domain {
			x.found = append(x.found, owner)
		}
	}
	return x.found
}
