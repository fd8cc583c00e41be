package near

import (
	"strings"
	"testing"
)

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"lamp", "", 4}, {"", "lamp", 4}, {"lamp", "lamp", 0}, {"lamp", "lump", 1}, {"lamp", "lamps", 1}, {"kitten", "sitting", 3}} {
		if got := Distance(c.a, c.b); got != c.want {
			t.Errorf("%q and %q: %d, not %d", c.a, c.b, got, c.want)
		}
	}
	if got := Distance(strings.Repeat("a", 200), strings.Repeat("b", 150)); got != 200 {
		t.Errorf("two long strings: %d, not 200", got)
	}
}

func TestNearest(t *testing.T) {
	names := []string{"match", "place", "scope"}
	if got := Nearest("mach", names); got != `; did you mean "match"?` {
		t.Errorf("mach: %q", got)
	}
	for typed, want := range map[string]string{"mkae": "make", "maek": "make", "amke": "make", "reveiw": "review", "stauts": "status", "--bacth": "--batch"} {
		if got := Nearest(typed, []string{"make", "review", "status", "tag", "--batch", "--plain"}); got != `; did you mean "`+want+`"?` {
			t.Errorf("%s: %q", typed, got)
		}
	}
	if got := Nearest("sure", names); got != "" {
		t.Errorf("sure: %q", got)
	}
}
