package cue

import (
	"fmt"
	"strings"
	"testing"

	"verbatim/internal/growth"
)

// A table or an index that is read as one sentence must not take quadratic time.
func TestLongSentences(t *testing.T) {
	for _, piece := range []string{"for ", "if, ", "so that (", "' ", "\"but ", "as; ", ", ", "because he was, and ", "However ", "((((", "a "} {
		r := Connectors().NewReader()
		growth.Linear(t, fmt.Sprintf("%q", piece), 8_000, func(n int) {
			r.Tags("", strings.Repeat(piece, n/len(piece)))
		})
	}
}
