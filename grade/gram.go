package grade

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math"
	"math/bits"
	"slices"
)

// A gramIndex finds strings in a text by four rare bytes of theirs. It lists,
// for each four bytes, the even places at which they stand, in order; a string
// at an odd place is found by four bytes that stand one further on. A place is
// only a proposal and is compared.
type gramIndex struct {
	text    []byte
	shift   int
	buckets []gramBucket
	next    []int32 // of the place 2*i, the next of the same bucket, or -1
}

type gramBucket struct{ head, size int32 }

const (
	gramSize   = 4
	shortest   = gramSize + 1 // a string that the index finds at even and odd places
	rareEnough = 8
)

func (ix *gramIndex) bucket(text []byte) uint32 {
	return binary.LittleEndian.Uint32(text) * 2654435761 >> ix.shift
}

func (ix *gramIndex) build(text []byte) {
	ix.text = text
	size := min(max(8, bits.Len(uint(len(text)))-1), 24)
	ix.shift = 32 - size
	ix.buckets = fill(ix.buckets, 1<<size, gramBucket{-1, 0})
	n := max(0, (len(text)-gramSize)/2+1)
	ix.next = slices.Grow(ix.next[:0], n)[:n]
	for i := n - 1; i >= 0; i-- { // from behind, so that each list is in order
		b := &ix.buckets[ix.bucket(text[2*i:])]
		ix.next[i] = b.head
		b.head = int32(2 * i)
		b.size++
	}
}

// rarest is an odd (1) or even (0) place in a string whose four bytes are rare
// in the text, and their bucket.
func (ix *gramIndex) rarest(s []byte, odd int) (offset int, bucket uint32) {
	best := int32(math.MaxInt32)
	last := len(s) - gramSize
	for i := last - (last+odd)%2; i >= 0 && best > rareEnough; i -= 2 {
		b := ix.bucket(s[i:])
		if n := ix.buckets[b].size; n < best {
			best, offset, bucket = n, i, b
		}
	}
	return offset, bucket
}

// first is where a string of at least the shortest length first occurs, or -1.
func (ix *gramIndex) first(span string) int {
	s := []byte(span)
	first := -1
	for odd := range 2 {
		offset, b := ix.rarest(s, odd)
		for post := ix.buckets[b].head; post >= 0; post = ix.next[post/2] {
			if at := int(post) - offset; ix.isAt(at, s) {
				if first < 0 || at < first {
					first = at
				}
				break
			}
		}
	}
	return first
}

func (ix *gramIndex) isAt(at int, s []byte) bool {
	return at >= 0 && at+len(s) <= len(ix.text) && bytes.Equal(ix.text[at:at+len(s)], s)
}

// A goldIndex proposes gold items of one domain for a prediction, in their
// order. Golds that contain the prediction are found by its rarest four bytes;
// golds within the prediction are found by theirs, their anchor; equal ones by
// their hash. All lists are used again for the next journal.
type goldIndex struct {
	grams gramIndex
	text  []byte
	golds []int32 // the numbers, in order
	owner []int32 // of each byte of the text, its gold item
	live  []int32 // of each bucket, the first place whose gold item may be free

	anchors chains // by bucket of the anchor
	offsets []int32
	equals  chains // by hash of the whole span
	short   []shortGold
}

// chains holds lists of places in goldIndex.golds, each in order.
type chains struct{ head, next []int32 }

func (c *chains) reset(lists, members int) {
	c.head, c.next = fill(c.head, lists, -1), fill(c.next, members, -1)
}

// put adds in front; whoever adds in reverse gets lists in order.
func (c *chains) put(list uint32, k int32) {
	c.next[k], c.head[list] = c.head[list], k
}

// shortGold is a span too short for an anchor, and the golds that have it.
type shortGold struct {
	text  []byte
	golds []int32
}

// indexGold sorts the gold items by domain and indexes each.
func (m *matcher) indexGold() {
	for d := range m.domains {
		m.domains[d].golds = m.domains[d].golds[:0]
	}
	for g := range m.gold {
		if !m.gold[g].valid {
			continue
		}
		d := int(m.gold[g].domain)
		for len(m.domains) <= d {
			m.domains = append(m.domains, goldIndex{})
		}
		m.domains[d].golds = append(m.domains[d].golds, int32(g))
	}
	for d := range m.domains {
		m.domains[d].build(m.gold)
	}
}

// index is the index of a domain, or nil where it has no gold.
func (m *matcher) index(domain int16) *goldIndex {
	if int(domain) >= len(m.domains) || len(m.domains[domain].golds) == 0 {
		return nil
	}
	return &m.domains[domain]
}

