package bert

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
)

// maxTokens is BERT's own limit for a pair, even if a config allows more.
const maxTokens = 512

// Config is the content of config.json. Sizes are read, never assumed.
type Config struct {
	Type       string  `json:"model_type"`
	Layers     int     `json:"num_hidden_layers"`
	Hidden     int     `json:"hidden_size"`
	Heads      int     `json:"num_attention_heads"`
	Inner      int     `json:"intermediate_size"`
	Vocabulary int     `json:"vocab_size"`
	Positions  int     `json:"max_position_embeddings"`
	Segments   int     `json:"type_vocab_size"`
	Epsilon    float64 `json:"layer_norm_eps"`
	Activation string  `json:"hidden_act"`
	Position   string  `json:"position_embedding_type"`

	// Truncation is how training shortened a pair that is too long. Empty or
	// "longest_first": both sentences lose their ends, as in BERT. "tail_head":
	// the first sentence keeps its end and the second its beginning.
	Truncation string `json:"truncation"`
}

func readConfig(folder fs.FS) (Config, error) {
	c := Config{Type: "bert", Segments: 2, Activation: "gelu", Position: "absolute", Epsilon: 1e-12}
	if err := readJSON(folder, "config.json", 1<<20, &c); err != nil {
		return c, err
	}
	if err := c.check(); err != nil {
		return c, fmt.Errorf("config.json: %w", err)
	}
	return c, nil
}

func (c *Config) check() error {
	if c.Type != "bert" {
		return fmt.Errorf("model_type is %q; only bert models can be read", c.Type)
	}
	if c.Activation != "gelu" {
		return fmt.Errorf("hidden_act is %q; only gelu is supported", c.Activation)
	}
	if c.Position != "absolute" {
		return fmt.Errorf("position_embedding_type is %q; only absolute is supported", c.Position)
	}
	if c.Truncation != "" && c.Truncation != "longest_first" && c.Truncation != "tail_head" {
		return fmt.Errorf("truncation is %q; it must be longest_first or tail_head", c.Truncation)
	}
	for _, size := range []struct {
		name               string
		value, least, most int
	}{
		{"num_hidden_layers", c.Layers, 1, 1 << 16},
		{"hidden_size", c.Hidden, 1, 1 << 16}, // 1024 in BERT-large
		{"num_attention_heads", c.Heads, 1, 1 << 16},
		{"intermediate_size", c.Inner, 1, 1 << 16},
		{"vocab_size", c.Vocabulary, 1, math.MaxInt32},
		{"max_position_embeddings", c.Positions, 3, math.MaxInt32}, // [CLS] [SEP] [SEP]
		{"type_vocab_size", c.Segments, 2, math.MaxInt32},
	} {
		if size.value < size.least || size.value > size.most {
			return fmt.Errorf("%s is %d; it must be between %d and %d", size.name, size.value, size.least, size.most)
		}
	}
	if c.Hidden%c.Heads != 0 {
		return fmt.Errorf("hidden_size %d is not divisible by %d heads", c.Hidden, c.Heads)
	}
	if e := c.Epsilon; !(e >= 0 && e < 1) {
		return fmt.Errorf("layer_norm_eps is %v; it must be at least 0 and less than 1", e)
	}
	return nil
}

// readJSON decodes a file of at most limit bytes.
func readJSON(folder fs.FS, name string, limit int64, into any) error {
	text, err := readFile(folder, name, limit)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func readFile(folder fs.FS, name string, limit int64) ([]byte, error) {
	file, err := folder.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is missing: %w", name, fs.ErrNotExist)
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if int64(len(text)) > limit {
		return nil, fmt.Errorf("%s is larger than %d MB; it does not belong to a BERT model", name, limit>>20)
	}
	return text, nil
}
