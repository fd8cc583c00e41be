package bert

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"runtime"
	"strings"
)

const weights = "model.safetensors"

func load(folder fs.FS, k *kernel, how Arithmetic) (*Model, error) {
	config, err := readConfig(folder)
	if err != nil {
		return nil, err
	}
	m := &Model{Config: config, kernel: k, epsilon: float32(config.Epsilon), slots: make(chan struct{}, runtime.GOMAXPROCS(0))}
	switch how {
	case Auto, F32, Int8:
		m.bytes = config.choose(k, how) == Int8
	default:
		return nil, fmt.Errorf("the arithmetic %q is unknown; it must be %s or %s", how, F32, Int8)
	}
	if m.tokenizer, m.limit, err = readTokenizer(folder); err != nil {
		return nil, err
	}
	m.limit = min(m.limit, config.Positions)
	if m.split() {
		m.states = newCache(cacheBytes)
	}
	if size := m.tokenizer.size; size > m.Vocabulary {
		return nil, fmt.Errorf("the vocabulary has %d wordpieces, but vocab_size in config.json is %d; these files belong to different models", size, m.Vocabulary)
	}
	file, err := folder.Open(weights)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is missing%s", weights, insteadOf(folder))
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	t, err := openTensors(file, weights)
	if err != nil {
		return nil, err
	}
	if err = m.read(&checkpoint{tensors: t, finite: true}); err == nil && m.split() {
		m.added = m.sides()
	}
	return m, err
}

// insteadOf names the weights that a folder has in another format.
func insteadOf(folder fs.FS) string {
	for _, name := range []string{"pytorch_model.bin", "model.safetensors.index.json", "tf_model.h5", "flax_model.msgpack", "bert_model.ckpt.index"} {
		if _, err := fs.Stat(folder, name); err == nil {
			return fmt.Sprintf("; the folder has %s, but only a single file in the safetensors format can be read", name)
		}
	}
	return ""
}

// A checkpoint finds tensors under their old and new names, and keeps the first error.
type checkpoint struct {
	*tensors
	prefix string // "bert." or none
	beta   bool   // gamma and beta instead of weight and bias
	finite bool   // what plain has read
	err    error
}

// find decides which names the file uses. It reports a model without a
// next-sentence head before anything is read.
func (c *checkpoint) find() error {
	const words = "embeddings.word_embeddings.weight"
	if c.has("bert." + words) {
		c.prefix = "bert."
	} else if !c.has(words) {
		return fmt.Errorf("%s has no tensor bert.%s; it is not a BERT model", c.name, words)
	}
	c.beta = c.has(c.prefix + "embeddings.LayerNorm.gamma")
	for _, name := range []string{c.prefix + "pooler.dense.weight", "cls.seq_relationship.weight"} {
		if !c.has(name) {
			return fmt.Errorf("%s has no next-sentence head (tensor %s is missing) and cannot score; use a model that was trained with one, such as bert-base-uncased", c.name, name)
		}
	}
	return nil
}

// plain reads a tensor that needs no packing.
func (c *checkpoint) plain(name string, shape ...int) []float32 {
	if c.err != nil {
		return nil
	}
	size := 1
	for _, n := range shape {
		size *= n
	}
	var reader *tensorReader
	if reader, c.err = c.reader(name, shape...); c.err != nil {
		return nil
	}
	values := make([]float32, size)
	c.err = reader.read(values)
	for _, v := range values {
		c.finite = c.finite && v-v == 0
	}
	return values
}

func (c *checkpoint) norm(name string, size int) scaling {
	scale, shift := ".weight", ".bias"
	if c.beta {
		scale, shift = ".gamma", ".beta"
	}
	return scaling{c.plain(c.prefix+name+scale, size), c.plain(c.prefix+name+shift, size)}
}

// linear reads a layer with a kernel's way to pack it.
func (c *checkpoint) linear(pack packer, name string, in, out int) *matrix {
	bias := c.plain(c.prefix+name+".bias", out)
	if c.err != nil {
		return nil
	}
	var reader *tensorReader
	if reader, c.err = c.reader(c.prefix+name+".weight", out, in); c.err != nil {
		return nil
	}
	var m *matrix
	m, c.err = pack(in, out, bias, reader.read)
	return m
}

// keyBack reads the key's matrix of each head, turned round: it multiplies a query
// of the head, and the result multiplies tokens. The bias is not needed.
func (c *checkpoint) keyBack(k *kernel, name string, h, heads int) []*matrix {
	weights, size := c.plain(c.prefix+name+".weight", h, h), h/heads
	_ = c.plain(c.prefix+name+".bias", h)
	if c.err != nil {
		return nil
	}
	all := make([]*matrix, heads)
	for head := range all {
		column := 0
		all[head], _ = k.pack(size, h, nil, func(row []float32) error {
			for i := range row {
				row[i] = weights[(head*size+i)*h+column]
			}
			column++
			return nil
		})
	}
	return all
}

