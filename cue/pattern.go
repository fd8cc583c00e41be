package cue

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"verbatim/internal/near"
)

// An element of a pattern is a word, a mark, or lists and shapes in braces.
type element struct {
	entry *entry // a word
	lists set    // {a list}
	shape func(t *text, i int) bool
}

// shapes are properties of a word that need no list.
var shapes = map[string]named[func(t *text, i int) bool]{
	"any word":      {"a word of any kind", func(t *text, i int) bool { return t.tokens[i].kind == word }},
	"-ing":          {"a word that ends in -ing", func(t *text, i int) bool { return t.tokens[i].ends&endsING != 0 && !t.in(i, t.grammar.notVerbs) }},
	"-ed":           {"a word that ends in -ed", func(t *text, i int) bool { return t.tokens[i].ends&endsED != 0 }},
	"-ly":           {"a word that ends in -ly", func(t *text, i int) bool { return t.tokens[i].ends&endsLY != 0 }},
	"-s":            {"a word that ends in -s (not -ss, -us, -is)", func(t *text, i int) bool { return t.tokens[i].ends&endsS != 0 }},
	"figure":        {"a word that starts with a digit", func(t *text, i int) bool { c := t.sentence[t.tokens[i].start]; return '0' <= c && c <= '9' }},
	"number":        {"a word that contains a digit", func(t *text, i int) bool { return t.tokens[i].ends&hasDigit != 0 }},
	"clock":         {"a time of day in digits: 0930, 14:05, 7am", func(t *text, i int) bool { return t.isClock(i) }},
	"capital":       {"a word that starts with a capital", func(t *text, i int) bool { return t.tokens[i].kind == word && t.tokens[i].capital }},
	"capitals":      {"a word of two or more letters, all capitals", func(t *text, i int) bool { return t.tokens[i].ends&allCapitals != 0 }},
	"finite verb":   {"a verb with a tense: an auxiliary, a past, a present after its subject", func(t *text, i int) bool { return t.isFinite(i) }},
	"possible verb": {"a word that can be a verb with a tense, in any position", func(t *text, i int) bool { return t.canBeVerb(i) }},
	"past verb":     {"a finite verb in the past", func(t *text, i int) bool { return t.isFinite(i) && t.isPast(i) }},
	"adjective":     {"a word that ends like an adjective: -ful, -ous, -ish, -less, -ive, -ent, -able, -ed, -y", func(t *text, i int) bool { return t.isAdjective(i) }},
	"participle":    {"a word in -ed or an irregular participle (made, seen) that is not a finite verb", func(t *text, i int) bool { return t.isParticiple(i) && !t.isFinite(i) }},
	"complaint":     {"a word formed like the name of a complaint: it ends in -ache, -itis, -algia, -rrhoea, -bleed, ...", func(t *text, i int) bool { return t.endsIn(i, complaintEndings) }},
	"state noun":    {"a noun of a state or an event: it ends in -ness, -tion, -sion, -ment, -ism, -ity, -ance, -ence", func(t *text, i int) bool { return t.endsIn(i, stateEndings) }},
	"-ious":         {"a word that ends in -ious", func(t *text, i int) bool { return t.endsIn(i, iousEnding) }},
	"plain word":    {"a noun, adjective or full verb: a word outside the closed classes", func(t *text, i int) bool { return t.isOpenClass(i) }},
}

// isAdjective caches endsLikeAdjective, which many cards use.
func (t *text) isAdjective(i int) bool { return t.adjective.get(t, i, (*text).endsLikeAdjective) }

// endsLikeAdjective looks only at the ending: English forms adjectives of
// feeling and state with suffixes, and rare words have them too.
func (t *text) endsLikeAdjective(i int) bool {
	if !t.isOpenClass(i) {
		return false
	}
	w := t.sentence[t.tokens[i].start:t.tokens[i].end]
	n, lower := len(w), strings.ToLower(w)
	switch {
	case n < 4:
		return false
	case t.tokens[i].ends&endsED != 0:
		return true
	case t.tokens[i].ends&endsLY != 0 && n > 6: // quickly is an adverb; ugly, lonely and silly are not
		return false
	case strings.HasSuffix(lower, "y"): // not day, they, city, party, library, laundry
		return !hasEnding(lower, "ay", "ey", "oy", "uy", "ity", "ety", "rty", "ary", "ery", "ory", "ury", "try", "ndry", "ody", "phy", "rgy", "ogy")
	}
	return n > 5 && hasEnding(lower, "ful", "ous", "ish", "less", "ive", "ent", "able", "ible")
}

