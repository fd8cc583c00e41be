package review

import (
	"context"
	"errors"
	"strconv"
)

// A Key is one key, or several, and what it does.
type Key struct{ Key, Does string }

// Keys are those that every view understands.
var Keys = []Key{
	{"a", "accept: the passage, the wrong answer, the whole question"},
	{"x", "reject it; the next best replaces a rejected same-book answer"},
	{"X", "reject it and write down why"},
	{"space", "skip: the draft comes again in another session"},
	{"f", "flag: somebody should look at this again; f on a flagged draft removes the flag"},
	{";", "write a note about this draft; it is kept with the decisions"},
	{"u", "undo, as often as you like, also what you did another day (ctrl+z too)"},
	{"U", "do again what was undone (ctrl+y too)"},
	{"< >", "the previous draft, the next draft, without deciding"},
	{"L", "the list of drafts: jump to one, or choose which ones to see"},
	{"/", "search the drafts for words"},
	{"t", "show the ground truth in its place"},
	{"e", "edit the passage, or the wrong answer behind the >"},
	{"T", "edit the ground truth"},
	{"[ ]", "move the clause's start one word to the left, to the right"},
	{"{ }", "move its end"},
	{"m", "write a wrong answer in place of this one"},
	{"n", "write one more wrong answer"},
	{"w", "ask a language model to write one more wrong answer"},
	{"A", "accept all wrong answers that are left"},
	{"1-9, j k", "select a wrong answer; arrows too"},
	{"enter", "continue to the whole question; there, save it"},
	{"esc", "back"},
	{"p", "how much is done in each category"},
}

// Hints are the keys to show at each stage.
var Hints = [...][]Key{
	{{"a", "accept"}, {"x", "reject"}, {"space", "skip"}, {"t", "ground truth"}, {"e", "edit"}, {"[ ] { }", "move clause"}, {"f", "flag"}, {";", "note"}, {"u", "undo"}, {"< >", "previous, next"}, {"L", "list"}, {"?", "all keys"}, {"q", "quit"}},
	{{"a", "accept"}, {"x", "reject"}, {"e", "edit"}, {"m", "my own instead"}, {"n", "one more"}, {"w", "ask a model"}, {"A", "accept all"}, {"1-9 j k", "select"}, {"enter", "preview"}, {"u", "undo"}, {"?", "all keys"}},
	{{"a or enter", "save"}, {"x", "reject the question"}, {"esc", "back"}, {"e", "edit"}, {"u", "undo"}, {"?", "all keys"}, {"q", "quit"}},
}

// ErrNoKey means that a key is none of Keys, or changes only what a view shows.
var ErrNoKey = errors.New("this key does nothing")

// Press does what a key does in a session; the keys that write take a text. A
// number selects a wrong answer. Enter only shows the whole question.
func (s *Session) Press(ctx context.Context, key, text string) error {
	slow := map[string]func(context.Context) error{"a": s.Accept, "x": s.Reject, "space": s.Skip, "f": s.Flag, "u": s.Undo, "U": s.Redo, "w": s.Ask,
		"<": func(ctx context.Context) error { return s.Step(ctx, -1) }, ">": func(ctx context.Context) error { return s.Step(ctx, 1) }}
	quick := map[string]func() error{"A": s.AcceptRest, "enter": s.Preview, "esc": s.Back}
	written := map[string]func(string) error{"e": s.Edit, "T": s.EditTruth, "m": s.Replace, "n": s.Add, ";": s.Note,
		"X": func(text string) error { return s.RejectBecause(ctx, text) }}
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
