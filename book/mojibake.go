package book

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/unicode/norm"
)

// Repair undoes mojibake: UTF-8 that was read as Latin-1, Windows-1252 or Mac
// Roman, once or twice. Clean text comes back as it was, because hardly any
// sound word with accents, written in one of those sets, is also valid UTF-8.
func Repair(text string) string {
	for range 2 { // two chains in a row have been seen, three have not
		better := repairOnce(text)
		if better == text {
			break
		}
		text = better
	}
	return text
}

// repairOnce tries Latin-1 first: what it repairs could often be "repaired" by
// Mac Roman too, into nonsense.
func repairOnce(text string) string {
	if isASCII(text) {
		return text
	}
	for _, set := range []*charmap.Charmap{charmap.ISO8859_1, charmap.Windows1252, charmap.Macintosh} {
		bytes, err := set.NewEncoder().String(text)
		if err != nil || !utf8.ValidString(bytes) || hasControls(bytes) {
			continue
		}
		if set == charmap.Macintosh {
			bytes = norm.NFC.String(bytes) // a Mac writes accents apart
		}
		return bytes
	}
	return text
}

func hasControls(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' })
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
