package cloze

import (
	"verbatim"
	"verbatim/distractor"
)

// kept is how many of the best same-book answers a draft keeps, so that
// refusing one brings up the next.
const kept = 10

// Request asks for the wrong answers of a draft. Candidates are all others of
// its category; taken are texts that must not be used: the truths of other
// accepted questions of the book.
func (b *Book) Request(d *Draft, frame string, types, taken []string) distractor.Request {
	category := d.Kind()
	r := distractor.Request{
		ID: d.ID, MetadataPrefix: frame, Passage: d.Masked, Prompt: category.Prompt(), Mask: category.Mask,
		GroundTruth: d.Truth, AnswerType: category.Unit(), Types: types, Exclude: taken, Seed: int(b.seed), Ranking: kept + 2,
	}
	for _, c := range b.Candidates[d.Category] {
		r.Candidates = append(r.Candidates, c.Text)
	}
	return r
}

// Take puts the wrong answers into a draft: same-book ones with their places,
// and the next best in reserve.
func (b *Book) Take(d *Draft, answers distractor.Answers) {
	d.Options, d.Reserve, d.Failed, d.Made = []verbatim.Option{}, nil, nil, true
	used := map[string]bool{}
	for i, text := range answers.Strings {
		if i == 0 {
			continue // the ground truth
		}
		used[text] = true
		option := verbatim.Option{Type: answers.Types[i], Text: text, At: verbatim.Selector{Status: verbatim.Absent}}
		if option.Type == "same_book" {
			option.At = b.placeOf(d.Category, text)
		}
		d.Options = append(d.Options, option)
	}
	for _, r := range answers.Ranking {
		if !used[r.Candidate] && len(d.Reserve) < kept-2 {
			d.Reserve = append(d.Reserve, verbatim.Option{Type: "same_book", Text: r.Candidate, At: b.placeOf(d.Category, r.Candidate)})
		}
	}
	for _, f := range answers.Failed {
		d.Failed = append(d.Failed, Failure{f.Type, f.Reason})
	}
}

// placeOf is the selector of a candidate, by the text that the ranking gave back.
func (b *Book) placeOf(category, text string) verbatim.Selector {
	for _, c := range b.Candidates[category] {
		if c.Text == text {
			_, at := b.Quote(c.Span)
			return at
		}
	}
	return verbatim.Selector{Status: verbatim.Absent}
}
