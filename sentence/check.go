package sentence

import (
	"errors"
	"fmt"
	"strings"
)

// An example is a text of a rule file with // where its sentences end.
type example struct {
	file   string
	line   int
	of     string // the list or the case it belongs to
	marked string
}

// Check holds every example of the rule files against the rules, and joins
// what fails into one error, file and line first.
func (r *Rules) Check() error {
	var problems []error
	for _, e := range r.examples {
		text := unmark(e.marked)
		if got := r.mark(text); got != e.marked {
			problems = append(problems, fmt.Errorf("%s:%d: %s: the example says\n\t%s\nbut the rules give\n\t%s",
				e.file, e.line, e.of, e.marked, got))
		}
	}
	return errors.Join(problems...)
}

// unmark makes a text of an example: // falls away, ¶ is a blank line and ⏎ a
// line break.
func unmark(marked string) string {
	text := strings.ReplaceAll(marked, " // ", " ")
	text = strings.ReplaceAll(text, "// ", "")
	text = strings.ReplaceAll(text, " ⏎ ", "\n")
	return strings.ReplaceAll(text, " ¶ ", "\n\n")
}

// mark splits a text and shows it as an example shows it.
func (r *Rules) mark(text string) string {
	var out strings.Builder
	done := 0
	for sentence := range r.SplitText(text) {
		gap := text[done:sentence.Start]
		switch {
		case sentence.Number == 0:
		case gap == "":
			out.WriteString("// ")
		case strings.Contains(gap, "\n\n"):
			out.WriteString(" ¶ // ")
		case gap == "\n":
			out.WriteString(" ⏎ // ")
		default:
			out.WriteString(" // ")
		}
		out.WriteString(strings.ReplaceAll(text[sentence.Start:sentence.End], "\n", " ⏎ "))
		done = sentence.End
	}
	return out.String()
}
