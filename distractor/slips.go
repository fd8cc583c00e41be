package distractor

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/period"
	"verbatim/sentence"
)

// A Slip is something that is wrong with a text: a damaged word, a footnote, the
// line of an index.
type Slip struct {
	Name   string // of its card
	Text   string
	Weight int // as its card says
}

// Damaged is the sum of weights from which a text counts as damaged.
const Damaged = 3

// Slips finds what is wrong with a text of whole sentences. known reports whether
// a word that the period does not have belongs to the book; it may be nil. Each
// word or mark is reported once, by the first card that finds it.
func (l *Lures) Slips(text string, known func(word string) bool) []Slip {
	s := &slips{Lures: l, text: text, tokens: tokens(text), known: known}
	var found []Slip
	var places []verbatim.Span
	for _, card := range l.slips {
		card.test(s, func(span verbatim.Span) {
			if !slices.ContainsFunc(places, span.Overlaps) {
				places = append(places, span)
				found = append(found, Slip{card.name, text[span.Start:span.End], card.weight})
			}
		})
	}
	return found
}

// slips is a text in which slips are looked for.
type slips struct {
	*Lures
	text   string
	tokens []token
	known  func(word string) bool
}

// slipTests are the tests that slips can use.
var slipTests = map[string]func(s *slips, report func(verbatim.Span)){
	"unknown word":   (*slips).unknownWords,
	"unknown name":   (*slips).unknownNames,
	"odd mark":       (*slips).oddMarks,
	"mark in a word": (*slips).marksInWords,
	"lost mark":      (*slips).lostMarks,
	"stray letter":   (*slips).strayLetters,
	"broken word":    (*slips).brokenWords,
	"note":           (*slips).notes,
	"head":           (*slips).heads,
	"figures":        (*slips).figures,
	"no verb":        (*slips).verbless,
	"cut":            (*slips).cut,
	"half a bracket": (*slips).halfBracket,
}

func (t token) span() verbatim.Span { return verbatim.Span{Start: t.start, End: t.start + len(t.word)} }

// unknownWords finds words in small letters that neither the period nor the book
// has. Names are free, and so are parts of words with a hyphen.
func (s *slips) unknownWords(report func(verbatim.Span)) {
	for _, t := range s.tokens {
		if len(t.key) < 2 || t.word != t.key || period.Known(t.key) || period.Known(t.stem) || s.glued(t) {
			continue
		}
		if s.known == nil || !s.known(t.key) {
			report(t.span())
		}
	}
	s.nearWords(report)
}

// nearWords finds a rare word that is one letter away from another of the text,
// as hones beside bones, a T that was read as I: I he, and to he.
func (s *slips) nearWords(report func(verbatim.Span)) {
	for i, t := range s.tokens {
		if t.word == "I" && i+1 < len(s.tokens) && s.lists["after a lost T"][s.tokens[i+1].key] {
			report(t.span())
		}
		if t.word == "he" && i > 0 && s.tokens[i-1].key == "to" { // to be
			report(t.span())
		}
		if len(t.key) < 4 || t.word != t.key || t.entry.Word != t.key || t.entry.Books > 64 || s.known == nil || s.known(t.key) {
			continue
		}
		beside := func(o token) bool { return len(o.key) == len(t.key) && o.key != t.key && oneLetter(o.key, t.key) }
		if slices.ContainsFunc(s.tokens, beside) {
			report(t.span())
		}
	}
}

// oneLetter reports whether two words of one length differ in one byte.
func oneLetter(a, b string) bool {
	n := 0
	for i := range len(a) {
		if a[i] != b[i] {
			n++
		}
	}
	return n == 1
}

// unknownNames finds words with a capital that neither the period nor the book has.
func (s *slips) unknownNames(report func(verbatim.Span)) {
	for _, t := range s.tokens {
		if len(t.key) < 3 || t.word == t.key || period.Known(t.key) || period.Known(t.stem) || s.glued(t) {
			continue
		}
		if s.known != nil && !s.known(t.key) {
			report(t.span())
		}
	}
}

// glued reports whether a hyphen, an apostrophe, a stop or a figure touches a word.
func (s *slips) glued(t token) bool {
	before, _ := utf8.DecodeLastRuneInString(s.text[:t.start])
	after, _ := utf8.DecodeRuneInString(s.text[t.span().End:])
	return strings.ContainsRune("'’.", before) || unicode.IsDigit(before) || unicode.IsDigit(after) || strings.ContainsRune("'’", after) ||
		len(t.word) < 4 && (before == '-' || after == '-')
}

// oddMarks finds characters that prose does not have.
func (s *slips) oddMarks(report func(verbatim.Span)) {
	for i, r := range s.text {
		if strings.ContainsRune("^~|/\\<>■•{}_=@#%+¬¦©®°§¶\uFFFD", r) || unicode.IsControl(r) || unicode.Is(unicode.Co, r) {
			report(verbatim.Span{Start: i, End: i + max(1, utf8.RuneLen(r))})
		}
	}
}

