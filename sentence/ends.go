package sentence

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A following is what comes after a mark: white space, opening marks, a word.
type following struct {
	space   bool // white space comes directly after the mark
	quote   bool // an opening quotation mark
	bracket bool
	dash    bool
	at      int  // of its first letter, digit or other sign
	first   rune // that character; 0 at the end of the paragraph
	word    string
}

// ends decides whether a sentence ends at a mark. As far as possible the cases
// are in the order of english/conventions.txt.
func (s *splitter) ends(m mark) bool {
	f := s.follow(m.end)
	switch {
	case f.first == 0:
		return true
	case m.smiley:
		return f.space && (s.opens(f) || s.lower)
	case !f.space:
		return s.endsGlued(m, f)
	case m.quote && f.quote:
		return true // "Are you hurt?" // "no."
	case s.insideBrackets(m):
		return false
	case !s.opens(f):
		return (s.lower || f.bracket && !m.bracket) && s.endsBeforeLower(m)
	case m.strong || m.ellipsis():
		return s.endsStrong(m, f)
	case m.note || m.final || m.dots == 2:
		return true
	default:
		return s.endsAtPeriod(m, f)
	}
}

// follow reads what comes after i, with at most eight opening marks.
func (s *splitter) follow(i int) following {
	var f following
	start := i
	for range 8 {
		if next := skipSpace(s.text, i, s.end); next > i {
			f.space = f.space || i == start
			i = next
		}
		r, size := s.runeAt(i)
		switch r {
		case '"', '“', '„', '‘', '«', '\'', '’', '`', '”':
			f.quote = true
		case '(', '[', '{':
			f.bracket = true
		case '_', '*', '¿', '¡', '<', '~':
		case '-', '—', '–', '―':
			f.dash = true
		default:
			f.at, f.first, f.word = i, r, s.wordAt(i)
			return f
		}
		i += size
	}
	f.at = i
	f.first, _ = s.runeAt(i)
	return f
}

// opens reports whether what follows looks like the start of a sentence.
func (s *splitter) opens(f following) bool {
	return !unicode.IsLower(f.first) || isCamel(f.word) || s.has(f.at+len(f.word), "://")
}

// isCamel reports whether a word is like iPhone.
func isCamel(word string) bool {
	for i := 1; i < len(word); i++ {
		if 'A' <= word[i] && word[i] <= 'Z' && isSmall(word[i-1]) {
			return true
		}
	}
	return false
}

// insideBrackets finds `(?)`, `[!]` and `[...]`, which comment on a word.
func (s *splitter) insideBrackets(m mark) bool {
	return m.bracket && !m.final && m.start > s.start && (s.text[m.start-1] == '(' || s.text[m.start-1] == '[')
}

// endsGlued decides if there is no space after the mark. A dash continues the
// sentence. The space was lost in `end.Next`, but not in `www.Dale.example` or
// `U.S.Navy`.
func (s *splitter) endsGlued(m mark, f following) bool {
	if f.dash || m.quote && !f.quote || !unicode.IsUpper(f.first) && !s.opensGlued(m, f) {
		return false
	}
	word := s.wordBefore(m.start)
	after, _ := s.runeAt(f.at + len(f.word))
	next, _ := s.runeAt(f.at + 1)
	if after == '.' || after == '@' || after == '/' || !unicode.IsLower(next) && f.word != "A" && f.word != "i" && !isI(f.word) {
		return false
	}
	if m.ellipsis() {
		return true
	}
	return len(word) > 1 && isLowerWord(word) && s.rules.kind(word)&(abbreviation|beforeNumber) == 0 && s.standsAlone(m.start-len(word))
}

// opensGlued reports whether a lower-case letter directly after a mark opens.
func (s *splitter) opensGlued(m mark, f following) bool {
	return s.lower && !m.ellipsis() && (m.strong || s.rules.kind(f.word)&opener != 0)
}

// standsAlone reports whether the word at i is not part of an address.
func (s *splitter) standsAlone(i int) bool {
	if i <= s.start {
		return true
	}
	r, _ := utf8.DecodeLastRuneInString(s.text[s.start:i])
	return unicode.IsSpace(r) || r == '"' || r == '“' || r == '‘' || r == '(' || r == '\'' || r == '-' || r == '—'
}

func isLowerWord(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLower(r) && r != '\'' && r != '’' })
}

