package journal

import (
	"strings"
	"testing"
	"time"
)

// A text of one endless sentence must not take time that grows with its square.
func TestHostileTextsTakeLinearTime(t *testing.T) {
	for name, unit := range map[string]string{
		"denials": "no a ", "hours": "3 am ", "brackets": "((", "closing": "))", "quotes": "\"", "joints": "and ", "commas": "no a, ",
		"pluses": "a + ", "words": "felt calm ", "colons": "mood: ", "degrees": "very ", "hedges": "maybe ", "marks": "😖", "doubts": "not sure if a, ",
	} {
		t.Run(name, func(t *testing.T) {
			e := New(Cards())
			took := func(n int) time.Duration {
				text := strings.Repeat(unit, n)
				start := time.Now()
				claims, refusals := e.Claims(text)
				elapsed := time.Since(start)
				sound(t, text, claims, refusals)
				return elapsed
			}
			took(2000)
			small := max(took(4000), time.Millisecond)
			if large := took(32000); large > 60*small { // 8 times the text; the rest is a busy machine
				t.Errorf("%d times the time for 8 times the text (%v, %v)", large/small, small, large)
			}
		})
	}
}
