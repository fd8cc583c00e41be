package main

import (
	"bytes"
	"io"
)

// A readable passes text on for people to read. A file may hold bytes that a
// terminal obeys: to clear the screen, to change its title. They are shown as
// signs (␛ for escape) and never passed on as they are.
type readable struct {
	out  io.Writer
	half bool // the last byte was 0xC2, which may begin a control character
}

func (r *readable) Write(text []byte) (int, error) {
	shown := make([]byte, 0, len(text)+16)
	for _, c := range text {
		switch {
		case r.half && c >= 0x80 && c < 0xA0: // U+0080 to U+009F: escape sequences in one character
			shown = append(shown, "␛"...)
		case r.half:
			shown = append(shown, 0xC2, c)
		case c == 0x7F:
			shown = append(shown, "␡"...)
		case c < ' ' && c != '\n' && c != '\t':
			shown = append(shown, string('␀'+rune(c))...)
		case c != 0xC2:
			shown = append(shown, c)
		}
		r.half = c == 0xC2 && !r.half
	}
	if _, err := r.out.Write(shown); err != nil {
		return 0, err
	}
	return len(text), nil
}

// readably is a text as a readable shows it.
func readably(text string) string {
	var out bytes.Buffer
	_, _ = (&readable{out: &out}).Write([]byte(text)) // a buffer takes all
	return out.String()
}
