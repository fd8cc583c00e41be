package cue

import (
	"strconv"
	"strings"
)

// areas are the parts of a sentence, [start, end), that a test can look at.
var areas = map[string]named[func(a at) (start, end int)]{
	"sentence":  {"the whole sentence", func(a at) (int, int) { return a.lo(), a.hi() }},
	"rest":      {"from after the match to the end of the sentence", func(a at) (int, int) { return a.i + a.n, a.hi() }},
	"piece":     {"the match itself; for piece cards, the piece", func(a at) (int, int) { return a.i, a.i + a.n }},
	"candidate": {"from the match (included) to the end of the sentence", func(a at) (int, int) { return a.i, a.hi() }},
	"segment":   {"from the match to the next , ; : dash or stop (a comma directly after the match is skipped)", at.segment},
	"clause":    {"from the match to the next ; : or stop", at.clause},
	"segment before": {"from the last , ; : or dash to the match (a mark directly before the match is skipped)",
		func(a at) (int, int) { return a.scanBack(isBreak), a.i }},
	"clause before": {"from the last ; or :, or from the start of the speech, to the match (a mark directly before the match is skipped)",
		func(a at) (int, int) { return a.speechStart(a.scanBack(isClauseBreak)), a.i }},
}

const areaNames = `sentence|segment before|clause before|segment|clause|rest|candidate|piece|\d+ words before|\d+ words after`

// areaOf returns the function that finds the tokens of an area.
func areaOf(name string) func(a at) (start, end int) {
	if count, side, ok := strings.Cut(name, " words "); ok {
		n, _ := strconv.Atoi(count)
		if side == "before" {
			return func(a at) (int, int) { return a.pastWords(n, a.i, a.lo(), -1), a.i }
		}
		return func(a at) (int, int) { return a.i + a.n, a.pastWords(n, a.i+a.n, a.hi(), 1) }
	}
	return areas[name].test
}

func isBreak(k kind) bool       { return k == comma || k == dash || isClauseBreak(k) }
func isClauseBreak(k kind) bool { return k == semicolon || k == colon }

func (a at) segment() (start, end int) {
	start = a.afterComma()
	return min(start, a.hi()), a.scan(start, func(k kind) bool { return isBreak(k) || k == stop })
}

func (a at) clause() (start, end int) {
	start = a.i + a.n
	return start, a.scan(start, func(k kind) bool { return isClauseBreak(k) || k == stop })
}

// afterComma returns the token after the match, its quotation marks and a comma.
func (a at) afterComma() int { return a.skipComma(a.skipQuotes(a.i + a.n)) }

// scan returns the first token from i on where stops holds, except a period before
// a word (Mr., 2.5).
func (a at) scan(i int, stops func(kind) bool) int {
	end := a.hi()
	for ; i < end; i++ {
		k := a.tokens[i].kind
		if stops(k) && !(k == stop && a.kindAt(i+1) == word) {
			return i
		}
	}
	return end
}

// scanBack returns the token after the last one before the match where stops
// holds. The mark directly before the match does not count.
func (a at) scanBack(stops func(kind) bool) int {
	i, lo := a.i-1, a.lo()
	for i >= lo && a.tokens[i].kind != word {
		i--
	}
	for ; i >= lo; i-- {
		if stops(a.tokens[i].kind) {
			return i + 1
		}
	}
	return lo
}

// speechStart moves start to a speech that begins before the match and is still
// open: the text before it is another sentence.
func (a at) speechStart(start int) int {
	for i := a.i - 2; i > start; i-- {
		switch a.tokens[i].kind {
		case closeQuote:
			return start
		case openQuote:
			return i + 1
		}
	}
	return start
}

// pastWords goes past n words from the gap before token i to the gap before
// token end, in steps of 1 or -1, but not past a semicolon.
func (a at) pastWords(n, i, end, step int) int {
	for ; i != end && n > 0; i += step {
		switch a.tokens[i+min(step, 0)].kind {
		case word:
			n--
		case semicolon:
			return i
		}
	}
	return i
}

// find returns the first token in [start, end) where the pattern matches, or -1.
func (a at) find(p pattern, start, end int) int {
	for i := start; i < end; i++ {
		if a.tokens[i].kind == word || p[0].entry == nil {
			if after, ok := p.end(a.text, i); ok && after <= end {
				return i
			}
		}
	}
	return -1
}
