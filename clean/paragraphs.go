package clean

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim"
)

// endsSentence reports whether a line ends with final punctuation and closing marks.
func endsSentence(s string) bool {
	s = strings.TrimRight(s, "\"'”’)*†‡ ")
	if strings.HasSuffix(s, "]") { // a note mark, or brackets by the author
		if i := strings.LastIndexByte(s, '['); i > 0 && len(s)-i <= 5 {
			s = s[:i]
		}
		s = strings.TrimRight(s, "\"'”’)] ")
	}
	return s == "" || strings.ContainsRune(".!?:", lastRune(s))
}

// findHeadings marks headings: CHAPTER IV., PREFACE, a line in capitals or only
// a number, and the title that follows such a line.
func (b *book) findHeadings() {
	before, after := false, 0 // the kept line before was a heading with a number
	previous := -1
	for i, l := range b.kept() {
		next := b.nextKept(i)
		apart := previous < 0 || l.blank > 0 || l.newPage || b.lines[previous].heading || endsSentence(b.str(previous))
		closed := next < 0 || b.lines[next].blank > 0 || b.lines[next].newPage
		s := b.str(i)
		if apart && l.end-l.start <= 100 {
			l.heading = b.isHeading(s, closed, before)
		}
		if l.heading && !before {
			after = 1
		} else if l.heading {
			after++
		}
		before = l.heading && after < 4 && (b.opensHeading(s) || isNumber(strings.Trim(s, ".[]() ")) || before)
		previous = i
	}
}

// isHeading decides about a line that is apart from the text before it; `closed`:
// and from the text after it; `below`: it follows a heading.
func (b *book) isHeading(s string, closed, below bool) bool {
	bare := strings.Trim(s, ".[]()—- _*")
	switch {
	case b.opensHeading(s):
		return closed || len(s) < b.width*4/5 || inCapitals(s)
	case bare != "" && isNumber(bare) && len(bare) <= 7:
		return closed || unicode.IsUpper(firstRune(bare))
	case inCapitals(s) && onlyCapitals(s):
		return true
	case below && closed:
		return isTitle(s) && !strings.HasSuffix(s, ",")
	}
	return false
}

// onlyCapitals recognizes words in capitals that are not part of a sentence.
func onlyCapitals(s string) bool {
	isLong := func(w string) bool { return len(letters(w)) >= 3 && inCapitals(w) }
	return slices.ContainsFunc(strings.Fields(s), isLong) && !strings.HasSuffix(s, ",") && !strings.HasSuffix(s, ";")
}

func (b *book) nextKept(i int) int {
	for i++; i < len(b.lines); i++ {
		if b.lines[i].kind == 0 {
			return i
		}
	}
	return -1
}

// findParagraphs decides how each kept line is joined to the one before.
func (b *book) findParagraphs() {
	b.bare = b.lacksBlankLines()
	previous, cut := -1, false
	for i := range b.lines {
		l := &b.lines[i]
		if l.newPage {
			cut = true
		}
		if l.kind != 0 {
			cut = cut || l.kind == RunningHead || l.kind == PageNumber || l.kind == PageMark
			continue
		}
		if previous >= 0 {
			l.link = b.linkOf(previous, i, cut || b.labelled(l))
		}
		previous, cut = i, false
	}
	b.keepVerse()
}

// lacksBlankLines reports whether the book has no blank lines between
// paragraphs. Then a short line with final punctuation ends a paragraph.
func (b *book) lacksBlankLines() bool {
	gaps := 0
	for _, l := range b.kept() {
		if l.blank > 0 && !l.newPage {
			gaps++
		}
	}
	return len(b.pages) > 0 && gaps < 2*len(b.pages)
}

