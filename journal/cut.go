package journal

import (
	"slices"
	"strings"

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
		name, width := "", 1
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
			name, width = e.markJoint(i)
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
		start = i + width
		if name == "kept" {
			start = i // the word belongs to the next piece
		}
		i += width
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

// markJoint returns the name of the joint at a mark and its number of tokens.
func (e *Extractor) markJoint(i int) (string, int) {
	r := e.reader
	switch m := r.Mark(i); m {
	case ",", ".":
		if e.insideNumber(i) {
			return "", 1
		}
		if m == "." {
			return "stop", 1
		}
		return "a comma", 1
	case ";":
		return "semicolon", 1
	case ":", "=":
		return m, 1
	case "-", "–", "—", "―", "--", "→", ">", "->", "|", "•":
		return "dash", 1
	case "+", "&":
		return "plus", 1
	case "/":
		if i > 0 && r.IsWord(i-1) && strings.EqualFold(e.text[e.at(i-1, i).Start:e.at(i-1, i).End], "w") {
			return "", 1 // w/
		}
		return "slash", 1
	case "!", "?", "…", "।", "\n":
		return "stop", 1
	}
	return "", 1
}

// insideNumber reports whether a mark is inside a number: 6.5 hours, 1,200 steps.
func (e *Extractor) insideNumber(i int) bool {
	s := e.at(i, i+1)
	digit := func(k int) bool { return k >= 0 && k < len(e.text) && '0' <= e.text[k] && e.text[k] <= '9' }
	return digit(s.Start-1) && digit(s.End)
}

// trim removes marks, openings and closings from both ends.
func (e *Extractor) trim(start, end int) (int, int) {
	r := e.reader
	start, end = e.trimMarks(start, end)
	for start < end {
		n := 0
		for card := range r.Judges("opening", start, end, 0) {
			if n = r.DropFirst(card, start, end); n > 0 {
				e.note(card)
				break
			}
		}
		if n == 0 {
			break
		}
		start = e.skipMarks(start+n, end)
	}
	return start, e.close(start, end, 0)
}

// close removes closings and the marks before them.
func (e *Extractor) close(start, end int, given cue.Given) int {
	r := e.reader
	for start < end {
		n := 0
		for card := range r.Judges("closing", start, end, given) {
			if n = r.DropLast(card, start, end); n > 0 {
				e.note(card)
				break
			}
		}
		if n == 0 || n == end-start && given != 0 {
			break
		}
		_, end = e.trimMarks(start, end-n)
	}
	return end
}

// trimMarks removes marks from both ends, but keeps a closing bracket or quotation
// mark that the piece itself opens.
func (e *Extractor) trimMarks(start, end int) (int, int) {
	start = e.skipMarks(start, end)
	for start < end && !e.reader.IsWord(end-1) && !e.opened(start, end-1) {
		end--
	}
	return start, end
}

func (e *Extractor) opened(start, at int) bool { return e.opens[at] >= start }

// skipMarks returns the first word at or after a token; a hashtag begins with its
// mark.
func (e *Extractor) skipMarks(start, end int) int {
	for start < end && !e.reader.IsWord(start) && e.reader.Mark(start) != "#" {
		start++
	}
	return start
}

// startsWithDigit reports whether the open sentence begins with a digit.
func (e *Extractor) startsWithDigit() bool {
	c := e.text[e.base]
	return '0' <= c && c <= '9'
}
