package sentence

import (
	"errors"
	"fmt"
	"strings"
)

// An example is a text from a file, with // where its sentences end.
type example struct {
	file   string
	line   int
	of     string // its list or case
	marked string
}

// Check tests the examples in the files. The error has every file and line.
func (r *Rules) Check() error {
	var problems []error
	for _, e := range r.examples {
		if got := r.mark(unmark(e.marked)); got != e.marked {
			problems = append(problems, fmt.Errorf("%s:%d: %s: the example says\n\t%s\nbut the splitter gives\n\t%s",
				e.file, e.line, e.of, e.marked, got))
		}
	}
	return errors.Join(problems...)
}

// unmark turns an example into a text; ¶ is a blank line, ⏎ a line break.
func unmark(marked string) string {
	text := strings.ReplaceAll(strings.ReplaceAll(marked, " // ", " "), "// ", "")
	return strings.NewReplacer(" ⏎ ", "\n", " ¶ ", "\n\n").Replace(text)
}

// mark splits a text and marks its sentences as in an example.
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
