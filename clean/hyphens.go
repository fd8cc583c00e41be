package clean

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// broken is what happens to the word at a line end.
type broken uint8

const (
	whole    broken = iota // the word ends there
	dropped                // the printer's hyphen, removed: in-|deed
	authored               // the author's hyphen, kept: well-|known
	lost                   // the scan lost the hyphen: morn|ing
)

// A breakPoint is a line end where a word may be broken.
type breakPoint struct {
	line                         int
	first, second                string
	compound                     bool   // there is another hyphen before or after: mother-in-|law
	joined, hyphened, a, b, pair uint64 // keys of the words to count
}

// joinWords decides, from the words of this book, which line ends break a word.
func (b *book) joinWords() {
	points, ends := b.breakPoints(false)
	b.printed = b.cut || len(points)*50 > ends
	bareEnds := b.cut && len(points)*40 < ends // the scan lost its hyphens
	if bareEnds {
		points, _ = b.breakPoints(true)
	}
	if len(points) == 0 {
		return
	}
	count := b.countWords(points, bareEnds)
	bareEnds = bareEnds && b.joinBare(points, count)
	for _, p := range points {
		if s := b.str(p.line); endsInHyphen(s) {
			b.lines[p.line].broken = b.decideHyphen(s, p, count, bareEnds)
		}
	}
}

// breakPoints returns the line ends with a hyphen inside a paragraph, or with
// `bare` all that are between two words, and the number of all line ends.
func (b *book) breakPoints(bare bool) (points []breakPoint, ends int) {
	previous := -1
	for i, l := range b.kept() {
		if previous >= 0 && l.link != paragraph {
			ends++
			s := b.str(previous)
			cut := strings.TrimSuffix(s, hyphenOf(s))
			if len(cut) < len(s) || bare && lastWord(cut) != "" && firstWord(b.str(i)) != "" {
				points = append(points, breakAt(previous, cut, b.str(i)))
			}
		}
		previous = i
	}
	return points, ends
}

// hyphenOf returns the hyphen after the word that ends a line, or "".
func hyphenOf(s string) string {
	for _, hyphen := range [...]string{"-", "\u00ad", "¬"} {
		if cut, ok := strings.CutSuffix(s, hyphen); ok && cut != "" && isWordByte(cut[len(cut)-1]) {
			return hyphen
		}
	}
	return ""
}

func endsInHyphen(s string) bool { return hyphenOf(s) != "" }

// breakAt is the break between a line, without its hyphen, and the next.
func breakAt(line int, s, next string) breakPoint {
	p := breakPoint{line: line, first: lastWord(s), second: firstWord(next)}
	p.compound = strings.HasSuffix(s[:len(s)-len(p.first)], "-") || strings.HasPrefix(next[len(p.second):], "-")
	p.a, p.b = wordKey(p.first), wordKey(p.second)
	p.joined = addKey(p.a, p.second)
	p.hyphened = addKey(addByte(p.a, '-'), p.second)
	p.pair = addKey(addByte(p.a, ' '), p.second)
	return p
}

// decideHyphen decides whether a hyphen at a line end is the printer's (the
// book has the word without it elsewhere) or the author's (the book has it with
// the hyphen). A scan that loses hyphens loses them in words its software
// knows; it keeps them in rare words and compounds.
func (b *book) decideHyphen(s string, p breakPoint, count func(uint64) int, lost bool) broken {
	if !strings.HasSuffix(s, "-") {
		return dropped // a soft hyphen or ¬ is never the author's
	}
	first, second := strings.ToLower(p.first), strings.ToLower(p.second)
	joined, hyphened := count(p.joined), count(p.hyphened)
	known := count(p.a) > 0 && count(p.b) > 0
	switch {
	case p.second == "":
		return authored
	case unicode.IsUpper(firstRune(p.second)) && !(len(p.second) > 1 && inCapitals(p.first+p.second)):
		return authored
	case joined > 0 || hyphened > 0:
		if joined > hyphened || joined == hyphened && b.printed {
			return dropped
		}
		return authored
	case !b.printed: // the text was rewrapped, and only between words
		return authored
	case p.compound && (count(p.a) > 0 || count(p.b) > 0):
		return authored
	case b.joinBefore[second]:
		return dropped
	case b.keepAfter[first], b.keepAfterKnown[first] && count(p.b) > 0, b.keepBefore[second]:
		return authored
	case b.joinAfter[first]:
		return dropped
	case known && len(first) >= 3 && len(second) >= 3, len(first) >= 7 && len(second) >= 5 && count(p.b) > 0:
		return authored
	case lost && count(p.a) > 0 && len(first) >= 4, b.keepBeforeKnown[second] && (count(p.a) > 0 || len(first) >= 5):
		return authored
	case count(p.a) > 0 && len(first) >= 3 && len(second) >= 6 && strings.HasSuffix(second, "ed") && strings.IndexByte("aeiou", second[0]) < 0:
		return authored // steel-tipped
	}
	return dropped
}

