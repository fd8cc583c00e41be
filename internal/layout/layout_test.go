package layout

import (
	"strings"
	"testing"
)

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"the lamp was lit at dusk", 12, "the lamp was/lit at dusk"},
		{"the lamp", 3, "the/lamp"},
		{"", 5, ""},
		{"two  spaces stay", 12, "two  spaces/stay"},
		{"unbreakableword and more", 5, "unbreakableword/and/more"},
		{"é é é é", 7, "é é é é"},
		{"e\u0301 e\u0301", 3, "e\u0301 e\u0301"},            // an accent takes no column
		{"lamp\u00adkeeper lit", 14, "lamp\u00adkeeper lit"}, // nor does a soft hyphen
		{"灯台 灯台", 8, "灯台/灯台"},
	} {
		if got := strings.ReplaceAll(Wrap(c.text, c.width), "\n", "/"); got != c.want {
			t.Errorf("%q in %d columns is %q, not %q", c.text, c.width, got, c.want)
		}
	}
}

func TestHangAndIndent(t *testing.T) {
	if got := Hang("> 1 the lamp was lit", 12, 4); got != "> 1 the\n    lamp was\n    lit" {
		t.Errorf("%q", got)
	}
	if got := Indent("one\ntwo", 2); got != "  one\n  two" {
		t.Errorf("%q", got)
	}
}

func TestClip(t *testing.T) {
	for text, want := range map[string]string{"lamp": "lamp", "lamps": "lam…", "灯台x": "灯…", "e\u0301abc": "e\u0301abc"} {
		if got := Clip(text, 4); got != want {
			t.Errorf("%q is %q, not %q", text, got, want)
		}
	}
}
