package journal

import (
	"strings"
	"unicode/utf8"

	"verbatim"
	"verbatim/cue"
	"verbatim/sentence"
)

// The four domains.
const (
	Symptom = "symptom"
	Food    = "food"
	Emotion = "emotion"
	Mind    = "mind"
)

// Unknown is the value of an attribute without a cue.
const Unknown = "unknown"

// A Claim is one item before it becomes a record: its place in the journal, its
// attributes, and the cards that decided them.
type Claim struct {
	verbatim.Span // bytes of the journal's text
	Domain        string
	Polarity      string
	Degree        string // arousal of an emotion, intensity of all else
	Time          string
	Card          string   // the card that made it a claim
	Cards         []string // the cards of its attributes

	card *cue.Card
}

// A Refusal is a piece that could have been a claim and was let go, and why.
type Refusal struct {
	verbatim.Span
	Card   string
	Reason string
}

// An Extractor finds claims. It keeps its buffers: each goroutine has one.
type Extractor struct {
	names    names
	reader   *cue.Reader
	text     string
	base     int       // where the open sentence begins in the text
	tags     []cue.Tag // of the open sentence
	pieces   []piece
	claims   []Claim
	refusals []Refusal
	explain  bool
}

// New gives an Extractor by these cards.
func New(cards *cue.Cards) *Extractor {
	return &Extractor{reader: cards.NewReader(), names: nameAll(cards)}
}

// Claims finds the claims of a journal, in the order of its text; none overlaps
// another. The slices are good until the next call.
func (e *Extractor) Claims(text string) ([]Claim, []Refusal) {
	e.text, e.claims, e.refusals = text, e.claims[:0], e.refusals[:0]
	start := 0
	for line := range strings.Lines(text) {
		for s := range sentence.SplitText(line) {
			e.sentence(verbatim.Span{Start: start + s.Start, End: start + s.End})
		}
		start += len(line)
	}
	return e.claims, e.refusals
}

// Items are the claims as records.
func (e *Extractor) Items(text string) []verbatim.Item {
	claims, _ := e.Claims(text)
	items := make([]verbatim.Item, 0, len(claims))
	points, at := 0, 0 // code points before byte `at`
	for _, c := range claims {
		points += utf8.RuneCountInString(text[at:c.Start])
		at = c.Start
		span := text[c.Start:c.End]
		item := verbatim.Item{Domain: c.Domain, EvidenceSpan: span, Polarity: c.Polarity, Time: c.Time,
			Place: &verbatim.Place{ByteStart: c.Start, ByteEnd: c.End, Start: points, End: points + utf8.RuneCountInString(span)},
			More:  cardField(c.Card)}
		if c.Domain == Emotion {
			item.Arousal = c.Degree
		} else {
			item.Intensity = c.Degree
		}
		items = append(items, item)
	}
	return items
}

func cardField(card string) []verbatim.Field {
	return []verbatim.Field{{Name: "card", Value: []byte(`"` + card + `"`)}}
}

// names are the lists and givens that the code asks the cards for.
type names struct {
	given           map[string]cue.Given
	adjunct, joints cue.List
}

// given names what the extractor tells the cards of a piece.
var given = []string{
	"a comma", "semicolon", "dash", "plus", "slash", "and", "but", "or", "so", "then", "plus next",
	"food before", "symptom before", "emotion before", "mind before", "nothing before", "denied before", "doubt before",
	"condition before", "others before", "food last", "food last in the sentence",
	"food label", "symptom label", "emotion label", "mind label", "sleep label", "a column",
}

func nameAll(cards *cue.Cards) names {
	n := names{given: map[string]cue.Given{}, adjunct: cards.List("adjunct openers"), joints: cards.List("joint words")}
	for _, name := range given {
		n.given[name] = cards.Given(name)
	}
	return n
}

// A piece is a stretch of a sentence between two joints.
type piece struct {
	from, to int       // tokens
	joints   cue.Given // what stands before it
	next     string    // the joint after it
}

// sentence cuts a sentence into pieces and asks the cards about each.
func (e *Extractor) sentence(span verbatim.Span) {
	e.base = span.Start
	e.tags = e.reader.Open("", e.text[span.Start:span.End])
	e.cut()
	c := context{e: e, first: len(e.claims), last: -1}
	for _, p := range e.pieces {
		c.take(p)
	}
}

func (e *Extractor) at(from, to int) verbatim.Span {
	s := e.reader.TokenSpan(from, to)
	return verbatim.Span{Start: e.base + s.Start, End: e.base + s.End}
}

// A context is what has been said so far in a sentence.
type context struct {
	e        *Extractor
	first    int       // the first claim of this sentence
	last     int       // the claim of the piece before, or -1
	given    cue.Given // what the piece before was
	label    cue.Given
	keep     int    // the token at which a label that belongs to the span begins, +1
	time     string // that an opening piece told
	timeCard string
}

