package workspace

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"slices"

	"verbatim"
	"verbatim/balance"
	"verbatim/cloze"
	"verbatim/distractor"
	"verbatim/review"
)

// balanced reports whether wrong answers are chosen so that they give nothing
// away, instead of those that fit best.
func (o *Options) balanced() bool { return o.Choose == verbatim.Balanced }

// rankPools finds the same-book answers around each ground truth, and chooses
// among them.
func (b *Book) rankPools(ctx context.Context, o *Options, g *distractor.Generator, drafts []*cloze.Draft) error {
	sameBook, _ := o.types()
	var requests []distractor.Request
	for _, d := range drafts {
		requests = append(requests, b.Cloze().PoolRequest(d, b.Frame(), sameBook, nil))
	}
	truths := map[string]bool{}
	for _, d := range b.drafts {
		truths[d.Truth] = true
	}
	var failed error
	err := makeAll(ctx, g, requests, func(i int, answers distractor.Answers, err error) {
		if failed = errors.Join(failed, err); err == nil {
			b.Cloze().TakePool(drafts[i], answers, truths)
		}
	})
	if err = errors.Join(err, failed); err != nil {
		return err
	}
	b.chooseAnswers(drafts, len(sameBook))
	return nil
}

// chooseAnswers chooses the same-book answers of drafts, so that the book's
// drafts together give nothing away. What was chosen for other drafts stays.
func (b *Book) chooseAnswers(drafts []*cloze.Draft, want int) {
	var items []balance.Item
	var of []*cloze.Draft
	for _, d := range b.drafts {
		pool := poolOf(d)
		if d.TruthFit == 0 || len(pool) == 0 {
			continue
		}
		item := balanceItem(d, pool, want)
		if !slices.Contains(drafts, d) {
			item.Settled = []int{}
			for i, o := range pool {
				if slices.ContainsFunc(d.Options, func(x verbatim.Option) bool { return x.Text == o.Text }) {
					item.Settled = append(item.Settled, i)
				}
			}
		}
		items, of = append(items, item), append(of, d)
	}
	for i, chosen := range balance.Choose(items) {
		if items[i].Settled == nil {
			offer(of[i], poolOf(of[i]), chosen)
		}
	}
}

// poolOf are the same-book answers of a draft from which to choose, the best
// first.
func poolOf(d *cloze.Draft) []verbatim.Option {
	pool := slices.DeleteFunc(slices.Concat(d.Options, d.Reserve), func(o verbatim.Option) bool { return o.Type != sameBookType || o.Fit == 0 })
	slices.SortStableFunc(pool, func(x, y verbatim.Option) int { return cmp.Compare(y.Fit, x.Fit) })
	return pool
}

// balanceItem is a draft as the choice sees it.
func balanceItem(d *cloze.Draft, pool []verbatim.Option, want int) balance.Item {
	item := balance.Item{ID: d.ID, Book: d.Barcode, Category: d.Category, Passage: d.Masked, Want: want,
		Truth: balance.Option{Text: d.Truth, Fit: d.TruthFit}}
	for _, o := range pool {
		item.Pool = append(item.Pool, balance.Option{Text: o.Text, Fit: o.Fit})
	}
	return item
}

// offer makes the chosen ones the draft's wrong answers and keeps the others in
// reserve.
func offer(d *cloze.Draft, pool []verbatim.Option, chosen []int) {
	d.Options, d.Reserve = []verbatim.Option{}, nil
	for i, o := range pool {
		if slices.Contains(chosen, i) {
			o.Chosen = verbatim.Balanced
			d.Options = append(d.Options, o)
		} else {
			d.Reserve = append(d.Reserve, o)
		}
	}
}

// drawAnswers lets a twin negate any option, and draws the lengths of written
// answers, where answers must give nothing away. The draws of a book's drafts are
// spread evenly, so that twins of the ground truth are neither too many nor too
// few.
func (b *Book) drawAnswers(o *Options, d *cloze.Draft, r *distractor.Request) {
	if !o.balanced() {
		return
	}
	for _, option := range d.Options {
		if option.Type == sameBookType {
			r.Offered = append(r.Offered, option.Text)
		}
	}
	r.DrawLength = true
	before := 0
	for _, other := range b.drafts {
		if other.ID < d.ID {
			before++
		}
	}
	const golden = 0.6180339887498949
	if len(b.drafts) > 0 {
		_, r.Draw = math.Modf(firstDraw(b.Barcode, o.Seed) + golden*float64(before))
	}
}

// firstDraw is where the draws of a book begin.
func firstDraw(barcode string, seed int64) float64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "twin %s %d", barcode, seed))
	return float64(sum[0]) / 256
}

// sameBookNow finds the same-book answers of one draft while its reviewer waits.
// taken are the ground truths of accepted questions.
func (u *underReview) sameBookNow(ctx context.Context, d *cloze.Draft, taken []string) error {
	o := u.live.o
	sameBook, _ := o.types()
	request := u.Cloze().Request
	if o.balanced() {
		request = u.Cloze().PoolRequest
	}
	made, err := u.live.g.Make(ctx, request(d, u.Frame(), sameBook, taken))
	if err != nil {
		return err
	}
	if !o.balanced() {
		u.Cloze().TakeSameBook(d, made)
		return nil
	}
	u.Cloze().TakePool(d, made, nil)
	items := []balance.Item{balanceItem(d, poolOf(d), len(sameBook))}
	for s := range u.log.Standings() { // what was accepted before counts, and stays
		if s.Verdict == review.Accepted && s.Draft != d.ID {
			item := balance.Item{ID: s.Draft, Book: u.Barcode, Category: s.Category, Truth: balance.Option{Text: s.Truth}, Settled: []int{}}
			for _, option := range s.Options() {
				item.Fixed = append(item.Fixed, balance.Option{Text: option.Text, Fit: option.Fit})
			}
			items = append(items, item)
		}
	}
	offer(d, poolOf(d), balance.Choose(items)[0])
	return nil
}

// Year is the year of the book, or 0.
func (u *underReview) Year() int {
	if u.About == nil || u.About.Date == nil {
		return 0
	}
	return *u.About.Date
}