// marksInWords finds figures, stops and capitals inside words.
func (s *slips) marksInWords(report func(verbatim.Span)) {
	for at, word := range fields(s.text) {
		core := strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if core != "" && (mixedCase(core) || s.mixedMarks(core)) {
			start := at + strings.Index(word, core)
			report(verbatim.Span{Start: start, End: start + len(core)})
		}
	}
}

// mixedCase reports whether a capital follows a small letter inside a word, unless
// it begins a part of a name: MacDonald, O'Neil, half-Spanish.
func mixedCase(word string) bool {
	small := 0
	for _, r := range word {
		switch {
		case !unicode.IsLetter(r):
			small = 0
		case unicode.IsUpper(r):
			if small > 0 && !(small <= 3 && strings.ContainsAny(word[:1], "MDFLVO")) {
				return true
			}
			small = 0
		default:
			small++
		}
	}
	return false
}

// mixedMarks reports whether a word has a figure among its letters, or a mark
// without a space: sl1pped, late,and.
func (s *slips) mixedMarks(word string) bool {
	runes := []rune(word)
	for i := 1; i+1 < len(runes); i++ {
		before, r, after := runes[i-1], runes[i], runes[i+1]
		switch {
		case unicode.IsDigit(r) && unicode.IsLetter(before) && unicode.IsLetter(after):
			return true
		case strings.ContainsRune(",;:!?", r) && unicode.IsLetter(before) && unicode.IsLetter(after):
			return true
		case r == '.' && unicode.IsLower(before) && unicode.IsLetter(after) && i > 1 && unicode.IsLetter(runes[i-2]):
			return true
		}
	}
	return false
}

// lostMarks finds marks that cannot follow each other, and spaces before marks.
func (s *slips) lostMarks(report func(verbatim.Span)) {
	s.openedLow(report)
	for _, pair := range []string{",.", ",,", ";;", ".;", ",;", ";,", ":,", " ,", " ;", " ?", " !", ". .", "..", " ’ ", " ' ", " ” ", " \" ", "“ ", "‘ "} {
		for at := 0; ; {
			i := strings.Index(s.text[at:], pair)
			if i < 0 {
				break
			}
			at += i + len(pair)
			before, after := s.text[:at-len(pair)], s.text[at:]
			dots := strings.HasSuffix(before, ".") || strings.HasPrefix(strings.TrimLeft(after, " "), ".")
			if pair == ".;" && abbreviated(before) || strings.Trim(pair, ". ") == "" && dots {
				continue
			}
			report(verbatim.Span{Start: at - len(pair), End: at})
		}
	}
}

// openedLow finds a quotation mark before a small letter that is not closed soon:
// the eastern and 'southern slopes.
func (s *slips) openedLow(report func(verbatim.Span)) {
	const soon = 80
	for i := 0; i+2 < len(s.text); i++ {
		if s.text[i] != ' ' || s.text[i+1] != '\'' || s.text[i+2]-'a' >= 26 || s.clipped(s.text[i+2:]) {
			continue
		}
		if rest := s.text[i+2 : min(len(s.text), i+2+soon)]; !strings.Contains(rest, "'") {
			report(verbatim.Span{Start: i + 1, End: i + 2})
		}
	}
}

// abbreviated reports whether a text ends with a short word, which may have a
// stop of its own: etc.; p. 3.; A.D.;
func abbreviated(before string) bool {
	word := before[strings.LastIndexAny(before, " .")+1:]
	return len(word) <= 4
}

// strayLetters finds single small letters that are no word.
func (s *slips) strayLetters(report func(verbatim.Span)) {
	for i, t := range s.tokens {
		after := s.text[t.span().End:]
		torn := t.word != t.key && i+1 < len(s.tokens) && strings.HasPrefix(after, " ") && !period.Known(s.tokens[i+1].key) // T arra
		if len(t.word) != 1 || s.glued(t) || strings.Contains("axyzn", t.word) || t.word != t.key && !torn {
			continue
		}
		listed := i > 0 && slices.Contains([]string{"letter", "letters", "and", "or", "point", "line"}, s.tokens[i-1].key)
		if !listed && !strings.HasPrefix(after, ".") && !strings.HasPrefix(after, ")") {
			report(t.span())
		}
	}
}

// brokenWords finds a hyphen with a space after it, unless another word with a
// hyphen follows: two- or three-year-old.
func (s *slips) brokenWords(report func(verbatim.Span)) {
	for i := 0; i+1 < len(s.tokens); i++ {
		first, second := s.tokens[i].span(), s.tokens[i+1].span()
		if s.text[first.End:second.Start] == "- " && !slices.Contains([]string{"and", "or", "to"}, s.tokens[i+1].key) {
			report(verbatim.Span{Start: first.Start, End: second.End})
		}
	}
}

