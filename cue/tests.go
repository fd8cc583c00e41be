package cue

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// at is one place in a sentence that cards are asked about: n tokens from i.
type at struct {
	*text
	i, n int
}

// reach is how far a test looks, in tokens. No sentence of a book is as long;
// what is (a table, an index read as one sentence) must not cost its square.
const reach = 1000

func (a at) lo() int { return max(0, a.i-reach) }
func (a at) hi() int { return min(len(a.tokens), a.i+a.n+reach) }

// A test is a question about that place, which a card names in has: or lacks:.
type test func(a at) bool

// named are the tests with a name of their own. Code knows how to look; what
// is looked for stands in the cards and word lists.
var named = map[string]struct {
	says string
	test test
}{
	"comma next":                  {"a comma stands directly after the match", func(a at) bool { return a.kindAt(a.i+a.n) == comma }},
	"comma before":                {"a comma stands directly before the match", func(a at) bool { return a.markBefore() == comma }},
	"mark before":                 {", ; : a dash or a bracket stands directly before the match", func(a at) bool { return isBreak(a.markBefore()) || a.markBefore() == openBracket }},
	"mark after":                  {", ; : or a dash stands anywhere after the match, before the sentence's end", func(a at) bool { return a.breakAfter(comma, semicolon, colon, dash) }},
	"semicolon after":             {"a semicolon stands anywhere after the match", func(a at) bool { return a.breakAfter(semicolon) }},
	"colon after":                 {"a colon stands anywhere after the match", func(a at) bool { return a.breakAfter(colon) }},
	"bracket before":              {"an opening bracket that nothing has closed stands before the match", func(a at) bool { return a.openBracketBefore() }},
	"bracket after":               {"a closing bracket that nothing has opened stands after the match", func(a at) bool { return a.closeBracketAfter() }},
	"speech ends inside":          {"a quotation that was open at the match closes, and words follow it", func(a at) bool { return a.speechEndsInside() }},
	"dash after":                  {"a dash stands anywhere after the match", func(a at) bool { return a.breakAfter(dash) }},
	"main clause after the comma": {"after the first comma that follows the match a subject and its verb come, with no conjunction", func(a at) bool { return a.mainClauseFollows() }},
	"verb after the comma":        {"a finite verb follows a later comma directly: the sentence goes on there", func(a at) bool { return a.verbAfterComma() }},
	"verb after the first comma":  {"a finite verb follows the first comma after the match directly", func(a at) bool { return a.verbAfterFirstComma() }},
	"opens a speech":              {"an opening quotation mark stands directly before the match", func(a at) bool { return a.kindAt(a.i-1) == openQuote }},
	"stop inside":                 {"a question mark or exclamation mark stands after the match and words follow it", func(a at) bool { return a.stopInside() }},
	"semicolon before":            {"a semicolon or colon stands directly before the match", func(a at) bool { k := a.markBefore(); return k == semicolon || k == colon }},
	"capital":                     {"the match begins with a capital", func(a at) bool { return a.tokens[a.i].capital }},
	"main verb":                   {"the clause that the match opens has a main finite verb before its first comma (see verbs.go)", func(a at) bool { return a.mainVerb() >= 0 }},
	"main verb is past":           {"that verb is a past", func(a at) bool { v := a.mainVerb(); return v >= 0 && a.isPast(v) }},
	"previous sentence asks why":  {"the sentence before begins with Why and ends with a question mark (and where it ended a speech, this one begins a speech)", func(a at) bool { return asksWhy(a.previous, a.sentence) }},
	"sentence ends":               {"the sentence ends with a full stop, a question mark or an exclamation mark, quotes and brackets aside", func(a at) bool { return a.sentenceEnds() }},
	"question":                    {"the sentence ends with a question mark", func(a at) bool { return a.lastStop() == '?' }},
	"opens with a capital":        {"the sentence's first word begins with a capital or a figure", func(a at) bool { return a.opensWell() }},
}

// areas are the stretches of a sentence that a test can look in.
var areas = map[string]string{
	"sentence":       "the whole sentence",
	"segment":        "from the match to the next , ; : dash or stop (a comma directly after the match is passed over)",
	"clause":         "from the match to the next ; : or stop",
	"rest":           "from behind the match to the sentence's end",
	"piece":          "the match itself; for piece cards, the piece",
	"candidate":      "from the match, which it holds, to the sentence's end",
	"segment before": "from the last , ; : or dash to the match (the mark directly before the match is passed over)",
	"clause before":  "from the last ; or :, or from the start of the speech, to the match (the mark directly before the match is passed over)",
}

const areaNames = `sentence|segment before|clause before|segment|clause|rest|candidate|piece|\d+ words before|\d+ words after`

var (
	inArea   = regexp.MustCompile(`^(.+) in the (` + areaNames + `)$`)
	opens    = regexp.MustCompile(`^(.+) (opens|ends) the (` + areaNames + `)$`)
	fewer    = regexp.MustCompile(`^fewer than (\d+) words in the (` + areaNames + `)$`)
	mainVerb = regexp.MustCompile(`^main verb is (\{.+\}|\S+)$`)
)

