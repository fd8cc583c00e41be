// Package growth checks in tests that work grows linearly with its input. It
// compares processor time, not wall time, so other processes on the machine
// make no difference.
package growth

import (
	"testing"
	"time"
)

const (
	factor = 8 // the large input is this many times the small one
	slack  = 4 // and may use this many times its share: quadratic work uses 8
	tries  = 4
	small  = 30 * time.Millisecond // less is too little to measure
)

// Linear fails the test if eight times the input needs more than 32 times the
// processor time. Run does the work for an input of size n.
func Linear(t testing.TB, name string, n int, run func(n int)) {
	t.Helper()
	less, more := time.Duration(1<<62), time.Duration(1<<62)
	for range tries {
		less, more = min(less, cost(run, n)), min(more, cost(run, n*factor))
		if more <= small || more <= slack*factor*less {
			return
		}
	}
	t.Errorf("%s: %v of processor time for size %d, %v for size %d: not linear", name, less, n, more, n*factor)
}

func cost(run func(int), n int) time.Duration {
	start := processorTime()
	run(n)
	return processorTime() - start
}
