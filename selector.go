package verbatim

import (
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Status is the relation of a string to its source.
type Status string

// The statuses of a selector.
const (
	Exact  Status = "exact"  // the source bytes are the string
	Mapped Status = "mapped" // the source bytes, repaired and with white space folded, are the string
	Absent Status = "absent" // a person or a model wrote or edited the string: it has no place
)

// A Selector is the place of a string in its source, and the proof of it: the
// source bytes from ByteStart to ByteEnd, with Repairs applied and every run of
// white space folded to one space, are the string. Checking it needs no cleaner.
//
// A repair adds nothing that the source does not contain: it removes text, or
// replaces white space with white space, or an HTML entity with its character. A
// reader must judge what is removed; see Cuts.
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

// A Change replaces the source bytes of Span with Text. In JSON it is
// [byte_start, byte_end, text].
type Change struct {
	Span
	Text string
}

// MarshalJSON writes [byte_start, byte_end, text].
func (c Change) MarshalJSON() ([]byte, error) {
	return MarshalPlain([]any{c.Start, c.End, c.Text})
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

// contextBytes is how much source text a selector quotes on each side, so that a
// person or another program can find the place in another edition.
const contextBytes = 32

// Select returns the selector of a source span that reads `text` after the
// changes. Its status is Exact if the source bytes are that text, else Mapped.
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

// ErrAbsent is the error of Prove for a selector with the status Absent.
var ErrAbsent = errors.New("the text has no place in its source: a person or a model wrote or edited it")

// Prove checks the selector against the source: the place exists, the quotes
// match, and the source with the repairs applied is the text. No repair may add
// a word. If the status is Absent, the error is ErrAbsent.
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
		return fmt.Errorf("byte %d of %s does not follow %q", s.Start, source.ID, sel.Prefix)
	case !strings.HasPrefix(source.Text[s.End:], sel.Suffix):
		return fmt.Errorf("%q does not follow byte %d of %s", sel.Suffix, s.End, source.ID)
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
			return errors.New("the source is the text without repairs: the status is exact, not mapped")
		}
		if FoldSpace(repaired) != FoldSpace(text) {
			return fmt.Errorf("the repaired source says %q, not %q", excerpt(repaired), excerpt(text))
		}
	default:
		return fmt.Errorf("status %q is not one of exact, mapped, absent", sel.Status)
	}
	return nil
}

// apply applies the changes to a quote that begins at byte `start` of its source.
func apply(quote string, start int, changes []Change) (string, error) {
	var out strings.Builder
	done, end := start, start+len(quote)
	for _, c := range changes {
		switch {
		case c.Start > c.End:
			return "", fmt.Errorf("the repair at bytes %d-%d ends before it begins", c.Start, c.End)
		case c.Start < start || c.End > end:
			return "", fmt.Errorf("the repair at bytes %d-%d is outside the span %d-%d", c.Start, c.End, start, end)
		case c.Start < done:
			return "", fmt.Errorf("the repair at bytes %d-%d overlaps the one before it, or is out of order", c.Start, c.End)
		case runeStart(quote, c.Start-start) != c.Start-start || runeStart(quote, c.End-start) != c.End-start:
			return "", fmt.Errorf("the repair at bytes %d-%d cuts a letter in two", c.Start, c.End)
		}
		was := quote[c.Start-start : c.End-start]
		if !sayable(was, c.Text) {
			return "", fmt.Errorf("the repair at bytes %d-%d replaces %q with %q; a repair may only remove text, or change white space or an HTML entity",
				c.Start, c.End, excerpt(was), excerpt(c.Text))
		}
		out.WriteString(quote[done-start : c.Start-start])
		out.WriteString(c.Text)
		done = c.End
	}
	out.WriteString(quote[done-start:])
	return out.String(), nil
}

// sayable reports whether a text adds nothing to the source that it replaces: it
// is empty, white space for white space, or the character of an HTML entity, even
// if the entity itself was escaped: &amp;quot; is ".
func sayable(was, text string) bool {
	if text == "" || isWhite(was) && isWhite(text) {
		return true
	}
	if !strings.HasPrefix(was, "&") || !strings.HasSuffix(was, ";") {
		return false
	}
	for html.UnescapeString(was) != was {
		was = html.UnescapeString(was)
	}
	return utf8.RuneCountInString(was) == 1 && (was == text || isWhite(was) && isWhite(text))
}

// isWhite reports whether a text is white space and not empty.
func isWhite(s string) bool { return s != "" && strings.TrimSpace(s) == "" }

// Cuts returns the places where the repairs remove what the author may have
// written: all but white space, soft hyphens and the hyphen of a word broken at
// the end of a line. White space between two words counts too, unless a line
// ends there. Call it only after Prove has succeeded.
func (sel *Selector) Cuts(source *Document) []Span {
	var cuts []Span
	for i := 0; i < len(sel.Repairs); i++ {
		if sel.Repairs[i].Text != "" {
			continue
		}
		cut := sel.Repairs[i].Span // with adjacent ones: removing the space, then the star, joins two words
		for i+1 < len(sel.Repairs) && sel.Repairs[i+1].Text == "" && sel.Repairs[i+1].Start == cut.End {
			i++
			cut.End = sel.Repairs[i].End
		}
		if !isLayout(source, cut) {
			cuts = append(cuts, cut)
		}
	}
	return cuts
}

// isLayout reports whether a cut is only typesetting: removing it neither deletes
// a word nor joins two.
func isLayout(source *Document, cut Span) bool {
	text := source.Quote(cut)
	broken := strings.ContainsAny(text, "\n\r\f")
	before, _ := utf8.DecodeLastRuneInString(source.Text[:cut.Start])
	after, _ := utf8.DecodeRuneInString(source.Text[cut.End:])
	const hyphens, soft = "-\u00ad¬", "\u00ad"
	switch rest := strings.TrimSpace(text); {
	case rest == "":
		return broken || !isWordRune(before) || !isWordRune(after)
	case strings.Trim(rest, soft) == "":
		return broken || rest == text
	default:
		return broken && strings.HasPrefix(text, rest) && strings.Contains(hyphens, rest) && isWordRune(before) && isWordRune(after)
	}
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// Readable returns a text that is safe to print. A file may contain characters
// that control a terminal: they clear the screen, change its title or reverse the
// order of letters. Readable shows them as symbols, such as ␛ for escape.
func Readable(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069:
			return '⇄'
		case r == '\n', r == '\t', r >= 0xA0, r >= ' ' && r < 0x7F:
			return r
		case r < ' ':
			return '␀' + r
		case r == 0x7F:
			return '␡'
		}
		return '␛' // U+0080 to U+009F: the start of an escape sequence in one character
	}, text)
}

// FoldSpace replaces every run of white space with one space and trims both ends.
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

// runeStart moves an offset back to the start of its code point.
func runeStart(text string, i int) int {
	for i > 0 && i < len(text) && !utf8.RuneStart(text[i]) {
		i--
	}
	return i
}

// runeEnd moves an offset forward to the end of its code point.
func runeEnd(text string, i int) int {
	for i < len(text) && !utf8.RuneStart(text[i]) {
		i++
	}
	return i
}
