package grade

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A Gate is a condition on one figure of a summary.
type Gate struct {
	Figure string // its path, such as micro.f1, or micro.f1.low for the lower end of its interval
	Kind   GateKind
	Bound  float64
}

// A GateKind says what a gate's bound is.
type GateKind string

// The kinds, in the words of a file of gates.
const (
	Min     GateKind = "min"      // the lowest value that passes
	Max     GateKind = "max"      // the highest value that passes
	MaxDrop GateKind = "max-drop" // how much lower than the system compared with the figure may be
)

// A GateVerdict is the result of a gate.
type GateVerdict string

// The verdicts of gates.
const (
	Passed GateVerdict = "passed"
	Failed GateVerdict = "failed"
	// Inconclusive: the figure dropped too far, but with so few journals it may be
	// chance.
	Inconclusive GateVerdict = "inconclusive"
)

// A CheckedGate is a gate with its figure and its verdict.
type CheckedGate struct {
	Gate
	Value   float64 // NaN if the figure is null; of MaxDrop, the drop
	Verdict GateVerdict
	Why     string // a sentence for people, without the verdict
}

// ParseGate parses a gate such as "micro.f1=0.8".
func ParseGate(kind GateKind, text string) (Gate, error) {
	name, value, ok := strings.Cut(text, "=")
	bound, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	name = strings.TrimSpace(name)
	if !ok || err != nil || math.IsNaN(bound) || math.IsInf(bound, 0) || name == "" {
		return Gate{}, fmt.Errorf("%q is not a gate; write a figure and a number, such as micro.f1=0.5", text)
	}
	return Gate{Figure: name, Kind: kind, Bound: bound}, nil
}

// ReadGates reads a file of gates, one per line, such as "min micro.f1=0.6",
// "max not_verbatim=0" or "max-drop micro.f1=0.02". Blank lines and lines that
// start with # are comments.
func ReadGates(r io.Reader, file string) (gates []Gate, err error) {
	lines := bufio.NewScanner(r)
	for number := 1; lines.Scan(); number++ {
		text := strings.TrimSpace(strings.TrimPrefix(lines.Text(), byteOrderMark))
		if text == "" || text[0] == '#' {
			continue
		}
		kind, rest, _ := strings.Cut(text, " ")
		if !slices.Contains([]GateKind{Min, Max, MaxDrop}, GateKind(kind)) {
			return nil, fmt.Errorf("%s:%d: a gate begins with min, max or max-drop, such as: min micro.f1=0.6", file, number)
		}
		gate, err := ParseGate(GateKind(kind), rest)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, number, err)
		}
		gates = append(gates, gate)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("reading %s: %w", file, err)
	}
	if len(gates) == 0 {
		return nil, fmt.Errorf("%s has no gates, so nothing would be checked", file)
	}
	return gates, nil
}

// CheckGates evaluates gates against the summary of a Result, a Stability or a
// Watch. It returns an error if the summary does not have one of the figures, or
// if a gate could never fail.
func CheckGates(gates []Gate, summary Object) (checked []CheckedGate, err error) {
	for _, g := range gates {
		c, err := g.check(summary)
		if err != nil {
			return nil, err
		}
		checked = append(checked, c)
	}
	return checked, nil
}

func (g Gate) check(summary Object) (CheckedGate, error) {
	if g.Kind == MaxDrop {
		return g.checkDrop(summary)
	}
	value, isCount, known := gatedFigure(summary, g.Figure)
	if !known {
		return CheckedGate{}, unknownFigure(g.Figure, summary.Paths())
	}
	if err := g.canFail(isCount); err != nil {
		return CheckedGate{}, err
	}
	c := CheckedGate{Gate: g, Value: value, Verdict: Passed}
	limit := map[GateKind]string{Min: "minimum", Max: "maximum"}[g.Kind]
	if math.IsNaN(value) {
		c.Verdict, c.Why = Failed, fmt.Sprintf("%s is null; the %s is %v", g.Figure, limit, g.Bound)
		return c, nil
	}
	if g.Kind == Min && value < g.Bound || g.Kind == Max && value > g.Bound {
		c.Verdict = Failed
	}
	c.Why = fmt.Sprintf("%s is %.6g; the %s is %v", g.Figure, value, limit, g.Bound)
	return c, nil
}

// canFail rejects a gate that passes whatever the system does: it looks like a
// check and is none.
func (g Gate) canFail(isCount bool) error {
	negative := strings.HasPrefix(g.Figure, "difference.")
	switch {
	case strings.HasPrefix(g.Figure, "options."):
		return fmt.Errorf("%s is an option, not a figure; this gate could never fail", g.Figure)
	case g.Kind == Min && (g.Bound < 0 || g.Bound == 0 && !canBeNull(g.Figure)) && !negative:
		return fmt.Errorf("%s is never below 0, so a minimum of %v could never fail", g.Figure, g.Bound)
	case g.Kind == Max && (g.Bound > 1 || g.Bound == 1 && !canBeNull(g.Figure)) && !isCount && !hasNoBound(g.Figure):
		return fmt.Errorf("%s is never above 1, so a maximum of %v could never fail", g.Figure, g.Bound)
	}
	return nil
}

