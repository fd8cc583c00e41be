package period

import (
	"strings"
	"testing"
)

func TestModern(t *testing.T) {
	for _, c := range []struct {
		text string
		year int
		want string // the words, without what is said of them
	}{
		{"because the lamp was out and the keeper slept", 1880, ""},
		{"because the smartphone had not been answered", 1880, "smartphone"},
		{"Because the teenagers and Mr. Xqzzt waited", 1880, "teenagers"},
		{"for the keeper's lamp-oil was gone", 1880, ""},
		{"for the aeroplane was late", 1860, "aeroplane"},
		{"for the aeroplane was late", 1925, ""},
	} {
		modern, checked, dated := Modern(c.text, c.year)
		var words []string
		for _, m := range modern {
			word, _, _ := strings.Cut(m, " ")
			words = append(words, word)
		}
		if got := strings.Join(words, " "); got != c.want || checked == 0 || dated > checked {
			t.Errorf("%d, %s: %v (%d of %d dated), want %s", c.year, c.text, modern, dated, checked, c.want)
		}
	}
}
