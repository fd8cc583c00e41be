package bert

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"
)

// A sketch is the size of a model with random weights.
type sketch struct{ layers, hidden, heads, inner, words, positions, joint int }

var (
	tiny      = sketch{2, 16, 2, 24, 40, 32, 0}
	tinySplit = sketch{3, 16, 2, 24, 40, 32, 2}
	likeSmall = sketch{7, 256, 4, 1024, 8192, 128, 2} // the size of the model in small/
)

// folder returns the model's files.
func (s sketch) folder() fstest.MapFS {
	return fstest.MapFS{
		"config.json":       {Data: []byte(s.config())},
		"vocab.txt":         {Data: []byte(s.vocabulary())},
		"model.safetensors": {Data: s.tensors()},
	}
}

func (s sketch) config() string {
	split := ""
	if s.joint > 0 {
		split = fmt.Sprintf(`, "joint_layers": %d, "truncation": "middle"`, s.joint)
	}
	return fmt.Sprintf(`{"model_type": "bert", "num_hidden_layers": %d, "hidden_size": %d, "num_attention_heads": %d, "intermediate_size": %d,
		"vocab_size": %d, "max_position_embeddings": %d, "hidden_act": "gelu"%s}`, s.layers, s.hidden, s.heads, s.inner, s.words, s.positions, split)
}

// vocabulary has letters and words of three letters.
func (s sketch) vocabulary() string {
	words := []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", ","}
	for _, mark := range []string{"", "##"} {
		for c := 'a'; c <= 'z'; c++ {
			words = append(words, mark+string(c))
		}
	}
	for i := 0; len(words) < s.words; i++ {
		words = append(words, fmt.Sprintf("%c%c%c", 'a'+i/676%26, 'a'+i/26%26, 'a'+i%26))
	}
	return strings.Join(words[:s.words], "\n") + "\n"
}

// shapes returns all tensors in order.
func (s sketch) shapes() (names []string, shapes [][]int) {
	add := func(name string, shape ...int) { names, shapes = append(names, name), append(shapes, shape) }
	linear := func(name string, out, in int) { add(name+".weight", out, in); add(name+".bias", out) }
	norm := func(name string) { add(name+".LayerNorm.weight", s.hidden); add(name+".LayerNorm.bias", s.hidden) }
	h := s.hidden
	add("bert.embeddings.word_embeddings.weight", s.words, h)
	add("bert.embeddings.position_embeddings.weight", s.positions, h)
	add("bert.embeddings.token_type_embeddings.weight", 2, h)
	norm("bert.embeddings")
	for i := range s.layers {
		at := fmt.Sprintf("bert.encoder.layer.%d.", i)
		for _, name := range []string{"query", "key", "value"} {
			linear(at+"attention.self."+name, h, h)
		}
		linear(at+"attention.output.dense", h, h)
		norm(at + "attention.output")
		linear(at+"intermediate.dense", s.inner, h)
		linear(at+"output.dense", h, s.inner)
		norm(at + "output")
	}
	linear("bert.pooler.dense", h, h)
	linear("cls.seq_relationship", 2, h)
	return names, shapes
}

func (s sketch) tensors() []byte {
	rng := rand.New(rand.NewPCG(5, 5))
	header := map[string]any{"__metadata__": map[string]string{"format": "pt"}}
	var data []byte
	names, shapes := s.shapes()
	for i, name := range names {
		n, scale := 1, 1.2/math.Sqrt(float64(shapes[i][len(shapes[i])-1]))
		for _, size := range shapes[i] {
			n *= size
		}
		start := len(data)
		norm, bias := strings.HasSuffix(name, "LayerNorm.weight"), strings.HasSuffix(name, "bias")
		embedding := strings.Contains(name, "embeddings")
		for range n {
			v := float32(scale * rng.NormFloat64())
			switch {
			case norm:
				v = 1 + v
			case bias:
				v /= 20
			case embedding:
				v = float32(rng.NormFloat64())
			}
			data = binary.LittleEndian.AppendUint16(data, toHalf(v))
		}
		header[name] = map[string]any{"dtype": "F16", "shape": shapes[i], "data_offsets": []int{start, len(data)}}
	}
	text, _ := json.Marshal(header)
	return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text...), data...)
}

// toHalf rounds towards zero, which is good enough for random weights.
func toHalf(v float32) uint16 {
	bits := math.Float32bits(v)
	sign, exponent := uint16(bits>>16&0x8000), int(bits>>23&0xFF)-112
	if exponent <= 0 {
		return sign
	}
	return sign | uint16(exponent)<<10 | uint16(bits>>13&0x3FF)
}

func (s sketch) load(t testing.TB, k *kernel) *Model {
	t.Helper()
	return loadFolder(t, s.folder(), k)
}

func loadFolder(t testing.TB, folder fs.FS, k *kernel) *Model {
	t.Helper()
	m, err := load(folder, k, F32)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// prose returns a text of about n wordpieces.
func prose(rng *rand.Rand, n int) string {
	var text strings.Builder
	for range n {
		fmt.Fprintf(&text, "%c%c%c ", 'a'+rng.IntN(10), 'a'+rng.IntN(26), 'a'+rng.IntN(26))
	}
	return text.String()
}
