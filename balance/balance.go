// Package balance chooses the wrong answers of questions so that, over the whole
// set, nothing but the passage tells them from the ground truth.
//
// Each question brings more wrong answers than it needs. For every way of guessing
// (the longest, the one like the others, the one that the ranker likes least, ...)
// the package keeps an account over the questions of a book and over all: how often
// it would have been right, less what chance gives. It takes the wrong answers that
// keep all accounts near zero. The same is done for what a learner could pick up:
// the sum of the differences between the ground truth and its wrong answers, over
// lengths, connectors, words and letters, stays near zero, so that there is nothing
// to learn. Each book is balanced by itself, small ones in groups: balanced over all
// books alone, some would show the opposite of the others, and that is a leak too.
//
// What to count on: the choice depends on the set alone, not on its order, on
// time, or on the number of workers.
package balance

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"math"
	"slices"
)

// An Item is a question whose wrong answers are to be chosen.
type Item struct {
	ID       string
	Book     string
	Category string
	Passage  string // what the reader sees; may be empty
	Truth    Option
	Fixed    []Option // wrong answers that stay, for example what a person wrote
	Pool     []Option // wrong answers to choose from, the best first
	Want     int      // how many of them
	Seen     []int    // those of the pool that a reviewer has accepted: they come first, if they do
	Settled  []int    // the choice was made before and stays; it only counts
}

// An Option is an answer and how well it fits its place; 0 if nobody knows.
type Option struct {
	Text string
	Fit  float64
}

const (
	sweeps  = 4    // how often each question is looked at again
	subsets = 320  // at most so many choices are tried for a question
	reuse   = 12.0 // the price of an answer that another question of the book has
	unseen  = 1.0  // the price of an answer that no reviewer has accepted, where one has accepted others
)

// Choose gives for each item the indexes of its pool that are chosen, in
// increasing order. A pool with too few is taken whole.
func Choose(items []Item) [][]int {
	order := make([]int, len(items))
	for i := range order {
		order[i] = i
	}
	key := func(i int) uint64 { return hash(items[i].Book, items[i].ID) }
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(key(a), key(b)), cmp.Compare(items[a].ID, items[b].ID)) })
	scale := newScale(items, order)
	accounts, all := grouped(items), newAccount()
	all.sums, all.weights = nil, guesses
	cases := make([]*question, len(items))
	for _, i := range order {
		cases[i] = newQuestion(&items[i], scale)
	}
	for range sweeps {
		changed := false
		for _, i := range order {
			q := cases[i]
			own := []*account{accounts[q.item.Book], all}
			was := q.chosen
			q.leave(own)
			q.choose(own)
			q.enter(own)
			changed = changed || !slices.Equal(was, q.chosen)
		}
		if !changed {
			break
		}
	}
	chosen := make([][]int, len(items))
	for i, q := range cases {
		chosen[i] = q.chosen
	}
	return chosen
}

// groupSize is how many questions a group of books has at least.
const groupSize = 40

// grouped gives each book its account: one of its own, or, for books with few
// questions, one that several share.
func grouped(items []Item) map[string]*account {
	count := map[string]int{}
	for _, item := range items {
		count[item.Book]++
	}
	names := slices.SortedFunc(maps.Keys(count), func(a, b string) int { return cmp.Or(cmp.Compare(hash(a), hash(b)), cmp.Compare(a, b)) })
	accounts := map[string]*account{}
	group, size, left := newAccount(), 0, len(items)
	for _, name := range names {
		if size >= groupSize && left >= groupSize {
			group, size = newAccount(), 0
		}
		accounts[name] = group
		size, left = size+count[name], left-count[name]
	}
	return accounts
}

// hash is a number that depends on the strings alone.
func hash(parts ...string) uint64 {
	sum := sha256.New()
	for _, p := range parts {
		sum.Write([]byte(p))
		sum.Write([]byte{0})
	}
	return binary.BigEndian.Uint64(sum.Sum(nil))
}

// An account says for every way of guessing how far it is from chance, over the
// questions so far: single figures, and the sums that learners would see. Sums are
// kept for groups of books, not for all: if they were zero over all, what a learner
// sees in some books would be the opposite of the rest, and that can be learned.
type account struct {
	figures []float64
	sums    []float64          // nil: not kept
	weights []float64          // of the figures
	uses    map[string]float64 // how often an answer is offered
}

func newAccount() *account {
	return &account{figures: make([]float64, figureCount), weights: weights, sums: make([]float64, sumCount), uses: map[string]float64{}}
}

