package grade

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"verbatim"
	"verbatim/align"
)

// A Remark says what is strange about the evidence of one item. The item counts
// as it is. A remark never quotes the text.
type Remark struct {
	verbatim.LineError
	Journal string
	Item    int // from 1
}

// MaxRemarks is the number of remarks of one sort that a list keeps. All are
// counted.
const MaxRemarks = 20

// Remarks are about evidence that is not where it should be.
type Remarks struct {
	Near   []Remark // the journal has nearly these words
	Absent []Remark // the journal has no such words: they are invented
	Places []Remark // the words are in the journal, but not at the place that the item names

	NearCount, AbsentCount, PlaceCount int
	// Differences counts what differs in near-verbatim spans, such as "curly quote".
	Differences map[string]int
}

func (r *Remarks) add(b *Remarks) {
	join := func(list *[]Remark, more []Remark) {
		*list = append(*list, more[:min(len(more), MaxRemarks-len(*list))]...)
	}
	join(&r.Near, b.Near)
	join(&r.Absent, b.Absent)
	join(&r.Places, b.Places)
	r.NearCount += b.NearCount
	r.AbsentCount += b.AbsentCount
	r.PlaceCount += b.PlaceCount
	for name, n := range b.Differences {
		if r.Differences == nil {
			r.Differences = map[string]int{}
		}
		r.Differences[name] += n
	}
}

// DifferenceList is Differences as text, most frequent first, such as
// "curly quote 3, case 1".
func (r *Remarks) DifferenceList() string {
	names := slices.SortedFunc(maps.Keys(r.Differences), func(a, b string) int {
		return cmp.Or(r.Differences[b]-r.Differences[a], strings.Compare(a, b))
	})
	for i, name := range names {
		names[i] = fmt.Sprintf("%s %d", name, r.Differences[name])
	}
	return strings.Join(names, ", ")
}

// remark looks again at the items of journal i that are not where they should be
// and returns the number of near ones.
func remark(out *Remarks, places *placer, c *column, id string, i int, rec *record, list []folded, text *align.Text) (near int) {
	about := func(item int, what, remedy string) Remark {
		line := int(c.at[i].number)
		return Remark{verbatim.LineError{File: c.Name, Line: line, What: fmt.Sprintf("item %d: %s", item+1, what), Remedy: remedy}, id, item + 1}
	}
	for n := range list {
		it := &rec.items[n]
		if list[n].spot.start >= 0 {
			if what := places.misplaced(it, list[n].spot); what != "" {
				out.PlaceCount++
				out.Places = append(out.Places, about(n, what, "the first place where the words are counts"))
			}
			continue
		}
		if !it.hasSpan() {
			continue // a problem already
		}
		m := text.Find(it.span, 0)
		if m.Kind == align.Absent {
			out.AbsentCount++
			out.Absent = append(out.Absent, about(n, "not verbatim: the journal has no such words", ""))
			continue
		}
		near++
		out.NearCount++
		out.Near = append(out.Near, about(n, "nearly verbatim; what differs: "+m.Words(), ""))
		if out.Differences == nil {
			out.Differences = map[string]int{}
		}
		for _, name := range m.Differences {
			out.Differences[name]++
		}
	}
	return near
}

// misplaced says what is wrong with the place that an item names, or "".
func (f *placer) misplaced(it *item, found spot) string {
	length := len(f.text)
	switch start, end := it.place[0], it.place[1]; {
	case start < 0 && end < 0:
	case start > length || end > length:
		return fmt.Sprintf("bytes %d to %d are beyond the journal's end (%d bytes)", start, end, length)
	case start < 0 || end < 0 || !f.isAt(start, end, it.span):
		return fmt.Sprintf("its words are not at bytes %d to %d", start, end)
	}
	start, end := it.place[2], it.place[3]
	if start < 0 && end < 0 {
		return ""
	}
	if points := int(f.spot(length, length).end); start > points || end > points {
		return fmt.Sprintf("code points %d to %d are beyond the journal's end (%d)", start, end, points)
	}
	if int(found.start) != start || int(found.end) != end {
		return fmt.Sprintf("its words are not at code points %d to %d", start, end)
	}
	return ""
}
