package clean

import (
	"strings"
	"unicode"
)

// endsSentence reports whether a line ends with punctuation that can end a
// sentence, with or without closing marks after it.
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
	for i := range b.lines {
		l := &b.lines[i]
		if l.kind != 0 {
			continue
		}
		next := b.nextKept(i)
		apart := previous < 0 || l.blank > 0 || l.newPage || b.lines[previous].heading || endsSentence(b.str(previous))
		closed := next < 0 || b.lines[next].blank > 0 || b.lines[next].newPage
		s := b.str(i)
		if apart && l.end-l.start <= 100 {
			l.heading = b.isHeading(s, closed, before)
		}
		if l.heading && !before {
			after = 0
		}
		if l.heading {
			after++
		}
		before = l.heading && after < 4 && (b.opensHeading(s) || isNumber(strings.Trim(s, ".[]() ")) || before)
		previous = i
	}
}

// isHeading reports whether a line that is separate from the text before it is
// a heading. `closed` means it is also separate from the text after it, `below`
// that it follows a heading.
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

// onlyCapitals reports whether a line has words in capitals and does not end
// like part of a sentence.
func onlyCapitals(s string) bool {
	long := 0
	for _, w := range strings.Fields(s) {
		if n := len(letters(w)); n >= 3 && inCapitals(w) {
			long++
		}
	}
	return long > 0 && !strings.HasSuffix(s, ",") && !strings.HasSuffix(s, ";")
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
			l.link = b.linkOf(previous, i, cut)
		}
		previous, cut = i, false
	}
	b.keepVerse()
}

// lacksBlankLines reports whether the book has no blank lines between
// paragraphs. Then a short line with final punctuation ends a paragraph.
func (b *book) lacksBlankLines() bool {
	gaps := 0
	for i := range b.lines {
		if l := &b.lines[i]; l.kind == 0 && l.blank > 0 && !l.newPage {
			gaps++
		}
	}
	return len(b.pages) > 0 && gaps < 2*len(b.pages)
}

// linkOf returns what separates two kept lines; `cut` means that a page break
// does.
func (b *book) linkOf(previous, i int, cut bool) link {
	l, p := &b.lines[i], &b.lines[previous]
	first, second := b.str(previous), b.str(i)
	switch {
	case l.heading && p.heading && l.blank == 0 && !cut:
		return verse
	case l.heading || p.heading:
		return paragraph
	case cut:
		return b.linkOverPage(first, second)
	case l.blank > 1 || l.blank == 1 && !b.doubleSpaced(previous, i):
		if len(b.pages) > 0 && b.continues(first, second) {
			return wrap
		}
		return paragraph
	case b.bare && endsSentence(first) && (len(first) < b.width*4/5 && opensSentence(second) || len(first) < b.width*19/20 && opensSpeech(second)):
		return paragraph
	}
	return wrap
}

// linkOverPage decides whether a paragraph continues after a page break.
func (b *book) linkOverPage(first, second string) link {
	if unicode.IsLower(firstLetter(second)) && unicode.IsLetter(firstRune(strings.TrimLeft(second, "\"'“‘ "))) {
		return wrap
	}
	full := len(first) >= b.width*3/4
	switch {
	case b.unfinishedEnd(first):
		return wrap
	case !endsSentence(first) && full:
		return wrap
	case b.bare && full && endsSentence(first) && len(first) >= b.width*9/10 && !opensSpeech(second):
		return wrap
	}
	return paragraph
}

// continues reports whether a line without final punctuation continues after a
// blank line.
func (b *book) continues(first, second string) bool {
	return !endsSentence(first) && unicode.IsLower(firstRune(second)) && len(first) >= b.width*2/3
}

// doubleSpaced reports whether a blank line is an artifact of the scan: the
// lines around it are one sentence and the first has full width.
func (b *book) doubleSpaced(previous, i int) bool {
	return len(b.pages) > 0 && b.continues(b.str(previous), b.str(i))
}

// unfinishedEnd reports whether a line ends in a comma, a hyphen or a word that
// cannot end a paragraph.
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
	for i := 0; i < len(b.lines); {
		if b.lines[i].kind != 0 {
			i++
			continue
		}
		short, wraps, capitals := 0, 0, 0
		j := i
		for at := i; ; {
			next := b.nextKept(at)
			if next < 0 || b.lines[next].link == paragraph {
				j = at + 1
				break
			}
			wraps++
			word, _, _ := strings.Cut(b.str(next), " ")
			if b.lines[at].end-b.lines[at].start+1+len(word) < b.width*4/5 {
				short++
			}
			if !unicode.IsLower(firstRune(b.str(next))) {
				capitals++
			}
			at = next
		}
		stopShort := wraps > 0 && short*2 > wraps || wraps > 1 && short*3 > wraps && capitals == wraps
		if stopShort || wraps > 2 && capitals*4 >= wraps*3 || b.width > 120 {
			for at := i + 1; at < j; at++ {
				if b.lines[at].link == wrap && b.lines[at].kind == 0 {
					b.lines[at].link = verse
				}
			}
		}
		i = j
	}
}
