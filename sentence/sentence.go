// Package sentence finds where the sentences of an English text end, in prose
// of the nineteenth century and of today.
//
// Sentences come in order, trimmed and without overlap. Together with the white
// space between them they are the whole text. A blank line always ends a
// sentence; a single line break never does. The same text always gives the same
// sentences, in time proportional to its length.
//
// What the splitter knows about English (titles, abbreviations, reporting
// verbs) is in the text files of english/. The examples in
// english/conventions.txt define what counts as a sentence.
package sentence

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim"
)

// Split returns the sentences of a document, using the English word lists.
func Split(doc *verbatim.Document) iter.Seq[verbatim.Sentence] { return english.SplitText(doc.Text) }

// SplitText is like Split for a text that is not a Document. Spans are bytes of
// text.
func SplitText(text string) iter.Seq[verbatim.Sentence] { return english.SplitText(text) }

// Split returns the sentences of a document, using these word lists.
func (r *Rules) Split(doc *verbatim.Document) iter.Seq[verbatim.Sentence] {
	return r.SplitText(doc.Text)
}

// SplitText returns the sentences of a text, using these word lists.
func (r *Rules) SplitText(text string) iter.Seq[verbatim.Sentence] {
	return func(yield func(verbatim.Sentence) bool) {
		s := splitter{rules: r, text: text, lower: r.opensLower(text)}
		next := verbatim.Sentence{}
		breaks := lineBreakBytes(text)
		for at := len(text) - len(strings.TrimPrefix(text, "\ufeff")); ; {
			paragraph := nextParagraph(text, at, breaks)
			if paragraph.Len() == 0 {
				return
			}
			s.enter(paragraph)
			for s.scan() {
				next.Span = s.sentence
				if !yield(next) {
					return
				}
				next.Number++
			}
			next.Paragraph++
			at = paragraph.End
		}
	}
}

// A splitter finds the sentences of one paragraph after the other.
type splitter struct {
	rules *Rules
	text  string
	lower bool // the writer starts sentences with lower-case letters

	end      int           // of the paragraph
	start    int           // of the current sentence
	at       int           // where the search continues
	first    int           // start of the paragraph
	items    items         // set if the paragraph is a list
	sentence verbatim.Span // the last one found
}

func (s *splitter) enter(paragraph verbatim.Span) {
	s.first, s.start, s.at, s.end = paragraph.Start, paragraph.Start, paragraph.Start, paragraph.End
	s.items = s.startItems()
	if s.isHeading() {
		s.at = s.end
	}
}

// scan finds the next sentence of the paragraph, if there is one.
func (s *splitter) scan() bool {
	if s.start >= s.end {
		return false
	}
	end := s.end
	for i := s.at; ; {
		if i += plainPrefix(s.text[i:s.end]); i >= s.end {
			break
		}
		if s.items.open {
			if item := s.nextItem(i); item > s.start {
				end, s.at = trimRight(s.text, s.start, item), i+1
				break
			}
		}
		m := s.markAt(i)
		if i = max(i+1, m.end); m.end > m.start && s.ends(m) {
			end, s.at = m.end, m.end
			break
		}
	}
	s.sentence = verbatim.Span{Start: s.start, End: end}
	s.start = skipSpace(s.text, end, s.end)
	s.at = max(s.at, s.start)
	return true
}

// special marks the bytes that scan looks at: final punctuation, the first byte
// of `…`, and bytes that start a list item or an emoticon.
var special = func() (table [256]uint8) {
	for _, c := range []byte(".!?:;)\xe2") {
		table[c] = 1
	}
	return table
}()

// plainPrefix returns the number of bytes before the first special one. Nearly
// all text passes through here, so it works in steps of eight.
func plainPrefix(text string) int {
	i := 0
	for ; i+8 <= len(text); i += 8 {
		t := text[i : i+8]
		if special[t[0]]|special[t[1]]|special[t[2]]|special[t[3]]|special[t[4]]|special[t[5]]|special[t[6]]|special[t[7]] != 0 {
			break
		}
	}
	for i < len(text) && special[text[i]] == 0 {
		i++
	}
	return i
}

// nextParagraph returns the first block of lines from `at` on, trimmed, or an empty
// span. It searches only for line ends, which the standard library does fast.
func nextParagraph(text string, at int, breaks string) verbatim.Span {
	start := skipSpace(text, at, len(text))
	for i := start; ; {
		length := strings.IndexAny(text[i:], breaks)
		if length < 0 {
			return verbatim.Span{Start: start, End: trimRight(text, start, len(text))}
		}
		line := i + length
		if i = skipSpace(text, line, len(text)); lineBreaks(text[line:i]) > 1 {
			return verbatim.Span{Start: start, End: trimRight(text, start, line)}
		}
	}
}

// lineBreakBytes returns the bytes that end lines in a text: almost always LF,
// with or without CR before it. Only a text with CR alone is searched for both.
func lineBreakBytes(text string) string {
	if strings.IndexByte(text, '\r') < 0 || strings.Count(text, "\r") == strings.Count(text, "\r\n") {
		return "\n"
	}
	return "\r\n"
}

// lineBreaks counts LF, CRLF and CR alone, up to two.
func lineBreaks(space string) int {
	n := 0
	for i := 0; i < len(space) && n < 2; i++ {
		if space[i] == '\n' || space[i] == '\r' && !strings.HasPrefix(space[i+1:], "\n") {
			n++
		}
	}
	return n
}

// spaceAt returns the length of the white-space character at i, or 0.
func spaceAt(text string, i int) int {
	c := text[i]
	if c < utf8.RuneSelf {
		if c == ' ' || '\t' <= c && c <= '\r' {
			return 1
		}
		return 0
	}
	if r, size := utf8.DecodeRuneInString(text[i:]); unicode.IsSpace(r) {
		return size
	}
	return 0
}

func skipSpace(text string, i, end int) int {
	for i < end {
		size := spaceAt(text, i)
		if size == 0 {
			break
		}
		i += size
	}
	return i
}

// trimRight moves end back over white space, but not before start.
func trimRight(text string, start, end int) int {
	start = min(start, end)
	return start + len(strings.TrimRightFunc(text[start:end], unicode.IsSpace))
}
