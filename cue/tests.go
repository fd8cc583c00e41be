package cue

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"verbatim/internal/near"
)

// at is a position in a sentence that cards are tried at: n tokens from i.
type at struct {
	*text
	i, n int
}

// window is how far a test looks, in tokens. No real sentence is as long, but a
// table or an index read as one sentence must not take quadratic time.
const window = 1000

func (a at) lo() int { return max(0, a.i-window) }
func (a at) hi() int { return min(len(a.tokens), a.i+a.n+window) }

// A test is a condition at that position, as in has: and lacks:.
type test func(a at) bool

// namedTests are the tests without parameters. The code implements how to look;
// cards and word lists say what to look for.
var namedTests = map[string]named[test]{
	"comma next":                  {"a comma is directly after the match", func(a at) bool { return a.kindAt(a.i+a.n) == comma }},
	"comma before":                {"a comma is directly before the match", func(a at) bool { return a.markBefore() == comma }},
	"mark before":                 {", ; : a dash or a bracket is directly before the match", func(a at) bool { return isBreak(a.markBefore()) || a.markBefore() == openBracket }},
	"mark after":                  {", ; : or a dash is anywhere after the match", func(a at) bool { return a.breakAfter(comma, semicolon, colon, dash) }},
	"semicolon after":             {"a semicolon is anywhere after the match", func(a at) bool { return a.breakAfter(semicolon) }},
	"colon after":                 {"a colon is anywhere after the match", func(a at) bool { return a.breakAfter(colon) }},
	"bracket before":              {"an opening bracket before the match is not closed there", func(a at) bool { return a.unmatched(a.i-1, a.lo()-1, -1, closeBracket, openBracket) }},
	"bracket after":               {"a closing bracket after the match was opened before it", func(a at) bool { return a.unmatched(a.i, a.hi(), 1, openBracket, closeBracket) }},
	"speech ends inside":          {"a quotation that is open at the match closes later, and words follow it", func(a at) bool { return a.speechEndsInside() }},
	"dash after":                  {"a dash is anywhere after the match", func(a at) bool { return a.breakAfter(dash) }},
	"main clause after the comma": {"after a comma that follows the match there is a subject and its verb, without a conjunction", func(a at) bool { return a.mainClauseFollows() }},
	"main clause inside":          {"before its first comma, the clause that the match starts has a verb and then another subject with its verb, without a conjunction", func(a at) bool { return a.mainClauseInside() }},
	"comma after":                 {"a comma is anywhere after the match", func(a at) bool { return a.breakAfter(comma) }},
	"verb after the comma":        {"a finite verb directly follows a later comma: the sentence continues there", func(a at) bool { return a.verbAfterComma() }},
	"verb after the first comma":  {"a finite verb directly follows the first comma after the match", func(a at) bool { return a.verbAfterFirstComma() }},
	"opens a speech":              {"an opening quotation mark is directly before the match", func(a at) bool { return a.kindAt(a.i-1) == openQuote }},
	"stop inside":                 {"a question mark or exclamation mark is after the match, and words follow it", func(a at) bool { return a.stopInside() }},
	"semicolon before":            {"a semicolon or colon is directly before the match", func(a at) bool { k := a.markBefore(); return k == semicolon || k == colon }},
	"capital":                     {"the match starts with a capital", func(a at) bool { return a.tokens[a.i].capital }},
	"main verb":                   {"the clause that the match starts has a main finite verb before its first comma", func(a at) bool { return a.mainVerb() >= 0 }},
	"main verb is past":           {"that verb is in the past tense", func(a at) bool { v := a.mainVerb(); return v >= 0 && a.isPast(v) }},
	"previous sentence asks why":  {"the previous sentence starts with Why and ends with a question mark, and Why is not an exclamation (and if it ends a speech, this sentence starts one)", func(a at) bool { return a.asksWhy() }},
	"sentence ends":               {"the sentence ends with a period, a question mark or an exclamation mark, ignoring quotes and brackets", func(a at) bool { return a.lastStop() != 0 }},
	"question":                    {"the sentence ends with a question mark", func(a at) bool { return a.lastStop() == '?' }},
	"opens with a capital":        {"the first word of the sentence starts with a capital or a digit", func(a at) bool { return a.startsWell() }},
}

var (
	inArea   = regexp.MustCompile(`^(.+) in the (` + areaNames + `)$`)
	opens    = regexp.MustCompile(`^(.+) (opens|ends) the (` + areaNames + `)$`)
	fewer    = regexp.MustCompile(`^fewer than (\d+) words in the (` + areaNames + `)$`)
	mainVerb = regexp.MustCompile(`^main verb is (\{.+\}|\S+)$`)
)

