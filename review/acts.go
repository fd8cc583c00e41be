package review

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

var (
	errNoAnswer   = errors.New("no wrong answer is left; write one yourself")
	errNeedAnswer = errors.New("a question needs at least one wrong answer; accept one or write one yourself")
)

// Accept accepts what is asked about: the passage, the wrong answer, or the
// whole question, which is then saved.
func (s *Session) Accept(ctx context.Context) error {
	return s.onItem(func(item *Item) error {
		switch item.Stage {
		case OfPassage:
			return s.acceptPassage(ctx, item)
		case OfAnswers:
			return s.acceptAnswer(item)
		default:
			return s.acceptWhole(ctx, item)
		}
	})
}

// onItem runs an act that needs a draft.
func (s *Session) onItem(do func(*Item) error) error {
	return s.act(func() error {
		if s.item == nil {
			return ErrNothing
		}
		return do(s.item)
	})
}

func (s *Session) acceptPassage(ctx context.Context, item *Item) error {
	switch item.State.Verdict {
	case Passage: // the reviewer came back to look at it again
		_, err := s.distract(ctx, item)
		return err
	case Accepted: // looking is not deciding: the question stays in its file
		item.toOpenAnswer()
		return nil
	}
	after := item.State.Clone()
	after.Verdict, after.Question = Passage, nil
	if err := s.decide("accept passage", after); err != nil {
		return err
	}
	item.State, item.Disputes = after, nil
	later, err := s.distract(ctx, item)
	if later {
		return s.next(ctx)
	}
	return err
}

// acceptAnswer accepts the wrong answer that is selected.
func (s *Session) acceptAnswer(item *Item) error {
	a := item.Answer()
	if a == nil {
		return errNoAnswer
	}
	if a.Verdict == Accepted { // nothing changes, so nothing is saved
		item.toOpenAnswer()
		return nil
	}
	if err := clash(item.State, a.Text, item.At, isAccepted); err != nil {
		return fmt.Errorf("%w; reject this one, or edit it", err)
	}
	after := item.State.Clone()
	after.Answers[item.At].Verdict = Accepted
	return s.answered("accept answer", after)
}

// answered saves a decision about one wrong answer and selects the next.
func (s *Session) answered(act string, after State) error {
	after.Verdict = Passage
	if err := s.decide(act, after); err != nil {
		return err
	}
	s.item.State = after
	s.item.toOpenAnswer()
	return nil
}

// acceptWhole saves the question. One that was accepted before and was not
// changed needs no decision.
func (s *Session) acceptWhole(ctx context.Context, item *Item) error {
	after := item.State.Clone()
	if after.Verdict == Accepted && item.Disputes == nil && !item.Book.Lost()[item.Draft.ID] {
		s.done()
		return s.next(ctx)
	}
	if after.Count(Accepted) == 0 {
		return errNeedAnswer
	}
	for at, a := range after.Answers { // the ground truth may have been edited since they were accepted
		if err := clash(after, a.Text, at, isAccepted); err != nil && isAccepted(a.Verdict) {
			return fmt.Errorf("wrong answer %d: %w; go back and reject it, or edit it", at+1, err)
		}
	}
	q, err := item.Book.Question(item.Draft.Category, after)
	if err != nil {
		return err
	}
	after.Verdict, after.Question = Accepted, q
	if err := errors.Join(s.decide("accept", after), s.replaced(item)); err != nil {
		return err
	}
	s.done()
	return s.next(ctx)
}

// replaced settles the draft that this one replaces: it was accepted before the
// book was changed.
func (s *Session) replaced(item *Item) error {
	old, ok := item.Book.Log().Of(item.Draft.Instead)
	if !ok || old.Verdict != Accepted {
		return nil
	}
	after := old.State.Clone()
	after.Verdict, after.Question = Replaced, nil
	_, err := s.put(item.Book, func(l *Log) (Decision, error) {
		return l.decide(Decision{Reviewer: s.Reviewer, Book: old.Book, Category: old.Category, Draft: old.Draft,
			Act: "replace by " + item.Draft.ID, Before: old.State, After: after}, s.Now()), nil
	})
	return err
}

// done keeps the draft from coming back while decided drafts are shown.
func (s *Session) done() {
	if s.Decided {
		s.skipped[s.item.Draft.ID] = true
	}
}

// Reject rejects what is asked about. The next best same-book answer replaces a
// rejected one.
func (s *Session) Reject(ctx context.Context) error {
	return s.onItem(func(item *Item) error {
		if item.Stage == OfAnswers {
			return s.rejectAnswer(item)
		}
		after := item.State.Clone()
		after.Verdict, after.Question = Rejected, nil
		if err := errors.Join(s.decide("refuse", after), s.replaced(item)); err != nil {
			return err
		}
		s.done()
		if err := s.next(ctx); err != nil {
			return err
		}
		s.noteMore(item)
		return nil
	})
}

func (s *Session) rejectAnswer(item *Item) error {
	a := item.Answer()
	if a == nil {
		return errNoAnswer
	}
	kind := a.Type
	after := item.State.Clone()
	after.Answers[item.At].Verdict = Rejected
	if err := s.answered("refuse answer", after); err != nil {
		return err
	}
	if fromBook(kind) && item.nextBest() {
		item.toOpenAnswer()
	}
	return nil
}

