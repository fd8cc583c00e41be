package growth

import "testing"

type recorder struct {
	testing.TB
	failed bool
}

func (r *recorder) Helper()               {}
func (r *recorder) Errorf(string, ...any) { r.failed = true }

var sink int

func TestLinear(t *testing.T) {
	if processorTime() == 0 {
		t.Skip("processor time is not available on this system")
	}
	for name, c := range map[string]struct {
		steps  func(n int) int
		failed bool
	}{
		"linear": {func(n int) int { return 100_000 * n }, false},
		"cubic":  {func(n int) int { return n * n * n }, true},
	} {
		r := &recorder{TB: t}
		Linear(r, name, 50, func(n int) {
			for i := range c.steps(n) {
				sink += i
			}
		})
		if r.failed != c.failed {
			t.Errorf("%s work: failed is %v", name, r.failed)
		}
	}
}
