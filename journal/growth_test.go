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
				text, best := strings.Repeat(unit, n), time.Hour
				for range 4 { // the best of some: the machine may be busy
					start := time.Now()
					claims, refusals := e.Claims(text)
					best = min(best, time.Since(start))
					sound(t, text, claims, refusals)
				}
				return best
			}
			took(1000)
			var small, large time.Duration
			for range 4 { // 16 times the text; its square would be 256 times
				if small, large = took(1000), took(16000); large <= 90*small {
					return
				}
			}
			t.Errorf("%d times the time for 16 times the text (%v, %v)", large/small, small, large)
		})
	}
}
