package cloze

import (
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
	for _, r := range distractor.Around(ranked, d.TruthFit, PoolSize) {
		d.Reserve = append(d.Reserve, verbatim.Option{Type: sameBook, Text: r.Candidate, At: b.placeOf(d.Category, r.Candidate), Fit: r.Score})
	}
}

// enough is how many candidates must be left when others are set aside.
const enough = 8
