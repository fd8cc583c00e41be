package review

import (
	"context"
	"errors"
	"slices"

	"verbatim"
)

// noteAct is a decision that decides nothing: it only keeps a note. It replaces
// nothing, so that the notes of several people stand side by side.
const noteAct = "note"

// Note keeps a note about the draft, which stays as it is.
func (s *Session) Note(text string) error {
	return s.onItem(func(item *Item) error {
		if text = verbatim.FoldSpace(text); text == "" {
			return errors.New("a note must have words")
		}
		state := item.State.Clone()
		_, err := s.put(item.Book, func(*Log) *Decision {
			return &Decision{Book: item.Book.Cloze().Barcode, Category: item.Draft.Category, Draft: item.Draft.ID,
				Act: noteAct, Note: text, Before: state, After: state}
		})
		s.message = "the note is kept"
		return err
	})
}

// RejectBecause is Reject with a reason, which the decision keeps.
func (s *Session) RejectBecause(ctx context.Context, reason string) error {
	return s.onItem(func(item *Item) error {
		if s.reason = verbatim.FoldSpace(reason); s.reason == "" {
			return errors.New("a reason must have words")
		}
		return s.reject(ctx, item)
	})
}

// Flag marks the draft, so that somebody looks at it again, and shows the next.
// On a flagged draft it removes the flag.
func (s *Session) Flag(ctx context.Context) error {
	return s.onItem(func(item *Item) error {
		if item.State.Verdict == Flagged {
			return s.unflag(item)
		}
		wasAccepted := item.State.Verdict == Accepted
		if err := s.decide("flag", item.State.with(Flagged)); err != nil {
			return err
		}
		err := s.leave(ctx, true) // later is not now
		if wasAccepted && s.message == "" {
			s.message = "flagged: until it is decided again, the question is not in its file"
		}
		return err
	})
}

// unflag removes the flag: the draft is where it was before.
func (s *Session) unflag(item *Item) error {
	verdict := Open
	if slices.ContainsFunc(item.State.Answers, func(a Answer) bool { return a.Verdict != Open }) {
		verdict = Passage
	}
	err := s.change("remove flag", item.State.with(verdict))
	if err == nil {
		s.message = "the flag is removed"
	}
	return err
}

// Notes are the decisions about a draft that hold a note and are not undone, in
// the order of time.
func (l *Log) Notes(draft string) []*Decision {
	m := l.meaning()
	var notes []*Decision
	for _, d := range m.order {
		if d.Draft == draft && d.Note != "" && !m.undone[d.ID] {
			notes = append(notes, d)
		}
	}
	return notes
}
