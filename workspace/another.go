package workspace

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"verbatim"
	"verbatim/cloze"
	"verbatim/review"
)

// Write asks language models for more wrong answers of a draft: for all kinds
// where none was written yet, and otherwise for one more of the kind of which
// there are the fewest. The ledger keeps every answer, so asking never repeats
// a call.
func (u *underReview) Write(ctx context.Context, d *cloze.Draft, s review.State) ([]verbatim.Option, error) {
	if err := u.lateModels(ctx); err != nil {
		return nil, err
	}
	g, err := u.ws.Generator()
	if err != nil {
		return nil, err
	}
	g.Chat = u.chat
	types, rarest, err := u.another(d, s)
	if err != nil {
		return nil, err
	}
	var not []string
	for _, a := range s.Answers {
		not = append(not, a.Text)
	}
	asked := *d // as the reviewer has edited it
	asked.Masking = s.Masking
	r := u.Cloze().Request(&asked, u.Frame(), types, not)
	r.Candidates, r.Chat = nil, u.chat
	made, err := g.Make(ctx, r)
	if err != nil {
		return nil, err
	}
	var written cloze.Draft
	written.TakeWritten(made)
	if len(written.Options) == 0 && len(written.Failed) > 0 {
		last := written.Failed[len(written.Failed)-1]
		u.failed(d.ID + rarest)
		return nil, fmt.Errorf("no %s: %s; ask again, or write one yourself", last.Type, last.Why)
	}
	return written.Options, nil
}

// lateModels connects the models of a book that was opened without.
func (u *underReview) lateModels(ctx context.Context) (err error) {
	if u.chat != nil {
		return nil
	}
	if u.ws.Models == nil && u.ws.LateModels != nil {
		if u.ws.Models, err = u.ws.LateModels(ctx); err != nil {
			return err
		}
	}
	if u.ws.Models == nil {
		return review.ErrNoModel
	}
	return u.connect()
}

// another are the types to request: those that were written before, which the
// ledger answers, and one more. A request that names its metadataless one keeps it.
func (u *underReview) another(d *cloze.Draft, s review.State) (types []string, rarest string, err error) {
	o, err := u.ws.Again(u.Barcode)
	if err != nil {
		return nil, "", err
	}
	if u.live != nil {
		o = *u.live.o
	}
	there := map[string]int{}
	for _, a := range s.Answers {
		there[strings.TrimPrefix(a.Type, "manual_")]++
	}
	add := func(name string) {
		if name != sameBookType && name != "manual" && !slices.Contains(types, name) {
			types = append(types, name)
		}
	}
	for _, option := range d.Options {
		add(option.Type)
	}
	for _, f := range d.Failed {
		add(f.Type)
	}
	for _, a := range s.Answers {
		add(strings.TrimPrefix(a.Type, "manual_"))
	}
	if len(types) == 0 {
		if _, types = o.types(); len(types) == 0 {
			_, types = new(Options).types()
		}
		return types, "", nil
	}
	rarest = slices.MinFunc(types, func(a, b string) int { return there[a] - there[b] })
	for range there[rarest] + u.failures(d.ID+rarest) {
		types = append(types, rarest)
	}
	return types, rarest, nil
}

// failed remembers that an answer could not be used, so that the next request is
// another one, which the ledger has not answered yet.
func (u *underReview) failed(what string) {
	u.tried.Lock()
	defer u.tried.Unlock()
	if u.tries == nil {
		u.tries = map[string]int{}
	}
	u.tries[what]++
}

func (u *underReview) failures(what string) int {
	u.tried.Lock()
	defer u.tried.Unlock()
	return u.tries[what]
}
