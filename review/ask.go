package review

import (
	"context"
	"errors"

	"verbatim"
	"verbatim/cloze"
)

// A Writer is a Book whose language models can write more wrong answers.
type Writer interface {
	// Write asks for answers that are not among those of the state: all kinds where
	// no model wrote any yet, or one more. It returns ErrNoModel where no model is
	// set up.
	Write(ctx context.Context, d *cloze.Draft, s State) ([]verbatim.Option, error)
}

// ErrNoModel means that no language model is set up.
var ErrNoModel = errors.New("no language model is set up")

// Ask asks a language model for another wrong answer, which is then open.
func (s *Session) Ask(ctx context.Context) error {
	return s.onItem(func(item *Item) error {
		if item.Stage == OfPassage {
			return errors.New("accept the passage first; then ask for wrong answers")
		}
		writer, can := item.Book.(Writer)
		if !can {
			return s.noModel(ErrNoModel)
		}
		options, err := writer.Write(ctx, item.Draft, item.State)
		if err != nil {
			return s.noModel(err)
		}
		first := len(item.State.Answers)
		for _, o := range options {
			if !item.State.has(o.Text) && !cloze.SameAnswer(o.Text, item.State.Truth) {
				item.State.Answers = append(item.State.Answers, Answer{Option: o})
			}
		}
		if len(item.State.Answers) == first {
			return errors.New("the language model wrote nothing that is not there already; ask again, or write one yourself")
		}
		item.Stage, item.At = OfAnswers, first
		return nil
	})
}

// noModel adds to the error what to set up.
func (s *Session) noModel(err error) error {
	if errors.Is(err, ErrNoModel) && s.ModelHelp != "" {
		return errors.New(err.Error() + "; " + s.ModelHelp)
	}
	return err
}