// take asks the cards about one piece and puts down what they decide.
func (c *context) take(p piece) {
	e := c.e
	if p.next == ":" || p.next == "=" || p.next == "dash" && c.label == 0 && c.last < 0 {
		if c.takeLabel(p) {
			return
		}
	}
	given := p.joints | c.given | c.label
	if c.last < 0 && c.given == 0 {
		given |= e.names.given["nothing before"]
	}
	if len(e.claims) > 0 && e.claims[len(e.claims)-1].Domain == Food {
		given |= e.names.given["food last"]
		if len(e.claims) > c.first {
			given |= e.names.given["food last in the sentence"]
		}
	}
	if p.next == "plus" {
		given |= e.names.given["plus next"]
	}
	from, to := e.trim(p.from, p.to)
	if from >= to {
		c.noteTime(p)
		return
	}
	card := e.reader.Judge("piece", from, to, given)
	c.given = 0
	switch {
	case card == nil:
		c.noteTime(p)
		c.last, c.given = -1, 0
		if e.explain {
			e.refuse(from, to, "", "no card knows what it claims")
		}
	case card.Refuse != "":
		c.last = -1
		switch card.Name {
		case "refuse/condition", "refuse/after-condition":
			c.given = e.names.given["condition before"]
		case "refuse/others", "refuse/others-possessive", "refuse/others-go-on", "refuse/noun-has":
			c.given = e.names.given["others before"]
		}
		e.refuse(from, to, card.Name, card.Refuse)
	case card.Sense == "more":
		c.more(card, p, from, to)
	default:
		c.claim(card, p, from, to)
	}
}

func (e *Extractor) refuse(from, to int, card, reason string) {
	e.refusals = append(e.refusals, Refusal{e.at(from, to), card, reason})
}

// takeLabel: does the piece stand before a colon as a label?
func (c *context) takeLabel(p piece) bool {
	from, to := c.e.trim(p.from, p.to)
	if from >= to {
		return false
	}
	card := c.e.reader.Judge("label", from, to, 0)
	if card == nil {
		return false
	}
	c.keep, c.label, c.given, c.last = 0, 0, 0, -1
	switch card.Sense {
	case "time label":
	case "column":
		c.label = c.e.names.given["a column"]
	default:
		c.label = c.e.names.given[card.Sense]
	}
	if card.Subtype == "keep" {
		c.keep = from + 1
	}
	c.noteTime(p)
	return true
}

// claim puts down a new claim.
func (c *context) claim(card *cue.Card, p piece, from, to int) {
	e := c.e
	start := e.skipMarks(e.reader.Start(card, from, to), to)
	if c.keep > 0 {
		start = c.keep - 1
	}
	claim := Claim{Span: e.at(start, to), Domain: card.Sense, Card: card.Name, card: card}
	if n := len(e.claims); n > 0 && e.claims[n-1].End > claim.Start {
		return // a card with two minds; the first stands
	}
	c.attributes(&claim, p, start, to)
	c.keep = 0
	if c.label == e.names.given["a column"] {
		c.label = 0
	}
	e.claims = append(e.claims, claim)
	c.last = len(e.claims) - 1
	c.remember(claim)
}

// remember tells the next piece what this one was.
func (c *context) remember(claim Claim) {
	c.given = c.e.names.given[claim.Domain+" before"]
	if claim.Polarity == Absent {
		c.given |= c.e.names.given["denied before"]
	}
	if claim.Card == "mind/doubt-of-cause" {
		c.given |= c.e.names.given["doubt before"]
	}
}

// more lengthens the claim before, or makes one of two pieces where the verb
// comes only with the second.
func (c *context) more(card *cue.Card, p piece, from, to int) {
	e := c.e
	if c.last < 0 {
		return
	}
	claim := &e.claims[c.last]
	claim.End = e.at(from, to).End
	c.remember(*claim)
	c.degree(claim, claim.Span)
}

// trim takes openings and closings off.
func (e *Extractor) trim(from, to int) (int, int) {
	r := e.reader
	from = e.skipMarks(from, to)
	for from < to && !r.IsWord(to-1) && r.Mark(to-1) != ")" {
		to--
	}
	for from < to {
		card := r.Judge("opening", from, to, 0)
		n := 0
		for ; card != nil; card = r.JudgeAfter("opening", card, from, to) {
			if n = r.DropFirst(card, from, to); n > 0 {
				break
			}
		}
		if n == 0 {
			break
		}
		from = e.skipMarks(from+n, to)
	}
	for from < to {
		n := 0
		for card := r.Judge("closing", from, to, 0); card != nil; card = r.JudgeAfter("closing", card, from, to) {
			if n = r.DropLast(card, from, to); n > 0 {
				break
			}
		}
		if n == 0 {
			break
		}
		to -= n
		for from < to && !r.IsWord(to-1) && r.Mark(to-1) != ")" {
			to--
		}
	}
	return from, to
}

func (e *Extractor) skipMarks(from, to int) int {
	for from < to && !e.reader.IsWord(from) && e.reader.Mark(from) != "#" {
		from++
	}
	return from
}