// parseTest reads a value of has: or lacks:.
func (l *lexicon) parseTest(s string) (test, error) {
	if t, ok := namedTests[s]; ok {
		return t.test, nil
	}
	if name, ok := strings.CutPrefix(s, "given "); ok && name != "" {
		bit, known := l.givens[name]
		if !known && len(l.givens) == 64 {
			return nil, fmt.Errorf("cards use more than 64 names after given")
		} else if !known {
			bit = 1 << len(l.givens)
			l.givens[name] = bit
		}
		return func(a at) bool { return a.given&bit != 0 }, nil
	}
	if m := fewer.FindStringSubmatch(s); m != nil {
		most, _ := strconv.Atoi(m[1])
		area := areaOf(m[2])
		return func(a at) bool { start, end := area(a); return a.countWords(start, end, most) < most }, nil
	}
	if m := mainVerb.FindStringSubmatch(s); m != nil {
		p, err := l.parsePattern(m[1])
		return func(a at) bool { v := a.mainVerb(); return v >= 0 && p.matchAt(a.text, v) }, err
	}
	if m := opens.FindStringSubmatch(s); m != nil {
		p, err := l.parsePattern(m[1])
		area := areaOf(m[3])
		if m[2] == "ends" {
			return func(a at) bool { _, end := area(a); return p.matchBefore(a.text, a.lastWord(end)+1) }, err
		}
		return func(a at) bool { start, _ := area(a); return p.matchAt(a.text, a.firstWord(start)) }, err
	}
	if m := inArea.FindStringSubmatch(s); m != nil {
		p, err := l.parsePattern(m[1])
		area := areaOf(m[2])
		return func(a at) bool { start, end := area(a); return a.find(p, start, end) >= 0 }, err
	}
	return nil, fmt.Errorf("there is no test %q%s", s, near.Nearest(s, slices.Collect(maps.Keys(namedTests))))
}

// stopInside recognizes "so long as it was good? which it was".
func (a at) stopInside() bool {
	for i, last := a.i, a.lastWord(a.hi()); i < last; i++ {
		if c := a.sentence[a.tokens[i].start]; c == '?' || c == '!' {
			return true
		}
	}
	return false
}

func (t *text) kindAt(i int) kind {
	if i < 0 || i >= len(t.tokens) {
		return mark
	}
	return t.tokens[i].kind
}

// markBefore returns the kind of the token before the match, ignoring quotes.
func (a at) markBefore() kind {
	i := a.i - 1
	for i >= 0 && isQuote(a.tokens[i].kind) {
		i--
	}
	return a.kindAt(i)
}

func (a at) breakAfter(kinds ...kind) bool {
	return slices.ContainsFunc(a.tokens[a.i+a.n:a.hi()], func(t token) bool { return slices.Contains(kinds, t.kind) })
}

// unmatched reports whether the tokens from i to end close what they did not open.
func (a at) unmatched(i, end, step int, opens, closes kind) bool {
	depth := 0
	for ; i != end; i += step {
		switch a.tokens[i].kind {
		case opens:
			depth++
		case closes:
			if depth == 0 {
				return true
			}
			depth--
		}
	}
	return false
}

// mainClauseFollows recognizes "if the bell rang, he was to run". Any comma up
// to the end of the clause counts: "if the bell rang, at noon, he was to run".
func (a at) mainClauseFollows() bool {
	g := a.grammar
	start, end := a.clause()
	for i := a.skipAside(start, end); i < end; i++ {
		if a.tokens[i].kind != comma {
			continue
		}
		next := a.skipQuotes(i + 1)
		if !a.in(next, g.subjects) && !a.in(next, g.determiners) {
			continue
		}
		for k := next; k < end && !isBreak(a.tokens[k].kind); k++ {
			if a.isFinite(k) && !a.in(k-1, g.relatives) {
				return true
			}
		}
	}
	return false
}

// mainClauseInside recognizes "if he called that fighting I did not think much
// of it": a verb, a word that is none, and a pronoun with its own verb.
func (a at) mainClauseInside() bool {
	g := a.grammar
	start, end := a.segment()
	verb := false
	for i := start; i < end; i++ {
		switch {
		case a.wordIs(i, "that") && a.isOpenClass(i+1) && a.in(i+2, g.personal): // that fighting I
		case a.in(i, g.relatives), a.in(i, g.subordinators), a.in(i, g.coordinators):
			verb = false // what follows may belong to this word
		case verb && a.in(i, g.personal) && i+1 < end && a.isFinite(i+1) && a.isOpenClass(i-1) && !a.canBeVerb(i-1) && !a.isFinite(i-1):
			return true
		case a.isFinite(i):
			verb = true
		}
	}
	return false
}

// verbAfterComma recognizes "a plan which, though bold, was sound".
func (a at) verbAfterComma() bool {
	start, end := a.clause()
	for i := a.skipAside(start, end); i < end; i++ {
		if a.tokens[i].kind == comma && a.verbAt(a.skipQuotes(i+1)) {
			return true
		}
	}
	return false
}

func (a at) verbAfterFirstComma() bool {
	_, end := a.segment()
	return a.kindAt(end) == comma && a.verbAt(a.skipQuotes(end+1))
}

