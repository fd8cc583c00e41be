package clean

import (
	"slices"
	"strings"
	"unicode/utf8"
)

const bom = "\uFEFF"

// findLines splits the text at line feeds, at carriage returns and at form feeds.
func (b *book) findLines() {
	text := b.text
	start := 0
	if strings.HasPrefix(text, bom) {
		start = len(bom)
	}
	b.lines = make([]line, 0, strings.Count(text, "\n")+2)
	var blank int32
	feed := false
	for i := start; ; i++ {
		for i < len(text) && text[i] != '\n' && text[i] != '\r' && text[i] != '\f' {
			i++
		}
		if first, end := trimSpan(text, start, i); first < end {
			b.lines = append(b.lines, line{start: first, end: end, blank: blank, feed: feed})
			blank, feed = 0, false
		} else if blank < 1000 && (i >= len(text) || text[i] != '\f') {
			blank++
		}
		if i >= len(text) {
			return
		}
		switch text[i] {
		case '\f':
			feed = true
		case '\r':
			end := i
			for end < len(text) && text[end] == '\r' {
				end++
			}
			if end < len(text) && text[end] == '\n' {
				i = end
			}
		}
		start = i + 1
	}
}

// trimSpan removes white space from both ends of a piece of text.
func trimSpan(text string, start, end int) (int, int) {
	for start < end && isSpace(text[start]) {
		start++
	}
	for end > start && isSpace(text[end-1]) {
		end--
	}
	for strings.HasPrefix(text[start:end], "\u00a0") {
		if start += 2; start < end && isSpace(text[start]) {
			return trimSpan(text, start, end)
		}
	}
	return start, end
}

func isSpace(c byte) bool { return c == ' ' || c-'\t' < 5 }

// measure finds the length that four lines out of five do not exceed.
func (b *book) measure() {
	const longest = 400
	var lengths [longest + 1]int
	n := 0
	for _, l := range b.kept() {
		lengths[min(l.end-l.start, longest)]++
		n++
	}
	for seen := 0; b.width < longest; b.width++ {
		if seen += lengths[b.width]; seen*5 >= n*4 {
			break
		}
	}
}

// markGutenberg marks the lines of Project Gutenberg's header and footer.
func (b *book) markGutenberg() {
	const search = 600 // lines; the longest headers have about 350
	body := 0
	for i := 0; i < min(len(b.lines), search); i++ {
		if hasPrefix(b.str(i), b.start) {
			body = i + 1
		}
	}
	if body == 0 {
		return
	}
	if body < len(b.lines) && hasPrefix(b.str(body), b.credits) {
		for body++; body < len(b.lines) && b.lines[body].blank == 0; body++ {
		}
	}
	footer := false
	for i := range b.lines {
		switch footer = footer || i >= body && hasPrefix(b.str(i), b.end); {
		case footer:
			b.lines[i].kind = Footer
		case i < body:
			b.lines[i].kind = Header
		}
	}
}

func hasPrefix(text string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(text, p) })
}

func firstRune(s string) rune { r, _ := utf8.DecodeRuneInString(s); return r }
func lastRune(s string) rune  { r, _ := utf8.DecodeLastRuneInString(s); return r }
