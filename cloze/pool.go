package cloze

import (
	"cmp"
	"slices"

	"verbatim"
	"verbatim/distractor"
)

// PoolSize is how many same-book answers a draft keeps to choose from: half of
// them fit better than the ground truth, half worse, where the book has them.
const PoolSize = 12

// PoolRequest asks for the ranking of all candidates and of the ground truth
// among them. taken are ground truths that must not be used.
func (b *Book) PoolRequest(d *Draft, frame string, types, taken []string) distractor.Request {
	r := b.Request(d, frame, types, taken)
	r.RankTruth, r.Ranking = true, len(r.Candidates)
	return r
}

// TakePool keeps the candidates around the ground truth as the draft's reserve:
// those of its kind (tier and sureness) that are no ground truth of another draft,
// unless there are too few. Which of them are offered is decided over many drafts.
func (b *Book) TakePool(d *Draft, answers distractor.Answers, truths map[string]bool) {
	d.Options, d.Reserve, d.Failed = []verbatim.Option{}, nil, nil
	d.fail(answers)
	if answers.Truth == nil {
		return
	}
	d.TruthFit = answers.Truth.Score
	kin := map[string]bool{}
	for _, c := range b.Candidates[d.Category] {
		kin[c.Text] = kin[c.Text] || c.Tier == d.Tier && c.Sure == d.Sure
	}
	ranked := answers.Ranking
	for _, unfit := range []func(string) bool{
		func(text string) bool { return !kin[text] },
		func(text string) bool { return truths[text] },
	} {
		rest := slices.DeleteFunc(slices.Clone(ranked), func(r distractor.Ranked) bool { return unfit(r.Candidate) })
		if len(rest) >= enough {
			ranked = rest
		}
	}
	above := slices.IndexFunc(ranked, func(r distractor.Ranked) bool { return r.Score < d.TruthFit })
	if above < 0 {
		above = len(ranked)
	}
	best := min(above, max(PoolSize/2, PoolSize-(len(ranked)-above)))
	next := min(len(ranked)-above, PoolSize-best)
	for _, r := range slices.Concat(ranked[:best], ranked[above:above+next]) {
		d.Reserve = append(d.Reserve, verbatim.Option{Type: sameBook, Text: r.Candidate, At: b.placeOf(d.Category, r.Candidate), Fit: r.Score})
	}
	slices.SortStableFunc(d.Reserve, func(x, y verbatim.Option) int { return cmp.Compare(y.Fit, x.Fit) })
}

// enough is how many candidates must be left when others are set aside.
const enough = 8
