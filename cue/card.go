package cue

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sort"
	"strconv"
	"strings"

	"verbatim"
)

// A Card is one piece of people's knowledge: which words, where, under which
// conditions, and what follows from it. A sense card (`match:`) decides what an
// occurrence means; a scope card (`on:`) decides, for one kind of joint, which
// stretch of the sentence it governs, or refuses it.
type Card struct {
	Name string
	File string
	Line int

	Match   []string // sense cards: the phrases
	On      []string // scope cards: the kinds of joint
	Senses  []string // scope cards: only these senses; none is all
	Sense   string
	Subtype string
	Kind    string // the kind of joint, for the scope cards
	Sure    bool   // false: ambiguous, a language model may be asked
	Scope   string // what a scope card gives
	Tier    string // sure or wide
	Keep    string // of several tags of one name: the first or the last
	Ends    string // where a reach stops short, as the card writes it
	Most    int    // a reach of so many words at the most; 0: no bound
	Refuse  string // or why it gives nothing
	Yes, No []Example

	Polarity string // piece cards: what the piece says, whatever denies it
	Time     string // piece cards: the time, where no word tells it

	places     []place
	ends       []pattern
	number     int       // of a piece card, from 1
	says       []pattern // of the first says: line
	drop       []pattern // what an opening or a closing takes off
	startAfter []pattern // where the evidence begins
	startAt    []pattern
	conditions []condition
	off        bool
}

// An Example is a sentence with [brackets] around what its card decides; a
// sentence before it ends in //.
type Example struct {
	Text string
	Line int
}

// A place is where in the sentence a match may stand.
type place struct {
	first int // among the first so many words; 0: no matter
	marks []kind
	word  bool // after a word: no mark before
}

// A condition is a line of a card: one of its tests must hold, or none may.
type condition struct {
	want   bool
	any    []test
	words  sign     // of patterns that need a word: the bits of those words
	byWord [][]test // and what each bit brings up, in the order of the bits
}

// LineError is the error of a card file: where, what, and how to mend it.
type LineError = verbatim.LineError

// a block is a paragraph of a card file.
type block struct {
	file  string
	line  int
	lines []field
}

type field struct {
	key, value string
	line       int
}

// readBlocks cuts a file into paragraphs of `key: value` lines. A line that
// begins with white space goes on with the line above; # begins a remark.
func readBlocks(file, content string) ([]block, []error) {
	var blocks []block
	var errs []error
	var b block
	flush := func() {
		if len(b.lines) > 0 {
			blocks = append(blocks, b)
		}
		b = block{}
	}
	number := 0
	for line := range strings.Lines(strings.TrimPrefix(content, "\uFEFF")) {
		number++
		line = stripRemark(strings.TrimRight(line, " \t\r\n"))
		if strings.TrimSpace(line) == "" {
			if !strings.HasPrefix(line, "\x00") {
				flush()
			}
			continue
		}
		if line == "\x00" { // a line that is only a remark ends no card
			continue
		}
		if (line[0] == ' ' || line[0] == '\t') && len(b.lines) > 0 {
			last := &b.lines[len(b.lines)-1]
			last.value = strings.TrimSpace(last.value + " " + strings.TrimSpace(line))
			continue
		}
		key, value, ok := strings.Cut(line, ":")
		if !ok {
			errs = append(errs, &LineError{File: file, Line: number, What: fmt.Sprintf("%q has no colon", excerpt(line)),
				Remedy: "write `name: value`, begin a remark with #, and go on with a long line by beginning the next with a space"})
			continue
		}
		if len(b.lines) == 0 {
			b.file, b.line = file, number
		}
		b.lines = append(b.lines, field{strings.TrimSpace(key), strings.TrimSpace(value), number})
	}
	flush()
	return blocks, errs
}

// stripRemark takes off what follows # where a space or nothing stands before
// it; a line that held only a remark comes back as one NUL.
func stripRemark(line string) string {
	if strings.HasPrefix(line, "#") {
		return "\x00"
	}
	if before, _, ok := strings.Cut(line, " #"); ok {
		return strings.TrimRight(before, " \t")
	}
	return line
}

func excerpt(s string) string {
	if len(s) > 40 {
		return s[:40] + "..."
	}
	return s
}

var scopes = []string{"the sentence", "to the end of the sentence", "to the end of the clause", "to the next comma",
	ahead, behind, around}

// The reaches of negations, hedges and words of time: what stands after the
// match, what stands before it, or both, up to one of the ends: of its card.
const (
	ahead  = "ahead"
	behind = "behind"
	around = "around"
)

