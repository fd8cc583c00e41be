package cue

import (
	"strings"
	"testing"
	"time"
)

// A table or an index that a splitter takes for one sentence must not cost
// the square of its length.
func TestLongSentencesCostNoMore(t *testing.T) {
	for _, piece := range []string{"for ", "if, ", "so that (", "' ", "\"but ", "as; ", ", ", "because he was, and ", "However ", "((((", "a "} {
		cost := func(n int) time.Duration {
			text := strings.Repeat(piece, n/len(piece))
			r := Connectors().NewReader()
			best := time.Hour
			for range 3 {
				start := time.Now()
				r.Tags("", text)
				best = min(best, time.Since(start))
			}
			return best
		}
		small, large := cost(10_000), cost(80_000)
		for range 3 { // a busy machine may spoil one measurement, not four
			if large <= 8*4*small || large <= 200*time.Millisecond {
				break
			}
			small, large = cost(10_000), cost(80_000)
		}
		if large > 8*4*small && large > 200*time.Millisecond {
			t.Errorf("%q: eight times the text took %v instead of %v", piece, large, small)
		}
		if testing.Verbose() {
			t.Logf("%-12q 80 kB in %v", piece, large)
		}
	}
}
