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

// onItem runs an act that needs a draft, at one of the stages or at any.
func (s *Session) onItem(do func(*Item) error, stages ...Stage) error {
	return s.act(func() error {
		if s.item == nil || len(stages) > 0 && !slices.Contains(stages, s.item.Stage) {
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
	if err := s.change("accept passage", item.State.with(Passage)); err != nil {
		return err
	}
	item.Disputes = nil
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
	if err := clash(item.State, a.Text, item.At, Accepted); err != nil {
		return fmt.Errorf("%w; reject this one, or edit it", err)
	}
	after := item.State.Clone()
	after.Answers[item.At].Verdict = Accepted
	return s.answered("accept answer", after)
}

// change saves a decision about the item, which changes with it.
func (s *Session) change(act string, after State) error {
	err := s.decide(act, after)
	if err == nil {
		s.item.State = after
	}
	return err
}

// answered saves a decision about one wrong answer and selects the next.
func (s *Session) answered(act string, after State) error {
	after.Verdict = Passage
	err := s.change(act, after)
	if err == nil {
		s.item.toOpenAnswer()
	}
	return err
}

// acceptWhole saves the question. One that was accepted before and was not
// changed needs no decision.
func (s *Session) acceptWhole(ctx context.Context, item *Item) error {
	after := item.State
	if after.Verdict == Accepted && item.Disputes == nil && !item.Book.Lost()[item.Draft.ID] {
		return s.leave(ctx, s.Decided)
	}
	if after.Count(Accepted) == 0 {
		return errNeedAnswer
	}
	for at, a := range after.Answers { // the ground truth may have been edited since they were accepted
		if err := clash(after, a.Text, at, Accepted); err != nil && a.Verdict == Accepted {
			return fmt.Errorf("wrong answer %d: %w; go back and reject it, or edit it", at+1, err)
		}
	}
	q, err := item.Book.Question(item.Draft.Category, after)
	if err != nil {
		return err
	}
	after.Verdict, after.Question = Accepted, q
	return s.settle(ctx, "accept", after)
}

// settle saves the last decision about a draft and shows the next draft. While
// decided drafts are shown, this one does not come back.
func (s *Session) settle(ctx context.Context, act string, after State) error {
	if err := errors.Join(s.decide(act, after), s.replaced(s.item)); err != nil {
		return err
	}
	return s.leave(ctx, s.Decided)
}

// leave shows the next draft. With skip, this session does not show this one again.
func (s *Session) leave(ctx context.Context, skip bool) error {
	if skip {
		s.skipped[s.item.Draft.ID] = true
	}
	if s.filter != (Filter{}) {
		s.past[s.item.Draft.ID] = true
	}
	return s.next(ctx)
}

// replaced settles the draft that this one replaces: it was accepted before the
// book was changed.
func (s *Session) replaced(item *Item) error {
	old, ok := item.Book.Log().Of(item.Draft.Instead)
	if !ok || old.Verdict != Accepted {
		return nil
	}
	_, err := s.put(item.Book, func(*Log) *Decision {
		return &Decision{Book: old.Book, Category: old.Category, Draft: old.Draft,
			Act: "replace by " + item.Draft.ID, Before: old.State, After: old.State.with(Replaced)}
	})
	return err
}

// Reject rejects what is asked about. The next best same-book answer replaces a
// rejected one.
func (s *Session) Reject(ctx context.Context) error {
	return s.onItem(func(item *Item) error { return s.reject(ctx, item) })
}

func (s *Session) reject(ctx context.Context, item *Item) error {
	if item.Stage == OfAnswers {
		return s.rejectAnswer(item)
	}
	err := s.settle(ctx, "refuse", item.State.with(Rejected))
	if err == nil {
		s.noteMore(item)
	}
	return err
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

// noteMore says how to get more drafts when the last of a category is rejected.
func (s *Session) noteMore(last *Item) {
	category := last.Draft.Category
	same := s.item != nil && s.item.Draft.Category == category && s.item.Book == last.Book
	if s.More == nil || same || s.counts(last.Book).Of(category).Accepted >= s.Goal {
		return
	}
	barcode := last.Book.Cloze().Barcode
	s.message = fmt.Sprintf("no draft of %s is left in %s; for more, type: %s", category, barcode, s.More(barcode, category))
}

// Skip selects the next wrong answer, or leaves the draft undecided and shows
// the next; the draft comes again in another session.
func (s *Session) Skip(ctx context.Context) error {
	return s.onItem(func(item *Item) error {
		if item.Stage == OfAnswers && len(item.State.Answers) > 1 {
			item.At = (item.At + 1) % len(item.State.Answers)
			return nil
		}
		return s.leave(ctx, true)
	})
}

// Back goes from the whole question to the answers, and from them to the passage.
func (s *Session) Back() error {
	return s.onItem(func(item *Item) error {
		if item.Stage > OfPassage {
			item.Stage--
		}
		return nil
	})
}

// Preview shows the whole question, with what is accepted so far.
func (s *Session) Preview() error {
	return s.onItem(func(item *Item) error {
		if item.State.Count(Accepted) == 0 {
			return errNeedAnswer
		}
		item.Stage = OfWhole
		return nil
	}, OfAnswers)
}

// Choose selects the n-th wrong answer, from 0.
func (s *Session) Choose(n int) error {
	return s.onItem(func(item *Item) error {
		if n < 0 || n >= len(item.State.Answers) {
			return ErrNothing
		}
		item.At = n
		return nil
	}, OfAnswers)
}

// AcceptRest accepts every wrong answer that is still open.
func (s *Session) AcceptRest() error {
	return s.onItem(func(item *Item) error {
		for item.Answer() != nil && item.Answer().Verdict == Open {
			if err := s.acceptAnswer(item); err != nil {
				return err
			}
		}
		return nil
	}, OfAnswers)
}

// Undo undoes the reviewer's last decision, also one of another day, and shows
// the draft as it was before.
func (s *Session) Undo(ctx context.Context) error {
	return s.reverse(ctx, "undo", func(p Past) *Decision { return p.Last })
}

// Redo undoes the reviewer's last undo.
func (s *Session) Redo(ctx context.Context) error {
	return s.reverse(ctx, "redo", func(p Past) *Decision { return p.Undone })
}

func (s *Session) reverse(ctx context.Context, act string, of func(Past) *Decision) error {
	return s.act(func() error {
		var where *Entry
		var latest *Decision
		for _, e := range s.books {
			past := e.Past
			if e.Book != nil {
				past = e.Book.Log().Past(s.Reviewer)
			}
			if d := of(past); d != nil && (latest == nil || d.Time.After(latest.Time)) {
				where, latest = e, d
			}
		}
		if where == nil {
			return fmt.Errorf("there is no decision of yours to %s", act)
		}
		s.showing.Lock()
		where.Idle = false
		s.showing.Unlock()
		b := s.ready(where)
		if b == nil {
			return s.bad[len(s.bad)-1]
		}
		d, err := s.put(b, func(l *Log) *Decision {
			if latest = of(l.Past(s.Reviewer)); latest == nil {
				return nil
			}
			return reverse(latest, act)
		})
		if err != nil {
			return err
		}
		s.message = fmt.Sprintf("%s: %s", reversed[act], b.Log().words(latest))
		return s.show(ctx, b, d)
	})
}

// reversed says what was done.
var reversed = map[string]string{"undo": "undone", "redo": "done again"}

// show shows the draft of a decision, as it is now. A draft that a redo has
// finished again is followed by the next.
func (s *Session) show(ctx context.Context, b Book, d Decision) error {
	delete(s.skipped, d.Draft)
	standing, ok := b.Log().Of(d.Draft)
	first := &d
	if ok {
		first = standing.Heads[0]
	}
	draft := s.draft(b, first, standing.State)
	state := standing.State
	if state.Masked == "" {
		state = fresh(draft)
	}
	if state.Verdict.decided() && d.Before.Verdict != d.After.Verdict {
		return s.next(ctx)
	}
	s.item, s.since = newItem(b, draft, state, standing), s.Now()
	if state.Verdict == Passage {
		_, err := s.distract(ctx, s.item)
		return err
	}
	return nil
}