// linkOf returns what separates two kept lines; `cut` means a page break.
func (b *book) linkOf(previous, i int, cut bool) link {
	l, p := &b.lines[i], &b.lines[previous]
	first, second := b.str(previous), b.str(i)
	if b.labelled(l) {
		second = strings.TrimLeft(second, "[]{}0123456789 ")
	}
	switch {
	case l.heading && p.heading && l.blank == 0 && !cut:
		return verse
	case l.heading || p.heading:
		return paragraph
	case cut:
		return b.linkOverPage(first, second)
	case l.blank > 0 && !(len(b.pages) > 0 && b.continues(first, second)):
		return paragraph
	case b.bare && endsSentence(first) && (len(first) < b.width*4/5 && opensSentence(second) || len(first) < b.width*19/20 && opensSpeech(second)):
		return paragraph
	}
	return wrap
}

// labelled reports whether a line starts with a page number in brackets, and a
// blank line before it may be that of the page.
func (b *book) labelled(l *line) bool {
	_, found := slices.BinarySearchFunc(b.labels, l.start, func(s verbatim.Span, at int) int { return s.Start - at })
	return found && l.blank > 0
}

// linkOverPage decides whether a paragraph continues after a page break.
func (b *book) linkOverPage(first, second string) link {
	switch {
	case unicode.IsLower(firstLetter(second)) && unicode.IsLetter(firstRune(strings.TrimLeft(second, "\"'“‘ "))),
		b.unfinishedEnd(first),
		len(first) >= b.width*3/4 && !endsSentence(first),
		b.bare && len(first) >= b.width*9/10 && !opensSpeech(second):
		return wrap
	}
	return paragraph
}

// continues reports whether a blank line is an artifact of the scan: the lines
// around it are one sentence and the first has full width.
func (b *book) continues(first, second string) bool {
	return !endsSentence(first) && unicode.IsLower(firstRune(second)) && len(first) >= b.width*2/3
}

// unfinishedEnd recognizes a comma, a hyphen or a word that ends no paragraph.
func (b *book) unfinishedEnd(s string) bool {
	if strings.HasSuffix(s, ",") || strings.HasSuffix(s, ";") || strings.HasSuffix(s, "-") && !strings.HasSuffix(s, "--") {
		return true
	}
	word := s[strings.LastIndexByte(s, ' ')+1:]
	return len(word) < 20 && b.unfinished[strings.ToLower(strings.TrimLeft(word, "\"'“‘([—"))]
}

func opensSentence(s string) bool {
	r := firstRune(s)
	return unicode.IsUpper(r) || unicode.IsDigit(r) || opensSpeech(s)
}

func opensSpeech(s string) bool { return strings.ContainsRune("\"'“‘", firstRune(s)) }

// keepVerse keeps the line breaks of paragraphs that are not prose: verse,
// tables, addresses. In these, most lines are shorter than the page width, or
// start with a capital or digit, which about one line in seven does in prose.
func (b *book) keepVerse() {
	for first := b.nextKept(-1); first >= 0; {
		short, wraps, capitals := 0, 0, 0
		last, next := first, b.nextKept(first)
		for ; next >= 0 && b.lines[next].link != paragraph; last, next = next, b.nextKept(next) {
			wraps++
			word, _, _ := strings.Cut(b.str(next), " ")
			if len(b.str(last))+1+len(word) < b.width*4/5 {
				short++
			}
			if !unicode.IsLower(firstRune(b.str(next))) {
				capitals++
			}
		}
		stopShort := wraps > 0 && short*2 > wraps || wraps > 1 && short*3 > wraps && capitals == wraps
		if stopShort || wraps > 2 && capitals*4 >= wraps*3 || b.width > 120 {
			for i := first + 1; i <= last; i++ {
				if b.lines[i].link == wrap {
					b.lines[i].link = verse
				}
			}
		}
		first = next
	}
}

const bom = "\uFEFF"

// findLines splits the text at line feeds, at carriage returns and at form feeds.
func (b *book) findLines() {
	text := b.text
	start := len(text) - len(strings.TrimPrefix(text, bom))
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
