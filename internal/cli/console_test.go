package cli

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"verbatim"
)

func TestControlCharactersAreShown(t *testing.T) {
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
		r := &Readable{Out: &bytewise}
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

func TestInterruptible(t *testing.T) {
	text := strings.Repeat("The lamp was lit, because it was dark. ", 10_000)
	got, err := io.ReadAll(Interruptible(t.Context(), strings.NewReader(text)))
	if err != nil || string(got) != text {
		t.Errorf("%d bytes of %d, %v", len(got), len(text), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	in, never := io.Pipe()
	defer never.Close()
	if _, err := verbatim.ReadDocument(Interruptible(ctx, in), "waiting"); !errors.Is(err, context.Canceled) {
		t.Errorf("after the context ended: %v", err)
	}
}

func TestQuote(t *testing.T) {
	for _, c := range []struct{ name, posix, windows string }{
		{"book.txt", `book.txt`, `book.txt`},
		{"Théron's ware.txt", `'Théron'\''s ware.txt'`, `"Théron's ware.txt"`},
		{`my work\a.txt`, `'my work\a.txt'`, `"my work\a.txt"`},
		{`w\a.txt`, `'w\a.txt'`, `w\a.txt`},
		{"100%.txt", `100%.txt`, `"100%.txt"`},
		{"", `''`, `""`},
	} {
		if got := quoteFor("linux", c.name); got != c.posix {
			t.Errorf("%s is written %s, not %s", c.name, got, c.posix)
		}
		if got := quoteFor("windows", c.name); got != c.windows {
			t.Errorf("on Windows %s is written %s, not %s", c.name, got, c.windows)
		}
	}
}
