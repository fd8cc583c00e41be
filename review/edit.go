package review

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

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

// A Key is one key, or several, and what it does.
type Key struct{ Key, Does string }

// Keys are those that every view understands.
var Keys = []Key{
	{"a", "accept: the passage, the wrong answer, the whole question"},
	{"x", "reject it; the next best replaces a rejected same-book answer"},
	{"space", "skip: the draft comes again in another session"},
	{"f", "flag for later"},
	{"u", "undo, as often as you like, also what you did another day"},
	{"U", "redo what was undone"},
	{"t", "show the ground truth in its place"},
	{"e", "edit the passage, or the wrong answer behind the >"},
	{"T", "edit the ground truth"},
	{"[ ]", "move the clause's start one word to the left, to the right"},
	{"{ }", "move its end"},
	{"m", "write a wrong answer in place of this one"},
	{"n", "write one more wrong answer"},
	{"A", "accept all wrong answers that are left"},
	{"1-9, j k", "select a wrong answer; arrows too"},
	{"enter", "continue to the whole question; there, save it"},
	{"esc", "back"},
	{"p", "how much is done in each category"},
}

// Hints are the keys to show at each stage.
var Hints = [...][]Key{
	{{"a", "accept"}, {"x", "reject"}, {"space", "skip"}, {"t", "ground truth"}, {"e", "edit"}, {"[ ] { }", "move clause"}, {"f", "flag"}, {"u", "undo"}, {"?", "help"}, {"q", "quit"}},
	{{"a", "accept"}, {"x", "reject"}, {"e", "edit"}, {"m", "my own instead"}, {"n", "one more"}, {"A", "all"}, {"1-9 j k", "select"}, {"enter", "preview"}, {"u", "undo"}, {"?", "help"}},
	{{"a or enter", "save"}, {"x", "reject the question"}, {"esc", "back"}, {"e", "edit"}, {"u", "undo"}, {"?", "help"}, {"q", "quit"}},
}

// ErrNoKey means that a key is none of Keys, or changes only what a view shows.
var ErrNoKey = errors.New("this key does nothing")

// Press does what a key does in a session; the keys that write take a text. A
// number selects a wrong answer. Enter only shows the whole question.
func (s *Session) Press(ctx context.Context, key, text string) error {
	slow := map[string]func(context.Context) error{"a": s.Accept, "x": s.Reject, "space": s.Skip, "f": s.Flag, "u": s.Undo, "U": s.Redo}
	quick := map[string]func() error{"A": s.AcceptRest, "enter": s.Preview, "esc": s.Back}
	written := map[string]func(string) error{"e": s.Edit, "T": s.EditTruth, "m": s.Replace, "n": s.Add}
	moves := map[string][2]int{"[": {-1, 0}, "]": {1, 0}, "{": {0, -1}, "}": {0, 1}}
	number, err := strconv.Atoi(key)
	switch {
	case slow[key] != nil:
		return slow[key](ctx)
	case quick[key] != nil:
		return quick[key]()
	case written[key] != nil:
		return written[key](text)
	case moves[key] != [2]int{}:
		return s.Move(moves[key][0], moves[key][1])
	case err == nil:
		return s.Choose(number - 1)
	}
	return ErrNoKey
}
