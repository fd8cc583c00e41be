package clean

import (
	"iter"

	"verbatim"
)

// Kinds gives every kind of repair, in the order of their constants.
func Kinds() iter.Seq[Kind] {
	return func(yield func(Kind) bool) {
		for kind := Kind(1); kind < kinds; kind++ {
			if !yield(kind) {
				return
			}
		}
	}
}

// SourceSpan is the place of a span of Copy in the source, without the proof
// that Source gives with it.
func (r *Reading) SourceSpan(s verbatim.Span) verbatim.Span {
	if len(r.Repairs) == 0 {
		return s
	}
	span, _, _ := r.sourceSpan(s)
	return span
}