// notes finds footnotes and references: [Footnote, Fig. 3, a star, a figure alone
// after a stop.
func (s *slips) notes(report func(verbatim.Span)) {
	for _, t := range s.tokens {
		before, after := s.text[:t.start], s.text[t.span().End:]
		bracket := strings.HasSuffix(before, "[") && slices.Contains([]string{"footnote", "illustration", "note", "sidenote", "transcriber", "pg", "page"}, t.key)
		figure := slices.Contains([]string{"fig", "figs", "pl", "pp", "sec", "sect", "chap"}, t.key) && strings.HasPrefix(after, ".")
		if bracket || figure {
			report(verbatim.Span{Start: t.start - len(before) + len(strings.TrimSuffix(before, "[")), End: t.span().End})
		}
	}
	for i, r := range s.text {
		if r == '*' || r == '†' || r == '‡' {
			report(verbatim.Span{Start: i, End: i + utf8.RuneLen(r)})
		}
	}
	for at, word := range fields(s.text) {
		if strings.HasPrefix(word, "[") && strings.Trim(word, "[0123456789]") == "" {
			report(verbatim.Span{Start: at, End: at + len(word)})
		}
		if strings.HasPrefix(word, "(") && strings.Trim(word, "(0123456789.)") == "" {
			report(verbatim.Span{Start: at, End: at + len(word)}) // the number of a note: (18.)
		}
		lone := len(word) <= 2 && strings.Trim(word, "0123456789") == ""
		if lone && at > 1 && strings.ContainsAny(s.text[at-2:at-1], ".!?") && opensNext(s.text[at+len(word):]) {
			report(verbatim.Span{Start: at - 1, End: at + len(word)})
		}
	}
}

// opensNext reports whether a new sentence follows.
func opensNext(rest string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(rest, " \"“'‘"))
	return rest != strings.TrimLeft(rest, " ") && unicode.IsUpper(r)
}

// heads finds two or more words in capitals.
func (s *slips) heads(report func(verbatim.Span)) {
	for i := 0; i < len(s.tokens); i++ {
		end := i
		for end < len(s.tokens) && len(s.tokens[end].word) > 2 && s.tokens[end].word == strings.ToUpper(s.tokens[end].word) {
			end++
		}
		if end-i >= 2 {
			report(verbatim.Span{Start: s.tokens[i].start, End: s.tokens[end-1].span().End})
		}
		i = max(i, end-1)
	}
}

// figures finds texts with a figure for every two words.
func (s *slips) figures(report func(verbatim.Span)) {
	figures := 0
	for _, word := range fields(s.text) {
		if strings.ContainsAny(word, "0123456789") {
			figures++
		}
	}
	if figures >= 4 && figures*2 > len(s.tokens) {
		report(verbatim.Span{End: len(s.text)})
	}
}

// verbless finds a sentence of seven words or more without a verb.
func (s *slips) verbless(report func(verbatim.Span)) {
	for one := range sentence.SplitText(s.text) {
		n, verb := 0, false
		for _, t := range s.tokens {
			if t.start >= one.Start && t.start < one.End {
				n++
				verb = verb || s.isVerb(t)
			}
		}
		if n >= 7 && !verb {
			report(one.Span)
		}
	}
}

// cut finds a text that starts with a small letter, or does not end.
func (s *slips) cut(report func(verbatim.Span)) {
	text := strings.TrimSpace(s.text)
	first, size := utf8.DecodeRuneInString(strings.TrimLeft(text, "\"“'‘([—- "))
	if unicode.IsLower(first) {
		report(verbatim.Span{End: size})
	}
	end := strings.TrimRight(text, "\"”'’)]—- ")
	if last, _ := utf8.DecodeLastRuneInString(end); text != "" && !strings.ContainsRune(".!?…:;", last) {
		report(verbatim.Span{Start: max(0, len(s.text)-1), End: len(s.text)})
	}
}

// halfBracket finds half a pair of brackets, and a quotation in a quotation that
// has not ended.
func (s *slips) halfBracket(report func(verbatim.Span)) {
	open, twice := false, false
	for _, r := range s.text {
		twice = twice || r == '“' && open
		open = r == '“' || open && r != '”'
	}
	if twice || !balanced(s.text, '(', ')') || !balanced(s.text, '[', ']') {
		report(verbatim.Span{End: len(s.text)})
	}
}

// fields gives the words between white space, with their places.
func fields(text string) func(yield func(int, string) bool) {
	return func(yield func(int, string) bool) {
		for at := 0; at < len(text); {
			rest := strings.TrimLeftFunc(text[at:], unicode.IsSpace)
			at = len(text) - len(rest)
			end := strings.IndexFunc(rest, unicode.IsSpace)
			if end < 0 {
				end = len(rest)
			}
			if end > 0 && !yield(at, rest[:end]) {
				return
			}
			at += end
		}
	}
}