// attributes decides polarity, degree and time from the tags that stand in the
// piece.
func (c *context) attributes(claim *Claim, p piece, start, to int) {
	c.polarity(claim, p, start, to)
	c.degree(claim, claim.Span)
	c.timeOf(claim, p)
	if claim.Polarity == Uncertain {
		claim.Degree, claim.Time = Unknown, Unknown
	}
}

// polarity: a denial or a doubt counts where it stands in the main part of the
// piece, before the circumstances; two denials cancel each other.
func (c *context) polarity(claim *Claim, p piece, start, to int) {
	if claim.card.Polarity != "" {
		claim.Polarity = claim.card.Polarity
		return
	}
	e := c.e
	main := start + 1
	for main < to && !e.reader.In(main, e.names.adjunct) {
		main++
	}
	denials, doubts := 0, 0
	for _, tag := range e.tags {
		at, _ := tag.Tokens()
		if at < p.from || at >= to {
			continue
		}
		switch {
		case tag.Sense == Absent && (at < main || tag.Kind == "behind" || tag.Kind == "column"):
			denials++
			claim.Cards = append(claim.Cards, tag.Card)
		case tag.Sense == Uncertain && tag.Subtype == "" && at < main:
			doubts++
			claim.Cards = append(claim.Cards, tag.Card)
		}
	}
	switch {
	case doubts > 0:
		claim.Polarity = Uncertain
	case denials%2 == 1:
		claim.Polarity = Absent
	case c.given&e.names.given["denied before"] != 0 && p.joints&e.names.given["or"] != 0:
		claim.Polarity = Absent // one denial over a list
	default:
		claim.Polarity = Present
	}
}

// degree takes the first word of measure in the span that speaks for the domain.
func (c *context) degree(claim *Claim, span verbatim.Span) {
	claim.Degree = Unknown
	if claim.Domain == Food || claim.Polarity != Present {
		return
	}
	for _, tag := range c.e.tags {
		s := verbatim.Span{Start: tag.Start + c.e.base, End: tag.End + c.e.base}
		if tag.Kind != "degree" || !span.Contains(s) {
			continue
		}
		if tag.Subtype == "measure" && claim.Domain == Emotion || tag.Subtype == "activation" && claim.Domain != Emotion {
			continue
		}
		claim.Degree = tag.Sense
		claim.Cards = append(claim.Cards, tag.Card)
		return
	}
}

// timeOf: a word of time in the piece, one that opened the sentence, the time
// of what went before (`after that`), what the card says, or today.
func (c *context) timeOf(claim *Claim, p piece) {
	if at := c.timeIn(p); at != nil {
		claim.Time = at.Sense
		claim.Cards = append(claim.Cards, at.Card)
		return
	}
	switch {
	case claim.card.Time != "":
		claim.Time = claim.card.Time
	case c.time != "":
		claim.Time = c.time
		claim.Cards = append(claim.Cards, c.timeCard)
	default:
		claim.Time = "today"
	}
}

func (c *context) timeIn(p piece) *cue.Tag {
	for i := range c.e.tags {
		if at, _ := c.e.tags[i].Tokens(); c.e.tags[i].Kind == "time" && at >= p.from && at < p.to {
			return &c.e.tags[i]
		}
	}
	return nil
}

// noteTime keeps the time that an opening such as `Last night,` tells.
func (c *context) noteTime(p piece) {
	if at := c.timeIn(p); at != nil {
		c.time, c.timeCard = at.Sense, at.Card
	}
}

// cut finds the joints of the open sentence: marks, and the words that cards
// call joints. What stands in brackets or quotation marks is not cut.
func (e *Extractor) cut() {
	r := e.reader
	e.pieces = e.pieces[:0]
	var joints cue.Given
	from := 0
	n := r.Tokens()
	for i := 0; i < n; {
		name, width := "", 1
		if r.In(i, e.names.joints) {
			if card := r.Judge("joint", i, i+1, 0); card != nil && card.Sense != "none" {
				name = card.Sense
			}
		}
		if name == "" && !r.IsWord(i) {
			if closing := e.closing(i); closing > i {
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
			e.pieces = append(e.pieces, piece{from, i, joints, name})
			joints = 0
		}
		joints |= e.names.given[name]
		from = i + width
		if name == "kept" {
			from = i // the word itself opens the next piece
		}
		i += width
	}
	if n > from {
		e.pieces = append(e.pieces, piece{from, n, joints, ""})
	}
}

var pairs = map[string]string{"(": ")", "“": "”", "\"": "\"", "‘": "’"}

// closing is the token that closes the bracket or quotation that token i opens.
func (e *Extractor) closing(i int) int {
	end, ok := pairs[e.reader.Mark(i)]
	if !ok {
		return i
	}
	for k := i + 1; k < e.reader.Tokens(); k++ {
		if e.reader.Mark(k) == end {
			return k
		}
	}
	return i
}

// markJoint names the joint that a mark is, and how many tokens it takes up.
func (e *Extractor) markJoint(i int) (string, int) {
	r := e.reader
	switch m := r.Mark(i); m {
	case ",":
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
	case ".", "!", "?", "…", "।", "\n":
		return "stop", 1
	}
	return "", 1
}
