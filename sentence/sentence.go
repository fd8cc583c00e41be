// Package sentence says where the sentences of an English text end, in the
// prose of the nineteenth century and in today's.
//
// What to count on: sentences come in order, trimmed and without overlap, and
// together with the white space between them they are the text. Every blank
// line ends a sentence; a single line break never does. The same text gives
// the same sentences, in time proportional to its length.
//
// What the splitter knows of English (titles, abbreviations, verbs of saying)
// lies in the plain-text files of english/, and english/conventions.txt shows,
// case by case, what counts as a sentence.
package sentence

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim"
)

// Split gives the sentences of a document, by the English rules.
func Split(doc *verbatim.Document) iter.Seq[verbatim.Sentence] { return english.SplitText(doc.Text) }

// SplitText is Split for a text that is no Document: places are bytes of text.
func SplitText(text string) iter.Seq[verbatim.Sentence] { return english.SplitText(text) }

// Split gives the sentences of a document, by these rules.
func (r *Rules) Split(doc *verbatim.Document) iter.Seq[verbatim.Sentence] {
	return r.SplitText(doc.Text)
}

// SplitText gives the sentences of a text, by these rules.
func (r *Rules) SplitText(text string) iter.Seq[verbatim.Sentence] {
	return func(yield func(verbatim.Sentence) bool) {
		s := splitter{rules: r, text: text, lower: r.opensLower(text)}
		next := verbatim.Sentence{}
		breaks := lineBreakBytes(text)
		for from := skipBOM(text); ; {
			paragraph := nextParagraph(text, from, breaks)
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
			from = paragraph.End
		}
	}
}

// A splitter walks through one paragraph at a time.
type splitter struct {
	rules *Rules
	text  string
	lower bool // the writer opens sentences with small letters

	end      int           // of the paragraph
	start    int           // of the sentence that is open
	at       int           // nothing before this byte has to be looked at again
	first    int           // of the paragraph
	items    items         // the list that the paragraph is, if it is one
	sentence verbatim.Span // the one found last
}

func (s *splitter) enter(paragraph verbatim.Span) {
	s.first, s.start, s.at, s.end = paragraph.Start, paragraph.Start, paragraph.Start, paragraph.End
	s.items = s.startItems()
	if s.isHeading() {
		s.at = s.end
	}
}

// scan finds the next sentence of the paragraph and says whether there is one.
func (s *splitter) scan() bool {
	if s.start >= s.end {
		return false
	}
	end := s.end
	for i := s.at; ; {
		if i = i + asleep(s.text[i:s.end]); i >= s.end {
			break
		}
		if s.text[i] == 0xE2 && !s.wakesSign(i) {
			i++
			continue
		}
		if s.items.open {
			if item := s.nextItem(i); item > s.start {
				end, s.at = trimRight(s.text, s.start, item), i+1
				break
			}
		}
		m := s.markAt(i)
		if m.end == i {
			i++
			continue
		}
		i = m.end
		if s.ends(m) {
			end, s.at = m.end, m.end
			break
		}
	}
	s.sentence = verbatim.Span{Start: s.start, End: end}
	s.start = skipSpace(s.text, end, s.end)
	s.at = max(s.at, s.start)
	return true
}

// wakes are the bytes at which scan looks up: the final marks, the first byte
// of `…`, and what begins an item of a list or a smiling face.
var wakes = func() (table [256]uint8) {
	for _, c := range []byte(".!?:;)\xe2") {
		table[c] = 1
	}
	return table
}()

// asleep is the number of bytes before the first that wakes. Nearly all of the
// text passes here, so it goes in steps of eight.
func asleep(text string) int {
	i := 0
	for ; i+8 <= len(text); i += 8 {
		t := text[i : i+8]
		if wakes[t[0]]|wakes[t[1]]|wakes[t[2]]|wakes[t[3]]|wakes[t[4]]|wakes[t[5]]|wakes[t[6]]|wakes[t[7]] != 0 {
			break
		}
	}
	for i < len(text) && wakes[text[i]] == 0 {
		i++
	}
	return i
}

// wakesSign tells `…`, `‽` and bullets from the quotation marks and dashes
// that begin with the same byte.
func (s *splitter) wakesSign(i int) bool {
	if i+2 >= s.end {
		return false
	}
	return s.text[i+1] != 0x80 || s.text[i+2] >= 0xA0
}

// nextParagraph is the first run of lines at or after from that hold more than
// white space, trimmed; it is empty at the end of the text. Line ends are all
// it looks for, which the library finds many bytes at a time.
func nextParagraph(text string, from int, breaks string) verbatim.Span {
	start := skipSpace(text, from, len(text))
	for i := start; ; {
		length := indexAny(text[i:], breaks)
		if length < 0 {
			return verbatim.Span{Start: start, End: trimRight(text, start, len(text))}
		}
		line := i + length
		if i = skipSpace(text, line, len(text)); lineBreaks(text[line:i]) > 1 {
			return verbatim.Span{Start: start, End: trimRight(text, start, line)}
		}
	}
}

// lineBreakBytes are the bytes that end the lines of a text: almost always LF,
// with or without a CR before it. Only a text with lone CRs is searched for both.
func lineBreakBytes(text string) string {
	if strings.IndexByte(text, '\r') < 0 || strings.Count(text, "\r") == strings.Count(text, "\r\n") {
		return "\n"
	}
	return "\r\n"
}

func indexAny(text, bytes string) int {
	if len(bytes) == 1 {
		return strings.IndexByte(text, bytes[0])
	}
	return strings.IndexAny(text, bytes)
}

// lineBreaks counts LF, CRLF and lone CR, as far as two.
func lineBreaks(space string) int {
	n := 0
	for i := 0; i < len(space) && n < 2; i++ {
		switch {
		case space[i] == '\n':
			n++
		case space[i] == '\r' && (i+1 == len(space) || space[i+1] != '\n'):
			n++
		}
	}
	return n
}

// spaceAt is the length of the white-space character at i, 0 if there is none.
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

// trimRight moves end back over white space, not beyond start.
func trimRight(text string, start, end int) int {
	for end > start {
		r, size := utf8.DecodeLastRuneInString(text[start:end])
		if !unicode.IsSpace(r) {
			break
		}
		end -= size
	}
	return end
}

func skipBOM(text string) int {
	if len(text) >= 3 && text[:3] == "\ufeff" {
		return 3
	}
	return 0
}