// parseTest reads what a card says after has: or lacks:.
func (l *lexicon) parseTest(s string) (test, error) {
	if t, ok := named[s]; ok {
		return t.test, nil
	}
	if m := given.FindStringSubmatch(s); m != nil {
		if _, known := l.givens[m[1]]; !known {
			if len(l.givens) == 64 {
				return nil, fmt.Errorf("cards ask for more than 64 things that are given")
			}
			l.givens[m[1]] = 1 << len(l.givens)
		}
		bit := l.givens[m[1]]
		return func(a at) bool { return a.given&bit != 0 }, nil
	}
	if m := fewer.FindStringSubmatch(s); m != nil {
		most, _ := strconv.Atoi(m[1])
		area := areaOf(m[2])
		return func(a at) bool { from, to := area(a); return a.countWords(from, to, most) < most }, nil
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
		return func(a at) bool { from, _ := area(a); return p.matchAt(a.text, a.firstWord(from)) }, err
	}
	if m := inArea.FindStringSubmatch(s); m != nil {
		p, err := l.parsePattern(m[1])
		area := areaOf(m[2])
		return func(a at) bool { from, to := area(a); return a.find(p, from, to) >= 0 }, err
	}
	return nil, fmt.Errorf("there is no test %q%s", s, Nearest(s, slices.Collect(maps.Keys(named))))
}

// Nearest proposes a name that is at most a few letters away.
func Nearest(s string, names []string) string {
	best, bestAt := "", len(s)/3+1
	for _, name := range names {
		if d := distance(s, name); d < bestAt || d == bestAt && name < best {
			best, bestAt = name, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; do you mean %q?", best)
}

// distance is Levenshtein's.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		last := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			last, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, last+cost)
		}
	}
	return row[len(b)]
}

// areaOf gives the function that finds an area's tokens.
func areaOf(name string) func(a at) (int, int) {
	var n int
	if count, side, ok := strings.Cut(name, " words "); ok {
		n, _ = strconv.Atoi(count)
		if side == "before" {
			return func(a at) (int, int) { return a.wordsBack(n), a.i }
		}
		return func(a at) (int, int) { return a.i + a.n, a.wordsOn(n) }
	}
	return func(a at) (int, int) { return a.area(name) }
}

func isBreak(k kind) bool { return k == comma || k == semicolon || k == colon || k == dash }

// area gives the tokens of a named stretch, half-open.
func (a at) area(name string) (int, int) {
	after := a.i + a.n
	switch name {
	case "sentence":
		return a.lo(), a.hi()
	case "piece":
		return a.i, after
	case "rest":
		return after, a.hi()
	case "candidate":
		return a.i, a.hi()
	case "segment":
		from := a.skipQuotes(after)
		if a.kindAt(from) == comma {
			from++
		}
		return min(from, a.hi()), a.scan(from, func(k kind) bool { return isBreak(k) || k == stop })
	case "clause":
		return after, a.scan(after, func(k kind) bool { return k == semicolon || k == colon || k == stop })
	case "segment before":
		return a.scanBack(isBreak), a.i
	default: // "clause before"
		from := a.scanBack(func(k kind) bool { return k == semicolon || k == colon })
		return a.speechStart(from), a.i
	}
}

// scan is the first token from i on that stops it. A full stop inside the
// sentence (Mr., 2.5) stops nothing when a word follows it.
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

// scanBack is the token after the last one before the match that stops it; the
// mark directly before the match does not count.
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

// speechStart moves `from` on to a speech that begins before the match and is
// not over: what stands before it is another sentence.
func (a at) speechStart(from int) int {
	for i := a.i - 2; i > from; i-- {
		switch a.tokens[i].kind {
		case closeQuote:
			return from
		case openQuote:
			return i + 1
		}
	}
	return from
}

// stopInside: "so long as it was good? which it was".
func (a at) stopInside() bool {
	for i, last := a.i, a.lastWord(a.hi()); i < last; i++ {
		if c := a.sentence[a.tokens[i].start]; c == '?' || c == '!' {
			return true
		}
	}
	return false
}

func (a at) wordsBack(n int) int {
	i, lo := a.i, a.lo()
	for ; i > lo && n > 0; i-- {
		switch a.tokens[i-1].kind {
		case word:
			n--
		case semicolon:
			return i
		}
	}
	return i
}

func (a at) wordsOn(n int) int {
	i, hi := a.i+a.n, a.hi()
	for ; i < hi && n > 0; i++ {
		switch a.tokens[i].kind {
		case word:
			n--
		case semicolon:
			return i
		}
	}
	return i
}

// find is the first token in [from, to) where the pattern stands, or -1.
func (a at) find(p pattern, from, to int) int {
	for i := from; i < to; i++ {
		if a.tokens[i].kind == word || p[0].entry == nil {
			if end, ok := p.end(a.text, i); ok && end <= to {
				return i
			}
		}
	}
	return -1
}

