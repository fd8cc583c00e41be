package clean

import (
	"fmt"
	"iter"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"verbatim"
)

// Source returns the selector of a span of Copy in the source. Its status is
// exact if the source has the same bytes, otherwise mapped, with the repairs
// inside it. The source of a sentence split by a page includes the running
// head. A note mark belongs to the text before it.
func (r *Reading) Source(s verbatim.Span) verbatim.Selector {
	text := r.Copy.Quote(s)
	if len(r.Repairs) == 0 {
		return r.source.Select(s, nil, text)
	}
	src, first, last := r.sourceSpan(s)
	var changes []verbatim.Change
	if r.source.Quote(src) != text {
		for _, rep := range r.Repairs[first:last] {
			if src.Contains(rep.Span) && !(isWhite(rep.Text) && isWhite(r.source.Quote(rep.Span))) {
				changes = append(changes, verbatim.Change{Span: rep.Span, Text: rep.Text})
			}
		}
	}
	return r.source.Select(src, changes, text)
}

// SourceSpan returns the source bytes of a span of Copy.
func (r *Reading) SourceSpan(s verbatim.Span) verbatim.Span {
	if len(r.Repairs) == 0 {
		return s
	}
	span, _, _ := r.sourceSpan(s)
	return span
}

// Prove checks a selector against the source, as Selector.Prove does, and
// against this reading: everything that the selector removes must be something
// that the cleaner removes (page heads, notes, marks), not words of the author.
func (r *Reading) Prove(sel *verbatim.Selector, text string) error {
	if err := sel.Prove(r.source, text); err != nil {
		return err
	}
	for _, cut := range sel.Cuts(r.source) {
		if !r.drops(cut) {
			return fmt.Errorf("it removes %q (bytes %d-%d), which is text of the book, not a page head, note or mark",
				r.source.Quote(cut), cut.Start, cut.End)
		}
	}
	return nil
}

// drops reports whether no byte of a source span is in Copy.
func (r *Reading) drops(s verbatim.Span) bool {
	for i := sort.Search(len(r.Repairs), func(i int) bool { return r.Repairs[i].End > s.Start }); s.Start < s.End; i++ {
		if i == len(r.Repairs) || r.Repairs[i].Start > s.Start || r.Repairs[i].Text != "" {
			return false
		}
		s.Start = r.Repairs[i].End
	}
	return true
}

// sourceSpan returns the source of a span of Copy, and the repairs in it.
func (r *Reading) sourceSpan(s verbatim.Span) (src verbatim.Span, first, last int) {
	// The first repair whose text ends after the start of the span: text
	// removed just before the span is not part of it.
	first = sort.Search(len(r.Repairs), func(i int) bool { return r.copied[i]+len(r.Repairs[i].Text) > s.Start })
	for first < len(r.Repairs) && len(r.Repairs[first].Text) == 0 && r.copied[first] == s.Start {
		first++
	}
	src.Start = r.offset(first, s.Start)
	if s.Start == s.End {
		return verbatim.Span{Start: src.Start, End: src.Start}, first, first
	}
	last = sort.Search(len(r.Repairs), func(i int) bool { return r.copied[i] >= s.End })
	src.End = r.offset(last, s.End)
	if last > 0 && r.copied[last-1]+len(r.Repairs[last-1].Text) > s.End {
		src.End = r.Repairs[last-1].End // inside inserted white space
	}
	if first < len(r.Repairs) && r.copied[first] < s.Start {
		src.Start = r.Repairs[first].Start // also inside inserted white space
	}
	for last < len(r.Repairs) && r.Repairs[last].Kind == NoteMark && r.Repairs[last].Start == src.End {
		src.End = r.Repairs[last].End
		last++
	}
	return src, first, last
}

// offset maps a byte of Copy between repairs i-1 and i to its source byte.
func (r *Reading) offset(i, copied int) int {
	if i == 0 {
		return copied
	}
	return r.Repairs[i-1].End + copied - r.copied[i-1] - len(r.Repairs[i-1].Text)
}

// place maps a source byte to Copy; inside a repair, to the start of its text.
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

// isWhite reports whether a text is white space and not empty.
func isWhite(s string) bool { return s != "" && strings.TrimSpace(s) == "" }

// A Place is a repair with the source text around it, for display.
type Place struct {
	Repair
	Source        string // the replaced text
	Before, After string // source text on both sides
}

// Places returns every repair, with up to `around` bytes of source on each side.
func (r *Reading) Places(around int) iter.Seq[Place] {
	return func(yield func(Place) bool) {
		text := r.source.Text
		for _, rep := range r.Repairs {
			start, end := max(0, rep.Start-around), min(len(text), rep.End+around)
			for start < rep.Start && !utf8.RuneStart(text[start]) {
				start++
			}
			for end > rep.End && end < len(text) && !utf8.RuneStart(text[end]) {
				end--
			}
			if !yield(Place{rep, text[rep.Start:rep.End], text[start:rep.Start], text[rep.End:end]}) {
				return
			}
		}
	}
}

// A Count is how often a kind of repair was made.
type Count struct {
	Kind    Kind
	Repairs int
}

// Counts returns the kinds of repair that were made, in their order.
func (r *Reading) Counts() []Count {
	var all [kinds]Count
	for _, rep := range r.Repairs {
		all[rep.Kind].Kind = rep.Kind
		all[rep.Kind].Repairs++
	}
	return slices.DeleteFunc(all[:], func(c Count) bool { return c.Repairs == 0 })
}
