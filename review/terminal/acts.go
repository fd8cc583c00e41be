package terminal

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"verbatim"
	"verbatim/cloze"
	"verbatim/review"
)

// Accept accepts what is asked about: the passage, the wrong answer, or the
// whole question, which is then saved.
func (s *Session) Accept(ctx context.Context) error {
	item := s.Item
	if item == nil {
		return ErrNothing
	}
	after := item.State.Clone()
	switch item.Stage {
	case OfPassage:
		switch after.Verdict {
		case review.Passage: // one came back to look at it again
			return s.distract(ctx, item)
		case review.Accepted: // to look is not to decide: the question stays in its file
			item.toOpenAnswer()
			return nil
		}
		after.Verdict = review.Passage
		after.Question = nil
		if err := s.decide("accept passage", after); err != nil {
			return err
		}
		item.State, item.Disputes = after, nil
		if item.waits() {
			return s.Next(ctx)
		}
		return s.distract(ctx, item)
	case OfAnswers:
		return s.acceptAnswer()
	default:
		return s.accept(ctx, after)
	}
}

// acceptAnswer accepts the wrong answer that the keys are on.
func (s *Session) acceptAnswer() error {
	a := s.Item.Answer()
	if a == nil {
		return fmt.Errorf("no wrong answer is left; write one by hand")
	}
	if a.Verdict == review.Accepted { // nothing changes, so nothing is saved
		s.Item.toOpenAnswer()
		return nil
	}
	if err := clash(s.Item.State, a.Text, s.Item.At, isAccepted); err != nil {
		return fmt.Errorf("%w; refuse this one, or edit it", err)
	}
	after := s.Item.State.Clone()
	after.Answers[s.Item.At].Verdict = review.Accepted
	return s.answered("accept answer", after)
}

// answered saves a decision about one wrong answer and goes to the next.
func (s *Session) answered(act string, after review.State) error {
	after.Verdict = review.Passage
	if err := s.decide(act, after); err != nil {
		return err
	}
	s.Item.State = after
	s.Item.toOpenAnswer()
	return nil
}

// accept saves the whole question. One that was accepted before and is left as
// it was needs no decision.
func (s *Session) accept(ctx context.Context, after review.State) error {
	if after.Verdict == review.Accepted && s.Item.Disputes == nil && !s.Item.Work.Gone[s.Item.Draft.ID] {
		s.done()
		return s.Next(ctx)
	}
	if after.Count(review.Accepted) == 0 {
		return errors.New("a question needs at least one wrong answer; accept one or write one by hand")
	}
	for at, a := range after.Answers { // the truth may have been edited since they were accepted
		if err := clash(after, a.Text, at, isAccepted); err != nil && isAccepted(a.Verdict) {
			return fmt.Errorf("wrong answer %d: %w; go back and refuse it, or edit it", at+1, err)
		}
	}
	q, err := s.Item.Work.Question(s.Item.Draft.Category, after)
	if err != nil {
		return err
	}
	after.Verdict, after.Question = review.Accepted, q
	if err := errors.Join(s.decide("accept", after), s.replaced()); err != nil {
		return err
	}
	s.done()
	return s.Next(ctx)
}

// replaced settles the draft in whose place this one stands: it was accepted
// before the book was changed.
func (s *Session) replaced() error {
	old, ok := s.Item.Work.Log.Of(s.Item.Draft.Instead)
	if !ok || old.Verdict != review.Accepted {
		return nil
	}
	after := old.State.Clone()
	after.Verdict, after.Question = review.Replaced, nil
	w := s.Item.Work
	return s.put(w, w.Log.Decide(review.Decision{Reviewer: s.Reviewer, Book: old.Book, Category: old.Category, Draft: old.Draft,
		Act: "replace by " + s.Item.Draft.ID, Before: old.State, After: after}, s.Now()))
}

// done marks the item so that it does not come back in a round through what
// was decided already.
func (s *Session) done() {
	if s.Decided {
		s.skipped[s.Item.Draft.ID] = true
	}
}

// Refuse refuses what is asked about. A same-book answer that is refused brings
// up the next best.
func (s *Session) Refuse(ctx context.Context) error {
	item := s.Item
	if item == nil {
		return ErrNothing
	}
	if item.Stage == OfAnswers {
		a := item.Answer()
		if a == nil {
			return fmt.Errorf("no wrong answer is left; write one by hand")
		}
		kind := a.Type
		after := item.State.Clone()
		after.Answers[item.At].Verdict = review.Refused
		if err := s.answered("refuse answer", after); err != nil {
			return err
		}
		if ofTheBook(kind) && item.bringUp() {
			item.toOpenAnswer()
		}
		return nil
	}
	after := item.State.Clone()
	after.Verdict, after.Question = review.Refused, nil
	if err := errors.Join(s.decide("refuse", after), s.replaced()); err != nil {
		return err
	}
	s.done()
	category, work := item.Draft.Category, item.Work
	if err := s.Next(ctx); err != nil {
		return err
	}
	if work.Accepted(category) < s.Goal && (s.Item == nil || s.Item.Draft.Category != category || s.Item.Work != work) && work.More != nil {
		s.Note = fmt.Sprintf("no draft of %s is left in %s; for more, type: %s", category, work.Book.Barcode, work.More(category))
	}
	return nil
}