func (t *text) kindAt(i int) kind {
	if i < 0 || i >= len(t.tokens) {
		return mark
	}
	return t.tokens[i].kind
}

// markBefore is the kind of the token before the match, opening quotes aside.
func (a at) markBefore() kind {
	i := a.i - 1
	for i >= 0 && isQuote(a.tokens[i].kind) {
		i--
	}
	return a.kindAt(i)
}

func (a at) breakAfter(kinds ...kind) bool {
	for _, tok := range a.tokens[a.i+a.n : a.hi()] {
		if slices.Contains(kinds, tok.kind) {
			return true
		}
	}
	return false
}

func (a at) openBracketBefore() bool {
	depth := 0
	for i := a.i - 1; i >= a.lo(); i-- {
		switch a.tokens[i].kind {
		case closeBracket:
			depth++
		case openBracket:
			if depth == 0 {
				return true
			}
			depth--
		}
	}
	return false
}

func (a at) closeBracketAfter() bool {
	depth := 0
	for i := a.i; i < a.hi(); i++ {
		switch a.tokens[i].kind {
		case openBracket:
			depth++
		case closeBracket:
			if depth == 0 {
				return true
			}
			depth--
		}
	}
	return false
}

// mainClauseFollows: "if the bell rang, he was to run". Any comma up to the
// end of the clause will do: "if the bell rang, at noon, he was to run".
func (a at) mainClauseFollows() bool {
	g := a.grammar
	from, end := a.area("clause")
	for i := a.skipComma(from); i < end; i++ {
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

// verbAfterComma: "a plan which, though bold, was sound".
func (a at) verbAfterComma() bool {
	from, end := a.area("clause")
	for i := a.skipComma(from); i < end; i++ {
		if a.tokens[i].kind == comma && a.verbAt(a.skipQuotes(i+1)) {
			return true
		}
	}
	return false
}

func (a at) verbAfterFirstComma() bool {
	_, end := a.area("segment")
	return a.kindAt(end) == comma && a.verbAt(a.skipQuotes(end+1))
}

// verbAt: a word that is a finite verb even where no subject stands before it.
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

// speechEndsInside: "I went, because I was ill," said she. The clause belongs
// to the speech and does not end the sentence.
func (a at) speechEndsInside() bool {
	depth := 0
	for i, last := a.i, a.lastWord(a.hi()); i < last; i++ {
		switch a.tokens[i].kind {
		case openQuote:
			depth++
		case closeQuote:
			if depth == 0 {
				return true
			}
			depth = max(0, depth-1)
		}
	}
	return false
}

func (a at) countWords(from, to, most int) int {
	n := 0
	for i := from; i < to && n < most; i++ {
		if a.tokens[i].kind == word {
			n++
		}
	}
	return n
}

// firstWord is the first word from token i on, within reach.
func (t *text) firstWord(i int) int {
	for end := min(len(t.tokens), i+reach); i < end && t.tokens[i].kind != word; {
		i++
	}
	return i
}

// lastWord is the last word before token i, or -1.
func (t *text) lastWord(i int) int {
	for i--; i >= 0 && t.tokens[i].kind != word; i-- {
	}
	return i // a run of marks is scanned by few: words follow words
}

func asksWhy(previous, sentence string) bool {
	asked := strings.TrimRight(previous, " \t\n\r\"'”’)]")
	if strings.ContainsAny(previous[len(asked):], "\"”’'") && !strings.ContainsAny(sentence[:min(3, len(sentence))], "\"“‘'") {
		return false // the speech is over, and the story goes on
	}
	previous = asked
	if !strings.HasSuffix(previous, "?") {
		return false
	}
	opening := strings.TrimLeft(previous, " \t\n\r\"'“‘([—-")
	// "Why, man, what is it?" asks something else.
	return len(opening) > 4 && strings.EqualFold(opening[:3], "why") && !wordAt(opening, 3) && opening[3] != ','
}

// lastStop is the mark that ends the sentence, quotes and brackets aside.
func (t *text) lastStop() byte {
	for i := len(t.tokens) - 1; i >= max(0, len(t.tokens)-20); i-- {
		switch t.tokens[i].kind {
		case stop:
			return t.sentence[t.tokens[i].start]
		case closeQuote, openQuote, closeBracket:
		default:
			if c := t.sentence[t.tokens[i].start]; c == '*' || c >= '0' && c <= '9' && len(t.tokens)-i < 4 {
				continue // a note's mark
			}
			return 0
		}
	}
	return 0
}

func (t *text) sentenceEnds() bool { return t.lastStop() != 0 }

func (t *text) opensWell() bool {
	i := t.firstWord(0)
	return i < len(t.tokens) && t.tokens[i].kind == word && (t.tokens[i].capital || t.tokens[i].ends&hasDigit != 0)
}
