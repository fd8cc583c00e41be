// Package confirm asks a language model about the connectors that rules alone
// cannot decide: whether a "since" gives a reason or tells the time.
//
// What to count on: each case is one question with the alternatives that its
// connector has; a tag that the model refuses is set aside with its reason,
// never lost; a call that fails leaves the rules' verdict and is counted; and
// no more than a set number of a category are asked about, spread over the
// book, while the others are marked and asked about when they are drawn.
package confirm

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/parallel"
)

// Who confirmed a tag, if it was no model.
const (
	ByRules   = "rules"
	Unchecked = "unchecked" // a model was there, and has not been asked yet
)

// DefaultModel is the label of the model that is asked.
const DefaultModel = "mistral-small:24b"

// A Checker asks a model about tags.
type Checker struct {
	Chat      verbatim.ChatModel
	Model     string // its label; DefaultModel if empty
	Questions Questions
	Cap       int // cases of a tag to ask about in one book; 0: none, less: all
	Workers   int // questions at a time; 4 if zero
	Progress  func(done, total int)
}

// A Verdict is what a model said of a tag.
type Verdict struct {
	Keep   bool
	Answer string // one of the question's words
	Reason string
	By     string // the model and its digest
}

// Ask puts one tag to the model. previous is the sentence before.
func (c *Checker) Ask(ctx context.Context, previous string, s *verbatim.Tagged, tag verbatim.Tag) (Verdict, error) {
	q := c.Questions.For(tag)
	if q == nil {
		return Verdict{}, fmt.Errorf("there is no question about %s, %q", tag.Name, tag.Connector)
	}
	label := cmp.Or(c.Model, DefaultModel)
	reply, err := c.Chat.Chat(ctx, q.prompt(label, previous, s, tag))
	if err != nil {
		return Verdict{}, err
	}
	var said struct{ Answer, Reason string }
	if err := json.Unmarshal([]byte(reply.Content), &said); err != nil {
		return Verdict{}, fmt.Errorf("%s: %w: %w", label, verbatim.ErrNoAnswer, err)
	}
	at := slices.IndexFunc(q.Answers, func(a Answer) bool { return a.Word == said.Answer })
	if at < 0 {
		return Verdict{}, fmt.Errorf("%s: %w: %q was none of the choices", label, verbatim.ErrNoAnswer, said.Answer)
	}
	v := Verdict{Keep: q.Answers[at].Keep, Answer: said.Answer, Reason: verbatim.FoldSpace(said.Reason), By: label}
	if reply.Digest != "" {
		v.By += fmt.Sprintf(" %.12s", reply.Digest)
	}
	return v, nil
}

// Counts is what became of a book's tags.
type Counts struct {
	Asked     int `json:"asked"`
	Kept      int `json:"kept"`
	Refused   int `json:"refused"`
	Unchecked int `json:"unchecked"`
	Failed    int `json:"failed"` // the rules' verdict stands
}

// Add adds the counts of another book.
func (c *Counts) Add(other Counts) {
	c.Asked += other.Asked
	c.Kept += other.Kept
	c.Refused += other.Refused
	c.Unchecked += other.Unchecked
	c.Failed += other.Failed
}

// A place is one tag of a book.
type place struct{ sentence, tag int }

// Book asks about the tags of a book. The sentences are changed in place:
// confirmed tags name the model, refused ones are taken out and given back. An
// error means that no other call would fare better; the sentences are then as
// they were.
func (c *Checker) Book(ctx context.Context, sentences []verbatim.Tagged) ([]verbatim.RejectedTag, Counts, error) {
	ask, rest := c.choose(sentences)
	counts := Counts{Asked: len(ask), Unchecked: len(rest)}
	var verdicts []Verdict
	for v, err := range parallel.Map(ctx, cmp.Or(c.Workers, 4), each(ask), func(ctx context.Context, p place) (Verdict, error) {
		s := &sentences[p.sentence]
		return c.Ask(ctx, before(sentences, p.sentence), s, s.Tags[p.tag])
	}) {
		switch {
		case errors.Is(err, verbatim.ErrNoAnswer):
			v = Verdict{Keep: true, By: ByRules}
			counts.Failed++
		case err != nil:
			return nil, Counts{}, err
		}
		verdicts = append(verdicts, v)
		if c.Progress != nil {
			c.Progress(len(verdicts), len(ask))
		}
	}
	for _, p := range rest {
		sentences[p.sentence].Tags[p.tag].Confirmed = Unchecked
	}
	refused := settle(sentences, ask, verdicts)
	counts.Refused = len(refused)
	counts.Kept = len(ask) - len(refused) - counts.Failed
	return refused, counts, nil
}

// choose finds the tags that wait for a model's word. Of each name those to ask
// about are spread evenly over the book; the others are the rest. Both are in
// the order of the book.
func (c *Checker) choose(sentences []verbatim.Tagged) (ask, rest []place) {
	total, seen := map[string]int{}, map[string]int{}
	var open []place
	for i := range sentences {
		for j, tag := range sentences[i].Tags {
			if c.Questions.Open(tag) {
				open = append(open, place{i, j})
				total[tag.Name]++
			}
		}
	}
	for _, p := range open {
		name := sentences[p.sentence].Tags[p.tag].Name
		k, n := seen[name], total[name]
		seen[name]++
		// Of n cases the k-th is taken where k*cap/n steps on: cap of them, evenly.
		if c.Cap < 0 || n <= c.Cap || (k+1)*c.Cap/n > k*c.Cap/n {
			ask = append(ask, p)
		} else {
			rest = append(rest, p)
		}
	}
	return ask, rest
}

func each(places []place) iter.Seq2[place, error] {
	return func(yield func(place, error) bool) {
		for _, p := range places {
			if !yield(p, nil) {
				return
			}
		}
	}
}

// before is the sentence before, if it is one that a reader would read on from.
func before(sentences []verbatim.Tagged, i int) string {
	if i == 0 || sentences[i-1].Heading {
		return ""
	}
	return sentences[i-1].Sentence
}

// settle writes the verdicts into the tags and takes the refused ones out.
func settle(sentences []verbatim.Tagged, asked []place, verdicts []Verdict) []verbatim.RejectedTag {
	var refused []verbatim.RejectedTag
	for k := len(asked) - 1; k >= 0; k-- { // from the end: what is taken out moves no place before it
		p, v := asked[k], verdicts[k]
		s := &sentences[p.sentence]
		if v.Keep {
			s.Tags[p.tag].Confirmed = v.By
			continue
		}
		refused = append(refused, v.Refuse(s, s.Tags[p.tag]))
		s.Tags = slices.Delete(s.Tags, p.tag, p.tag+1)
	}
	slices.Reverse(refused)
	for i := range sentences {
		for j := range sentences[i].Tags {
			if tag := &sentences[i].Tags[j]; tag.Confirmed == "" {
				tag.Confirmed = ByRules
			}
		}
	}
	return refused
}

// Refuse makes the record of a tag that the model did not let stand.
func (v Verdict) Refuse(s *verbatim.Tagged, tag verbatim.Tag) verbatim.RejectedTag {
	return verbatim.RejectedTag{Index: s.Index, Sense: category(tag.Name), Connector: tag.Connector, Word: tag.Word, Span: tag.Span,
		Card: tag.Card, Scope: tag.Scope, Reason: fmt.Sprintf("%s says %s: %s", v.By, v.Answer, v.Reason)}
}

// category is a tag's name without its form: causal, for causalclause.
func category(name string) string {
	return strings.TrimSuffix(strings.TrimSuffix(name, "sentence"), "clause")
}
