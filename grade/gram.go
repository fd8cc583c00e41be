package grade

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
)

// gramSize is the number of bytes by which strings are found: a string is
// looked for where its rarest four bytes stand.
const gramSize = 4

// rareEnough ends the search for rarer bytes.
const rareEnough = 8

// A gramIndex lists, for each four bytes, the places in a text at which they
// stand, in order. A place is only a proposal and is compared. All memory is
// used again for the next text.
type gramIndex struct {
	shift   uint // of a hash, to the number of a bucket
	buckets []gramBucket
	next    []int32 // of each place, the next of its bucket + 1; 0 at the end
}

type gramBucket struct{ head, size int32 } // head: the first place + 1, or 0

func gramOf(text []byte) uint32 { return binary.LittleEndian.Uint32(text) }

// reset makes room for a text.
func (ix *gramIndex) reset(length int) {
	size := min(max(6, bits.Len(uint(length))-1), 24)
	ix.shift = uint(32 - size)
	ix.buckets = zeros(ix.buckets, 1<<size)
	ix.next = slices.Grow(ix.next[:0], length)[:length]
}

const gramFactor = 2654435761 // spreads grams over the buckets

func (ix *gramIndex) number(gram uint32) uint32 {
	return gram * gramFactor >> (ix.shift & 31) // the & spares a test
}

// add takes in the grams of a piece of the text. Whoever adds in reverse gets
// lists in order.
func (ix *gramIndex) add(text []byte, from, to int, salt uint32) {
	// What the loop needs is kept out of the index, or it is fetched each time.
	buckets, next, shift := ix.buckets, ix.next[:to], ix.shift&31
	for i, rest := to-gramSize, text[:to]; i >= from; i-- {
		b := &buckets[(gramOf(rest[i:])+salt)*gramFactor>>shift]
		next[i], b.head = b.head, int32(i+1)
		b.size++
	}
}

// rarest is a place in s, of at least gramSize bytes, whose gram is rare in
// the text, and the gram's bucket.
func (ix *gramIndex) rarest(s []byte, salt uint32) (offset int, bucket uint32) {
	offset = len(s) - gramSize
	bucket = ix.number(gramOf(s[offset:]) + salt)
	least := ix.buckets[bucket].size
	for i := offset - 1; i >= 0 && least > rareEnough; i-- {
		b := ix.number(gramOf(s[i:]) + salt)
		if n := ix.buckets[b].size; n < least {
			least, offset, bucket = n, i, b
		}
	}
	return offset, bucket
}

// first is where s, of at least gramSize bytes, first occurs in the text, or -1.
func (ix *gramIndex) first(text, s []byte) int {
	offset, b := ix.rarest(s, 0)
	for post := ix.buckets[b].head; post > 0; post = ix.next[post-1] {
		if at := int(post) - 1 - offset; standsAt(text, at, s) {
			return at
		}
	}
	return -1
}

func standsAt(text []byte, at int, s []byte) bool {
	return at >= 0 && at+len(s) <= len(text) && bytes.Equal(text[at:at+len(s)], s)
}

// A goldIndex proposes gold items for a prediction. Those that contain it are
// found by its rarest bytes; those within it by theirs, their anchor.
type goldIndex struct {
	text  []byte // the folded golds, one after the other
	gold  []folded
	grams gramIndex
	owner []int32 // of each byte of the text, its gold item

	heads   []int32 // by bucket, the first gold item + 1 that has its anchor there
	anchors []anchor
	sizes   [gramSize + 1]bool // of the anchors; a short gold item has a short one

	// Lists lose what is skipped, so that a thousand equal items are not
	// passed by again and again, until the index is made whole.
	cut []cutLink
}

type anchor struct{ next, offset int32 }

// A cutLink is a link as it was.
type cutLink struct {
	link *int32
	was  int32
}

// salt keeps the domains apart.
func salt(domain int16) uint32 { return uint32(domain) * 0x9E3779B1 }

