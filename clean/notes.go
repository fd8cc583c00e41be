package clean

import (
	"slices"
	"strings"
	"unicode"

	"verbatim"
)

// findNotes marks the notes at the foot of pages: lines from one that begins
// with a note mark to the end of the page, if the same mark stands in the text
// above it.
func (b *book) findNotes() {
	for _, pg := range b.pages {
		b.notesOfPage(pg)
	}
	slices.SortFunc(b.marks, func(a, c verbatim.Span) int { return a.Start - c.Start })
	b.marks = slices.Compact(b.marks)
	b.bracketed = strings.Contains(b.text, "\n[Footnote ") || strings.Contains(b.text, "\n[1]")
}

func (b *book) notesOfPage(pg page) {
	const most = 25 // lines of notes on one page
	last := pg.last - 1
	for last > pg.first && b.lines[last].kind != 0 {
		last--
	}
	note := -1
	for i := last; i > pg.first && i > last-most; i-- {
		if b.lines[i].kind != 0 {
			break
		}
		if mark := noteMark(b.str(i)); mark != "" && b.pointsTo(mark, pg.first, i) {
			note = i
		}
	}
	if note < 0 || (last-note)*2 > last-pg.first+2 {
		return
	}
	for i := note; i <= last; i++ {
		if mark := noteMark(b.str(i)); mark != "" {
			b.addMark(mark, pg.first, note)
		}
		b.lines[i].kind = Note
	}
}

// addMark remembers where in the lines [from, to) a note mark stands.
func (b *book) addMark(mark string, from, to int) {
	for i := from; i < to; i++ {
		if b.lines[i].kind != 0 {
			continue
		}
		if at := markAt(b.str(i), mark); at >= 0 {
			start := b.lines[i].start + at
			b.marks = append(b.marks, verbatim.Span{Start: start, End: start + len(mark)})
			return
		}
	}
}

// noteMark is the mark that a note begins with, or "".
func noteMark(s string) string {
	mark, rest, ok := strings.Cut(s, " ")
	if !ok || len(mark) > 4 || rest == "" || unicode.IsLower(firstRune(rest)) {
		return ""
	}
	switch {
	case mark == "*" || mark == "†" || mark == "‡" || mark == "**" || mark == "§":
		return mark
	case len(mark) == 1 && mark[0] >= '1' && mark[0] <= '9':
		return mark
	}
	return ""
}

// pointsTo says whether the lines [from, to) hold a note mark in their text.
func (b *book) pointsTo(mark string, from, to int) bool {
	for i := from; i < to; i++ {
		if b.lines[i].kind == 0 && markAt(b.str(i), mark) >= 0 {
			return true
		}
	}
	return false
}

// markAt is where a note mark stands in a line, or -1: after a word or a stop,
// glued or after a space, and before a space or the line's end.
func markAt(s, mark string) int {
	for at := 0; ; {
		i := strings.Index(s[at:], mark)
		if i < 0 {
			return -1
		}
		i += at
		at = i + len(mark)
		if at < len(s) && s[at] != ' ' || i == 0 {
			continue
		}
		before := strings.TrimRight(s[:i], " ")
		if before == "" || isDigit(before[len(before)-1]) {
			continue
		}
		if r := lastRune(before); unicode.IsLetter(r) || strings.ContainsRune(".,;:!?\"'”’)—", r) {
			if mark[0] < '1' || mark[0] > '9' || !quantity(before, s[at:]) {
				return i
			}
		}
	}
}

// quantity says whether a figure belongs to its neighbours: `No. 5`, `page 3`.
func quantity(before, after string) bool {
	word := strings.ToLower(before[strings.LastIndexByte(before, ' ')+1:])
	switch strings.TrimRight(word, ".,") {
	case "no", "page", "p", "pp", "vol", "chapter", "chap", "book", "part", "fig", "figs", "plate", "june", "july", "august", "september",
		"october", "november", "december", "january", "february", "march", "april", "may", "jan", "feb", "aug", "sept", "oct", "nov", "dec", "about":
		return true
	}
	return false
}
