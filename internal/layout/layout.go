// Package layout fits text into columns: it wraps, indents and clips by the
// width that a terminal shows.
package layout

import (
	"strings"
	"unicode"
)

// Wrap breaks a text into lines of at most width columns. It replaces single
// spaces by line breaks and keeps everything else, so that every byte keeps its
// place. A longer word has a line of its own.
func Wrap(text string, width int) string {
	var out strings.Builder
	column := 0
	for i, word := range strings.Split(text, " ") {
		size := Width(word)
		if i > 0 {
			if column+1+size > width {
				out.WriteByte('\n')
				column = 0
			} else {
				out.WriteByte(' ')
				column++
			}
		}
		out.WriteString(word)
		column += size
	}
	return out.String()
}

// Hang wraps a text and indents every line but the first; width includes the
// indent.
func Hang(text string, width, indent int) string {
	return strings.ReplaceAll(Wrap(text, width-indent), "\n", "\n"+strings.Repeat(" ", indent))
}

// Indent indents every line.
func Indent(text string, by int) string {
	space := strings.Repeat(" ", by)
	return space + strings.ReplaceAll(text, "\n", "\n"+space)
}

// Clip cuts a text to width columns; an ellipsis shows that it was cut.
func Clip(text string, width int) string {
	if Width(text) <= width {
		return text
	}
	column := 0
	for i, r := range text {
		if column += runeWidth(r); column > width-1 {
			return text[:i] + "…"
		}
	}
	return text
}

// Width is the number of columns that a text takes.
func Width(text string) int {
	columns := 0
	for _, r := range text {
		columns += runeWidth(r)
	}
	return columns
}

// runeWidth is 0 for what a terminal draws over the letter before, or not at
// all, 2 for wide scripts and emoji, else 1.
func runeWidth(r rune) int {
	switch {
	case r < ' ' || r >= 0x7f && r < 0xa0 || r == 0xad: // controls, the soft hyphen
		return 0
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case wide(r):
		return 2
	}
	return 1
}

// wide covers the blocks of Unicode's East Asian Width W and F.
func wide(r rune) bool {
	return r >= 0x1100 && r <= 0x115f || // Hangul Jamo
		r >= 0x2e80 && r <= 0x303e || // CJK radicals and punctuation
		r >= 0x3041 && r <= 0xa4cf || // kana, CJK, Yi
		r >= 0xa960 && r <= 0xa97c || // Hangul Jamo Extended-A
		r >= 0xac00 && r <= 0xd7a3 || // Hangul
		r >= 0xf900 && r <= 0xfaff || // CJK compatibility
		r >= 0xfe30 && r <= 0xfe6f || // CJK compatibility forms
		r >= 0xff01 && r <= 0xff60 || r >= 0xffe0 && r <= 0xffe6 || // full width
		r >= 0x16fe0 && r <= 0x1b2ff || // Tangut, old kana
		r >= 0x1f300 && r <= 0x1f64f || r >= 0x1f680 && r <= 0x1f6ff || r >= 0x1f900 && r <= 0x1faff || // emoji
		r >= 0x20000 && r <= 0x3fffd
}
