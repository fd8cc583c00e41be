package bert

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"
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

// isPunctuation matches ASCII symbols and Unicode's category P.
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

const maxVocabulary = 64 << 20 // bytes of a file; the largest known file has 5 MB

// normalizer is the part of tokenizer.json that says how text is normalised.
type normalizer struct {
	Type    string `json:"type"`
	Clean   *bool  `json:"clean_text"`
	Chinese *bool  `json:"handle_chinese_chars"`
	Strip   *bool  `json:"strip_accents"`
	Lower   *bool  `json:"lowercase"`
}

// readTokenizer reads vocab.txt, or tokenizer.json if there is none, and the
// settings in tokenizer_config.json. limit is the most tokens in a pair.
func readTokenizer(folder fs.FS) (t *tokenizer, limit int, err error) {
	var words []string
	var norm normalizer
	t = &tokenizer{maxWord: 100}
	text, err := readFile(folder, "vocab.txt", maxVocabulary)
	switch {
	case err == nil:
		words = strings.Split(strings.TrimSuffix(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n"), "\n")
	case errors.Is(err, fs.ErrNotExist):
		if words, norm, err = readTokenizerJSON(folder, t); errors.Is(err, fs.ErrNotExist) {
			err = errors.New("vocab.txt and tokenizer.json are both missing")
		}
	}
	if err != nil {
		return nil, 0, err
	}
	var config struct {
		Lower   *bool   `json:"do_lower_case"`
		Strip   *bool   `json:"strip_accents"`
		Chinese *bool   `json:"tokenize_chinese_chars"`
		Most    float64 `json:"model_max_length"` // 1e30 for none
	}
	if err := readJSON(folder, "tokenizer_config.json", 16<<20, &config); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, 0, err
	}
	hasCapitals := func(word string) bool {
		return !strings.HasPrefix(word, "[") && strings.ContainsFunc(word, unicode.IsUpper)
	}
	lower, chinese := !slices.ContainsFunc(words, hasCapitals), true
	t.lower = *cmp.Or(config.Lower, norm.Lower, &lower)
	t.strip = *cmp.Or(config.Strip, norm.Strip, &t.lower)
	t.chinese = *cmp.Or(config.Chinese, norm.Chinese, &chinese)
	limit = maxTokens
	if config.Most >= 3 && config.Most <= maxTokens {
		limit = int(config.Most)
	}
	return t, limit, t.learn(words)
}

// readTokenizerJSON reads the single file that newer folders have.
func readTokenizerJSON(folder fs.FS, t *tokenizer) ([]string, normalizer, error) {
	const name = "tokenizer.json"
	var file struct {
		Normalizer normalizer `json:"normalizer"`
		Model      struct {
			Type    string          `json:"type"`
			Vocab   json.RawMessage `json:"vocab"` // a list in models of other types
			Prefix  *string         `json:"continuing_subword_prefix"`
			MaxWord *int            `json:"max_input_chars_per_word"`
		} `json:"model"`
	}
	if err := readJSON(folder, name, maxVocabulary, &file); err != nil {
		return nil, normalizer{}, err
	}
	norm, model := file.Normalizer, file.Model
	switch {
	case model.Type != "WordPiece" && model.Type != "":
		return nil, norm, fmt.Errorf("%s: the model is %q; only WordPiece is supported", name, model.Type)
	case model.Prefix != nil && *model.Prefix != "##":
		return nil, norm, fmt.Errorf("%s: continuing_subword_prefix is %q; only ## is supported", name, *model.Prefix)
	case norm.Type != "BertNormalizer", norm.Clean != nil && !*norm.Clean:
		return nil, norm, fmt.Errorf("%s: the normalizer is %q; only a BertNormalizer with clean_text is supported", name, norm.Type)
	}
	if model.MaxWord != nil {
		if t.maxWord = *model.MaxWord; t.maxWord < 1 || t.maxWord > 10000 {
			return nil, norm, fmt.Errorf("%s: max_input_chars_per_word is %d; it must be between 1 and 10000", name, t.maxWord)
		}
	}
	var ids map[string]int
	if err := json.Unmarshal(model.Vocab, &ids); err != nil {
		return nil, norm, fmt.Errorf("%s: cannot read the vocabulary: %w", name, err)
	}
	most := -1
	for word, id := range ids {
		if id < 0 || id > maxVocabulary {
			return nil, norm, fmt.Errorf("%s: the wordpiece %q has the invalid id %d", name, word, id)
		}
		most = max(most, id)
	}
	if most > 16*len(ids)+1024 { // gaps are allowed, but every id takes memory
		return nil, norm, fmt.Errorf("%s: it has %d wordpieces, but ids up to %d", name, len(ids), most)
	}
	words := make([]string, most+1)
	for word, id := range ids {
		words[id] = word
	}
	return words, norm, nil
}

// learn fills the tables. The later of two equal pieces counts.
func (t *tokenizer) learn(words []string) error {
	if len(words) > math.MaxInt32 {
		return fmt.Errorf("the vocabulary has too many wordpieces: %d", len(words))
	}
	t.size = len(words)
	t.starts, t.inner = make(map[string]int32, len(words)), make(map[string]int32, len(words)/4)
	for i, piece := range words {
		t.longest = max(t.longest, len(piece))
		if rest, inner := strings.CutPrefix(piece, "##"); inner && rest != "" {
			t.inner[rest] = int32(i)
		}
		t.starts[piece] = int32(i) // pieces with ## too: no word of a text starts with ##
	}
	for _, special := range []struct {
		piece string
		into  *int32
	}{{"[CLS]", &t.cls}, {"[SEP]", &t.sep}, {"[UNK]", &t.unknown}} {
		id, ok := t.starts[special.piece]
		if !ok {
			return fmt.Errorf("the vocabulary has no %s", special.piece)
		}
		*special.into = id
	}
	return nil
}
