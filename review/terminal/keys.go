// Package terminal shows a review session in a terminal: on the whole screen
// (Run) or line by line, for screen readers and scripts (Plain).
//
// What to count on: one key decides, saves and continues; nothing is lost when
// the terminal closes; and a key never decides about what was not on the screen
// yet.
package terminal

import (
	"fmt"
	"strings"

	"verbatim/review"
)

// ownKeys are those that only a terminal has.
var ownKeys = []review.Key{
	{Key: "E", Does: "edit in your own editor ($EDITOR)"},
	{Key: "pgup pgdn", Does: "scroll"},
	{Key: "q", Does: "quit; the command to continue is printed"},
}

// help explains the keys.
func help(s *review.Session) string {
	var out strings.Builder
	out.WriteString("One key decides, saves and continues. Nothing is lost when you quit.\n\n")
	for _, keys := range [][]review.Key{review.Keys, ownKeys} {
		for _, k := range keys {
			fmt.Fprintf(&out, "  %-10s %s\n", k.Key, k.Does)
		}
	}
	out.WriteString(`
While you type into a field, keys write letters: enter saves the text, esc
changes nothing. Edited text is no longer a quotation, and the question says so.`)
	if s.HelpNote != "" {
		out.WriteString("\n\n" + s.HelpNote)
	}
	return out.String()
}

// hintText is the line of keys that is always on the screen.
func hintText(stage review.Stage) string {
	var all []string
	for _, k := range review.Hints[stage] {
		all = append(all, k.Key+" "+k.Does)
	}
	return strings.Join(all, "  ")
}
