package book

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/unicode/norm"
)

// repair undoes mojibake: UTF-8 that was read as Latin-1, Windows-1252 or Mac
// Roman, once or twice. Correct text stays unchanged, because hardly any accented
// word, encoded in one of those sets, is also valid UTF-8.
func repair(text string) string {
	for range 2 { // catalogues contain text damaged twice, but not three times
		text = repairOnce(text)
	}
	return text
}

// repairOnce tries Latin-1 first: Mac Roman would often turn the same text into
// nonsense.
func repairOnce(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return text
	}
	for _, set := range []*charmap.Charmap{charmap.ISO8859_1, charmap.Windows1252, charmap.Macintosh} {
		bytes, err := set.NewEncoder().String(text)
		if err != nil || !utf8.ValidString(bytes) || strings.ContainsFunc(bytes, isControl) {
			continue
		}
		if set == charmap.Macintosh {
			bytes = norm.NFC.String(bytes) // a Mac decomposes accents
		}
		return bytes
	}
	return text
}

func isControl(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }
