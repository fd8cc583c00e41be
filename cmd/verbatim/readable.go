package main

import (
	"io"
	"unicode/utf8"

	"verbatim"
)

// A readable passes text on for people to read, as verbatim.Readable shows it.
type readable struct {
	out  io.Writer
	rest []byte // the beginning of a character that was cut
}

func (r *readable) Write(text []byte) (int, error) {
	whole := append(r.rest, text...)
	end := len(whole)
	for i := 1; i <= min(utf8.UTFMax-1, end); i++ {
		if utf8.RuneStart(whole[end-i]) {
			if !utf8.FullRune(whole[end-i:]) {
				end -= i
			}
			break
		}
	}
	if _, err := io.WriteString(r.out, verbatim.Readable(string(whole[:end]))); err != nil {
		return 0, err
	}
	r.rest = append([]byte(nil), whole[end:]...)
	return len(text), nil
}