// verbAt reports whether a word is a finite verb even without a subject.
func (a at) verbAt(i int) bool {
	g := a.grammar
	return a.in(i, g.auxiliaries) || a.in(i, g.strongPasts) ||
		i < len(a.tokens) && a.tokens[i].ends&endsS != 0 && !a.in(i, g.notVerbs) &&
			(a.isVerbS(i, g.verbs) || a.isVerbS(i, g.nounVerbs) && a.kindAt(i+1) == word && !a.in(i+1, g.coordinators) && !a.wordIs(i+1, "of"))
}

func (t *text) skipComma(i int) int {
	if t.kindAt(i) == comma {
		return i + 1
	}
	return i
}

// skipAside skips what is set off directly after the match: "while, on the
// other hand, the absence of shells proves nothing".
func (a at) skipAside(i, end int) int {
	if a.kindAt(i) != comma {
		return i
	}
	for i++; i < end && a.tokens[i].kind != comma; i++ {
	}
	return i + 1
}

// speechEndsInside recognizes "I went, because I was ill," said she. The clause
// belongs to the speech and does not end the sentence.
func (a at) speechEndsInside() bool {
	return a.unmatched(a.i, max(a.i, a.lastWord(a.hi())), 1, openQuote, closeQuote)
}

func (t *text) countWords(start, end, limit int) int {
	n := 0
	for i := start; i < end && n < limit; i++ {
		if t.tokens[i].kind == word {
			n++
		}
	}
	return n
}

// firstWord returns the first word from token i on, within the window.
func (t *text) firstWord(i int) int {
	for end := min(len(t.tokens), i+window); i < end && t.tokens[i].kind != word; {
		i++
	}
	return i
}

// lastWord returns the last word before token i, or -1.
func (t *text) lastWord(i int) int {
	for i--; i >= 0 && t.tokens[i].kind != word; i-- {
	}
	return i // marks rarely come in long runs
}

// asksWhy reports whether the previous sentence asks why: it starts with Why,
// ends with a question mark, and Why is not an exclamation.
func (t *text) asksWhy() bool {
	asked := strings.TrimRight(t.previous, " \t\n\r\"'”’)]")
	if strings.ContainsAny(t.previous[len(asked):], "\"”’'") && !strings.ContainsAny(t.sentence[:min(3, len(t.sentence))], "\"“‘'") {
		return false // the speech has ended
	}
	opening := strings.TrimLeft(asked, " \t\n\r\"'“‘([—-")
	if len(opening) < 4 || !strings.EqualFold(opening[:3], "why") || wordAt(opening, 3) || !strings.HasSuffix(opening, "?") {
		return false
	}
	aside, comma := strings.CutPrefix(opening[3:], ",")
	return !comma || t.isAside(aside)
}

// isAside reports whether what follows "Why," is an aside within the question:
// "Why, then, did he go?", "Why, in that case, is it shut?", "Why, indeed?".
// After an exclamation comes the question itself, or a person who is spoken to:
// "Why, what is it?", "Why, man, do you not see?".
func (t *text) isAside(s string) bool {
	g := t.grammar
	words := strings.Fields(strings.ToLower(s))
	if len(words) == 0 {
		return false
	}
	in := func(i, list int) bool { return t.lex.lookup([]byte(strings.TrimRight(words[i], ",?"))).lists.has(list) }
	adverb, subordinate := in(0, g.adverbs), in(0, g.subordinators)
	if !adverb && !subordinate && !in(0, g.prepositions) {
		return false
	}
	for i, w := range words {
		switch {
		case strings.HasSuffix(w, "?"):
			return i < 4
		case strings.HasSuffix(w, ","), i == 0 && adverb && in(1, g.auxiliaries):
			opensMore := adverb && (in(i+1, g.prepositions) || in(i+1, g.subordinators)) // "Why, indeed, if it is so?"
			return in(i+1, g.auxiliaries) || opensMore && (i+2 == len(words) || !in(i+2, g.auxiliaries))
		case in(i, g.auxiliaries) && (i == 1 || !subordinate):
			return false // "Why, how did you know?"
		}
	}
	return false
}

// lastStop returns the punctuation that ends the sentence, without closing marks.
func (t *text) lastStop() byte {
	for i := len(t.tokens) - 1; i >= max(0, len(t.tokens)-20); i-- {
		switch t.tokens[i].kind {
		case stop:
			return t.sentence[t.tokens[i].start]
		case closeQuote, openQuote, closeBracket:
		default:
			if c := t.sentence[t.tokens[i].start]; c == '*' || c >= '0' && c <= '9' && len(t.tokens)-i < 4 {
				continue // a note mark
			}
			return 0
		}
	}
	return 0
}

func (t *text) startsWell() bool {
	i := t.firstWord(0)
	return i < len(t.tokens) && t.tokens[i].kind == word && (t.tokens[i].capital || t.tokens[i].ends&hasDigit != 0)
}

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
