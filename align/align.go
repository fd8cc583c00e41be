// Package align finds a quotation in the text that it was taken from, even if the
// copy changed a quotation mark, a space or a letter.
//
// It returns a piece of the text itself, with its place, and says in words what
// differs. A quotation that is not there is not found: nothing is made up.
package align

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim"
)

// A Kind says how near a quotation is to the text.
type Kind int

// The kinds, nearest first.
const (
	// Absent: the text has no such piece.
	Absent Kind = iota
	// Exact: the same bytes.
	Exact
	// Form: only case, white space, the form of quotation marks and dashes,
	// Unicode's form or a final stop differ.
	Form
	// Edited: some letters or marks differ, within the limit. See Find.
	Edited
)

// String returns the kind in a word.
func (k Kind) String() string { return [...]string{"absent", "exact", "form", "edited"}[k] }

// A Match is a piece of the text.
type Match struct {
	verbatim.Span // bytes of the text
	Kind          Kind
	Edits         int      // of an Edited match
	Differences   []string // in words, such as "curly quote"; nil if Exact
}

// Words lists the differences, such as "curly quote, final stop".
func (m Match) Words() string { return strings.Join(m.Differences, ", ") }

// The limit of edits. Beyond it, a quotation is called absent rather than near.
const (
	// CharactersPerEdit: a quotation of n characters may need n/8 edits.
	CharactersPerEdit = 8
	// LettersToEdit is the length of the shortest word in which one letter may
	// be wrong. In shorter words ("no", "can", "left") a letter is the meaning.
	LettersToEdit = 5
)

// A Text is a text in which quotations are looked for. It is prepared once, at
// the first quotation that is not exact. It must not be used by two goroutines
// at the same time.
type Text struct {
	text   string
	tokens []token // nil before they are needed
	finder finder
}

// NewText returns a Text.
func NewText(text string) *Text { return &Text{text: text} }

// Find finds a quotation. Of several equally near places, it returns the first
// whole words that begin at `from` or later, otherwise the first.
//
// An edit is one letter that is added, missing or wrong, or two neighbours
// swapped: one in a word, in words of at least five letters without digits; or a
// comma or another mark, or a space inside a word, that is added or missing.
// Words and numbers are never added, dropped or replaced, so a negation cannot
// get lost. One edit is allowed for every eight characters.
func (t *Text) Find(quotation string, from int) Match {
	if strings.TrimSpace(quotation) == "" {
		return Match{}
	}
	if at := t.exact(quotation, from); at >= 0 {
		return Match{Span: verbatim.Span{Start: at, End: at + len(quotation)}, Kind: Exact}
	}
	if t.tokens == nil {
		t.tokens = tokensOf(t.text)
	}
	said := tokensOf(quotation)
	if len(said) == 0 {
		return Match{}
	}
	m := t.near(quotation, said, from)
	// A copy may add the marks of quoting: quotation marks, an ellipsis, a stop.
	if core := unquoted(said); m.Kind != Form && len(core) > 0 && len(core) < len(said) {
		if bare := t.near(quotation, core, from); bare.Kind == Form || bare.Kind == Edited && m.Kind == Absent {
			bare.Differences = append(outside(said, core), bare.Differences...)
			return bare
		}
	}
	if m.Kind == Form && len(m.Differences) == 0 {
		m.Differences = []string{"white space"} // at its ends
	}
	return m
}

// unquoted leaves out quotation marks and stops at both ends.
func unquoted(said []token) []token {
	quoting := func(t token) bool { return t.word == "'" || t.word == `"` || t.word == "." }
	for len(said) > 0 && quoting(said[0]) {
		said = said[1:]
	}
	for len(said) > 0 && quoting(said[len(said)-1]) {
		said = said[:len(said)-1]
	}
	return said
}

// near finds a quotation that is not exact.
func (t *Text) near(quotation string, said []token, from int) Match {
	last := t.finder.find(said, t.tokens, from)
	if last < 0 {
		return Match{}
	}
	var path []step
	for at := last; at >= 0; at = t.finder.steps[at].before {
		path = append(path, t.finder.steps[at])
	}
	slices.Reverse(path)
	first, end := path[0], path[len(path)-1]
	m := Match{Kind: Form, Edits: int(end.cost),
		Span: verbatim.Span{Start: int(t.tokens[first.found].start), End: int(t.tokens[end.found-1].end)}}
	if m.Edits > 0 {
		m.Kind = Edited
	}
	d := describer{quotation: quotation, text: t.text}
	for i := 1; i < len(path); i++ {
		d.step(path[i], said[path[i-1].said:path[i].said], t.tokens[path[i-1].found:path[i].found])
	}
	m.Differences = d.words()
	return m
}

// exact returns the place of the same bytes, or -1.
func (t *Text) exact(quotation string, from int) int {
	best, bestRank := -1, 0
	for at := 0; ; at++ {
		next := strings.Index(t.text[at:], quotation)
		if next < 0 {
			return best
		}
		at += next
		rank := 1
		if wholeWords(t.text, at, at+len(quotation)) {
			rank = 3
		}
		if at >= from {
			rank++
		}
		if rank > bestRank {
			best, bestRank = at, rank
		}
		if rank == 4 {
			return best
		}
	}
}

// wholeWords reports whether no word is cut at either end.
func wholeWords(text string, start, end int) bool {
	cut := func(at int) bool {
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[at:])
		return at > 0 && at < len(text) && inWord(before) && inWord(after) && !stands(before) && !stands(after)
	}
	return !cut(start) && !cut(end)
}

// inWord reports whether a character belongs to a word.
func inWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r)
}

// stands reports whether a letter is a word of its own, because its script has
// no spaces between words.
func stands(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) &&
		!unicode.IsMark(r)
}
