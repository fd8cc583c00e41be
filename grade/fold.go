package grade

import (
	"encoding/binary"
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

// foldASCII converts to upper case, eight bytes at a time. It returns false if a
// byte is not ASCII.
func foldASCII(s []byte) bool {
	if len(s) < 8 {
		for i, c := range s {
			if c >= utf8.RuneSelf {
				return false
			}
			s[i] = byte(capitals(uint64(c)))
		}
		return true
	}
	for i := 0; ; i += 8 {
		i = min(i, len(s)-8) // the last eight; some of them may be done already
		eight := binary.LittleEndian.Uint64(s[i:])
		if eight&notASCII != 0 {
			return false
		}
		binary.LittleEndian.PutUint64(s[i:], capitals(eight))
		if i+8 == len(s) {
			return true
		}
	}
}

const (
	eachByte = 0x0101010101010101
	notASCII = 0x80 * eachByte
)

// capitals converts eight ASCII bytes at once. In the two sums, the top bit of
// each byte means "at least a" and "after z".
func capitals(eight uint64) uint64 {
	small := (eight + (0x80-'a')*eachByte) &^ (eight + (0x80-'z'-1)*eachByte) & notASCII
	return eight - small>>2
}

func isASCII(text string) bool {
	for ; len(text) >= 8; text = text[8:] {
		if (uint64(text[0])|uint64(text[1])<<8|uint64(text[2])<<16|uint64(text[3])<<24|
			uint64(text[4])<<32|uint64(text[5])<<40|uint64(text[6])<<48|uint64(text[7])<<56)&notASCII != 0 {
			return false
		}
	}
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
