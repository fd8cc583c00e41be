package journal

import (
	"slices"
	"strings"
	"unicode/utf8"

	"verbatim/cue"
)

// A piece is a part of a sentence between two joints.
type piece struct {
	start, end int       // tokens
	joints     cue.Given // the joints before it
	next       string    // the joint after it
	listed     bool      // an `or` joins it or a later piece
}

// cut splits the open sentence at its joints: marks, and words that cards call
// joints. It does not split inside brackets or quotation marks.
func (e *Extractor) cut() {
	r := e.reader
	e.pieces = e.pieces[:0]
	e.pair()
	var joints cue.Given
	start := 0
	n := r.Tokens()
	for i := 0; i < n; {
		name := ""
		if r.In(i, e.names.joints) {
			if card := e.judge("joint", i, i+1, 0); card != nil && card.Sense != "none" {
				name = card.Sense
			}
		}
		if name == "" && !r.IsWord(i) {
			if closing := e.closes[i]; closing > i {
				i = closing + 1
				continue
			}
			name = e.markJoint(i)
		}
		if name == "" {
			i++
			continue
		}
		if i > start {
			e.pieces = append(e.pieces, piece{start: start, end: i, joints: joints, next: name})
			joints = 0
		}
		if joints |= e.names.given[name]; name == ":" {
			joints |= e.names.given["dash"] // a colon without a label before it
		}
		start = i + 1
		if name == "kept" {
			start = i // the word belongs to the next piece
		}
		i++
	}
	if n > start {
		e.pieces = append(e.pieces, piece{start: start, end: n, joints: joints})
	}
	listed := false
	for i := len(e.pieces) - 1; i >= 0; i-- {
		listed = listed || e.pieces[i].joints&e.names.given["or"] != 0
		e.pieces[i].listed = listed
	}
}

// openers[i] is closed by closers[i].
var openers, closers = []string{"(", "“", "\"", "‘", "'"}, []string{")", "”", "\"", "’", "'"}

// pair matches opening and closing marks, once per sentence: closes[i] is the
// token that closes token i, opens[i] the last token that token i closes; -1 if
// there is none.
func (e *Extractor) pair() {
	n := e.reader.Tokens()
	e.closes, e.opens = slices.Grow(e.closes[:0], n)[:n], slices.Grow(e.opens[:0], n)[:n]
	next := [5]int{-1, -1, -1, -1, -1}
	for i := n - 1; i >= 0; i-- {
		e.closes[i], e.opens[i] = -1, -1
		if e.reader.IsWord(i) {
			continue
		}
		mark := e.reader.Mark(i)
		if k := slices.Index(openers, mark); k >= 0 && next[k] >= 0 {
			e.closes[i] = next[k]
			e.opens[next[k]] = max(e.opens[next[k]], i)
		}
		if k := slices.Index(closers, mark); k >= 0 {
			next[k] = i
		}
	}
}

// marks are the joints of marks.
var marks = map[string]string{",": "a comma", ";": "semicolon", ":": ":", "=": "=", "+": "plus", "&": "plus", "/": "slash",
	".": "stop", "!": "stop", "?": "stop", "…": "stop", "।": "stop", "\n": "stop", "-": "dash", "–": "dash", "—": "dash",
	"―": "dash", "--": "dash", "→": "dash", ">": "dash", "->": "dash", "|": "dash", "•": "dash"}

// markJoint returns the name of the joint at a mark, or "".
func (e *Extractor) markJoint(i int) string {
	mark, s := e.reader.Mark(i), e.at(i, i+1)
	switch {
	case (mark == "," || mark == ".") && isDigit(e.text, s.Start-1) && isDigit(e.text, s.End):
		return "" // 6.5 hours, 1,200 steps
	case isEmoji(mark):
		if card := e.judge("emoji", i, i+1, 0); card != nil && card.Sense != "none" {
			return card.Sense
		}
	case mark == "/" && i > 0 && e.reader.IsWord(i-1):
		if before := e.at(i-1, i); strings.EqualFold(e.text[before.Start:before.End], "w") {
			return "" // w/
		}
	}
	return marks[mark]
}

// isEmoji reports whether a mark is a picture. Ticks, crosses, arrows and the degree
// sign are part of what is written.
func isEmoji(mark string) bool {
	r, _ := utf8.DecodeRuneInString(mark)
	return r >= 0x1F000 || 0x2600 <= r && r < 0x2700 || r == 0x2764
}

func isDigit(text string, i int) bool {
	return i >= 0 && i < len(text) && '0' <= text[i] && text[i] <= '9'
}

// trim removes marks, openings and closings from both ends.
func (e *Extractor) trim(start, end int) (int, int) {
	start, end = e.trimMarks(start, end)
	for start < end {
		n := e.drop("opening", start, end, 0, e.reader.DropFirst)
		if n == 0 {
			break
		}
		start = e.skipMarks(start+n, end)
	}
	return start, e.close(start, end, 0)
}

// close removes closings and the marks before them.
func (e *Extractor) close(start, end int, given cue.Given) int {
	for start < end {
		n := e.drop("closing", start, end, given, e.reader.DropLast)
		if n == 0 || n == end-start && given != 0 {
			break
		}
		_, end = e.trimMarks(start, end-n)
	}
	return end
}

// drop returns how many tokens the first card that applies would drop.
func (e *Extractor) drop(kind string, start, end int, given cue.Given, by func(*cue.Card, int, int) int) int {
	for card := range e.reader.Judges(kind, start, end, given) {
		if n := by(card, start, end); n > 0 {
			e.note(card)
			return n
		}
	}
	return 0
}

// trimMarks removes marks from both ends, but keeps a closing bracket or quotation
// mark that the piece itself opens.
func (e *Extractor) trimMarks(start, end int) (int, int) {
	start = e.skipMarks(start, end)
	for start < end && !e.reader.IsWord(end-1) && e.opens[end-1] < start {
		end--
	}
	return start, end
}

// skipMarks returns the first word at or after a token; a hashtag begins with its
// mark.
func (e *Extractor) skipMarks(start, end int) int {
	for start < end && !e.reader.IsWord(start) && e.reader.Mark(start) != "#" {
		start++
	}
	return start
}