// choose takes the wrong answers that bring the accounts nearest to zero.
func (q *question) choose(accounts []*account) {
	if q.item.Settled != nil {
		q.chosen = q.item.Settled
		return
	}
	pull := make([][]float64, len(accounts)) // of each option, towards what the sums already have too much of
	for a, account := range accounts {
		if account.sums == nil {
			continue
		}
		pull[a] = make([]float64, len(q.options))
		for i := range q.options {
			pull[a][i] = q.options[i].sums.dot(account.sums)
		}
	}
	best, least := []int{}, math.Inf(1)
	figures := make([]float64, figureCount)
	for _, pick := range q.picks() {
		members := q.members(pick)
		q.figures(members, figures)
		cost := q.price * mean(pick)
		for a, account := range accounts {
			for f, x := range figures {
				cost += account.weights[f] * x * (2*account.figures[f] + x)
			}
			if pull[a] != nil {
				cost += 2*q.difference(pull[a], members) + q.distance(members)
			}
		}
		for _, i := range pick {
			cost += reuse * accounts[0].uses[q.item.Pool[i].Text]
			if len(q.item.Seen) > 0 && !slices.Contains(q.item.Seen, i) {
				cost += unseen
			}
		}
		if cost < least {
			best, least = pick, cost
		}
	}
	q.chosen = best
}

func mean(pick []int) float64 {
	if len(pick) == 0 {
		return 0
	}
	sum := 0.0
	for _, i := range pick {
		sum += float64(i)
	}
	return sum / float64(len(pick))
}

// enter books the question with what was chosen; leave takes it out again.
func (q *question) enter(accounts []*account) { q.book(accounts, 1) }
func (q *question) leave(accounts []*account) {
	if q.chosen != nil {
		q.book(accounts, -1)
	}
}

func (q *question) book(accounts []*account, sign float64) {
	members := q.members(q.chosen)
	figures := make([]float64, figureCount)
	q.figures(members, figures)
	for _, account := range accounts {
		for f, x := range figures {
			account.figures[f] += sign * x
		}
		for _, i := range q.chosen {
			account.uses[q.item.Pool[i].Text] += sign
		}
		account.uses[q.item.Truth.Text] += sign
		if account.sums == nil {
			continue
		}
		for n, m := range members {
			part := sign
			if n > 0 {
				part = -sign / float64(len(members)-1)
			}
			for _, e := range q.options[m].sums {
				account.sums[e.at] += part * e.x
			}
		}
	}
}

// picks are the choices to try: all, or as many as there is time for, drawn by
// the question's id.
func (q *question) picks() [][]int {
	n, k := len(q.item.Pool), min(q.item.Want, len(q.item.Pool))
	total := 1
	for i := range k {
		total = total * (n - i) / (i + 1)
	}
	all := total <= subsets
	var found [][]int
	seen := map[uint64]bool{}
	pick := make([]int, k)
	for i := range pick {
		pick[i] = i
	}
	if all {
		for ok := true; ok; ok = next(pick, n) {
			found = append(found, slices.Clone(pick))
		}
		return found
	}
	state := hash("pick", q.item.Book, q.item.ID)
	for len(found) < subsets {
		order := draw(n, k, &state)
		slices.Sort(order)
		mask := uint64(0)
		for _, i := range order {
			mask |= 1 << i
		}
		if !seen[mask] {
			seen[mask] = true
			found = append(found, order)
		}
	}
	return found
}

// next is the next choice in the order of the dictionary.
func next(pick []int, n int) bool {
	for i := len(pick) - 1; i >= 0; i-- {
		if pick[i] < n-len(pick)+i {
			pick[i]++
			for j := i + 1; j < len(pick); j++ {
				pick[j] = pick[j-1] + 1
			}
			return true
		}
	}
	return false
}

// draw draws k of n numbers.
func draw(n, k int, state *uint64) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	for i := range k {
		*state = *state*6364136223846793005 + 1442695040888963407
		j := i + int((*state>>33)%uint64(n-i))
		all[i], all[j] = all[j], all[i]
	}
	return all[:k]
}

// A Chooser chooses question by question, for callers that cannot wait for the
// whole set. Its choice depends on the questions before.
type Chooser struct{ all *account }

// Next gives the indexes of the item's pool that are chosen.
func (c *Chooser) Next(item Item) []int {
	if c.all == nil {
		c.all = newAccount()
	}
	q := newQuestion(&item, newScale([]Item{item}, []int{0}))
	accounts := []*account{c.all}
	q.choose(accounts)
	q.enter(accounts)
	return q.chosen
}
