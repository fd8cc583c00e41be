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
	for _, r := range distractor.Around(withBetter(ranked, answers.Ranking, d.TruthFit, truths), d.TruthFit, PoolSize) {
		d.Reserve = append(d.Reserve, verbatim.Option{Type: sameBook, Text: r.Candidate, At: b.placeOf(d.Category, r.Candidate), Fit: r.Score})
	}
}

// enough is how many candidates must be left when others are set aside.
const enough = 8

// withBetter adds candidates of another kind that fit better than the ground
// truth, if too few of its kind do: where nothing fits better, the ranker's
// favourite is the ground truth.
func withBetter(kin, all []distractor.Ranked, truth float64, truths map[string]bool) []distractor.Ranked {
	better := func(r distractor.Ranked) bool { return r.Score >= truth }
	missing := PoolSize / 3
	for _, r := range kin {
		if better(r) {
			missing--
		}
	}
	kin = slices.Clone(kin)
	for _, r := range all {
		has := slices.ContainsFunc(kin, func(k distractor.Ranked) bool { return k.Index == r.Index })
		if missing > 0 && better(r) && !has && !truths[r.Candidate] {
			kin = append(kin, r)
			missing--
		}
	}
	return kin
}
