package bert

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"
	"unicode"
)

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
	lower, chinese := !hasCapitals(words), true
	t.lower = *cmp.Or(config.Lower, norm.Lower, &lower)
	t.strip = *cmp.Or(config.Strip, norm.Strip, &t.lower)
	t.chinese = *cmp.Or(config.Chinese, norm.Chinese, &chinese)
	limit = maxTokens
	if config.Most >= 3 && config.Most <= maxTokens {
		limit = int(config.Most)
	}
	return t, limit, t.learn(words)
}

func hasCapitals(words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool {
		return !strings.HasPrefix(word, "[") && strings.ContainsFunc(word, unicode.IsUpper)
	})
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
