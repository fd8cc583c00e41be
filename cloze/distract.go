package cloze

import (
	"slices"

	"verbatim"
	"verbatim/distractor"
)

// kept is how many same-book answers a draft keeps, to replace rejected ones.
const kept = 10

// Ranked is how many ranked candidates a request asks for: reviewers may reject
// some, and others may be the ground truths of other questions.
const Ranked = kept + 2

// Request asks for the wrong answers of a draft. taken are the ground truths of
// other accepted questions of the book, which must not be used.
func (b *Book) Request(d *Draft, frame string, types, taken []string) distractor.Request {
	category := d.Kind()
	r := distractor.Request{
		ID: d.ID, MetadataPrefix: frame, Passage: d.Masked, Prompt: category.Prompt(), Mask: category.Mask,
		GroundTruth: d.Truth, AnswerType: category.unit(), Types: types, Exclude: taken, Seed: int(b.seed), Ranking: Ranked,
	}
	truth := Candidate{Sentence: d.Sentence, Tier: d.Tier, Sure: d.Sure, Card: d.Card, Connector: d.Connector}
	for _, c := range b.Candidates[d.Category] {
		r.Candidates = append(r.Candidates, c.Text)
	}
	in := b.contents()
	Surround(&r, truth, b.Candidates[d.Category], in.sentences, in.words)
	r.Lures, r.Memory = b.Lures, &b.memory
	return r
}

// TakeSameBook stores the best of the ranking as wrong answers, the next in reserve.
func (b *Book) TakeSameBook(d *Draft, answers distractor.Answers) {
	d.Options, d.Reserve, d.Failed = []verbatim.Option{}, nil, nil
	used := map[string]bool{}
	for i, text := range answers.Strings {
		if answers.Types[i] == sameBook {
			used[text] = true
			d.Options = append(d.Options, verbatim.Option{Type: sameBook, Text: text, At: b.placeOf(d.Category, text)})
		}
	}
	for _, r := range answers.Ranking {
		if !used[r.Candidate] && len(d.Options)+len(d.Reserve) < kept {
			d.Reserve = append(d.Reserve, verbatim.Option{Type: sameBook, Text: r.Candidate, At: b.placeOf(d.Category, r.Candidate)})
		}
	}
	d.fail(answers)
}

// TakeWritten adds what language models wrote: negations first, the others last.
func (d *Draft) TakeWritten(answers distractor.Answers) {
	var before, after []verbatim.Option
	for i, text := range answers.Strings {
		option := verbatim.Option{Type: answers.Types[i], Text: text, At: verbatim.Selector{Status: verbatim.Absent}}
		switch option.Type {
		case groundTruth, sameBook:
		case "negation":
			before = append(before, option)
		default:
			after = append(after, option)
		}
	}
	d.Options = append(append(before, d.Options...), after...)
	d.fail(answers)
}

// Forget removes what language models wrote, so that it is written again.
func (d *Draft) Forget() {
	d.Options = slices.DeleteFunc(d.Options, func(o verbatim.Option) bool { return o.Type != sameBook })
	d.Failed = slices.DeleteFunc(d.Failed, func(f Failure) bool { return f.Type != sameBook })
	d.Made = false
}

func (d *Draft) fail(answers distractor.Answers) {
	for _, f := range answers.Failed {
		d.Failed = append(d.Failed, Failure{f.Type, f.Reason})
	}
}

// placeOf is the selector of a candidate, found by the text in the ranking.
func (b *Book) placeOf(category, text string) verbatim.Selector {
	for _, c := range b.Candidates[category] {
		if c.Text == text {
			_, at := b.Quote(c.Span)
			return at
		}
	}
	return verbatim.Selector{Status: verbatim.Absent}
}