func isReach(scope string) bool { return scope == ahead || scope == behind || scope == around }

var cardFields = []string{"rule", "match", "on", "senses", "place", "before", "not before", "after", "not after", "has", "lacks", "says", "never",
	"sense", "subtype", "kind", "sure", "scope", "ends", "most", "tier", "keep", "refuse", "drop", "after first", "from first", "polarity", "time", "off", "yes", "no", "why"}

// parseCard reads one paragraph. Patterns and tests need the word lists, which
// are complete by then.
func (l *loader) parseCard(b block) *Card {
	c := &Card{Name: b.lines[0].value, File: b.file, Line: b.line, Sure: true}
	if c.Name == "" {
		l.fail(b.file, b.line, "the card has no name", "write for example `rule: contrast/however`")
	}
	for _, f := range b.lines {
		l.parseField(c, f)
	}
	l.complete(c)
	return c
}

func (l *loader) parseField(c *Card, f field) {
	choice := func(values []string) string {
		if !slices.Contains(values, f.value) {
			l.fail(c.File, f.line, fmt.Sprintf("%s: %q is not one of %s", f.key, f.value, strings.Join(values, ", ")), "write one of them")
		}
		return f.value
	}
	switch f.key {
	case "rule", "why":
	case "match":
		c.Match = append(c.Match, alternatives(f.value)...)
	case "on":
		c.On = append(c.On, alternatives(f.value)...)
	case "senses":
		c.Senses = append(c.Senses, alternatives(f.value)...)
	case "place":
		c.places = append(c.places, l.parsePlaces(c, f)...)
	case "before", "not before", "after", "not after", "has", "lacks", "says", "never":
		c.conditions = append(c.conditions, l.parseCondition(c, f))
		if f.key == "says" && c.says == nil {
			dotless := field{f.key, strings.ReplaceAll(f.value, "...", ""), f.line}
			l.parsePatterns(c, dotless, &c.says)
		}
	case "sense":
		c.Sense = choice(l.lex.wordsOf("senses"))
	case "subtype":
		c.Subtype = f.value
	case "kind":
		c.Kind = f.value
	case "sure":
		c.Sure = choice([]string{"yes", "no"}) == "yes"
	case "scope":
		c.Scope = choice(scopes)
	case "ends":
		c.Ends = strings.TrimPrefix(c.Ends+" | "+f.value, " | ")
		l.parsePatterns(c, f, &c.ends)
	case "drop":
		l.parsePatterns(c, f, &c.drop)
	case "after first":
		l.parsePatterns(c, f, &c.startAfter)
	case "from first":
		l.parsePatterns(c, f, &c.startAt)
	case "polarity":
		c.Polarity = f.value
	case "time":
		c.Time = f.value
	case "most":
		n, err := strconv.Atoi(f.value)
		if err != nil || n < 1 {
			l.fail(c.File, f.line, fmt.Sprintf("most: %q is no number of words", f.value), "write for example `most: 6`")
		}
		c.Most = n
	case "tier":
		c.Tier = choice([]string{"sure", "wide"})
	case "keep":
		c.Keep = choice([]string{"first", "last"})
	case "refuse":
		c.Refuse = f.value
	case "off":
		c.off = choice([]string{"yes", "no"}) == "yes"
	case "yes":
		c.Yes = append(c.Yes, Example{f.value, f.line})
	case "no":
		c.No = append(c.No, Example{f.value, f.line})
	default:
		l.fail(c.File, f.line, fmt.Sprintf("a card has no line %q", f.key+":"),
			"its lines are "+strings.Join(cardFields, ", ")+Nearest(f.key, cardFields))
	}
}

