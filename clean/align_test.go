package clean

import (
	"sort"
	"strings"
	"unicode"
)

// A token is one word of a text, in lower case, without punctuation.
type token struct {
	word       string
	start, end int
}

// tokens splits a text into words at everything that is not a letter or digit.
// Apostrophes inside a word, which scans often lose, are left out.
func tokens(text string) []token {
	var all []token
	var word strings.Builder
	start := -1
	flush := func(end int) {
		if start >= 0 {
			all = append(all, token{strings.Clone(word.String()), start, end})
			word.Reset()
			start = -1
		}
	}
	for i, r := range text {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if start < 0 {
				start = i
			}
			word.WriteRune(unicode.ToLower(r))
		case (r == '\'' || r == '’' || r == '\u00ad') && start >= 0:
		default:
			flush(i)
		}
	}
	flush(len(text))
	return all
}

// align pairs equal words of two texts in order: pairs[i] is the word of b that
// matches word i of a, or -1. It first pairs runs of words that occur once in
// each text (longest first), then aligns the words between them.
func align(a, b []token) []int {
	ids := map[string]int{}
	number := func(ts []token) []int {
		out := make([]int, len(ts))
		for i, t := range ts {
			id, ok := ids[t.word]
			if !ok {
				id = len(ids)
				ids[t.word] = id
			}
			out[i] = id
		}
		return out
	}
	al := &aligner{a: number(a), b: number(b), pairs: make([]int, len(a))}
	for i := range al.pairs {
		al.pairs[i] = -1
	}
	al.between(0, len(a), 0, len(b), 5)
	return al.pairs
}

type aligner struct{ a, b, pairs []int }

// between aligns a[a0:a1] with b[b0:b1]; n is the length of runs to try.
func (al *aligner) between(a0, a1, b0, b1, n int) {
	for a0 < a1 && b0 < b1 && al.a[a0] == al.b[b0] {
		al.pairs[a0] = b0
		a0, b0 = a0+1, b0+1
	}
	for a0 < a1 && b0 < b1 && al.a[a1-1] == al.b[b1-1] {
		a1, b1 = a1-1, b1-1
		al.pairs[a1] = b1
	}
	if a0 == a1 || b0 == b1 {
		return
	}
	if (a1-a0)*(b1-b0) <= 40000 {
		al.exactly(a0, a1, b0, b1)
		return
	}
	for ; n > 0; n -= 2 {
		anchors := al.anchors(a0, a1, b0, b1, n)
		if len(anchors) == 0 {
			continue
		}
		lastA, lastB := a0, b0
		for _, p := range anchors {
			if p[0] < lastA || p[1] < lastB {
				continue // overlaps the run before
			}
			al.between(lastA, p[0], lastB, p[1], n)
			for k := range n {
				al.pairs[p[0]+k] = p[1] + k
			}
			lastA, lastB = p[0]+n, p[1]+n
		}
		al.between(lastA, a1, lastB, b1, max(n-2, 1)*min(1, n-1))
		return
	}
}

// anchors returns runs of n words that occur once in both texts, in the order
// that both share: the longest such chain.
func (al *aligner) anchors(a0, a1, b0, b1, n int) [][2]int {
	key := func(words []int) (k uint64) {
		for _, w := range words {
			k = k*1000003 + uint64(w) + 1
		}
		return k
	}
	once := func(words []int, start, end int) map[uint64]int {
		at := map[uint64]int{}
		for i := start; i+n <= end; i++ {
			k := key(words[i : i+n])
			if _, again := at[k]; again {
				at[k] = -1
			} else {
				at[k] = i
			}
		}
		return at
	}
	inA, inB := once(al.a, a0, a1), once(al.b, b0, b1)
	var both [][2]int
	for k, i := range inA {
		if j, ok := inB[k]; ok && i >= 0 && j >= 0 {
			both = append(both, [2]int{i, j})
		}
	}
	sort.Slice(both, func(x, y int) bool { return both[x][0] < both[y][0] })
	return longestChain(both)
}

// longestChain returns the longest subsequence whose second numbers grow.
func longestChain(list [][2]int) [][2]int {
	var tails, before []int
	before = make([]int, len(list))
	for i, p := range list {
		k := sort.Search(len(tails), func(k int) bool { return list[tails[k]][1] >= p[1] })
		before[i] = -1
		if k > 0 {
			before[i] = tails[k-1]
		}
		if k == len(tails) {
			tails = append(tails, i)
		} else {
			tails[k] = i
		}
	}
	chain := make([][2]int, len(tails))
	if len(tails) == 0 {
		return chain
	}
	for i, k := tails[len(tails)-1], len(tails)-1; k >= 0; i, k = before[i], k-1 {
		chain[k] = list[i]
	}
	return chain
}

// exactly finds the longest common subsequence of two short pieces.
func (al *aligner) exactly(a0, a1, b0, b1 int) {
	rows, columns := a1-a0+1, b1-b0+1
	best := make([]int32, rows*columns)
	for i := rows - 2; i >= 0; i-- {
		for j := columns - 2; j >= 0; j-- {
			if al.a[a0+i] == al.b[b0+j] {
				best[i*columns+j] = best[(i+1)*columns+j+1] + 1
			} else {
				best[i*columns+j] = max(best[(i+1)*columns+j], best[i*columns+j+1])
			}
		}
	}
	for i, j := 0, 0; i < rows-1 && j < columns-1; {
		switch {
		case al.a[a0+i] == al.b[b0+j]:
			al.pairs[a0+i] = b0 + j
			i, j = i+1, j+1
		case best[(i+1)*columns+j] >= best[i*columns+j+1]:
			i++
		default:
			j++
		}
	}
}
