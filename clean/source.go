package clean

import (
	"fmt"
	"iter"
	"sort"
	"strings"
	"unicode/utf8"

	"verbatim"
)

// Source is the way back: the selector of a span of Copy in the source. It is
// exact where the source has the same bytes, and else mapped, with the repairs
// that lie inside it. A sentence that a page had cut runs in the source over
// the running head; a note mark belongs to what stands before it.
func (r *Reading) Source(s verbatim.Span) verbatim.Selector {
	text := r.Copy.Quote(s)
	if len(r.Repairs) == 0 {
		return r.source.Select(s, nil, text)
	}
	src, from, to := r.sourceSpan(s)
	var changes []verbatim.Change
	if r.source.Quote(src) != text {
		for _, rep := range r.Repairs[from:to] {
			if src.Contains(rep.Span) && !(isWhite(rep.Text) && isWhite(r.source.Quote(rep.Span))) {
				changes = append(changes, verbatim.Change{Span: rep.Span, Text: rep.Text})
			}
		}
	}
	return r.source.Select(src, changes, text)
}

// Prove holds a selector against the source, as the selector does itself, and
// besides against this reading: page heads, notes and marks that the selector
// takes out are such as the cleaner takes out, and no words of the author's.
func (r *Reading) Prove(sel *verbatim.Selector, text string) error {
	if err := sel.Prove(r.source, text); err != nil {
		return err
	}
	for _, cut := range sel.Cuts(r.source) {
		if !r.drops(cut) {
			return fmt.Errorf("it takes out %q (bytes %d-%d), which is text of the book and neither page head nor note nor mark",
				r.source.Quote(cut), cut.Start, cut.End)
		}
	}
	return nil
}

// drops says whether nothing of a place in the source came into Copy.
func (r *Reading) drops(s verbatim.Span) bool {
	for i := sort.Search(len(r.Repairs), func(i int) bool { return r.Repairs[i].End > s.Start }); s.Start < s.End; i++ {
		if i == len(r.Repairs) || r.Repairs[i].Start > s.Start || r.Repairs[i].Text != "" {
			return false
		}
		s.Start = r.Repairs[i].End
	}
	return true
}

// sourceSpan is the source of a span of Copy, and which repairs may lie in it.
func (r *Reading) sourceSpan(s verbatim.Span) (src verbatim.Span, from, to int) {
	// The first repair whose text ends behind the span's start: what was
	// removed just before the span is no part of it.
	from = sort.Search(len(r.Repairs), func(i int) bool { return r.copied[i]+len(r.Repairs[i].Text) > s.Start })
	for from < len(r.Repairs) && len(r.Repairs[from].Text) == 0 && r.copied[from] == s.Start {
		from++
	}
	src.Start = r.offset(from, s.Start)
	if s.Start == s.End {
		return verbatim.Span{Start: src.Start, End: src.Start}, from, from
	}
	to = sort.Search(len(r.Repairs), func(i int) bool { return r.copied[i] >= s.End })
	src.End = r.offset(to, s.End)
	if to > 0 && r.copied[to-1]+len(r.Repairs[to-1].Text) > s.End {
		src.End = r.Repairs[to-1].End // in the middle of white space that was put in
	}
	if from < len(r.Repairs) && r.copied[from] < s.Start {
		src.Start = r.Repairs[from].Start // the same
	}
	for to < len(r.Repairs) && r.Repairs[to].Kind == NoteMark && r.Repairs[to].Start == src.End {
		src.End = r.Repairs[to].End
		to++
	}
	return src, from, to
}

// offset is the source byte of a byte of Copy that lies between repair i-1 and
// repair i.
func (r *Reading) offset(i, copied int) int {
	if i == 0 {
		return copied
	}
	return r.Repairs[i-1].End + copied - r.copied[i-1] - len(r.Repairs[i-1].Text)
}

// place is the byte of Copy for a byte of the source; inside a repair, where
// its text begins.
func (r *Reading) place(source int) int {
	i := sort.Search(len(r.Repairs), func(i int) bool { return r.Repairs[i].End > source })
	if i < len(r.Repairs) && r.Repairs[i].Start <= source {
		return r.copied[i]
	}
	if i == 0 {
		return source
	}
	return r.copied[i-1] + len(r.Repairs[i-1].Text) + source - r.Repairs[i-1].End
}

// isWhite says whether a text is white space, and some.
func isWhite(s string) bool { return s != "" && strings.TrimSpace(s) == "" }

// A Place is a repair with the source text around it, for people to look at.
type Place struct {
	Repair
	Source        string // what stood there
	Before, After string // source text on either side
}

// Places gives every repair in the order of the source, with up to `around`
// bytes of source on either side.
func (r *Reading) Places(around int) iter.Seq[Place] {
	return func(yield func(Place) bool) {
		text := r.source.Text
		for _, rep := range r.Repairs {
			from, to := max(0, rep.Start-around), min(len(text), rep.End+around)
			for from < rep.Start && !utf8.RuneStart(text[from]) {
				from++
			}
			for to > rep.End && to < len(text) && !utf8.RuneStart(text[to]) {
				to--
			}
			if !yield(Place{rep, text[rep.Start:rep.End], text[from:rep.Start], text[rep.End:to]}) {
				return
			}
		}
	}
}

// A Count is how often a kind of repair was made.
type Count struct {
	Kind    Kind
	Repairs int
	Bytes   int // of the source, in all
}

// Counts gives the kinds of repair that were made, in the order of their constants.
func (r *Reading) Counts() []Count {
	var all [kinds]Count
	for _, rep := range r.Repairs {
		all[rep.Kind].Kind = rep.Kind
		all[rep.Kind].Repairs++
		all[rep.Kind].Bytes += rep.Len()
	}
	var counts []Count
	for _, c := range all {
		if c.Repairs > 0 {
			counts = append(counts, c)
		}
	}
	return counts
}