// endsStrong decides after ! and ? and an ellipsis, before a capital.
func (s *splitter) endsStrong(m mark, f following) bool {
	if !f.quote && !m.bracket && s.isTag(f, m.quote) {
		return false // "Run!" Tom cried.
	}
	spaced := m.spaced || m.start > s.start && s.text[m.start-1] == ' '
	if m.ellipsis() && !m.strong && !m.quote && spaced && isI(f.word) {
		return false // "Sir . . . I . . ."
	}
	return true
}

func isI(word string) bool {
	return word == "I" || strings.HasPrefix(word, "I'") || strings.HasPrefix(word, "I’")
}

// endsBeforeLower decides in a text whose writer starts sentences with
// lower-case letters, and before a bracket that starts so in any text.
func (s *splitter) endsBeforeLower(m mark) bool {
	if m.quote {
		return false
	}
	if m.strong {
		return true
	}
	word := s.wordBefore(trimRight(s.text, s.start, m.start))
	return utf8.RuneCountInString(word) > 1 && s.rules.kind(word)&abbreviation == 0 && m.dots == 1
}

// endsAtPeriod decides after a single period, before anything but lower case.
func (s *splitter) endsAtPeriod(m mark, f following) bool {
	word := s.wordBefore(m.start)
	start := m.start - len(word)
	k := s.kindBefore(word, start)
	switch {
	case word == "":
		return true // the period follows a bracket or a quotation mark
	case s.isItemNumber(start, word):
		return false // 1. Take the road.
	case k&(beforeNumber|month|neverEnd) != 0 && s.isNumber(f):
		return false // No. 5, p. xi, Dec. 4
	case k&title != 0:
		return k&mayEnd != 0 && !f.quote && s.opensSurely(f) && isStreet(s.previous(start))
	case k&clock != 0 && (strings.Contains(word, ".") || len(word) == 1 || isFigure(s.previous(start))):
		return s.endsClock(start, f) // 5 p.m., 5 pm; not `So I am.`
	case k&endsBeforeCapital != 0:
		return s.rules.kind(f.word)&title == 0 || !s.isTitle(f)
	case k&(neverEnd|mayEnd|month) != 0:
		return k&(mayEnd|month) != 0 && s.opensSurely(f)
	case s.isNumber(f) && isChapter(word):
		return false // Luke xii. 19
	case unicode.IsDigit(f.first) && isMoney(word):
		return false // 2s. 6d.
	case s.isRunningHead(f):
		return false // A TALE OF THE SEA. 49
	case isFigure(word) || len(word) > 1 && isRoman(word) && startsUpper(word):
		return !s.isHeadingNumber(start)
	case isRoman(word) && s.rules.kind(s.previous(start))&beforeNumber != 0:
		return s.opensSurely(f) // vol. ii. London
	case len(word) == 1 && startsLower(word) && k&beforeNumber == 0 && len(s.previous(start)) > 1:
		return true // the line from x. // Draw
	case isInitials(word):
		return s.endsInitial(word, start, f)
	default:
		return true
	}
}

// kindBefore returns the kind of the word before a period. A single capital is
// in no list, unless it ends a spaced abbreviation: the m of `p. m.`
func (s *splitter) kindBefore(word string, start int) kind {
	if len(word) != 1 || !isWordByte[word[0]] {
		return s.rules.kind(word)
	}
	i := trimRight(s.text, s.start, start)
	if i > s.start+1 && start-i <= 2 && s.text[i-1] == '.' {
		if before := s.wordBefore(i - 1); len(before) == 1 {
			joined := [3]byte{before[0], '.', word[0]}
			if k := s.rules.kind(string(joined[:])); k != 0 {
				return k
			}
		}
	}
	if startsUpper(word) {
		return 0
	}
	return s.rules.kind(word)
}

// isNumber separates `vol. I.` and `p. 5` from `No. I will not.`
func (s *splitter) isNumber(f following) bool {
	if unicode.IsDigit(f.first) {
		return true
	}
	if f.word != "I" {
		return isRoman(f.word)
	}
	switch r, _ := s.runeAt(f.at + 1); r {
	case '.', ':', ')', ']', 0:
		return true
	}
	return false
}

// isStreet recognizes the name or number before St. in a street address.
func isStreet(before string) bool {
	return startsUpper(before) || before != "" && isDigit(before[0])
}