// Flag marks the draft for later and goes on.
func (s *Session) Flag(ctx context.Context) error {
	if s.Item == nil {
		return ErrNothing
	}
	after := s.Item.State.Clone()
	after.Verdict, after.Question = review.Flagged, nil
	if err := s.decide("flag", after); err != nil {
		return err
	}
	s.skipped[s.Item.Draft.ID] = true // later is not now
	return s.Next(ctx)
}

// Skip leaves the draft undecided and goes on; it comes again another time.
func (s *Session) Skip(ctx context.Context) error {
	if s.Item == nil {
		return ErrNothing
	}
	if s.Item.Stage == OfAnswers && len(s.Item.State.Answers) > 1 {
		s.Item.At = (s.Item.At + 1) % len(s.Item.State.Answers)
		return nil
	}
	s.skipped[s.Item.Draft.ID] = true
	return s.Next(ctx)
}

// Back goes from the preview to the wrong answers, and from there to the passage.
func (s *Session) Back() {
	if s.Item != nil && s.Item.Stage > OfPassage {
		s.Item.Stage--
	}
}

// Preview shows the whole question, with what is accepted so far.
func (s *Session) Preview() error {
	if s.Item == nil || s.Item.Stage != OfAnswers {
		return ErrNothing
	}
	if s.Item.State.Count(review.Accepted) == 0 {
		return errors.New("a question needs at least one wrong answer; accept one or write one by hand")
	}
	s.Item.Stage = OfWhole
	return nil
}

// Choose puts the keys on the n-th wrong answer, from 0.
func (s *Session) Choose(n int) error {
	if s.Item == nil || s.Item.Stage != OfAnswers || n < 0 || n >= len(s.Item.State.Answers) {
		return ErrNothing
	}
	s.Item.At = n
	return nil
}

// Edit puts a new text in the place of the passage or of the wrong answer that
// the keys are on. The passage keeps its mask; an edited answer is accepted.
func (s *Session) Edit(text string) error {
	item := s.Item
	if item == nil {
		return ErrNothing
	}
	after := item.State.Clone()
	if item.Stage == OfAnswers {
		if item.Answer() == nil {
			return ErrNothing
		}
		return s.rewrite("edit answer", item.At, text)
	}
	masking, err := cloze.Edit(item.State.Masking, item.Category(), text)
	if err != nil || masking.Masked == item.State.Masked {
		return err
	}
	return s.remask("edit passage", after, masking)
}

// EditTruth puts a new text in the place of the ground truth.
func (s *Session) EditTruth(text string) error {
	if s.Item == nil {
		return ErrNothing
	}
	masking, err := cloze.EditTruth(s.Item.State.Masking, s.Item.Category(), text)
	if err != nil || masking.Truth == s.Item.State.Truth {
		return err
	}
	return s.remask("edit truth", s.Item.State.Clone(), masking)
}

// Move moves the clause's start and end by words.
func (s *Session) Move(start, end int) error {
	if s.Item == nil || s.Item.Stage != OfPassage {
		return ErrNothing
	}
	place := s.Item.Draft.Place
	if place.Len() == 0 {
		return errors.New("the passage does not stand in the book as it is now; its clause cannot be moved")
	}
	masking, err := s.Item.Work.Book.Move(s.Item.State.Masking, s.Item.Category(), place, start, end)
	if err != nil {
		return err
	}
	return s.remask("move clause", s.Item.State.Clone(), masking)
}

// remask saves another passage. A draft stays open until it is accepted.
func (s *Session) remask(act string, after review.State, masking verbatim.Masking) error {
	after.Masking, after.Question = masking, nil
	if after.Verdict == review.Accepted || after.Verdict == review.Refused {
		after.Verdict = review.Open
	}
	if err := s.decide(act, after); err != nil {
		return err
	}
	s.Item.State = after
	return nil
}

// Replace puts a wrong answer of one's own in the place of the one that the
// keys are on, which is refused.
func (s *Session) Replace(text string) error {
	if s.Item == nil || s.Item.Answer() == nil {
		return ErrNothing
	}
	return s.rewrite("replace answer", s.Item.At, text)
}

// rewrite puts a text into an answer and accepts it. Whoever changes a quotation
// has written it: it is one no longer.
func (s *Session) rewrite(act string, at int, text string) error {
	text, err := s.wrong(text, at)
	if err != nil {
		return err
	}
	after := s.Item.State.Clone()
	a := &after.Answers[at]
	if text != a.Text {
		if a.Was == "" {
			a.Was = a.Text
		}
		a.Type, a.Text, a.At = review.Manual(a.Type), text, verbatim.Selector{Status: verbatim.Absent}
	}
	a.Verdict = review.Accepted
	return s.answered(act, after)
}

