package review

import "verbatim"

// A Keeper is a Book that keeps texts that a person has typed and not saved, so
// that they are there the next time, also after a crash.
type Keeper interface {
	Kept(key string) string
	Keep(key, text string) error // "" forgets it
}

// The fields in which a person writes, by the key that opens them. Fields of one
// wrong answer have its text behind them.
var fieldNames = []Key{{"e", "passage"}, {"T", "ground truth"}, {"n", "one more wrong answer"}, {"X", "reason to reject"}, {";", "note"}}

// field is the key under which a text of the item is kept.
func (s *Session) field(item *Item, key string) string {
	field := s.Reviewer + " " + item.Draft.ID + " " + key
	if a := item.Answer(); a != nil && key != "n" && key != ";" && key != "T" {
		field += " " + a.Text
	}
	return field
}

// Kept is what the reviewer typed into a field of the draft that is shown and
// did not save, or "". The field is named by the key that opens it.
func (s *Session) Kept(key string) string {
	item := s.Item()
	if item == nil {
		return ""
	}
	if keeper, ok := item.Book.(Keeper); ok {
		return keeper.Kept(s.field(item, key))
	}
	return ""
}

// Keep keeps what the reviewer has typed into a field so far; "" forgets it.
func (s *Session) Keep(key, text string) error {
	item := s.Item()
	if item == nil {
		return nil
	}
	if keeper, ok := item.Book.(Keeper); ok {
		return keeper.Keep(s.field(item, key), verbatim.FoldSpace(text))
	}
	return nil
}

// Forgetter returns what forgets a field of the draft that is shown now, also
// when another one is shown by then. A text that stays on the disk only shows up
// once more, so its error counts for nothing.
func (s *Session) Forgetter(key string) func() {
	item := s.Item()
	if item == nil {
		return func() {}
	}
	keeper, ok := item.Book.(Keeper)
	if !ok {
		return func() {}
	}
	field := s.field(item, key)
	return func() { _ = keeper.Keep(field, "") }
}

// Unsaved are the fields of the draft that is shown in which something was typed
// and not saved, with the keys that open them.
func (s *Session) Unsaved() []Key {
	item := s.Item()
	var fields []Key
	for _, f := range fieldNames {
		if item != nil && item.Stage == OfAnswers && f.Key == "e" {
			f.Does = "wrong answer"
		}
		if s.Kept(f.Key) != "" {
			fields = append(fields, f)
		}
	}
	if s.Kept("m") != "" {
		fields = append(fields, Key{"m", "your own wrong answer"})
	}
	return fields
}
