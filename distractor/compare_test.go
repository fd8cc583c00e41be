package distractor

import "testing"

// A person judges negations side by side; poor ones are flagged.
func TestSpec6NegationsAreCompared(t *testing.T) {
	for _, c := range []struct{ name, original, negation, left, right, flag string }{
		{"another word", "But the bridge held.", "But the bridge gave way.", "But the bridge [held.]", "But the bridge [gave way.]", ""},
		{"only not", "because he was late", "because he was not late", "because he was late", "because he was [not] late", "only not"},
		{"not with an auxiliary", "for the men walked", "for the men did not walk", "for the men [walked]", "for the men [did not walk]", "only not"},
		{"unchanged but for the stop", "if it rains.", "If it rains", "if it [rains.]", "If it [rains]", "unchanged"},
		{"not and more", "so they stayed at home", "so they did not go to church", "so they [stayed at home]", "so they [did not go to church]", ""},
		{"nothing", "because he was late", "", "[because he was late]", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := Compare(c.original, c.negation)
			left, right := d.Bracketed()
			if left != c.left || right != c.right || d.Flag != c.flag {
				t.Errorf("%q, %q, flag %q; want %q, %q, flag %q", left, right, d.Flag, c.left, c.right, c.flag)
			}
		})
	}
}
