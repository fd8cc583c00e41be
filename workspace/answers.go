package workspace

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"verbatim/cloze"
	"verbatim/distractor"
	"verbatim/internal/parallel"
	"verbatim/review"
)

// answerSource is what the answers of language models are made from.
func (b *Book) answerSource(o *Options) string {
	written := b.written(o)
	if len(written) == 0 {
		return noAnswers
	}
	return hashOf(strings.Join(written, " ") + "\n" + b.ws.Models.Negate + "\n" + b.writtenFrom())
}

// written are the types of answers that a language model writes: none without one.
func (b *Book) written(o *Options) []string {
	if b.chat == nil {
		return nil
	}
	_, written := o.types()
	return written
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
	return slices.DeleteFunc(slices.Clone(b.drafts), func(d *cloze.Draft) bool {
		s, ok := b.log.Of(d.ID)
		return o.Distractors != "all" && (!ok || s.Verdict != review.Passage)
	})
}

// rank finds the wrong answers of the same book.
func (b *Book) rank(ctx context.Context, o *Options, g *distractor.Generator, drafts []*cloze.Draft) error {
	sameBook, _ := o.types()
	if len(sameBook) == 0 {
		return nil
	}
	var requests []distractor.Request
	for _, d := range drafts {
		requests = append(requests, b.Cloze().Request(d, b.Frame(), sameBook, nil))
	}
	g.Progress = b.ws.progress("drafts of " + b.Barcode + " ranked")
	if o.balanced() {
		return b.rankPools(ctx, o, g, drafts)
	}
	var failed error
	err := makeAll(ctx, g, requests, func(i int, answers distractor.Answers, err error) {
		if failed = errors.Join(failed, err); err == nil {
			b.Cloze().TakeSameBook(drafts[i], answers)
		}
	})
	return errors.Join(err, failed)
}

// makeAll makes the answers of requests. take gets them in order, or the error of
// a request on which the program crashed; other errors end the work.
func makeAll(ctx context.Context, g *distractor.Generator, requests []distractor.Request, take func(i int, answers distractor.Answers, err error)) error {
	i := 0
	for answers, err := range g.MakeAll(ctx, requests) {
		if _, crashed := errors.AsType[*parallel.PanicError](err); err != nil && !crashed {
			return err
		}
		take(i, answers, err)
		i++
	}
	return ctx.Err()
}

// Waiting is how many drafts wait for a language model's answers.
func (b *Book) Waiting(o *Options) int {
	if len(b.written(o)) == 0 {
		return 0
	}
	return len(b.unmade(o))
}

// unmade are the drafts that get wrong answers now and have not got all of them.
func (b *Book) unmade(o *Options) []*cloze.Draft {
	return slices.DeleteFunc(b.toDistract(o), func(d *cloze.Draft) bool { return d.Made })
}

// WriteAnswers lets the language models write the wrong answers that wait, one
// model after the other over all books, and saves the drafts. A book on which the
// program crashed has an error in failed, and the others are done. err says that
// no book could be finished: a model was lost, or the disk is full.
func WriteAnswers(ctx context.Context, o *Options, books []*Book) (failed map[*Book]error, err error) {
	failed = map[*Book]error{}
	var g *distractor.Generator
	var requests []distractor.Request
	var drafts []*cloze.Draft
	var of []*Book // by request
	for _, b := range books {
		own, err := b.ws.Generator()
		if err != nil {
			return nil, err
		}
		g = own // any will do: each request brings what its folder has
		failed[b] = b.during(whileAnswering, func() error {
			asked, waiting := b.requests(o, own)
			for range asked {
				of = append(of, b)
			}
			requests, drafts = append(requests, asked...), append(drafts, waiting...)
			return nil
		})
	}
	if len(requests) > 0 {
		g.Progress = books[0].ws.progress("answers")
		err = makeAll(ctx, g, requests, func(i int, answers distractor.Answers, err error) {
			if failed[of[i]] = cmp.Or(failed[of[i]], of[i].ws.crashed(of[i].Barcode, whileAnswering, err)); err == nil {
				drafts[i].TakeWritten(answers)
				drafts[i].Made = true
			}
		})
	}
	for _, b := range books {
		if err == nil && failed[b] == nil {
			failed[b] = b.during(whileSaving, func() error { return b.saveDrafts(o) })
		}
		if _, crashed := errors.AsType[*CrashError](failed[b]); failed[b] == nil {
			delete(failed, b)
		} else if !crashed && err == nil {
			err = failed[b]
		}
	}
	return failed, err
}

// requests ask for the answers that language models have left to write.
func (b *Book) requests(o *Options, g *distractor.Generator) (requests []distractor.Request, drafts []*cloze.Draft) {
	_, written := o.types()
	for _, d := range b.unmade(o) {
		r := b.Cloze().Request(d, b.Frame(), written, nil)
		r.Candidates, r.Chat, r.Prompts, r.Negator = nil, b.chat, g.Prompts, g.Negator
		b.drawAnswers(o, d, &r)
		requests, drafts = append(requests, r), append(drafts, d)
	}
	return requests, drafts
}

// saveDrafts writes the drafts, and marks them as made if no language model has
// anything left to write.
func (b *Book) saveDrafts(o *Options) error {
	from := b.draftSources(o)
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
	changes, err := b.ws.Changes(*o)
	if err != nil {
		return err
	}
	return b.cannot(b.ws.write(b.Barcode, from, &changes, map[string]func(io.Writer) error{
		Drafts: lines(b.drafts),
	}))
}

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
	if b.checkOrigin() != nil {
		return e, nil
	}
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
	if b.About, err = ws.Describe(ws.Catalogue, b.Barcode); err == nil && confirmed && b.drafted(o) {
		return Estimate{Answers: len(b.unmade(o)) * len(written)}, nil
	}
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

// drafted reports whether the drafts were made from today's sources, frame and
// prompts, and reads them.
func (b *Book) drafted(o *Options) bool {
	state, _, err := b.ws.State(b.Barcode, Drafts, b.draftSources(o))
	if err != nil || state != Current || b.ws.recorded(b.Barcode, Drafts, "frame or prompt") != b.writtenFrom() {
		return false
	}
	b.drafts, err = ReadDrafts(b.File(Drafts))
	return err == nil
}