func (ix *goldIndex) build(gold []folded) {
	const separator = 0xFF // stands in no UTF-8
	ix.text, ix.owner, ix.short = ix.text[:0], ix.owner[:0], ix.short[:0]
	for _, g := range ix.golds {
		ix.text = append(append(ix.text, gold[g].text...), separator)
		for range len(gold[g].text) + 1 {
			ix.owner = append(ix.owner, g)
		}
	}
	ix.grams.build(ix.text)
	ix.live = ix.live[:0]
	for i := range ix.grams.buckets {
		ix.live = append(ix.live, ix.grams.buckets[i].head)
	}
	ix.anchors.reset(len(ix.grams.buckets), len(ix.golds))
	ix.equals.reset(1<<bits.Len(uint(len(ix.golds))), len(ix.golds))
	ix.offsets = fill(ix.offsets, len(ix.golds), 0)
	for k := len(ix.golds) - 1; k >= 0; k-- {
		s := gold[ix.golds[k]].text
		ix.equals.put(ix.hash(s), int32(k))
		if len(s) >= shortest {
			offset, b := ix.grams.rarest(s, k%2)
			ix.offsets[k] = int32(offset)
			ix.anchors.put(b, int32(k))
		}
	}
	for _, g := range ix.golds {
		if len(gold[g].text) < shortest {
			ix.addShort(g, gold[g].text)
		}
	}
}

func (ix *goldIndex) addShort(g int32, text []byte) {
	for i := range ix.short {
		if bytes.Equal(ix.short[i].text, text) {
			ix.short[i].golds = append(ix.short[i].golds, g)
			return
		}
	}
	ix.short = append(ix.short, shortGold{text, []int32{g}})
}

// firstFree is the first free gold item that fits, or -1.
func (ix *goldIndex) firstFree(p *folded, gold []folded, used []bool) int32 {
	if len(p.text) < shortest {
		for _, g := range ix.golds {
			if !used[g] && fits(p, &gold[g]) {
				return g
			}
		}
		return -1
	}
	none := int32(len(gold))
	best := ix.firstAround(p.text, used, none)
	best = ix.firstWithin(p.text, gold, used, best)
	for i := range ix.short {
		list := &ix.short[i].golds
		for len(*list) > 0 && used[(*list)[0]] {
			*list = (*list)[1:]
		}
		if len(*list) > 0 && (*list)[0] < best && bytes.Contains(p.text, ix.short[i].text) {
			best = (*list)[0]
		}
	}
	if best == none {
		return -1
	}
	return best
}

// firstAround: gold items that contain s. Places are in order, so the first
// that holds is the first gold item.
func (ix *goldIndex) firstAround(s []byte, used []bool, none int32) int32 {
	best := none
	for odd := range 2 {
		offset, b := ix.grams.rarest(s, odd)
		for ix.live[b] >= 0 && used[ix.owner[ix.live[b]]] {
			ix.live[b] = ix.grams.next[ix.live[b]/2] // a gold item once taken is never free again
		}
		for post := ix.live[b]; post >= 0 && ix.owner[post] < best; post = ix.grams.next[post/2] {
			if g := ix.owner[post]; !used[g] && ix.grams.isAt(int(post)-offset, s) {
				best = g
			}
		}
	}
	return best
}

// firstWithin: gold items that s contains and that come before `best`.
func (ix *goldIndex) firstWithin(s []byte, gold []folded, used []bool, best int32) int32 {
	for i := 0; i+gramSize <= len(s); i++ {
		for k := ix.anchors.head[ix.grams.bucket(s[i:])]; k >= 0; k = ix.anchors.next[k] {
			g := ix.golds[k]
			if g >= best {
				break
			}
			if !used[g] && holdsAt(s, i-int(ix.offsets[k]), gold[g].text) {
				best = g
				break
			}
		}
	}
	return best
}

func holdsAt(s []byte, at int, piece []byte) bool {
	return at >= 0 && at+len(piece) <= len(s) && bytes.Equal(s[at:at+len(piece)], piece)
}

// all gives every gold item that fits, used or not.
func (ix *goldIndex) all(p *folded, gold []folded) []int32 {
	var list []int32
	if len(p.text) < shortest || len(ix.short) > 0 {
		// Short spans are rare, and their lists have been used up.
		for _, g := range ix.golds {
			if fits(p, &gold[g]) {
				list = append(list, g)
			}
		}
		return list
	}
	for odd := range 2 {
		offset, b := ix.grams.rarest(p.text, odd)
		for post := ix.grams.buckets[b].head; post >= 0; post = ix.grams.next[post/2] {
			if ix.grams.isAt(int(post)-offset, p.text) {
				list = append(list, ix.owner[post])
			}
		}
	}
	for i := 0; i+gramSize <= len(p.text); i++ {
		for k := ix.anchors.head[ix.grams.bucket(p.text[i:])]; k >= 0; k = ix.anchors.next[k] {
			if g := ix.golds[k]; holdsAt(p.text, i-int(ix.offsets[k]), gold[g].text) {
				list = append(list, g)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// takeEqual takes a gold item with the same span out of its list, once.
func (ix *goldIndex) takeEqual(p *folded, gold []folded) bool {
	for link := &ix.equals.head[ix.hash(p.text)]; *link >= 0; link = &ix.equals.next[*link] {
		if bytes.Equal(gold[ix.golds[*link]].text, p.text) {
			*link = ix.equals.next[*link]
			return true
		}
	}
	return false
}

func (ix *goldIndex) hash(s []byte) uint32 {
	return uint32(maphash.Bytes(hashSeed, s)) & uint32(len(ix.equals.head)-1)
}

// hashSeed differs in every run; no result depends on it.
var hashSeed = maphash.MakeSeed()
