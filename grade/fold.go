package grade

import (
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// appendFolded appends a span as it is compared: in Unicode NFC and without case
// (simple folding, one to one: ß is not ss). Quotes do not change.
func appendFolded(buf []byte, span string) []byte {
	start := len(buf)
	buf = append(buf, span...)
	if !foldASCII(buf[start:]) {
		return appendFoldedUnicode(buf[:start], span)
	}
	return buf
}

// foldASCII folds ASCII in place. It returns false if a byte is not ASCII.
func foldASCII(s []byte) bool {
	table, all := foldTable(), byte(0)
	for i, c := range s {
		all |= c
		s[i] = byte(table[c])
	}
	return all < utf8.RuneSelf
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
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

// foldTableSize covers Latin, Greek, Cyrillic and the scripts up to Tibetan.
const foldTableSize = 0x1000

var foldTable = sync.OnceValue(func() *[foldTableSize]rune {
	var table [foldTableSize]rune
	for r := range table {
		table[r] = lowestOfOrbit(rune(r))
	}
	return &table
})

// lowestOfOrbit returns the lowest of the letters that differ only in case. For
// ASCII that is the capital (k, K and the Kelvin sign: K).
func lowestOfOrbit(r rune) rune {
	lowest := r
	for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
		lowest = min(lowest, other)
	}
	return lowest
}