// complete says what a card lacks.
func (l *loader) complete(c *Card) {
	fail := func(what, remedy string) { l.fail(c.File, c.Line, "the card "+c.Name+" "+what, remedy) }
	switch {
	case c.off:
		return
	case len(c.Match) == 0 && len(c.On) == 0:
		fail("matches nothing", "add `match:` and its words, or for a scope card `on:` and a kind of joint")
	case len(c.Match) > 0 && len(c.On) > 0:
		fail("has both match: and on:", "a sense card matches words, a scope card stands on a kind of joint; make two cards of it")
	case len(c.Match) > 0 && c.Sense == "":
		fail("decides nothing", "add `sense:` and one of "+strings.Join(l.lex.wordsOf("senses"), ", "))
	case c.IsPiece():
	case len(c.On) > 0 && (c.Scope == "") == (c.Refuse == ""):
		fail("must either give a scope or refuse", "add one of `scope:` ("+strings.Join(scopes, ", ")+") and `refuse:` with the reason")
	case (c.Ends != "" || c.Most > 0) && !isReach(c.Scope):
		fail("has ends: or most: but no reach", "write `scope: ahead`, `scope: behind` or `scope: around`")
	case len(c.On) > 0 && c.Scope != "" && c.Tier == "" && !isReach(c.Scope):
		fail("gives a scope without a tier", "add `tier: sure` or `tier: wide`")
	}
	if len(c.Yes) == 0 && !c.IsPiece() {
		fail("has no example", "add a line `yes:` with a sentence and [brackets] around what the card decides")
	}
	for _, e := range c.Yes {
		if !strings.Contains(e.Text, "[") {
			l.fail(c.File, e.Line, "the example has no [brackets]", "put them around what the card decides")
		}
	}
}

// IsPiece says whether the card decides about pieces, not about joints.
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
					l.fail(c.File, f.line, fmt.Sprintf("place: %q is no mark", w), "the marks are , ; : - ( )")
				}
				p.marks = append(p.marks, k)
			}
		default:
			l.fail(c.File, f.line, fmt.Sprintf("place: %q is no place", part),
				"write first word, first five words, after , ; : - and so on, after a word, or anywhere, with | between them")
		}
		places = append(places, p)
	}
	return places
}

func (l *loader) parseCondition(c *Card, f field) condition {
	cond := condition{want: !strings.HasPrefix(f.key, "not ") && f.key != "lacks" && f.key != "never"}
	for _, part := range alternatives(f.value) {
		t, err := l.parseConditionPart(f.key, part)
		if err != nil {
			l.fail(c.File, f.line, f.key+": "+err.Error(), "`verbatim rules list --tests` prints the tests, lists and shapes")
			continue
		}
		if need := l.lex.wordSaid(f.key, part); need != (sign{}) {
			cond.addWord(need, t)
		} else {
			cond.any = append(cond.any, t)
		}
	}
	if len(cond.any) == 0 && f.value == "" {
		l.fail(c.File, f.line, f.key+": says nothing", "write a test after it or take the line out")
	}
	return cond
}

// parsePatterns reads a line of patterns.
func (l *loader) parsePatterns(c *Card, f field, into *[]pattern) {
	for _, part := range alternatives(f.value) {
		p, err := l.lex.parsePattern(part)
		if err != nil {
			l.fail(c.File, f.line, f.key+": "+err.Error(), "`verbatim rules list --tests` prints the lists and shapes")
			continue
		}
		*into = append(*into, p)
	}
}

func (l *loader) parseConditionPart(key, part string) (test, error) {
	switch key {
	case "has", "lacks":
		return l.lex.parseTest(part)
	case "says", "never":
		return l.lex.parseSays(part)
	}
	p, err := l.lex.parsePattern(part)
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(key, "before") {
		return func(a at) bool { return p.matchBefore(a.text, a.i) }, nil
	}
	return func(a at) bool { // a comma directly after the match is passed over
		i := a.skipQuotes(a.i + a.n)
		if a.kindAt(i) == comma {
			i++
		}
		return p.matchAt(a.text, i)
	}, nil
}

// loader gathers the files of all layers.
type loader struct {
	lex  *lexicon
	errs []error
}

func (l *loader) fail(file string, line int, what, remedy string) {
	l.errs = append(l.errs, &LineError{File: file, Line: line, What: what, Remedy: remedy})
}

// Load reads cards and word lists, the user's layers before the embedded one.
// Within a folder two cards of one name are a mistake. Between layers a card
// takes the place of the lower card of its name; a card with a new name is
// asked before the lower ones, and one that says `off: yes` takes a lower card
// out. All mistakes are reported at once, each as a *LineError.
func Load(layers ...fs.FS) (*Cards, error) {
	l := &loader{lex: newLexicon()}
	var all [][]block
	for _, layer := range layers {
		blocks, err := l.readLayer(layer)
		if err != nil {
			return nil, err
		}
		all = append(all, blocks)
	}
	for i := len(all) - 1; i >= 0; i-- { // the lowest first: upper ones replace or add
		for _, b := range all[i] {
			l.readList(b)
		}
	}
	g := &grammar{}
	for name, n := range g.needed() {
		if *n = l.lex.list(name); *n < 0 {
			return nil, errors.Join(append(l.errs, fmt.Errorf("the word list %q is missing; end with the embedded lists: Load(yours, Words())", name))...)
		}
	}
	cards := l.layCards(all)
	l.checkKinds(cards)
	if len(l.errs) > 0 {
		return nil, errors.Join(l.errs...)
	}
	return compile(l.lex, g, cards, all)
}

