package main

import (
	"strings"
	"testing"

	"verbatim"
)

func TestWhatATerminalWouldObeyIsShown(t *testing.T) {
	for text, want := range map[string]string{
		"as it is\n\tand so on: é, “£5”, 東": "as it is\n\tand so on: é, “£5”, 東",
		"\x1b[2Jgone":           "␛[2Jgone",
		"one\x00two\rthree\x7f": "one␀two␍three␡",
		"\u009b31mred":          "␛31mred", // the same in one character
		"left\u202ethgir\u202c": "left⇄thgir⇄",
	} {
		if got := verbatim.Readable(text); got != want {
			t.Errorf("%q is shown as %q, not %q", text, got, want)
		}
		var bytewise strings.Builder // a buffer may cut a character anywhere
		r := &readable{out: &bytewise}
		for i := range len(text) {
			if n, err := r.Write([]byte{text[i]}); n != 1 || err != nil {
				t.Fatal(n, err)
			}
		}
		if got := bytewise.String(); got != want {
			t.Errorf("byte by byte, %q is shown as %q, not %q", text, got, want)
		}
	}
}
