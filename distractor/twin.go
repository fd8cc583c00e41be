package distractor

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// twin is the type of a distractor that negates a drawn option. A negation of the
// ground truth points at it: of the two most similar options the one without
// "not" is right. If any option may have a twin, the pair says nothing.
const twin = "twin"

// truthsShare is how often a twin negates the ground truth: so many times as often
// as chance picks it. With 1, a solver would do best to leave out the pair of twins;
// with 2, to take the less negative one of it. In about a quarter of the pairs the
// twin is the less negative one, because the base was negative.
const truthsShare = 1.5

// base draws what a twin negates: the ground truth or a wrong answer that the
// question has.
func (r *Request) base(made []product) string {
	others := append([]string{}, r.Offered...)
	for _, p := range made {
		if p.text != "" && p.failed == "" {
			others = append(others, p.text)
		}
	}
	if ranked := sameBookOf(made); len(r.Offered) == 0 && ranked != nil {
		for i := range min(ranked.wanted(r), len(ranked.ranked)) {
			others = append(others, ranked.ranked[i].Candidate)
		}
	}
	draw := r.Draw
	if draw == 0 {
		draw = r.draw("twin")
	}
	share := truthsShare / float64(len(others)+2)
	if draw < share || len(others) == 0 {
		return r.GroundTruth
	}
	at := int((draw - share) / (1 - share) * float64(len(others)))
	return others[min(at, len(others)-1)]
}

// sameBookOf is the ranking among what was made, or nil.
func sameBookOf(made []product) *product {
	for i := range made {
		if made[i].t.Kind == "same_book" {
			return &made[i]
		}
	}
	return nil
}

// wanted is how many same-book answers a request asks for.
func (p *product) wanted(r *Request) int {
	types, n := r.Types, 0
	if len(types) == 0 {
		types = DefaultTypes
	}
	for _, name := range types {
		if name == "same_book" {
			n++
		}
	}
	return n
}

// length draws the number of words of a written answer: that of the ground truth
// or of a wrong answer from the book. If all were about as long as the ground
// truth, it would be the typical one.
func (r *Request) length(j job) int {
	texts := append([]string{r.GroundTruth}, r.Offered...)
	at := int(r.draw(fmt.Sprintf("length %s %d", j.t, j.repeat)) * float64(len(texts)))
	return max(1, len(strings.Fields(texts[at])))
}

// draw is a number between 0 and 1 that depends on the request and the purpose
// alone.
func (r *Request) draw(purpose string) float64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%s\x00%s\x00%s", r.Seed, r.ID, r.GroundTruth, purpose))
	return float64(binary.BigEndian.Uint64(sum[:])>>11) / (1 << 53)
}

// poolWant is how many candidates a choice around the ground truth should have.
// More would bring back what was set aside, and cost time: where nothing good fits
// better than the ground truth, nothing else does, either.
const poolWant = 16

// Around are the candidates of a ranking around the ground truth: half of them
// the best that fit better than it, half the best that fit worse, as far as there
// are any. They come by their fit, the best first.
func Around(ranked []Ranked, truth float64, size int) []Ranked {
	var better, worse []Ranked
	for _, r := range ranked {
		if r.Score >= truth {
			better = append(better, r)
		} else {
			worse = append(worse, r)
		}
	}
	best := min(len(better), max(size/2, size-len(worse)))
	next := min(len(worse), size-best)
	around := slices.Concat(better[:best], worse[:next])
	slices.SortStableFunc(around, func(a, b Ranked) int { return cmp.Compare(b.Score, a.Score) })
	return around
}

// arrange lets the caller choose among the same-book answers.
func (g *Generator) arrange(requests []Request, products [][]product) {
	if g.Arrange == nil {
		return
	}
	rankings, truths := make([][]Ranked, len(requests)), make([]*Ranked, len(requests))
	for i := range products {
		if p := sameBookOf(products[i]); p != nil {
			rankings[i], truths[i] = p.ranked, p.truth
		}
	}
	g.Arrange(requests, rankings, truths)
	for i := range products {
		if p := sameBookOf(products[i]); p != nil {
			p.ranked = rankings[i]
		}
	}
}
