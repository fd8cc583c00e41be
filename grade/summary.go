package grade

import (
	"bytes"
	"encoding/json"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Format is the version of the summary's structure. It changes when a figure
// changes its name or meaning.
const Format = "verbatim-score/1"

// An Object is a JSON object that keeps the order of its members.
type Object []Member

// A Member is a name and a value.
type Member struct {
	Name  string
	Value any
}

// quoted returns a JSON string without HTML escapes.
func quoted(text string) []byte {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(text) // a string cannot fail
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}

// MarshalJSON writes the members in order; NaN is null.
func (o Object) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	out.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			out.WriteByte(',')
		}
		out.Write(quoted(m.Name))
		out.WriteByte(':')
		if err := enc.Encode(plain(m.Value)); err != nil {
			return nil, err
		}
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

func plain(value any) any {
	switch v := value.(type) {
	case float64:
		if math.IsNaN(v) {
			return nil
		}
	case Interval:
		return []any{plain(v.Low), plain(v.High)}
	}
	return value
}

// JSON returns the object as a file: indented, with a final newline.
func (o Object) JSON() ([]byte, error) {
	line, err := o.MarshalJSON()
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, line, "", "  "); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

// Figure finds a number by its path, such as domains.symptom.recall. It returns
// false if there is no such number. A null is NaN.
func (o Object) Figure(path string) (float64, bool) {
	for _, m := range o {
		if m.Name == path {
			switch v := m.Value.(type) {
			case float64:
				return v, true
			case int:
				return float64(v), true
			case nil:
				return math.NaN(), true
			}
		}
		// A name may contain a dot, so the path is not split beforehand.
		if rest, within := strings.CutPrefix(path, m.Name+"."); within {
			if inner, ok := m.Value.(Object); ok {
				if v, found := inner.Figure(rest); found {
					return v, true
				}
			}
		}
	}
	return 0, false
}

// value returns the value of a member, or nil.
func (o Object) value(name string) any {
	if i := slices.IndexFunc(o, func(m Member) bool { return m.Name == name }); i >= 0 {
		return o[i].Value
	}
	return nil
}

// Paths lists the paths of all numbers.
func (o Object) Paths() (paths []string) {
	for _, m := range o {
		switch v := m.Value.(type) {
		case float64, int, nil:
			paths = append(paths, m.Name)
		case Object:
			for _, inner := range v.Paths() {
				paths = append(paths, m.Name+"."+inner)
			}
		}
	}
	return paths
}

// Summary returns the score as a record. It starts with the program, the options
// and the inputs. It has no time, so the same input gives the same bytes.
func (r *Result) Summary(program string) Object {
	o := Object{
		{"format", Format},
		{"program", program},
		{"options", Object{{"schema", r.Schema.Name}, {"draws", r.options.Draws}, {"seed", strconv.FormatUint(r.options.Seed, 10)}}},
		{"inputs", r.inputs()},
	}
	o = append(o, r.systemFigures(r.Pred)...)
	if r.Against != nil {
		o = append(o, Member{"against", r.systemFigures(r.Against)}, Member{"difference", r.differenceFigures()})
	}
	return o
}

func (r *Result) inputs() Object {
	about := func(c *column, items int) Object {
		o := Object{{"file", filepath.Base(c.Name)}, {"sha256", c.SHA256}, {"journals", c.count}}
		if items >= 0 {
			o = append(o, Member{"items", items})
		}
		return o
	}
	items := func(s *System) int { return int(s.total[cPred]) + s.unknownItems() }
	columns := r.roster.columns
	in := Object{{"gold", about(columns[0], int(r.Pred.total[cGold]))}, {"pred", withMakers(about(columns[1], items(r.Pred)), r.Pred.MadeBy)}}
	if r.HasText {
		in = append(in, Member{"journals", about(r.journals(), -1)})
	}
	if r.Against != nil {
		in = append(in, Member{"against", withMakers(about(columns[2], items(r.Against)), r.Against.MadeBy)})
	}
	return in
}

func (s *System) unknownItems() (n int) {
	for _, u := range s.Unknown {
		n += u.Items
	}
	return n
}

// Figure returns a system's figure and its interval by their path in Names. The
// figure is NaN if the path is unknown; the interval is nil without bootstrap.
func (r *Result) Figure(s *System, path string) (float64, *Interval) {
	return at(slices.Index(r.Names, path), s.Figures, s.Intervals)
}

// Difference returns the difference of a figure, Pred minus Against, and its
// interval.
func (r *Result) Difference(path string) (float64, *Interval) {
	return at(slices.Index(r.Names, path), r.Differences, r.DifferenceIntervals)
}

func at(i int, figures []float64, intervals []Interval) (float64, *Interval) {
	switch {
	case i < 0 || figures == nil:
		return math.NaN(), nil
	case intervals == nil:
		return figures[i], nil
	}
	return figures[i], &intervals[i]
}

// withInterval adds a figure and its interval, if there is one.
func (r *Result) withInterval(o Object, s *System, name, path string) Object {
	value, interval := r.Figure(s, path)
	o = append(o, Member{name, value})
	if interval != nil {
		o = append(o, Member{name + "_interval", *interval})
	}
	return o
}

