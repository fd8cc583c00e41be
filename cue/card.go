package cue

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"verbatim/internal/near"
)

// A Card says which words to look for, where, under which conditions, and what
// follows. A sense card (`match:`) decides what an occurrence means. A scope
// card (`on:`) decides, for one kind of cue, which part of the sentence it
// governs, or rejects it. A piece card (`on:` and `sense:`) decides about a
// piece of a sentence; see [Reader.Judge].
type Card struct {
	Name string
	File string
	Line int

	Match   []string // sense cards: the phrases
	On      []string // scope cards: the kinds of cue; piece cards: of piece
	Sense   string
	Subtype string
	Kind    string // sense cards: the kind of cue, which selects the scope cards
	Sure    bool   // false: ambiguous; a language model may be asked
	Scope   string // scope cards: the part of the sentence
	Tier    string // scope cards: Sure or Wide
	Refuse  string // or why there is no scope
	Yes, No []Example

	Polarity string // piece cards: the polarity, whatever negates the piece
	Time     string // piece cards: the time, if no word states it

	connector  string   // what to record as the connector, if not the match
	senses     []string // scope cards: only these senses; empty means all
	keep       string   // which of several tags with one name: the first or last
	ends       []pattern
	endsText   string // ends, as the card writes it
	most       int    // most words in a reach; 0 means no limit
	places     []place
	number     int       // of a piece card, from 1
	says       []pattern // of the first says: line
	drop       []pattern // what to remove from the start or end of a piece
	startAfter []pattern // where the evidence starts
	startAt    []pattern
	needs      []Given // a fact of each set must be given
	forbids    Given   // none of these
	conditions []condition
	off        bool
	layer      int // of Load, from 0
}

// An Example is a sentence with [brackets] around what its card decides. The
// sentence before it, if there is one, ends in //.
type Example struct {
	Text string
	Line int
}

// A place is where in the sentence a match may be.
type place struct {
	first int // among the first words, this many; 0 means anywhere
	marks []kind
	word  bool // after a word, without punctuation between
}

// A condition is one line of a card: whether one of its tests must hold, or none.
type condition struct {
	want   bool
	any    []test
	words  bits     // bits of the words that patterns need
	byWord [][]test // tests for each bit, in the order of the bits
}

var scopes = []string{"the sentence", "to the end of the sentence", "to the end of the clause", "to the next comma",
	ahead, behind, around}

// The reaches of negations, hedges and time words: the text after the match,
// before it, or both, up to one of the card's ends.
const (
	ahead  = "ahead"
	behind = "behind"
	around = "around"
)

func isReach(scope string) bool { return scope == ahead || scope == behind || scope == around }

var cardFields = []string{"rule", "match", "on", "senses", "place", "before", "not before", "after", "not after", "has", "lacks", "says", "never",
	"sense", "connector", "subtype", "kind", "sure", "scope", "ends", "most", "tier", "keep", "refuse", "drop", "after first", "from first", "polarity", "time", "off", "yes", "no", "why"}

// parseCard reads one paragraph. Patterns and tests need complete word lists.
func (l *loader) parseCard(b block) *Card {
	c := &Card{Name: b.lines[0].value, File: b.file, Line: b.line, Sure: true}
	if c.Name == "" {
		l.fail(b.file, b.line, "the card has no name", "add one, for example `rule: contrast/however`")
	}
	for _, f := range b.lines {
		l.parseField(c, f)
	}
	l.validate(c)
	return c
}

// parseField reads one line of a card.
func (l *loader) parseField(c *Card, f field) {
	switch f.key {
	case "rule", "why":
	case "match":
		c.Match = append(c.Match, alternatives(f.value)...)
	case "on":
		c.On = append(c.On, alternatives(f.value)...)
	case "senses":
		c.senses = append(c.senses, alternatives(f.value)...)
	case "place":
		c.places = append(c.places, l.parsePlaces(c, f)...)
	case "before", "not before", "after", "not after", "has", "lacks", "says", "never":
		if cond, rest := l.parseCondition(c, f); rest {
			c.conditions = append(c.conditions, cond)
		}
		if f.key == "says" && c.says == nil {
			l.parsePatterns(c, field{f.key, strings.ReplaceAll(f.value, "...", ""), f.line}, &c.says)
		}
	case "ends":
		c.endsText = strings.TrimPrefix(c.endsText+" | "+f.value, " | ")
		l.parsePatterns(c, f, &c.ends)
	case "drop":
		l.parsePatterns(c, f, &c.drop)
	case "after first":
		l.parsePatterns(c, f, &c.startAfter)
	case "from first":
		l.parsePatterns(c, f, &c.startAt)
	case "yes":
		c.Yes = append(c.Yes, Example{f.value, f.line})
	case "no":
		c.No = append(c.No, Example{f.value, f.line})
	default:
		l.parseResult(c, f)
	}
}

