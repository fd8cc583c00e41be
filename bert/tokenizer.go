package bert

import (
	"context"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/unicode/rangetable"
)

// A tokenizer splits text into wordpieces exactly as BERT's fast tokenizers do.
// It is safe for concurrent use. It has no cache: most words of a book are
// wordpieces themselves, so one map lookup finds them.
type tokenizer struct {
	starts   map[string]int32 // pieces that start a word
	inner    map[string]int32 // pieces that continue a word, without their ##
	size     int              // of the vocabulary
	longest  int              // bytes of the longest piece
	cls, sep int32
	unknown  int32
	maxWord  int // a longer word is unknown

	lower   bool // "The" is "the"
	strip   bool // "é" is "e"
	chinese bool // every CJK ideograph is a word
}

// checkEvery is how many bytes of a text are read between two checks of ctx.
const checkEvery = 1 << 16

// each passes the wordpieces of a text to take, in order, until take returns
// false. It checks ctx at regular intervals, because a text may have any length.
func (t *tokenizer) each(ctx context.Context, text string, take func(int32) bool) error {
	w := word{tokenizer: t, take: take}
	next := 0
	for i, r := range text {
		if i >= next {
			if err := ctx.Err(); err != nil {
				return err
			}
			next = i + checkEvery
		}
		if w.full {
			return nil
		}
		switch {
		case r > ' ' && r < utf8.RuneSelf-1:
			w.add(r)
		case r == ' ', r == '\t', r == '\n', r == '\r':
			w.end()
		case r == 0, r == unicode.ReplacementChar, isControl(r):
			// dropped; it does not end the word
		case unicode.IsSpace(r):
			w.end()
		case t.chinese && isChinese(r):
			w.end()
			w.add(r)
			w.end()
		default:
			w.add(r)
		}
	}
	w.end()
	return nil
}

// A word is the text since the last white space or punctuation mark.
type word struct {
	*tokenizer
	take  func(int32) bool
	text  []byte
	runes int
	full  bool // take wants no more
}

// add adds a character. It strips accents first and lower-cases second, as the
// fast tokenizers do. Punctuation comes last, because "≠" without its mark is "=".
func (w *word) add(r rune) {
	if r < utf8.RuneSelf {
		if w.lower && 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		w.put(r)
		return
	}
	if !w.strip {
		w.addCase(r)
		return
	}
	for _, part := range decompose(r) {
		if !unicode.Is(unicode.Mn, part) || !isOld(part) {
			w.addCase(part)
		}
	}
}

func (w *word) addCase(r rune) {
	switch {
	case !w.lower:
		w.put(r)
	case r == 'İ': // the only capital whose lower case has two characters
		w.put('i')
		w.put('\u0307')
	default:
		w.put(unicode.ToLower(r))
	}
}

func (w *word) put(r rune) {
	if isPunctuation(r) {
		w.end()
		w.text = utf8.AppendRune(w.text, r)
		w.runes = 1
		w.end()
		return
	}
	if w.runes++; w.runes <= w.maxWord { // a longer word is unknown anyway
		w.text = utf8.AppendRune(w.text, r)
	}
}

// end splits the word into pieces, always taking the longest match. If a part
// matches nothing, the whole word is unknown.
func (w *word) end() {
	if w.runes == 0 {
		return
	}
	text, runes := w.text, w.runes
	w.text, w.runes = w.text[:0], 0
	if runes > w.maxWord {
		w.give(w.unknown)
		return
	}
	var room [32]int32
	pieces := room[:0]
	for table := w.starts; len(text) > 0; table = w.inner {
		id, size := longest(table, text, w.longest)
		if size == 0 {
			w.give(w.unknown)
			return
		}
		pieces, text = append(pieces, id), text[size:]
	}
	w.give(pieces...)
}

func (w *word) give(ids ...int32) {
	for _, id := range ids {
		w.full = w.full || !w.take(id)
	}
}

// longest finds the longest prefix of a text that is in the table.
func longest(table map[string]int32, text []byte, most int) (id int32, size int) {
	for size = min(len(text), most); size > 0; size-- {
		if size < len(text) && !utf8.RuneStart(text[size]) {
			continue // never split a character
		}
		if id, found := table[string(text[:size])]; found {
			return id, size
		}
	}
	return 0, 0
}

// isPunctuation matches ASCII symbols (no letter, digit, space or control) and
// Unicode's category P.
func isPunctuation(r rune) bool {
	if r < utf8.RuneSelf {
		return '!' <= r && r <= '/' || ':' <= r && r <= '@' || '[' <= r && r <= '`' || '{' <= r && r <= '~'
	}
	return unicode.Is(unicode.P, r) && isOld(r)
}

// isOld reports whether Unicode 8.0 has the character. BERT's fast tokenizers use
// its categories: they treat newer punctuation, combining marks and format
// characters as ordinary characters, and so do we.
func isOld(r rune) bool { return unicode.Is(unicode8, r) }

var unicode8 = rangetable.Assigned("8.0.0")

func isControl(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs) && isOld(r)
}

// isChinese lists the blocks of ideographs as BERT does. Its fast tokenizers
// leave out U+2B820 to U+2B91F, and so do we.
func isChinese(r rune) bool {
	return 0x4E00 <= r && r <= 0x9FFF || 0x3400 <= r && r <= 0x4DBF || 0x20000 <= r && r <= 0x2A6DF ||
		0x2A700 <= r && r <= 0x2B81F || 0x2B920 <= r && r <= 0x2CEAF ||
		0xF900 <= r && r <= 0xFAFF || 0x2F800 <= r && r <= 0x2FA1F
}

// decompose is NFD of one character. It does not reorder marks: most are dropped
// later, and of the rest (category Mc) no word of any language has two whose
// order could change.
func decompose(r rune) []rune {
	const first, last = 0xAC00, 0xD7A3 // Hangul syllables are computed, not listed
	if first <= r && r <= last {
		n := r - first
		parts := []rune{0x1100 + n/588, 0x1161 + n%588/28, 0x11A7 + n%28}
		if n%28 == 0 {
			parts = parts[:2]
		}
		return parts
	}
	var utf [utf8.UTFMax]byte
	size := utf8.EncodeRune(utf[:], r)
	if parts := norm.NFD.Properties(utf[:size]).Decomposition(); parts != nil {
		return []rune(string(parts))
	}
	return []rune{r}
}
