package journal

import (
	"slices"
	"strings"

	"verbatim/cue"
)

// A piece is a stretch of a sentence between two joints.
type piece struct {
	from, to int       // tokens
	joints   cue.Given // what stands before it
	next     string    // the joint after it
	listed   bool      // an `or` joins it or a later piece
}

// cut finds the joints of the open sentence: marks, and the words that cards
// call joints. What stands in brackets or quotation marks is not cut.
func (e *Extractor) cut() {
	r := e.reader
	e.pieces = e.pieces[:0]
	e.pair()
	var joints cue.Given
	from := 0
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
		if i > from {
			e.pieces = append(e.pieces, piece{from: from, to: i, joints: joints, next: name})
			joints = 0
		}
		if joints |= e.names.given[name]; name == ":" {
			joints |= e.names.given["dash"] // a colon that follows no label
		}
		from = i + width
		if name == "kept" {
			from = i // the word itself opens the next piece
		}
		i += width
	}
	if n > from {
		e.pieces = append(e.pieces, piece{from: from, to: n, joints: joints})
	}
	listed := false
	for i := len(e.pieces) - 1; i >= 0; i-- {
		listed = listed || e.pieces[i].joints&e.names.given["or"] != 0
		e.pieces[i].listed = listed
	}
}

// Each mark that opens, and at the same place of the other the one that closes.
var openers, closers = []string{"(", "“", "\"", "‘", "'"}, []string{")", "”", "\"", "’", "'"}

// pair finds, once for a sentence, which mark closes which: closes[i] is the
// token that closes the one that i opens, opens[i] the last one that i closes;
// -1 where there is none.
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

// markJoint names the joint that a mark is, and how many tokens it takes up.
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

// insideNumber: 6.5 hours, 1,200 steps.
func (e *Extractor) insideNumber(i int) bool {
	s := e.at(i, i+1)
	digit := func(k int) bool { return k >= 0 && k < len(e.text) && '0' <= e.text[k] && e.text[k] <= '9' }
	return digit(s.Start-1) && digit(s.End)
}

// trim takes marks, openings and closings off.
func (e *Extractor) trim(from, to int) (int, int) {
	r := e.reader
	from, to = e.trimMarks(from, to)
	for from < to {
		n := 0
		for card := range r.Judges("opening", from, to, 0) {
			if n = r.DropFirst(card, from, to); n > 0 {
				e.note(card)
				break
			}
		}
		if n == 0 {
			break
		}
		from = e.skipMarks(from+n, to)
	}
	return from, e.close(from, to, 0)
}

// close takes closings off, and the marks before them.
func (e *Extractor) close(from, to int, given cue.Given) int {
	r := e.reader
	for from < to {
		n := 0
		for card := range r.Judges("closing", from, to, given) {
			if n = r.DropLast(card, from, to); n > 0 {
				e.note(card)
				break
			}
		}
		if n == 0 || n == to-from && given != 0 {
			break
		}
		_, to = e.trimMarks(from, to-n)
	}
	return to
}

// trimMarks takes marks off both ends; a bracket or a quotation mark stays
// where the piece opens it.
func (e *Extractor) trimMarks(from, to int) (int, int) {
	from = e.skipMarks(from, to)
	for from < to && !e.reader.IsWord(to-1) && !e.opened(from, to-1) {
		to--
	}
	return from, to
}

func (e *Extractor) opened(from, at int) bool { return e.opens[at] >= from }

// skipMarks is the first word from a token on; a hashtag begins with its mark.
func (e *Extractor) skipMarks(from, to int) int {
	for from < to && !e.reader.IsWord(from) && e.reader.Mark(from) != "#" {
		from++
	}
	return from
}

// startsWithDigit: does the open sentence begin with a figure?
func (e *Extractor) startsWithDigit() bool {
	c := e.text[e.base]
	return '0' <= c && c <= '9'
}