func (ix *goldIndex) build(text []byte, gold []folded) {
	ix.text, ix.gold = text, gold
	ix.cut = ix.cut[:0]
	ix.grams.reset(len(text))
	ix.owner = slices.Grow(ix.owner[:0], len(text))[:len(text)]
	for g := len(gold) - 1; g >= 0; g-- {
		f := &gold[g]
		own := ix.owner[f.from:f.to]
		for i := range own {
			own[i] = int32(g)
		}
		if f.valid {
			ix.grams.add(text, int(f.from), int(f.to), salt(f.domain))
		}
	}
	ix.heads = zeros(ix.heads, len(ix.grams.buckets))
	ix.anchors = slices.Grow(ix.anchors[:0], len(gold))[:len(gold)]
	ix.sizes = [gramSize + 1]bool{}
	for g := len(gold) - 1; g >= 0; g-- {
		if gold[g].valid {
			ix.addAnchor(int32(g))
		}
	}
}

func (ix *goldIndex) addAnchor(g int32) {
	f := &ix.gold[g]
	s := ix.text[f.from:f.to]
	size, offset := min(gramSize, len(s)), 0
	var b uint32
	if size == gramSize {
		offset, b = ix.grams.rarest(s, salt(f.domain))
	} else {
		b = ix.grams.number(shortGram(s) + salt(f.domain))
	}
	ix.sizes[size] = true
	ix.anchors[g] = anchor{ix.heads[b], int32(offset)}
	ix.heads[b] = g + 1
}

// shortGram stands for a string of less than gramSize bytes.
func shortGram(s []byte) uint32 {
	gram := uint32(len(s))
	for _, c := range s {
		gram = gram<<8 | uint32(c)
	}
	return gram
}

// propose names the gold items that fit s and are not to be skipped. found
// says below which number it wants more.
func (ix *goldIndex) propose(domain int16, s []byte, skip []bool, found func(g int32) (below int32)) {
	below := int32(len(ix.gold))
	if len(s) < gramSize { // no gram: such a prediction is rare
		for g := int32(0); g < below; g++ {
			if f := &ix.gold[g]; !skip[g] && f.domain == domain && f.valid &&
				(bytes.Contains(ix.text[f.from:f.to], s) || bytes.Contains(s, ix.text[f.from:f.to])) {
				below = found(g)
			}
		}
		return
	}
	below = ix.around(domain, s, skip, below, found)
	for i := range len(s) - gramSize + 1 {
		if b := ix.grams.number(gramOf(s[i:]) + salt(domain)); ix.heads[b] > 0 {
			below = ix.within(domain, s, i, &ix.heads[b], skip, below, found)
		}
	}
	for size := 1; size < gramSize; size++ {
		for i := 0; ix.sizes[size] && i+size <= len(s); i++ {
			b := ix.grams.number(shortGram(s[i:i+size]) + salt(domain))
			below = ix.within(domain, s, i, &ix.heads[b], skip, below, found)
		}
	}
}

// around: gold items that contain s, in their order.
func (ix *goldIndex) around(domain int16, s []byte, skip []bool, below int32, found func(g int32) int32) int32 {
	offset, b := ix.grams.rarest(s, salt(domain))
	for link := &ix.grams.buckets[b].head; *link > 0; {
		post := *link - 1
		g := ix.owner[post]
		if g >= below {
			break
		}
		if skip[g] {
			ix.cutOut(link, ix.grams.next[post])
			continue
		}
		f := &ix.gold[g]
		if f.domain == domain && standsAt(ix.text[f.from:f.to], int(post-f.from)-offset, s) {
			below = found(g)
		}
		link = &ix.grams.next[post]
	}
	return below
}

// within: gold items of one list whose anchor may stand at s[at:], in their order.
func (ix *goldIndex) within(domain int16, s []byte, at int, link *int32, skip []bool, below int32, found func(g int32) int32) int32 {
	for *link > 0 && *link <= below {
		g := *link - 1
		a := &ix.anchors[g]
		if skip[g] {
			ix.cutOut(link, a.next)
			continue
		}
		f := &ix.gold[g]
		if f.domain == domain && standsAt(s, at-int(a.offset), ix.text[f.from:f.to]) {
			below = found(g)
		}
		link = &a.next
	}
	return below
}

func (ix *goldIndex) cutOut(link *int32, next int32) {
	ix.cut = append(ix.cut, cutLink{link, *link})
	*link = next
}

// whole puts all lists back as they were, for items that are no longer skipped.
func (ix *goldIndex) whole() {
	for _, c := range slices.Backward(ix.cut) {
		*c.link = c.was
	}
	ix.cut = ix.cut[:0]
}