// parseResult reads a line that says what a card makes of its match.
func (l *loader) parseResult(c *Card, f field) {
	choice := func(values []string) string {
		if !slices.Contains(values, f.value) {
			l.fail(c.File, f.line, fmt.Sprintf("%s: %q is not one of %s", f.key, f.value, strings.Join(values, ", ")), "use one of them")
		}
		return f.value
	}
	switch f.key {
	case "sense":
		c.Sense = choice(l.lex.wordsOf("senses"))
	case "connector":
		c.connector = strings.ToLower(f.value)
	case "subtype":
		c.Subtype = f.value
	case "kind":
		c.Kind = f.value
	case "sure":
		c.Sure = choice([]string{"yes", "no"}) == "yes"
	case "scope":
		c.Scope = choice(scopes)
	case "polarity":
		c.Polarity = f.value
	case "time":
		c.Time = f.value
	case "most":
		n, err := strconv.Atoi(f.value)
		if err != nil || n < 1 {
			l.fail(c.File, f.line, fmt.Sprintf("most: %q is not a number of words", f.value), "write for example `most: 6`")
		}
		c.most = n
	case "tier":
		c.Tier = choice([]string{"sure", "wide"})
	case "keep":
		c.keep = choice([]string{"first", "last"})
	case "refuse":
		c.Refuse = f.value
	case "off":
		c.off = choice([]string{"yes", "no"}) == "yes"
	default:
		l.fail(c.File, f.line, fmt.Sprintf("a card has no line %q", f.key+":"),
			"its lines are "+strings.Join(cardFields, ", ")+near.Nearest(f.key, cardFields))
	}
}

// validate reports what a card lacks.
func (l *loader) validate(c *Card) {
	fail := func(what, remedy string) { l.fail(c.File, c.Line, "the card "+c.Name+" "+what, remedy) }
	switch {
	case c.off:
		return
	case len(c.Match) == 0 && len(c.On) == 0:
		fail("matches nothing", "add `match:` with words or, for a scope card, `on:` with a kind")
	case len(c.Match) > 0 && len(c.On) > 0:
		fail("has both match: and on:", "split it into a sense card with match: and a scope card with on:")
	case len(c.Match) > 0 && c.Sense == "":
		fail("has no sense", "add `sense:` with one of "+strings.Join(l.lex.wordsOf("senses"), ", "))
	case c.IsPiece():
	case len(c.On) > 0 && (c.Scope == "") == (c.Refuse == ""):
		fail("needs either scope: or refuse:", "add `scope:` ("+strings.Join(scopes, ", ")+") or `refuse:` with the reason")
	case (c.endsText != "" || c.most > 0) && !isReach(c.Scope):
		fail("has ends: or most: but no reach", "add `scope: ahead`, `scope: behind` or `scope: around`")
	case len(c.On) > 0 && c.Scope != "" && c.Tier == "" && !isReach(c.Scope):
		fail("has a scope but no tier", "add `tier: sure` or `tier: wide`")
	}
	if len(c.Yes) == 0 && !c.IsPiece() {
		fail("has no example", "add a `yes:` line: a sentence with [brackets] around what the card decides")
	}
	for _, e := range c.Yes {
		if !strings.Contains(e.Text, "[") {
			l.fail(c.File, e.Line, "the example has no [brackets]", "add them around what the card decides")
		}
	}
}

// IsPiece reports whether the card decides about pieces of a sentence.
func (c *Card) IsPiece() bool { return len(c.On) > 0 && (c.Sense != "" || len(c.drop) > 0) }