// readLayer reads the .txt files of one folder, by name.
func (l *loader) readLayer(layer fs.FS) ([]block, error) {
	names, err := fs.Glob(layer, "*.txt")
	if err != nil {
		return nil, err
	}
	sort.Strings(names)
	var all []block
	for _, name := range names {
		if name == "README.txt" {
			continue
		}
		content, err := fs.ReadFile(layer, name)
		if err != nil {
			return nil, err
		}
		blocks, errs := readBlocks(name, string(content))
		l.errs = append(l.errs, errs...)
		for _, b := range blocks {
			switch key := b.lines[0].key; key {
			case "rule", "list", "more":
				all = append(all, b)
			default:
				l.fail(name, b.line, fmt.Sprintf("a paragraph begins with %q", key+":"),
					"a card begins with `rule:`, a word list with `list:`, more words for a list with `more:`; a card has no blank line inside")
			}
		}
	}
	return all, nil
}

// readList takes in a `list:` or `more:` paragraph.
func (l *loader) readList(b block) {
	key, name := b.lines[0].key, b.lines[0].value
	if key == "rule" {
		return
	}
	n, known := l.lex.names[name]
	if !known {
		if key == "more" {
			l.fail(b.file, b.line, fmt.Sprintf("there is no list %q to add to", name), "begin a new list with `list:`"+Nearest(name, l.lex.order))
			return
		}
		if n = len(l.lex.order); n >= mostLists {
			l.fail(b.file, b.line, "there are more than "+strconv.Itoa(mostLists)+" lists", "put some of them together")
			return
		}
		l.lex.names[name] = n
		l.lex.order = append(l.lex.order, name)
	} else if key == "list" {
		l.lex.empty(n)
	}
	for _, f := range b.lines[1:] {
		switch f.key {
		case "does":
		case "words":
			for w := range strings.FieldsSeq(f.value) {
				l.lex.entry(strings.ToLower(w)).lists.add(n)
			}
		case "not":
			for w := range strings.FieldsSeq(f.value) {
				l.lex.entry(strings.ToLower(w)).lists.remove(n)
			}
		default:
			l.fail(b.file, f.line, fmt.Sprintf("a word list has no line %q", f.key+":"), "its lines are list or more, does, words, not")
		}
	}
}

// checkKinds: a kind of joint that only one side knows is a slip of the pen.
func (l *loader) checkKinds(cards []*Card) {
	kinds, on := []string{"any joint"}, []string{}
	for _, c := range cards {
		kinds, on = append(kinds, c.Kind), append(on, c.On...)
	}
	for _, c := range cards {
		if c.Kind != "" && !slices.Contains(on, c.Kind) {
			l.fail(c.File, c.Line, fmt.Sprintf("no scope card stands on the kind %q of the card %s", c.Kind, c.Name), "write a kind that a scope card names after on:"+Nearest(c.Kind, on))
		}
		for _, kind := range c.On {
			if !c.IsPiece() && !slices.Contains(kinds, kind) {
				l.fail(c.File, c.Line, fmt.Sprintf("no sense card has the kind %q that the card %s stands on", kind, c.Name), "write a kind that a sense card has"+Nearest(kind, kinds))
			}
		}
	}
}

// layCards parses all cards and lays the upper layers over the lower ones.
func (l *loader) layCards(layers [][]block) []*Card {
	var cards []*Card
	for i := len(layers) - 1; i >= 0; i-- {
		seen := map[string]*Card{}
		var added []*Card
		for _, b := range layers[i] {
			if b.lines[0].key != "rule" {
				continue
			}
			c := l.parseCard(b)
			if twin := seen[c.Name]; twin != nil {
				l.fail(c.File, c.Line, fmt.Sprintf("the card %s stands already in %s:%d", c.Name, twin.File, twin.Line), "give one of them another name")
				continue
			}
			seen[c.Name] = c
			if at := slices.IndexFunc(cards, func(old *Card) bool { return old.Name == c.Name }); at >= 0 {
				cards[at] = c
			} else {
				added = append(added, c)
			}
		}
		cards = append(added, cards...)
	}
	return slices.DeleteFunc(cards, func(c *Card) bool { return c.off })
}