// canBeNull reports whether a figure is null where there is nothing to count. Any
// gate on it can fail.
func canBeNull(path string) bool {
	last := path[strings.LastIndexByte(path, '.')+1:]
	return strings.HasPrefix(path, "overlap.") || strings.HasSuffix(last, "rate") ||
		slices.Contains([]string{"coverage", "near", "absent", "accuracy", "share", "items_per_journal", "low", "high"}, last)
}

// hasNoBound reports whether a figure is a mean that may be larger than 1.
func hasNoBound(path string) bool { return strings.Contains(path, "per_journal") }

// gatedFigure finds a figure by its path. After it may come .low or .high, for an
// end of its interval. A short name such as false_absent is the count of that name.
func gatedFigure(summary Object, path string) (value float64, isCount, known bool) {
	for _, full := range []string{path, path + ".count", "attributes.polarity." + path + ".count"} {
		if value, known = summary.Figure(full); known {
			return value, summary.isCount(full), true
		}
	}
	for i, end := range []string{".low", ".high"} {
		name, cut := strings.CutSuffix(path, end)
		if !cut {
			continue
		}
		if interval, ok := summary.interval(name); ok {
			return []float64{interval.Low, interval.High}[i], false, true
		}
		if _, exists := summary.Figure(name); exists && summary.hasIntervals() {
			return 0, false, false // a count has no interval
		} else if exists {
			return math.NaN(), false, true // no draws: the gate fails
		}
	}
	return 0, false, false
}

// hasIntervals reports whether any figure of the summary has an interval.
func (o Object) hasIntervals() bool {
	return slices.ContainsFunc(o, func(m Member) bool {
		inner, _ := m.Value.(Object)
		_, is := m.Value.(Interval)
		return is || inner.hasIntervals()
	})
}

// interval finds the interval of a figure by the figure's path.
func (o Object) interval(path string) (Interval, bool) {
	if interval, ok := o.value(path + "_interval").(Interval); ok {
		return interval, true
	}
	for _, m := range o {
		if rest, within := strings.CutPrefix(path, m.Name+"."); within {
			if inner, ok := m.Value.(Object); ok {
				if interval, found := inner.interval(rest); found {
					return interval, true
				}
			}
		}
	}
	return Interval{}, false
}

// isCount reports whether the figure at a path is a whole number of things.
func (o Object) isCount(path string) bool {
	for _, m := range o {
		if _, whole := m.Value.(int); whole && m.Name == path {
			return true
		}
		if rest, within := strings.CutPrefix(path, m.Name+"."); within {
			if inner, ok := m.Value.(Object); ok && inner.isCount(rest) {
				return true
			}
		}
	}
	return false
}

func (g Gate) checkDrop(summary Object) (CheckedGate, error) {
	against, _ := summary.value("against").(Object)
	difference, _ := summary.value("difference").(Object)
	c := CheckedGate{Gate: g, Verdict: Passed}
	if against == nil {
		return c, fmt.Errorf("%s cannot drop: nothing is compared", g.Figure)
	}
	// The differences also contain counts that are not figures of a system.
	names := slices.DeleteFunc(difference.Paths(), func(path string) bool {
		_, known := against.Figure(path)
		return !known
	})
	if !slices.Contains(names, g.Figure) {
		return c, unknownFigure(g.Figure, names)
	}
	if g.Bound >= 1 {
		return c, fmt.Errorf("%s cannot drop by more than 1, so a maximum of %v could never fail", g.Figure, g.Bound)
	}
	value, _ := difference.Figure(g.Figure)
	interval, paired := difference.value(g.Figure + "_interval").(Interval)
	c.Value = -value
	switch {
	case math.IsNaN(value):
		c.Verdict, c.Why = Failed, fmt.Sprintf("the difference of %s is null", g.Figure)
	case -value <= g.Bound:
		c.Why = fmt.Sprintf("%s dropped by %.6g; the maximum is %v", g.Figure, max(0, -value), g.Bound)
	case !paired || interval.Excludes0():
		c.Verdict, c.Why = Failed, fmt.Sprintf("%s dropped by %.6g; the maximum is %v", g.Figure, -value, g.Bound)
	default:
		c.Verdict = Inconclusive
		c.Why = fmt.Sprintf("too few journals: %s dropped by %.6g; the maximum is %v; the difference may be chance (%s)",
			g.Figure, -value, g.Bound, interval.Signed())
	}
	return c, nil
}

// unknownFigure suggests figures that the user may have meant: those with a
// similar name, otherwise the first ones.
func unknownFigure(name string, all []string) error {
	last := name[strings.LastIndexByte(name, '.')+1:]
	first, _, _ := strings.Cut(name, ".")
	similar := slices.DeleteFunc(slices.Clone(all), func(path string) bool {
		return !strings.Contains(path, last) && !strings.Contains(path, first)
	})
	if len(similar) == 0 {
		similar = all
	}
	if len(similar) > 8 {
		similar = append(similar[:8:8], "...")
	}
	return fmt.Errorf("there is no figure %q; try %s", name, strings.Join(similar, ", "))
}