// noteMore says how to get more drafts of a category of which the last one was
// rejected.
func (s *Session) noteMore(last *Item) {
	category := last.Draft.Category
	same := s.item != nil && s.item.Draft.Category == category && s.item.Book == last.Book
	if s.More == nil || same || s.counts(last.Book).Of(category).Accepted >= s.Goal {
		return
	}
	barcode := last.Book.Cloze().Barcode
	s.note = fmt.Sprintf("no draft of %s is left in %s; for more, type: %s", category, barcode, s.More(barcode, category))
}

// Flag marks the draft for later and shows the next.
func (s *Session) Flag(ctx context.Context) error {
	return s.onItem(func(item *Item) error {
		after := item.State.Clone()
		after.Verdict, after.Question = Flagged, nil
		if err := s.decide("flag", after); err != nil {
			return err
		}
		s.skipped[item.Draft.ID] = true // later is not now
		return s.next(ctx)
	})
}

// Skip selects the next wrong answer, or leaves the draft undecided and shows
// the next; the draft comes again in another session.
func (s *Session) Skip(ctx context.Context) error {
	return s.onItem(func(item *Item) error {
		if item.Stage == OfAnswers && len(item.State.Answers) > 1 {
			item.At = (item.At + 1) % len(item.State.Answers)
			return nil
		}
		s.skipped[item.Draft.ID] = true
		return s.next(ctx)
	})
}

// Back goes from the whole question to the wrong answers, and from there to the
// passage.
func (s *Session) Back() error {
	return s.onItem(func(item *Item) error {
		if item.Stage > OfPassage {
			item.Stage--
		}
		return nil
	})
}

// onAnswers runs an act that needs the wrong answers.
func (s *Session) onAnswers(do func(*Item) error) error {
	return s.onItem(func(item *Item) error {
		if item.Stage != OfAnswers {
			return ErrNothing
		}
		return do(item)
	})
}

// Preview shows the whole question, with what is accepted so far.
func (s *Session) Preview() error {
	return s.onAnswers(func(item *Item) error {
		if item.State.Count(Accepted) == 0 {
			return errNeedAnswer
		}
		item.Stage = OfWhole
		return nil
	})
}

// Choose selects the n-th wrong answer, from 0.
func (s *Session) Choose(n int) error {
	return s.onAnswers(func(item *Item) error {
		if n < 0 || n >= len(item.State.Answers) {
			return ErrNothing
		}
		item.At = n
		return nil
	})
}

// AcceptRest accepts every wrong answer that is still open.
func (s *Session) AcceptRest() error {
	return s.onAnswers(func(item *Item) error {
		for item.Answer() != nil && item.Answer().Verdict == Open {
			if err := s.acceptAnswer(item); err != nil {
				return err
			}
		}
		return nil
	})
}

// Undo undoes the reviewer's last decision, also one of another day, and shows
// the draft as it was before.
func (s *Session) Undo(ctx context.Context) error {
	return s.act(func() error {
		return s.reverse(ctx, "undo", (*Log).LastOf, func(p Past) *Decision { return p.Last })
	})
}

// Redo undoes the reviewer's last undo.
func (s *Session) Redo(ctx context.Context) error {
	return s.act(func() error {
		return s.reverse(ctx, "redo", (*Log).LastUndone, func(p Past) *Decision { return p.Undone })
	})
}

func (s *Session) reverse(ctx context.Context, act string, last func(*Log, string) *Decision, past func(Past) *Decision) error {
	var where *entry
	var latest *Decision
	for _, e := range s.books {
		d := past(e.Past)
		if e.Book != nil {
			d = last(e.Book.Log(), s.Reviewer)
		}
		if d != nil && (latest == nil || d.Time.After(latest.Time)) {
			where, latest = e, d
		}
	}
	if where == nil {
		return fmt.Errorf("there is no decision of yours to %s", act)
	}
	b := s.wake(where)
	if b == nil {
		return s.bad[len(s.bad)-1]
	}
	d, err := s.put(b, func(l *Log) (Decision, error) {
		if latest = last(l, s.Reviewer); latest == nil {
			return Decision{}, ErrNothing
		}
		return l.reverse(latest, act, s.Reviewer, s.Now()), nil
	})
	if err != nil {
		return err
	}
	s.note = fmt.Sprintf("%s: %s", act, actWords(latest.Act))
	return s.show(ctx, b, d)
}

// wake opens a book in which nothing was left to decide.
func (s *Session) wake(e *entry) Book {
	s.showing.Lock()
	e.Idle = false
	s.showing.Unlock()
	return s.ready(e)
}

// show shows the draft of a decision, as it is now. A draft that a redo has
// finished again is followed by the next.
func (s *Session) show(ctx context.Context, b Book, d Decision) error {
	delete(s.skipped, d.Draft)
	standing, ok := b.Log().Of(d.Draft)
	first := &d
	if ok {
		first = standing.Heads[0]
	}
	draft := s.draft(b, d.Category, d.Draft, standing.State, first)
	state := standing.State
	if state.Masked == "" {
		state = fresh(draft)
	}
	if slices.Contains([]Verdict{Accepted, Rejected, Flagged, Replaced}, state.Verdict) {
		return s.next(ctx)
	}
	s.item = newItem(b, draft, state, standing)
	s.since = s.Now()
	if state.Verdict == Passage {
		_, err := s.distract(ctx, s.item)
		return err
	}
	return nil
}
