package clean

import (
	"slices"
	"strings"
	"unicode"

	"verbatim"
)

// findNotes marks footnotes: the lines from one that starts with a note mark to
// the end of the page, if the same mark occurs in the text above.
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
	if pg.first >= last {
		return
	}
	note := b.noteContinues(pg, last)
	for i := last; i > pg.first && i > last-most && b.lines[i].kind == 0; i-- {
		if b.opensNote(pg, i, last) {
			note = i
		}
	}
	b.unfinishedNote = false
	if note < 0 || (last-note)*4 > (last-pg.first)*3+4 || noteMark(b.str(note-1)) != "" && b.lines[note].blank == 0 {
		return
	}
	b.unfinishedNote = !endsSentence(b.str(last))
	for i := note; i <= last; i++ {
		mark := noteMark(b.str(i))
		if at := b.findMark(mark, pg.first, note); at >= 0 {
			b.marks = append(b.marks, verbatim.Span{Start: at, End: at + len(mark)})
		}
		b.lines[i].kind = Note
	}
}

// noteContinues returns the last paragraph of the page, if it starts in
// mid-sentence and so continues a note of the page before, or -1.
func (b *book) noteContinues(pg page, last int) int {
	if !b.unfinishedNote {
		return -1
	}
	i := last
	for i > pg.first && b.lines[i].blank == 0 {
		i--
	}
	if i > pg.first+1 && unicode.IsLower(firstRune(b.str(i))) {
		return i
	}
	return -1
}

// opensNote reports whether a line near the bottom of a page starts a note. A
// star needs a blank line before it or its mark in the text above; a number
// needs its mark. The first number on a page is 1 or follows the last number on
// earlier pages.
func (b *book) opensNote(pg page, i, last int) bool {
	mark := noteMark(b.str(i))
	if mark == "" {
		return false
	}
	pointed := b.findMark(mark, pg.first, i) >= 0
	if !isDigit(mark[0]) {
		return pointed || b.lines[i].blank > 0
	}
	figure := int(mark[0] - '0')
	switch {
	case !endsSentence(b.str(last)): // most pages of text end in mid-sentence; a note does not
		return false
	case pointed && (figure == 1 || figure == b.lastNote+1):
	case figure == 1 && b.lines[i].blank > 0 && last-i < 4 && noteMark(b.str(b.previousKept(i))) == "":
	default:
		return false
	}
	b.lastNote = figure
	return true
}

func (b *book) previousKept(i int) int {
	for i--; i > 0 && b.lines[i].kind != 0; i-- {
	}
	return max(i, 0)
}

// findMark returns where the text of the lines [start, end) has a note mark, or -1.
func (b *book) findMark(mark string, start, end int) int {
	for i := start; i < end && mark != ""; i++ {
		if b.lines[i].kind == 0 {
			if at := b.markAt(b.str(i), mark); at >= 0 {
				return b.lines[i].start + at
			}
		}
	}
	return -1
}

// noteMark returns the mark at the start of a note, or "".
func noteMark(s string) string {
	mark, rest, ok := strings.Cut(s, " ")
	word := strings.TrimLeft(rest, "\"'“‘( ")
	if !ok || len(mark) > 4 || len(word) < 4 || !unicode.IsUpper(firstRune(word)) || !isWordByte(word[1]) {
		return ""
	}
	switch mark {
	case "*", "•", "†", "‡", "**", "§", "1", "2", "3", "4", "5", "6", "7", "8", "9":
		return mark
	}
	return ""
}

// markAt returns where a line has a note mark after a word or punctuation and
// before a space or the line end, or -1.
func (b *book) markAt(s, mark string) int {
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
			if mark[0] < '1' || mark[0] > '9' || !b.quantity(before) {
				return i
			}
		}
	}
}

// quantity reports whether a number belongs to the word before it, as in `page 3`.
func (b *book) quantity(before string) bool {
	word := before[strings.LastIndexByte(before, ' ')+1:]
	return len(word) < 20 && b.beforeFigure[strings.ToLower(strings.Trim(word, ".,([\"“"))]
}