// joinBare joins words that are broken without a hyphen, if this book has many
// of them, and reports whether it does. Two pieces are one word if the book has
// that word elsewhere, does not have the pair, and the pieces would not meet so
// often by chance.
func (b *book) joinBare(points []breakPoint, count func(uint64) int) bool {
	words := count(0)
	sure := func(p breakPoint) bool {
		return count(p.joined) >= 2 && count(p.pair) == 0 && (count(p.a) == 0 || count(p.b) == 0)
	}
	n := 0
	for _, p := range points {
		if sure(p) {
			n++
		}
	}
	if n < 20 || n*200 < len(points) {
		return false
	}
	for _, p := range points {
		if b.lines[p.line].broken != whole || endsInHyphen(b.str(p.line)) || !unicode.IsLower(firstRune(p.second)) {
			continue
		}
		if sure(p) || b.isBare(p, count, words) {
			b.lines[p.line].broken = lost
		}
	}
	return true
}

// isBare reports whether two pieces are more likely one word than two.
func (b *book) isBare(p breakPoint, count func(uint64) int, words int) bool {
	first, second := strings.ToLower(p.first), strings.ToLower(p.second)
	rare := words / 100000 // a fragment may occur elsewhere by mistake
	noFirst, noSecond := count(p.a) <= rare, count(p.b) <= rare
	joined, chance := count(p.joined), count(p.a)*count(p.b)/max(words, 1)
	switch {
	case count(p.pair) > 0 && count(p.pair)*10 > joined:
		return false
	case joined >= 2 && joined >= 10*chance:
		return true
	case joined == 1:
		return noFirst || noSecond
	}
	return noFirst && (noSecond && len(first) <= 4 || b.joinAfter[first]) || count(p.b) <= 5*rare && b.joinBefore[second] && len(second) > 2
}

// countWords counts the words of points in one pass; key 0 counts all words.
func (b *book) countWords(points []breakPoint, pairs bool) func(uint64) int {
	counts := make(map[uint64]int32, 4*len(points))
	bits := 1 << 16
	for bits < 32*len(points) {
		bits *= 2
	}
	seen := make([]uint64, bits/64) // a bit filter: most words are not among them
	mask := uint64(bits - 1)
	for _, p := range points {
		for _, k := range [...]uint64{p.joined, p.hyphened, p.a, p.b, p.pair} {
			counts[k] = 0
			seen[k&mask>>6] |= 1 << (k & 63)
		}
	}
	add := func(k uint64) {
		if seen[k&mask>>6]&(1<<(k&63)) != 0 {
			if n, ok := counts[k]; ok {
				counts[k] = n + 1
			}
		}
	}
	total := 0
	afterBreak := false
	for i := range b.kept() {
		s := b.str(i)
		breaks := endsInHyphen(s)
		total += countLine(s, afterBreak || pairs, breaks || pairs, pairs, add)
		afterBreak = breaks
	}
	return func(k uint64) int {
		if k == 0 {
			return total
		}
		return int(counts[k])
	}
}

// countLine counts the words, compounds and, if asked, pairs of words of one
// line. It skips the first or last word if that may be a fragment.
func countLine(s string, skipFirst, skipLast, pairs bool, add func(uint64)) int {
	words := 0
	var before uint64 // the key of the word before, with a space
	for i := 0; i < len(s); {
		if fold[s[i]] == 0 {
			if s[i] != ' ' {
				before = 0
			}
			i++
			continue
		}
		start := i
		part, compound, hyphens := uint64(offset64), uint64(offset64), 0
		pair := before
		for ; i < len(s); i++ {
			c := uint64(fold[s[i]])
			if c != 0 {
				part = (part ^ c) * prime64
			} else if s[i] == '-' && i+1 < len(s) && fold[s[i+1]] != 0 {
				add(part)
				part, c = offset64, '-'
				hyphens++
			} else {
				break
			}
			compound = (compound ^ c) * prime64
			pair = (pair ^ c) * prime64
		}
		words++
		if skipFirst && start == 0 || skipLast && i >= len(s)-2 {
			before = 0
			continue
		}
		add(part)
		if hyphens > 0 {
			add(compound)
		}
		if before != 0 && pairs {
			add(pair)
		}
		before = addByte(compound, ' ')
	}
	return words
}

const offset64, prime64 = 14695981039346656037, 1099511628211 // FNV-1a

func addByte(key uint64, c byte) uint64 { return (key ^ uint64(lower(c))) * prime64 }

// fold is the lower-case form of each byte of a word, and 0 for other bytes.
var fold = func() (t [256]byte) {
	for i := range t {
		if isWordByte(byte(i)) {
			t[i] = lower(byte(i))
		}
	}
	return t
}()

func addKey(key uint64, word string) uint64 {
	for i := 0; i < len(word); i++ {
		key = addByte(key, word[i])
	}
	return key
}

func wordKey(word string) uint64 { return addKey(offset64, word) }

// isWordByte reports whether a byte is part of a word: a letter, or any byte of
// a non-ASCII letter. The blocks with quotation marks and dashes are excluded.
func isWordByte(c byte) bool {
	return lower(c)-'a' < 26 || c >= 0x80 && c != 0xE2 && c != 0xC2 || c == '\''
}

func lastWord(s string) string {
	i := len(s)
	for i > 0 && isWordByte(s[i-1]) {
		i--
	}
	for i < len(s) && (!utf8.RuneStart(s[i]) || s[i] == '\'') {
		i++
	}
	return s[i:]
}

func firstWord(s string) string {
	i := 0
	for i < len(s) && isWordByte(s[i]) {
		i++
	}
	return strings.TrimRight(s[:i], "'")
}
