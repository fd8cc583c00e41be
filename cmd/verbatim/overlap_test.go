package main

import (
	"context"
	"io"
	"os"
	"strings"

	"verbatim"
	"verbatim/bert"
)

// overlap is a scorer for tests: the more words two texts share, the higher.
type overlap struct{}

func (overlap) Score(_ context.Context, pairs []verbatim.Pair) ([]float64, error) {
	scores := make([]float64, len(pairs))
	for i, p := range pairs {
		first := map[string]bool{}
		for w := range strings.FieldsSeq(strings.ToLower(p.First)) {
			first[w] = true
		}
		shared, all := 0.0, 1.0
		for w := range strings.FieldsSeq(strings.ToLower(p.Second)) {
			all++
			if first[w] {
				shared++
			}
		}
		scores[i] = shared/all - 1
	}
	return scores, nil
}

// quickScorer ranks by overlap, unless a test wants the model inside.
func quickScorer() {
	if os.Getenv("VERBATIM_EMBEDDED_MODEL") == "" {
		inside.open = func(bert.Arithmetic) (verbatim.Scorer, error) { return overlap{}, nil }
		inside.hash = func() string { return "overlap" }
	}
}

func writeText(text string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, text); return err }
}
