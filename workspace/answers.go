package workspace

import (
	"context"
	"io"
	"slices"
	"strings"

	"verbatim/cloze"
	"verbatim/distractor"
	"verbatim/review"
)

// answerSource is what the answers of language models are made from.
func (b *Book) answerSource(o *Options) string {
	_, written := o.types()
	if b.chat == nil || len(written) == 0 {
		return noAnswers
	}
	return hashOf(strings.Join(written, " ") + "\n" + b.ws.Models.Negate + "\n" + b.writtenFrom())
}

// Values of the source "answers" that are no hash.
const (
	noAnswers      = "none"
	answersWaiting = "waiting"
)

// writtenFrom is what a model's answers come from besides the draft: the frame,
// and the prompts, if the user has some.
func (b *Book) writtenFrom() string {
	return hashOf(b.Frame() + "\n" + hashFolder(b.ws.rules("prompts")))
}

// Frame is the sentence about the book that each question begins with.
func (b *Book) Frame() string { return b.About.Frame() }

// toDistract are the drafts that get wrong answers now.
func (b *Book) toDistract(o *Options) []*cloze.Draft {
	if o.Distractors == "all" {
		return b.drafts
	}
	return slices.DeleteFunc(slices.Clone(b.drafts), func(d *cloze.Draft) bool {
		s, ok := b.log.Of(d.ID)
		return !ok || s.Verdict != review.Passage
	})
}

// rank finds the wrong answers of the same book.
func (b *Book) rank(ctx context.Context, o *Options, g *distractor.Generator, drafts []*cloze.Draft) error {
	sameBook, _ := o.types()
	if len(sameBook) == 0 || len(drafts) == 0 {
		return nil
	}
	var requests []distractor.Request
	for _, d := range drafts {
		requests = append(requests, b.Cloze().Request(d, b.Frame(), sameBook, nil))
	}
	g.Progress = b.ws.progress("drafts of " + b.Barcode + " ranked")
	i := 0
	for answers, err := range g.MakeAll(ctx, requests) {
		if err != nil {
			return err
		}
		b.Cloze().TakeSameBook(drafts[i], answers)
		i++
	}
	return ctx.Err()
}

// Waiting is how many drafts wait for a language model's answers.
func (b *Book) Waiting(o *Options) int {
	_, written := o.types()
	if b.chat == nil || len(written) == 0 {
		return 0
	}
	n := 0
	for _, d := range b.toDistract(o) {
		if !d.Made {
			n++
		}
	}
	return n
}

// WriteAnswers lets the language models write the wrong answers that wait, one
// model after the other over all books, and saves the drafts.
func WriteAnswers(ctx context.Context, o *Options, books []*Book) error {
	_, written := o.types()
	var g *distractor.Generator
	var requests []distractor.Request
	var drafts []*cloze.Draft
	for _, b := range books {
		own, err := b.ws.Generator()
		if err != nil {
			return err
		}
		g = own // any will do: each request brings what its folder has
		for _, d := range b.toDistract(o) {
			if !d.Made {
				r := b.Cloze().Request(d, b.Frame(), written, nil)
				r.Candidates, r.Chat, r.Prompts, r.Negator = nil, b.chat, own.Prompts, own.Negator
				requests, drafts = append(requests, r), append(drafts, d)
			}
		}
	}
	if len(requests) == 0 {
		return nil
	}
	g.Progress = books[0].ws.progress("answers")
	i := 0
	for answers, err := range g.MakeAll(ctx, requests) {
		if err != nil {
			return err
		}
		drafts[i].TakeWritten(answers)
		drafts[i].Made = true
		i++
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, b := range books {
		if err := b.saveDrafts(o); err != nil {
			return err
		}
	}
	return nil
}

// saveDrafts writes the drafts, and marks them as made if no language model has
// anything left to write.
func (b *Book) saveDrafts(o *Options) error {
	from, err := b.draftSources(o)
	if err != nil {
		return err
	}
	from["answers"] = answersWaiting
	if b.Waiting(o) == 0 {
		from["answers"] = b.answerSource(o)
		for _, d := range b.toDistract(o) {
			d.Made = true
		}
	}
	if from["answers"] != noAnswers {
		from["frame or prompt"] = b.writtenFrom()
	}
	settings, err := b.ws.folderOptions()
	if err != nil {
		return err
	}
	return b.cannot(b.ws.write(b.Barcode, from, b.ws.changesFrom(settings, *o), map[string]func(io.Writer) error{
		Drafts: lines(b.drafts),
	}))
}

// folderOptions are the options that the folder's settings give by themselves.
func (ws *Workspace) folderOptions() (Options, error) {
	alone := *ws.Settings
	alone.Override = nil
	return alone.Options()
}
