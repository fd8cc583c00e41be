package review

import (
	"errors"
	"fmt"
	"slices"

	"verbatim"
	"verbatim/cloze"
)

// Edit changes the text of the passage, which keeps its mask, or of the
// selected wrong answer, which is then accepted.
func (s *Session) Edit(text string) error {
	return s.onItem(func(item *Item) error {
		if item.Stage == OfAnswers {
			return s.rewrite("edit answer", item, text)
		}
		masking, err := cloze.Edit(item.State.Masking, item.Category(), text)
		return s.remask("edit passage", item, masking, err)
	})
}

// EditTruth changes the text of the ground truth.
func (s *Session) EditTruth(text string) error {
	return s.onItem(func(item *Item) error {
		masking, err := cloze.EditTruth(item.State.Masking, item.Category(), text)
		return s.remask("edit truth", item, masking, err)
	})
}

// Move moves the clause's start and end by words.
func (s *Session) Move(start, end int) error {
	return s.onItem(func(item *Item) error {
		place := item.Draft.Place
		if place.Len() == 0 {
			return errors.New("the passage is no longer in the book; its clause cannot be moved")
		}
		masking, err := item.Book.Cloze().Move(item.State.Masking, item.Category(), place, start, end)
		return s.remask("move clause", item, masking, err)
	}, OfPassage)
}

// remask saves another passage, unless there is an error or nothing changes. The
// draft is open until it is accepted.
func (s *Session) remask(act string, item *Item, masking verbatim.Masking, err error) error {
	if err != nil || masking.Masked == item.State.Masked && masking.Truth == item.State.Truth {
		return err
	}
	after := item.State
	after.Masking, after.Question = masking, nil
	if after.Verdict == Accepted || after.Verdict == Rejected {
		after.Verdict = Open
	}
	return s.change(act, after)
}

// Replace puts the reviewer's own wrong answer in place of the selected one.
func (s *Session) Replace(text string) error {
	return s.onItem(func(item *Item) error { return s.rewrite("replace answer", item, text) }, OfAnswers)
}

// rewrite changes the selected answer and accepts it. A changed quotation is no
// longer a quotation.
func (s *Session) rewrite(act string, item *Item, text string) error {
	if item.Answer() == nil {
		return ErrNothing
	}
	text, err := wrong(item.State, text, item.At)
	if err != nil {
		return err
	}
	after := item.State.Clone()
	a := &after.Answers[item.At]
	if text != a.Text {
		if a.Was == "" {
			a.Was = a.Text
		}
		a.Type, a.Text, a.At = manual(a.Type), text, verbatim.Selector{Status: verbatim.Absent}
	}
	a.Verdict = Accepted
	return s.answered(act, after)
}

// Add adds a wrong answer that the reviewer wrote.
func (s *Session) Add(text string) error {
	return s.act(func() error {
		if s.item == nil || s.item.Stage == OfPassage {
			return errors.New("accept the passage first; then write wrong answers")
		}
		text, err := wrong(s.item.State, text, -1)
		if err != nil {
			return err
		}
		after := s.item.State.Clone()
		after.Answers = append(after.Answers, Answer{Verdict: Accepted,
			Option: verbatim.Option{Type: "manual", Text: text, At: verbatim.Selector{Status: verbatim.Absent}}})
		return s.answered("write answer", after)
	})
}

// wrong reports why a text cannot be a wrong answer. Open answers count, because
// they may still be accepted.
func wrong(s State, text string, except int) (string, error) {
	text = verbatim.FoldSpace(text)
	if text == "" {
		return "", errors.New("an answer must have words")
	}
	return text, clash(s, text, except, Open, Accepted)
}

// clash reports whether a text says the same as the ground truth, or as another
// wrong answer with one of the verdicts. except is the text's own number, or -1.
func clash(s State, text string, except int, verdicts ...Verdict) error {
	if cloze.SameAnswer(text, s.Truth) {
		return errors.New("this is the right answer")
	}
	for i, a := range s.Answers {
		if i != except && slices.Contains(verdicts, a.Verdict) && cloze.SameAnswer(a.Text, text) {
			return fmt.Errorf("wrong answer %d says the same", i+1)
		}
	}
	return nil
}
