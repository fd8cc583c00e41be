package sentence

import (
	"strings"
	"testing"
)

// Every example in english/*.txt does what it says.
func TestExamples(t *testing.T) {
	if len(english.examples) < 60 {
		t.Errorf("only %d examples were read", len(english.examples))
	}
	if err := english.Check(); err != nil {
		for problem := range strings.SplitSeq(err.Error(), "\n") {
			t.Error(problem)
		}
	}
}
