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
// those of its kind (tier and sureness), unless there are too few. Which of
// them are offered is decided over many drafts.
func (b *Book) TakePool(d *Draft, answers distractor.Answers) {
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
	ranked := slices.DeleteFunc(slices.Clone(answers.Ranking), func(r distractor.Ranked) bool { return !kin[r.Candidate] })
	if len(ranked) < fewestKin {
		ranked = answers.Ranking
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

// fewestKin is how many candidates of the ground truth's kind are enough.
const fewestKin = 7
