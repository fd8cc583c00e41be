package verbatim

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Status says how a string stands to its source.
type Status string

const (
	Exact  Status = "exact"  // the source bytes are the string
	Mapped Status = "mapped" // they are, once repaired and with white space folded
	Absent Status = "absent" // a person or a model wrote or edited it: it has no place
)

// A Selector is a string's place in its source, and the proof of it: the
// source bytes from ByteStart to ByteEnd, with Repairs applied and every run of
// white space made one space, are the string. No cleaner is needed to check it.
type Selector struct {
	ByteStart int `json:"byte_start"`
	ByteEnd   int `json:"byte_end"`
	// The same place in code points, as W3C's text position selector counts.
	Start int `json:"start"`
	End   int `json:"end"`
	// Quotes are source text, before any repair.
	Exact   string   `json:"exact"`
	Prefix  string   `json:"prefix"`
	Suffix  string   `json:"suffix"`
	Status  Status   `json:"status"`
	Repairs []Change `json:"repairs,omitempty"`
}

// A Change puts Text in the place of the source bytes of Span. As JSON it is
// [byte_start, byte_end, text].
type Change struct {
	Span
	Text string
}

// MarshalJSON writes [byte_start, byte_end, text].
func (c Change) MarshalJSON() ([]byte, error) {
	return marshalPlain([]any{c.Start, c.End, c.Text})
}

// UnmarshalJSON reads [byte_start, byte_end, text].
func (c *Change) UnmarshalJSON(data []byte) error {
	var parts []json.RawMessage
	if err := json.Unmarshal(data, &parts); err != nil {
		return err
	}
	if len(parts) != 3 {
		return fmt.Errorf("a repair is [byte_start, byte_end, text], not a list of %d", len(parts))
	}
	return errors.Join(json.Unmarshal(parts[0], &c.Start), json.Unmarshal(parts[1], &c.End), json.Unmarshal(parts[2], &c.Text))
}

// contextBytes is how much source text a selector quotes on either side, so
// that a person, or another program, can find the place in another edition.
const contextBytes = 32

// Select gives the selector of a source span whose text is to be `text` after
// the changes. It is mapped where the source bytes are not that text already.
func (d *Document) Select(s Span, changes []Change, text string) Selector {
	sel := Selector{
		ByteStart: s.Start, ByteEnd: s.End,
		Start: d.CodePoint(s.Start), End: d.CodePoint(s.End),
		Exact:  d.Quote(s),
		Prefix: d.Text[runeStart(d.Text, max(0, s.Start-contextBytes)):s.Start],
		Suffix: d.Text[s.End:runeEnd(d.Text, min(len(d.Text), s.End+contextBytes))],
		Status: Mapped, Repairs: changes,
	}
	if sel.Exact == text {
		sel.Status, sel.Repairs = Exact, nil
	}
	return sel
}

// ErrAbsent is what Prove answers for a selector that claims no place.
var ErrAbsent = errors.New("the text has no place in its source: a person or a model wrote or edited it")

// Prove holds the selector against the source and says what is wrong, or nil:
// the place exists, the quotes stand there, and with the repairs applied the
// source is the text. A selector that claims no place gives ErrAbsent.
func (sel *Selector) Prove(source *Document, text string) error {
	if sel.Status == Absent {
		return ErrAbsent
	}
	s := Span{sel.ByteStart, sel.ByteEnd}
	if s.Start < 0 || s.Start > s.End || s.End > len(source.Text) {
		return fmt.Errorf("bytes %d-%d do not exist in %s, which has %d", s.Start, s.End, source.ID, len(source.Text))
	}
	quote := source.Quote(s)
	switch {
	case quote != sel.Exact:
		return fmt.Errorf("bytes %d-%d of %s are %q, not %q", s.Start, s.End, source.ID, excerpt(quote), excerpt(sel.Exact))
	case !strings.HasSuffix(source.Text[:s.Start], sel.Prefix):
		return fmt.Errorf("before byte %d of %s there is no %q", s.Start, source.ID, sel.Prefix)
	case !strings.HasPrefix(source.Text[s.End:], sel.Suffix):
		return fmt.Errorf("after byte %d of %s there is no %q", s.End, source.ID, sel.Suffix)
	case source.CodePoint(s.Start) != sel.Start || source.CodePoint(s.End) != sel.End:
		return fmt.Errorf("bytes %d-%d of %s are code points %d-%d, not %d-%d", s.Start, s.End, source.ID,
			source.CodePoint(s.Start), source.CodePoint(s.End), sel.Start, sel.End)
	}
	return sel.proveText(quote, text)
}

func (sel *Selector) proveText(quote, text string) error {
	switch sel.Status {
	case Exact:
		if quote != text || len(sel.Repairs) > 0 {
			return fmt.Errorf("the source says %q, not %q: the status is not exact", excerpt(quote), excerpt(text))
		}
	case Mapped:
		repaired, err := apply(quote, sel.ByteStart, sel.Repairs)
		if err != nil {
			return err
		}
		if quote == text {
			return errors.New("the source is the text as it stands: the status is exact, not mapped")
		}
		if FoldSpace(repaired) != FoldSpace(text) {
			return fmt.Errorf("the repaired source says %q, not %q", excerpt(repaired), excerpt(text))
		}
	default:
		return fmt.Errorf("status %q is not one of exact, mapped, absent", sel.Status)
	}
	return nil
}

// apply makes the changes in a quote that begins at byte `start` of its source.
func apply(quote string, start int, changes []Change) (string, error) {
	var out strings.Builder
	done := 0
	for _, c := range changes {
		from, to := c.Start-start, c.End-start
		if from < done || to < from || to > len(quote) {
			return "", fmt.Errorf("the repair at bytes %d-%d is out of order or outside the span", c.Start, c.End)
		}
		out.WriteString(quote[done:from])
		out.WriteString(c.Text)
		done = to
	}
	out.WriteString(quote[done:])
	return out.String(), nil
}

// FoldSpace makes every run of white space one space and drops it at both ends.
func FoldSpace(text string) string {
	if isFolded(text) {
		return text
	}
	return strings.Join(strings.Fields(text), " ")
}

func isFolded(text string) bool {
	space := true // so that a leading space counts as a second one
	for _, r := range text {
		if unicode.IsSpace(r) && (space || r != ' ') {
			return false
		}
		space = r == ' '
	}
	return !space || text == ""
}

// excerpt keeps an error to one line.
func excerpt(text string) string {
	const most = 80
	if len(text) <= most {
		return text
	}
	return text[:runeStart(text, most)] + "..."
}

// runeStart moves an offset back to the start of the code point it lies in.
func runeStart(text string, i int) int {
	for i > 0 && i < len(text) && !utf8.RuneStart(text[i]) {
		i--
	}
	return i
}

// runeEnd moves an offset forward to the end of the code point it lies in.
func runeEnd(text string, i int) int {
	for i < len(text) && !utf8.RuneStart(text[i]) {
		i++
	}
	return i
}
