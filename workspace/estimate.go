package workspace

import (
	"context"
	"errors"

	"verbatim/cloze"
)

// An Estimate is how many calls to language models a batch may take.
type Estimate struct{ Confirm, Answers int }

// Estimate counts the calls that drafting a book may take. It tags the book, so
// that the batch need not do it again. A book that cannot be read takes none.
func (ws *Workspace) Estimate(ctx context.Context, path string, o *Options) (e Estimate, err error) {
	if ws.Models == nil {
		return e, nil
	}
	b, err := ws.OpenBook(path)
	if err != nil {
		return e, nil // the batch reports it
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	if _, err := b.tag(ctx, nil, false); err != nil {
		return e, nil
	}
	questions, err := ws.questions()
	if err != nil {
		return e, err
	}
	open, all := map[string]int{}, map[string]int{}
	confirmed := ws.recorded(b.Barcode, Tagged, "model") != ""
	for _, line := range b.lines {
		for _, t := range line.Tags {
			all[t.Name]++
			if !confirmed && questions.Needs(t) {
				open[t.Name]++
			}
		}
	}
	_, written := o.types()
	for _, c := range cloze.Categories {
		n := open[c.Name]
		if ws.Models.ConfirmCap >= 0 {
			n = min(n, ws.Models.ConfirmCap)
		}
		e.Confirm += n
		if o.Wants(c.Name) && o.Distractors == "all" && all[c.Name] >= o.MinExamples {
			e.Answers += min(o.Drafts, all[c.Name]) * len(written)
		}
	}
	return e, nil
}
