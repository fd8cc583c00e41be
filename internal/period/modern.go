package period

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Grace is how many years after a book a word of its time may first be seen: the
// list knows editions, not manuscripts.
const Grace = 10

// Modern returns the words of a text that a book of a certain year could not have:
// first seen more than Grace years later, or in none of the books. checked is how
// many words were looked at, dated how many of them have a first year. Words with
// a capital inside the text, numbers and words of one or two letters are left out.
func Modern(text string, year int) (modern []string, checked, dated int) {
	seen := map[string]bool{}
	for word, at := range Words(text) {
		first, _ := utf8.DecodeRuneInString(word)
		key := Key(word)
		capital := unicode.IsUpper(first) && strings.TrimSpace(text[:at]) != ""
		if seen[key] || capital || !unicode.IsLetter(first) || utf8.RuneCountInString(key) < 3 {
			continue
		}
		seen[key] = true
		checked++
		since, known := Attested(key)
		switch {
		case known:
			if dated++; since > year+Grace {
				modern = append(modern, fmt.Sprintf("%s (first in %d)", word, since))
			}
		case !Known(key):
			modern = append(modern, word+" (in no book before 1929)")
		}
	}
	return modern, checked, dated
}
