package grade

import (
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// appendFolded appends a span as it is compared: Unicode NFC, then every letter
// put in the place of all that differ from it only by case (simple folding, one
// to one: ß stays apart from ss). Quotes stay as they are.
func appendFolded(buf []byte, span string) []byte {
	start := len(buf)
	for i := 0; i < len(span); i++ {
		c := span[i]
		if c >= utf8.RuneSelf {
			return appendFoldedUnicode(buf[:start], span)
		}
		if 'a' <= c && c <= 'z' {
			c -= 'a' - 'A'
		}
		buf = append(buf, c)
	}
	return buf
}

func appendFoldedUnicode(buf []byte, span string) []byte {
	if !norm.NFC.IsNormalString(span) {
		span = norm.NFC.String(span)
	}
	for _, r := range span {
		if int(r) < foldTableSize {
			r = foldTable()[r]
		} else {
			r = lowestOfOrbit(r)
		}
		buf = utf8.AppendRune(buf, r)
	}
	return buf
}

// foldTable spares the look-up for Latin, Greek, Cyrillic and the scripts up to
// Devanagari's neighbours.
const foldTableSize = 0x1000

var foldTable = sync.OnceValue(func() *[foldTableSize]rune {
	var table [foldTableSize]rune
	for r := range table {
		table[r] = lowestOfOrbit(rune(r))
	}
	return &table
})

// lowestOfOrbit is the one fixed member of the letters that differ by case. It
// is the lowest, which for ASCII is the capital (k, K and the Kelvin sign: K).
func lowestOfOrbit(r rune) rune {
	lowest := r
	for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
		lowest = min(lowest, other)
	}
	return lowest
}
