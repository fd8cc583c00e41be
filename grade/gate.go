package grade

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A Gate is a condition on one figure of a summary.
type Gate struct {
	Figure string  // its path, such as micro.f1
	Bound  float64 // the lowest value that passes
	// MaxDrop changes the meaning of Bound: the figure may be at most Bound lower
	// than that of the system compared with. The gate passes if the difference
	// may be chance.
	MaxDrop bool
}

// ParseGate parses a gate such as "micro.f1=0.8".
func ParseGate(text string) (Gate, error) {
	name, value, ok := strings.Cut(text, "=")
	bound, err := strconv.ParseFloat(value, 64)
	if !ok || err != nil || math.IsNaN(bound) || name == "" {
		return Gate{}, fmt.Errorf("%q is not a gate; write a figure and a number, such as micro.f1=0.5", text)
	}
	return Gate{Figure: name, Bound: bound}, nil
}

// Check evaluates the gate against the summary of a Result or a Stability. It
// returns why the gate failed, or "" if it passed. It returns an error if the
// summary has no such figure. A figure that is null fails.
func (g Gate) Check(summary Object) (failed string, err error) {
	if g.MaxDrop {
		return g.checkDrop(summary)
	}
	value, known := summary.Figure(g.Figure)
	switch {
	case !known:
		return "", unknownFigure(g.Figure, summary.Paths())
	case math.IsNaN(value):
		return fmt.Sprintf("%s is null; the minimum is %v", g.Figure, g.Bound), nil
	case value < g.Bound:
		return fmt.Sprintf("%s is %.6g; the minimum is %v", g.Figure, value, g.Bound), nil
	}
	return "", nil
}

// A FailedGate is a gate that failed, and why.
type FailedGate struct {
	Gate
	Why string
}

// CheckGates returns the gates that fail. It returns an error if the summary does
// not have one of the figures.
func CheckGates(gates []Gate, summary Object) (failed []FailedGate, err error) {
	for _, g := range gates {
		why, err := g.Check(summary)
		if err != nil {
			return nil, err
		}
		if why != "" {
			failed = append(failed, FailedGate{g, why})
		}
	}
	return failed, nil
}

func (g Gate) checkDrop(summary Object) (string, error) {
	against, _ := summary.value("against").(Object)
	difference, _ := summary.value("difference").(Object)
	if against == nil {
		return "", fmt.Errorf("%s cannot drop: nothing is compared", g.Figure)
	}
	// The differences also contain counts that are not figures of a system.
	names := slices.DeleteFunc(difference.Paths(), func(path string) bool {
		_, known := against.Figure(path)
		return !known
	})
	if !slices.Contains(names, g.Figure) {
		return "", unknownFigure(g.Figure, names)
	}
	value, _ := difference.Figure(g.Figure)
	interval, paired := difference.value(g.Figure + "_interval").(Interval)
	switch {
	case math.IsNaN(value):
		return fmt.Sprintf("the difference of %s is null", g.Figure), nil
	case -value > g.Bound && (!paired || interval.Excludes0()):
		return fmt.Sprintf("%s dropped by %.6g; the maximum is %v", g.Figure, -value, g.Bound), nil
	}
	return "", nil
}

// unknownFigure suggests figures that the user may have meant: those with a
// similar name, otherwise the first ones.
func unknownFigure(name string, all []string) error {
	last := name[strings.LastIndexByte(name, '.')+1:]
	first, _, _ := strings.Cut(name, ".")
	var similar []string
	for _, path := range all {
		if strings.Contains(path, last) || strings.Contains(path, first) {
			similar = append(similar, path)
		}
	}
	if len(similar) == 0 {
		similar = all
	}
	if len(similar) > 8 {
		similar = append(similar[:8:8], "...")
	}
	return fmt.Errorf("there is no figure %q; try %s", name, strings.Join(similar, ", "))
}