// opensSurely reports whether what follows is a word from the list openers.
func (s *splitter) opensSurely(f following) bool {
	after, _ := s.runeAt(f.at + len(f.word))
	return f.quote || s.rules.kind(f.word)&opener != 0 && !(after == '.' && len(f.word) == 1)
}

// isTitle reports whether a title with its period follows: `Mr. Dale`.
func (s *splitter) isTitle(f following) bool {
	after, _ := s.runeAt(f.at + len(f.word))
	return s.rules.kind(f.word)&title != 0 && after == '.'
}

// endsClock decides after a time of day. `At 5 a.m. Mr. Dale rose.` continues,
// because the time is at the start; `He left at 6 p.m. // Mr. Dale rose.` ends.
func (s *splitter) endsClock(start int, f following) bool {
	if !unicode.IsUpper(f.first) || f.bracket || len(f.word) > 1 && !hasLower(f.word) {
		return false // 5 p.m. EST, 5 p.m. (London time)
	}
	words := 0
	for i := s.start; i < start && words <= 4; {
		word := s.wordAt(i)
		if word != "" {
			words++
		}
		_, size := s.runeAt(i)
		i += max(size, len(word))
	}
	return words > 3
}

// isInitials reports whether a word is like J, J.B or U.S.
func isInitials(word string) bool {
	letter := false // the last character is one
	for _, r := range word {
		if letter && r != '.' || !letter && !unicode.IsLetter(r) {
			return false
		}
		letter = !letter
	}
	return word != ""
}

// endsInitial decides after initials. They end a sentence only before a word
// that is not a name. `I` is the pronoun unless a name comes before it.
func (s *splitter) endsInitial(word string, start int, f following) bool {
	before := s.previous(start)
	if word == "I" && before != "" && (!startsUpper(before) || s.rules.kind(before)&opener != 0) {
		return true
	}
	return s.opensSurely(f) && start > s.start
}

// previous returns the word before the one at i in this sentence, or "".
func (s *splitter) previous(i int) string {
	i = trimRight(s.text, s.start, i)
	for n := 0; i > s.start && n < 3 && (s.text[i-1] == '.' || s.text[i-1] == ','); n++ {
		i--
	}
	return s.wordBefore(i)
}

// isTag recognizes a dialogue tag: `I` or names, then a reporting verb. It
// continues the sentence that began with the quotation. Without closing
// quotation marks, as in novels that use none, the verb must be in the past and
// end its clause: `Who is it? Tom asked.`, but not `Must we go? Papa says, we
// must.`
func (s *splitter) isTag(f following, quoted bool) bool {
	if !unicode.IsUpper(f.first) || s.rules.kind(f.word)&opener != 0 && f.word != "I" {
		return false
	}
	i := f.at
	for n := range 8 {
		word := s.wordAt(i)
		k := s.rules.kind(word)
		after := i + len(word)
		switch {
		case word == "":
			return false
		case n > 0 && quoted && k&saying != 0:
			return s.speaks(after)
		case n > 0 && k&saying != 0 && !strings.HasPrefix(word, "say"), n > 0 && quoted && k&perhapsSaying != 0:
			return s.closesTag(after)
		case startsUpper(word) || word == "and" || word == "the" || word == "of" || word == "de" || word == "von" || word == "van":
		case k&adverb != 0 || isAdverb(word):
		default:
			return false
		}
		if c, _ := s.runeAt(after); c == '.' && (isInitial(word) || k&title != 0) {
			after++
		}
		next := skipSpace(s.text, after, s.end)
		if next == after {
			return false // a comma or something else that is not a name
		}
		i = next
	}
	return false
}

func isAdverb(word string) bool {
	return len(word) > 4 && word[len(word)-2:] == "ly" && startsLower(word)
}

// speaks rules out `Tom said nothing.`
func (s *splitter) speaks(i int) bool {
	next, _ := s.nextWord(i)
	return next != "nothing" && next != "no"
}

// closesTag reports whether a verb that may report speech does: it ends a clause.
func (s *splitter) closesTag(i int) bool {
	switch r, _ := s.runeAt(i); r {
	case ',', '.', ';', ':', '!', '?', '—', '-', 0:
		return true
	}
	word, after := s.nextWord(i)
	if word == "to" {
		word, _ = s.nextWord(after)
		return strings.HasSuffix(word, "self") || strings.HasSuffix(word, "selves")
	}
	return isAdverb(word) || word == "aloud" || word == "again"
}