// Add writes one more wrong answer by hand.
func (s *Session) Add(text string) error {
	if s.Item == nil || s.Item.Stage == OfPassage {
		return errors.New("accept the passage first; then write wrong answers")
	}
	text, err := s.wrong(text, -1)
	if err != nil {
		return err
	}
	after := s.Item.State.Clone()
	after.Answers = append(after.Answers, review.Answer{Verdict: review.Accepted,
		Option: verbatim.Option{Type: "manual", Text: text, At: verbatim.Selector{Status: verbatim.Absent}}})
	return s.answered("write answer", after)
}

// wrong says whether a text can be a wrong answer of this question. One that is
// still open may be accepted yet, so that it counts as well.
func (s *Session) wrong(text string, but int) (string, error) {
	text = verbatim.FoldSpace(text)
	if text == "" {
		return "", errors.New("an answer must have words")
	}
	return text, clash(s.Item.State, text, but, func(v review.Verdict) bool { return v != review.Refused })
}

// clash says whether the truth, or another wrong answer whose verdict counts,
// says the same as a text. but is the text's own number, or -1.
func clash(s review.State, text string, but int, counts func(review.Verdict) bool) error {
	if cloze.SameAnswer(text, s.Truth) {
		return errors.New("this is the right answer")
	}
	for i, a := range s.Answers {
		if i != but && counts(a.Verdict) && cloze.SameAnswer(a.Text, text) {
			return fmt.Errorf("wrong answer %d says the same", i+1)
		}
	}
	return nil
}

func isAccepted(v review.Verdict) bool { return v == review.Accepted }

// AcceptRest accepts every wrong answer that is still open.
func (s *Session) AcceptRest() error {
	if s.Item == nil || s.Item.Stage != OfAnswers {
		return ErrNothing
	}
	for s.Item.Stage == OfAnswers && s.Item.Answer() != nil && s.Item.Answer().Verdict == review.Open {
		if err := s.acceptAnswer(); err != nil {
			return err
		}
	}
	return nil
}

// Undo takes back the reviewer's last decision, whenever it was, and shows the
// draft as it stood before.
func (s *Session) Undo(ctx context.Context) error {
	return s.takeBack(ctx, (*review.Log).LastOf, func(p Past) *review.Decision { return p.Last }, undo)
}

// Redo does again what was undone last.
func (s *Session) Redo(ctx context.Context) error {
	return s.takeBack(ctx, (*review.Log).LastUndone, func(p Past) *review.Decision { return p.Undone }, redo)
}

func undo(s *Session, w *Work) (review.Decision, bool) { return w.Log.Undo(s.Reviewer, s.Now()) }
func redo(s *Session, w *Work) (review.Decision, bool) { return w.Log.Redo(s.Reviewer, s.Now()) }

func (s *Session) takeBack(ctx context.Context, last func(*review.Log, string) *review.Decision, past func(Past) *review.Decision, do func(*Session, *Work) (review.Decision, bool)) error {
	var where *Work
	var latest *review.Decision
	for _, w := range s.Works {
		d := past(w.Past)
		if w.Log != nil {
			d = last(w.Log, s.Reviewer)
		}
		if d != nil && (latest == nil || d.Time.After(latest.Time)) {
			where, latest = w, d
		}
	}
	if where == nil {
		return errors.New("there is nothing of yours to take back")
	}
	if where.Idle = false; !s.ready(where) {
		return s.Problems[len(s.Problems)-1]
	}
	d, ok := do(s, where)
	if !ok {
		return ErrNothing
	}
	if err := s.put(where, d); err != nil {
		return err
	}
	s.Note = fmt.Sprintf("%s: %s", d.Act, latest.Act)
	return s.show(ctx, where, d)
}

// show puts the draft of a decision on the desk, as it stands now. A draft
// that a redo has finished again makes way for the next one.
func (s *Session) show(ctx context.Context, w *Work, d review.Decision) error {
	delete(s.skipped, d.Draft)
	standing, ok := w.Log.Of(d.Draft)
	if !ok {
		standing = review.Standing{State: review.State{}, Book: d.Book, Category: d.Category, Draft: d.Draft, Heads: []*review.Decision{&d}}
	}
	draft := w.draft(standing)
	state := standing.State
	if state.Masked == "" {
		state = fresh(draft)
	}
	if slices.Contains([]review.Verdict{review.Accepted, review.Refused, review.Flagged, review.Replaced}, state.Verdict) {
		return s.Next(ctx)
	}
	s.Item = s.item(w, draft, state)
	s.since = s.Now()
	if state.Verdict == review.Passage {
		return s.distract(ctx, s.Item)
	}
	return nil
}