// The endings are how English forms such words, old and new ones. They name no
// complaint: a word list of complaints would never be complete.
var (
	complaintEndings = []string{"ache", "aches", "itis", "algia", "rrhoea", "rrhea", "aemia", "anemia", "osis", "bleed", "bleeds", "sickness", "spasm", "spasms"}
	stateEndings     = []string{"ness", "tion", "tions", "sion", "sions", "ment", "ism", "ity", "ance", "ence"}
	iousEnding       = []string{"ious"}
)

// endsIn reports whether a word has one of the endings and more before it.
func (t *text) endsIn(i int, endings []string) bool {
	if t.tokens[i].kind != word || t.tokens[i].end-t.tokens[i].start < 6 {
		return false
	}
	w := strings.ToLower(t.sentence[t.tokens[i].start:t.tokens[i].end])
	return slices.ContainsFunc(endings, func(end string) bool { return len(w) > len(end)+1 && strings.HasSuffix(w, end) })
}

// isClock reports whether a word is hh:mm, hhmm or an hour with am or pm. Four
// digits alone could be a year, so they must be before 1959 or after 2030.
func (t *text) isClock(i int) bool {
	w := t.sentence[t.tokens[i].start:t.tokens[i].end]
	n := 0
	for n < len(w) && isDigit(w[n]) {
		n++
	}
	switch {
	case t.tokens[i].ends&hasDigit == 0 || n == 0:
		return false
	case n == len(w):
		return n == 4 && (w[0] <= '1' || "2030" <= w && w < "2400") && w[2] <= '5'
	case w[n] == ':':
		return n < 3 && len(w) == n+3 && isDigit(w[n+1])
	}
	rest := strings.ToLower(w[n:])
	return n < 3 && (rest == "am" || rest == "pm")
}

func hasEnding(w string, endings ...string) bool {
	return slices.ContainsFunc(endings, func(end string) bool { return strings.HasSuffix(w, end) })
}

var marks = map[string]kind{",": comma, ";": semicolon, ":": colon, "-": dash, "(": openBracket, ")": closeBracket}

func (t *text) is(i int, e *element) bool {
	if i < 0 || i >= len(t.tokens) {
		return false
	}
	switch {
	case e.shape != nil:
		return e.shape(t, i)
	case e.entry != nil:
		return t.tokens[i].entry == e.entry
	default:
		return t.tokens[i].entry.lists.any(e.lists)
	}
}

// A pattern is one or more elements in a row.
type pattern []element

// matchAt reports whether the pattern matches at token i, ignoring quotes.
func (p pattern) matchAt(t *text, i int) bool {
	_, ok := p.end(t, i)
	return ok
}

// end returns the token after the pattern at i.
func (p pattern) end(t *text, i int) (int, bool) {
	for k := range p {
		i = t.skipQuotes(i)
		if !t.is(i, &p[k]) {
			return 0, false
		}
		i++
	}
	return i, true
}

// matchBefore reports whether the pattern ends directly before token i.
func (p pattern) matchBefore(t *text, i int) bool {
	for k := len(p) - 1; k >= 0; k-- {
		i--
		for i >= 0 && isQuote(t.tokens[i].kind) {
			i--
		}
		if !t.is(i, &p[k]) {
			return false
		}
	}
	return true
}

func isQuote(k kind) bool { return k == openQuote || k == closeQuote }

func (t *text) skipQuotes(i int) int {
	for i < len(t.tokens) && isQuote(t.tokens[i].kind) {
		i++
	}
	return i
}

