package grade

import (
	"index/suffixarray"
	"slices"
)

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