func alternatives(s string) []string {
	var out []string
	for part := range strings.SplitSeq(s, "|") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

var counts = map[string]int{"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}

// parsePlaces reads "first word | first five words | after , ; : - ( | after a word".
func (l *loader) parsePlaces(c *Card, f field) []place {
	var places []place
	for _, part := range alternatives(f.value) {
		var p place
		words := strings.Fields(part)
		switch {
		case part == "anywhere":
		case part == "first word":
			p.first = 1
		case len(words) == 3 && words[0] == "first" && words[2] == "words" && counts[words[1]] > 0:
			p.first = counts[words[1]]
		case part == "after a word":
			p.word = true
		case len(words) > 1 && words[0] == "after":
			for _, w := range words[1:] {
				k, ok := marks[w]
				if !ok {
					l.fail(c.File, f.line, fmt.Sprintf("place: %q is not a mark", w), "use , ; : - ( or )")
				}
				p.marks = append(p.marks, k)
			}
		default:
			l.fail(c.File, f.line, fmt.Sprintf("place: %q is not a place", part),
				"use `first word`, `first five words`, `after , ; : -`, `after a word` or `anywhere`, separated by |")
		}
		places = append(places, p)
	}
	return places
}

func (l *loader) parseCondition(c *Card, f field) (cond condition, rest bool) {
	cond.want = !strings.HasPrefix(f.key, "not ") && f.key != "lacks" && f.key != "never"
	parts := l.takeGivens(c, f, alternatives(f.value))
	for _, part := range parts {
		t, rarest, err := l.parseConditionPart(f.key, part)
		switch {
		case err != nil:
			l.fail(c.File, f.line, f.key+": "+err.Error(), "")
		case rarest != nil:
			cond.addWord(rarest.bit, t)
		default:
			cond.any = append(cond.any, t)
		}
	}
	if len(cond.any) == 0 && f.value == "" {
		l.fail(c.File, f.line, f.key+": is empty", "add a test or delete the line")
	}
	return cond, len(parts) > 0 || f.value == ""
}

// takeGivens records the facts of a has: or lacks: line in the card, which tests
// them at once and before all else, and returns the other parts. A has: line that
// also allows something else stays whole.
func (l *loader) takeGivens(c *Card, f field, parts []string) []string {
	isGiven := func(part string) bool { return strings.HasPrefix(part, "given ") && len(part) > len("given ") }
	if f.key != "lacks" && (f.key != "has" || !all(parts, isGiven)) {
		return parts
	}
	var facts Given
	rest := slices.DeleteFunc(slices.Clone(parts), func(part string) bool {
		if !isGiven(part) {
			return false
		}
		bit, err := l.lex.given(part[len("given "):])
		if err != nil {
			l.fail(c.File, f.line, f.key+": "+err.Error(), "")
		}
		facts |= bit
		return true
	})
	switch {
	case facts == 0:
	case f.key == "lacks":
		c.forbids |= facts
	default:
		c.needs = append(c.needs, facts)
	}
	return rest
}

// given returns the bit of a fact that the caller may know.
func (l *lexicon) given(name string) (Given, error) {
	bit, known := l.givens[name]
	if !known && len(l.givens) == 64 {
		return 0, fmt.Errorf("cards use more than 64 names after given")
	} else if !known {
		bit = 1 << len(l.givens)
		l.givens[name] = bit
	}
	return bit, nil
}

func all[T any](list []T, holds func(T) bool) bool {
	return !slices.ContainsFunc(list, func(x T) bool { return !holds(x) })
}

// parsePatterns reads a line of patterns.
func (l *loader) parsePatterns(c *Card, f field, into *[]pattern) {
	for _, part := range alternatives(f.value) {
		p, err := l.lex.parsePattern(part)
		if err != nil {
			l.fail(c.File, f.line, f.key+": "+err.Error(), "")
			continue
		}
		*into = append(*into, p)
	}
}

// parseConditionPart returns a test, and for says: and never: the rarest word
// of its pattern, if there is one.
func (l *loader) parseConditionPart(key, part string) (t test, rarest *entry, err error) {
	switch key {
	case "has", "lacks":
		t, err = l.lex.parseTest(part)
		return t, nil, err
	case "says", "never":
		return l.lex.parseSays(part)
	}
	p, err := l.lex.parsePattern(part)
	if strings.HasSuffix(key, "before") {
		return func(a at) bool { return p.matchBefore(a.text, a.i) }, nil, err
	}
	return func(a at) bool { return p.matchAt(a.text, a.afterComma()) }, nil, err
}