func (r *Result) rates(o Object, s *System, path string) Object {
	for _, name := range []string{"precision", "recall", "f1"} {
		o = r.withInterval(o, s, name, path+"."+name)
	}
	return o
}

func (r *Result) systemFigures(s *System) Object {
	t := s.total
	counts := func(path string, matched, pred, gold float64) Object {
		return r.rates(Object{{"tp", int(matched)}, {"fp", int(pred - matched)}, {"fn", int(gold - matched)}}, s, path)
	}
	overlap := counts("overlap", t[cOverlap], t[cPred], t[cGold])
	if !r.HasText {
		overlap = Object{{"tp", nil}, {"fp", nil}, {"fn", nil}, {"precision", nil}, {"recall", nil}, {"f1", nil}}
	}
	domains := Object{}
	for d, domain := range r.Schema.Domains {
		at := r.Schema.domainAt(d)
		domains = append(domains, Member{domain, counts("domains."+domain, t[at+2], t[at+1], t[at])})
	}
	countOf := func(n float64) any {
		if !r.HasText {
			return nil
		}
		return int(n)
	}
	attributes, buckets := r.attributeFigures(s)
	o := Object{
		{"micro", counts("micro", t[cMatched], t[cPred], t[cGold])},
		{"macro", r.rates(Object{{"journals", int(t[cJournals])}, {"left_out_as_empty", r.Journals - int(t[cJournals])}}, s, "macro")},
		{"macro_answered", r.rates(Object{{"journals", int(t[cAnswered])}}, s, "macro_answered")},
		{"macro_domains", r.rates(nil, s, "macro_domains")},
		{"domains", domains},
		{"exact", counts("exact", t[cExact], t[cPred], t[cGold])},
		{"overlap", overlap},
		{"optimal", counts("optimal", t[cOptimal], t[cPred], t[cGold])},
		{"attributes", attributes},
		{"buckets", buckets},
	}
	for _, name := range []string{"coverage", "near", "absent"} {
		o = r.withInterval(o, s, name, name)
	}
	return append(o,
		Member{"covered_items", countOf(t[cCovered])},
		Member{"near_items", countOf(t[cNear])},
		Member{"absent_items", countOf(t[cPred] - t[cCovered] - t[cNear])},
		Member{"not_verbatim", countOf(t[cPred] - t[cCovered])},
		Member{"predicted_items", int(t[cPred])},
		Member{"invalid_items", int(t[cInvalid])},
		Member{"invalid_values", s.BadValues},
		Member{"unreadable_lines", s.BadLines},
		Member{"unknown_journals", len(s.Unknown)},
		Member{"unknown_journal_items", s.unknownItems()},
	)
}

// attributeFigures returns the figures of each attribute and of the pooled ones.
func (r *Result) attributeFigures(s *System) (all, buckets Object) {
	figures := func(path string, right, compared, pairs float64) Object {
		o := Object{{"right", int(right)}, {"compared", int(compared)}, {"excluded", int(pairs - compared)}}
		return r.withInterval(o, s, "accuracy", path+".accuracy")
	}
	all = Object{}
	right, compared, pairs := 0.0, 0.0, 0.0
	for a, attribute := range r.Schema.Attributes {
		t := s.total[r.Schema.attributeAt(a):]
		o := figures("attributes."+attribute.Name, t[0], t[1], s.total[cMatched])
		o = append(o, Member{"confusion", r.confusionObject(s, a)})
		if a == r.Schema.polarity {
			falsely := Object{{"count", int(s.total[cFalseAbsent])}, {"of", int(s.total[cThere])}}
			o = append(o, Member{"false_absent", r.withInterval(falsely, s, "rate", "attributes.polarity.false_absent.rate")})
		}
		all = append(all, Member{attribute.Name, o})
		if attribute.pooled() {
			right, compared, pairs = right+t[0], compared+t[1], pairs+s.total[cMatched]
		}
	}
	return all, figures("buckets", right, compared, pairs)
}

// confusionObject is gold value by predicted value, without empty cells.
func (r *Result) confusionObject(s *System, a int) Object {
	names := r.Schema.Attributes[a].Labels()
	all := Object{}
	for g, gold := range names {
		row := Object{}
		for p, pred := range names {
			if n := r.Confusion(s, a, g, p); n > 0 {
				row = append(row, Member{pred, n})
			}
		}
		if len(row) > 0 {
			all = append(all, Member{gold, row})
		}
	}
	return all
}

// differenceFigures is Pred minus Against for each figure, as a flat object.
func (r *Result) differenceFigures() Object {
	o := Object{}
	for i, name := range r.Names {
		o = append(o, Member{name, r.Differences[i]})
		if r.DifferenceIntervals != nil {
			o = append(o, Member{name + "_interval", r.DifferenceIntervals[i]})
		}
	}
	return append(o,
		Member{"gold_items_only_pred_found", r.Pred.Only},
		Member{"gold_items_only_against_found", r.Against.Only},
		Member{"first_only_pred_found", slices.Concat([]ItemRef{}, r.Pred.OnlyItems)}, // never null
		Member{"first_only_against_found", slices.Concat([]ItemRef{}, r.Against.OnlyItems)},
	)
}