// headValues reads the value's matrix of each head.
func (c *checkpoint) headValues(k *kernel, name string, h, heads int) []*matrix {
	weights, bias, size := c.plain(c.prefix+name+".weight", h, h), c.plain(c.prefix+name+".bias", h), h/heads
	if c.err != nil {
		return nil
	}
	all := make([]*matrix, heads)
	for head := range all {
		all[head], _ = k.pack(h, size, bias[head*size:][:size], func(row []float32) error {
			weights = weights[copy(row, weights):]
			return nil
		})
	}
	return all
}

func (m *Model) read(c *checkpoint) error {
	if err := c.find(); err != nil {
		return err
	}
	h, pack := m.Hidden, m.kernel.pack
	if m.bytes {
		pack = m.kernel.packBytes
	}
	m.words = c.plain(c.prefix+"embeddings.word_embeddings.weight", m.Vocabulary, h)
	m.positions = c.plain(c.prefix+"embeddings.position_embeddings.weight", m.Positions, h)
	m.segments = c.plain(c.prefix+"embeddings.token_type_embeddings.weight", m.Segments, h)
	m.norm = c.norm("embeddings.LayerNorm", h)
	for i := 0; i < m.Layers && c.err == nil; i++ {
		at := fmt.Sprintf("encoder.layer.%d.", i)
		m.layers = append(m.layers, layer{
			query:   c.linear(pack, at+"attention.self.query", h, h),
			mix:     c.linear(pack, at+"attention.output.dense", h, h),
			mixNorm: c.norm(at+"attention.output.LayerNorm", h),
			grow:    c.linear(pack, at+"intermediate.dense", h, m.Inner),
			shrink:  c.linear(pack, at+"output.dense", m.Inner, h),
			norm:    c.norm(at+"output.LayerNorm", h),
		})
		if l := &m.layers[i]; i < m.Layers-1 {
			l.key = c.linear(pack, at+"attention.self.key", h, h)
			l.value = c.linear(pack, at+"attention.self.value", h, h)
		} else {
			l.keyBack = c.keyBack(m.kernel, at+"attention.self.key", h, m.Heads)
			l.headValue = c.headValues(m.kernel, at+"attention.self.value", h, m.Heads)
		}
	}
	m.pooler = c.linear(m.kernel.pack, "pooler.dense", h, h)
	m.head = c.plain("cls.seq_relationship.weight", 2, h)
	m.headBias = c.plain("cls.seq_relationship.bias", 2)
	if c.err == nil && c.has(fmt.Sprintf("%sencoder.layer.%d.output.dense.weight", c.prefix, m.Layers)) {
		return fmt.Errorf("%s has more layers than the %d in config.json; these files belong to different models", c.name, m.Layers)
	}
	if errors.Is(c.err, errMissing) && strings.Contains(c.err.Error(), "LayerNorm") {
		return fmt.Errorf("%w (the file has neither weight and bias nor gamma and beta)", c.err)
	}
	if c.err == nil && m.bytes && !c.finite { // rounding to bytes could hide it
		return fmt.Errorf("%s: %w", c.name, errNotFinite)
	}
	return c.err
}

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
	// the first sentence keeps its end and the second its beginning. "middle": a
	// sentence of a split model loses its middle.
	Truncation string `json:"truncation"`

	// Joint is 0 in published models: all layers see the pair. In a split model
	// only the last Joint layers do; the lower ones see one sentence at a time.
	Joint int `json:"joint_layers"`

	// Tested is int8 if the model ranks as well with 8-bit arithmetic.
	Tested Arithmetic `json:"arithmetic"`
}

func (c *Config) choose(k *kernel, how Arithmetic) Arithmetic {
	switch {
	case how != Auto:
		return how
	case c.Tested == Int8 && k.bytes.fast:
		return Int8
	}
	return F32
}

// Choose returns the arithmetic that Load uses: F32 or Int8. It reads only
// config.json; Load reports a folder that cannot be read.
func Choose(folder fs.FS, how Arithmetic) Arithmetic {
	c, err := readConfig(folder)
	if err != nil && how == Auto {
		return F32
	}
	return c.choose(kernels()[0], how)
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
	switch {
	case c.Joint != 0 && c.Truncation != "middle":
		return fmt.Errorf("truncation is %q; with joint_layers it must be middle", c.Truncation)
	case c.Joint == 0 && c.Truncation != "" && c.Truncation != "longest_first" && c.Truncation != "tail_head":
		return fmt.Errorf("truncation is %q; without joint_layers it must be longest_first or tail_head", c.Truncation)
	}
	if c.Tested != Auto && c.Tested != F32 && c.Tested != Int8 {
		return fmt.Errorf("arithmetic is %q; it must be %s or %s", c.Tested, F32, Int8)
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
	if c.Joint < 0 || c.Joint > c.Layers {
		return fmt.Errorf("joint_layers is %d; it must be between 0 and the %d layers", c.Joint, c.Layers)
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

// Hash identifies a model, to recognize what another one ranked as out of date.
func Hash(files fs.FS) string {
	sum := sha256.New()
	for _, name := range []string{"config.json", "vocab.txt", "tokenizer.json", "model.safetensors"} {
		if file, err := files.Open(name); err == nil {
			_, _ = io.Copy(sum, file) // Open reports a file that cannot be read
			_ = file.Close()
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
}