// parsePattern reads words, {lists}, {shapes} and punctuation marks.
func (l *lexicon) parsePattern(s string) (pattern, error) {
	var p pattern
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		var e element
		if strings.HasPrefix(s, "{") {
			name, rest, ok := strings.Cut(s[1:], "}")
			if !ok {
				return nil, fmt.Errorf("%q has no closing brace", s)
			}
			s = rest
			if err := l.inBraces(&e, name); err != nil {
				return nil, err
			}
		} else {
			w, rest, _ := strings.Cut(s, " ")
			s = rest
			if k, ok := marks[w]; ok {
				e.shape = func(t *text, i int) bool { return t.tokens[i].kind == k }
			} else {
				e.entry = l.entry(strings.ToLower(w))
			}
		}
		p = append(p, e)
	}
	if len(p) == 0 {
		return nil, fmt.Errorf("a word is missing")
	}
	return p, nil
}

// inBraces reads a list, a shape, or several of them separated by commas.
func (l *lexicon) inBraces(e *element, names string) error {
	var tests []func(t *text, i int) bool
	for name := range strings.SplitSeq(names, ",") {
		name = strings.TrimSpace(name)
		if shape, ok := shapes[name]; ok {
			tests = append(tests, shape.test)
		} else if n := l.list(name); n >= 0 {
			e.lists.add(n)
		} else {
			return fmt.Errorf("there is no list or shape {%s}%s", name, near.Nearest(name, append(sortedKeys(shapes), l.order...)))
		}
	}
	if len(tests) > 0 {
		lists := e.lists
		e.shape = func(t *text, i int) bool {
			if t.tokens[i].entry.lists.any(lists) {
				return true
			}
			for _, test := range tests {
				if test(t, i) {
					return true
				}
			}
			return false
		}
	}
	return nil
}

// A set is the set of word lists that contain a word.
type set [2]uint64

func (s set) has(list int) bool  { return s[list>>6]&(1<<(list&63)) != 0 }
func (s *set) add(list int)      { s[list>>6] |= 1 << (list & 63) }
func (s set) any(other set) bool { return s[0]&other[0] != 0 || s[1]&other[1] != 0 }

const maxLists = 128

// An entry is a word in a list or a card.
type entry struct {
	text   string
	lists  set
	starts []*phrase // phrases of cards that start with it, longest first
	cards  bits      // piece cards that may apply if it is present
	bit    int       // in the signature of a piece
}

// A lexicon holds every word in a list or a card.
type lexicon struct {
	words  map[string]*entry
	none   *entry         // entry of all other words
	names  map[string]int // number of each list
	order  []string       // list names, in the order of their files
	givens map[string]Given

	wholeHyphens bool
}

func newLexicon() *lexicon {
	return &lexicon{words: map[string]*entry{}, none: &entry{}, names: map[string]int{}, givens: map[string]Given{}}
}

func (l *lexicon) lookup(lower []byte) *entry { return cmp.Or(l.words[string(lower)], l.none) }

func (l *lexicon) entry(w string) *entry {
	e, ok := l.words[w]
	if !ok {
		e = &entry{text: w, bit: len(l.words) % maxBits}
		l.words[w] = e
	}
	return e
}

// list returns the number of a list, or -1.
func (l *lexicon) list(name string) int {
	if n, ok := l.names[name]; ok {
		return n
	}
	return -1
}

// wordsOf returns the words of a list, sorted.
func (l *lexicon) wordsOf(name string) []string {
	var words []string
	for w, e := range l.words {
		if n, ok := l.names[name]; ok && e.lists.has(n) {
			words = append(words, w)
		}
	}
	slices.Sort(words)
	return words
}

// opensAfterHyphen reports whether a connector follows the hyphen, as a word.
func (l *lexicon) opensAfterHyphen(rest string) bool {
	end := 0
	for end < len(rest) && (rest[end]|0x20 >= 'a' && rest[end]|0x20 <= 'z') {
		end++
	}
	if end == 0 || end == len(rest) || rest[end] != ' ' && rest[end] != ',' {
		return false
	}
	e, ok := l.words[strings.ToLower(rest[:end])]
	return ok && len(e.starts) > 0 && !l.wholeHyphens
}

func (s *set) remove(list int) { s[list>>6] &^= 1 << (list & 63) }

// empty removes every word from a list.
func (l *lexicon) empty(list int) {
	for _, e := range l.words {
		e.lists.remove(list)
	}
}

// sizes returns how many words each list has.
func (l *lexicon) sizes() []int {
	sizes := make([]int, len(l.order))
	for _, e := range l.words {
		for list := range sizes {
			if e.lists.has(list) {
				sizes[list]++
			}
		}
	}
	return sizes
}
