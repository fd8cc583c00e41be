package journal

import (
	"strings"
	"testing"

	"verbatim/internal/growth"
)

// The time for one endless sentence must grow linearly with its length.
func TestHostileTextsTakeLinearTime(t *testing.T) {
	e := New(Cards())
	for name, unit := range map[string]string{
		"negations": "no a ", "hours": "3 am ", "brackets": "((", "closing": "))", "quotes": "\"", "joints": "and ", "commas": "no a, ",
		"pluses": "a + ", "words": "felt calm ", "colons": "mood: ", "degrees": "very ", "hedges": "maybe ", "marks": "😖", "doubts": "not sure if a, ",
	} {
		growth.Linear(t, name, 2000, func(n int) {
			text := strings.Repeat(unit, n)
			claims, rejections := e.find(text)
			sound(t, text, claims, rejections)
		})
	}
}
