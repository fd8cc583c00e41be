package chat

// A language model with fixed answers, so that tests can use a real server without
// downloading weights.
//
// The model is a GGUF file of the llama architecture, about 5 MB, that llama.cpp and
// Ollama load. Its weights are a table of next tokens: the template puts a marker at
// the end of the prompt, and the marker starts a chain of tokens that ends in </s>.
// The same scripts give the same bytes.

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

// A script is what the model says after a marker, token by token. A script that
// returns to one of its own pieces never ends.
type script struct {
	marker string // for example <|yes|>
	pieces []string
}

// The kinds of tokens in GGUF.
const (
	plainToken   = 1
	unknownToken = 2
	controlToken = 3
	byteToken    = 6
)

// A table is a vocabulary with the next token of each token.
type table struct {
	texts  []string
	kinds  []int32
	scores []float32
	ids    map[string]int
	next   map[int]int
}

const endOfText = 2 // </s>

func newTable(scripts []script) (*table, error) {
	t := &table{ids: map[string]int{}, next: map[int]int{}}
	t.add("<unk>", unknownToken, 0)
	t.add("<s>", controlToken, 0)
	t.add("</s>", controlToken, 0)
	for b := range 256 {
		t.add(fmt.Sprintf("<0x%02X>", b), byteToken, 0)
	}
	t.add("▁", plainToken, 0)
	for c := '!'; c <= '~'; c++ {
		t.add(string(c), plainToken, 0)
	}
	for _, s := range scripts {
		t.add(s.marker, controlToken, 0) // the tokenizer recognizes it in a template
	}
	for _, s := range scripts {
		if err := t.chain(s); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func (t *table) add(text string, kind int32, score float32) int {
	if id, there := t.ids[text]; there {
		return id
	}
	id := len(t.texts)
	t.ids[text] = id
	t.texts, t.kinds, t.scores = append(t.texts, text), append(t.kinds, kind), append(t.scores, score)
	return id
}

// chain links the pieces of a script. A token has one successor, so two scripts may
// share a piece only if they continue in the same way.
func (t *table) chain(s script) error {
	at := t.ids[s.marker]
	for _, piece := range append(slices.Clone(s.pieces), "</s>") {
		if _, loops := t.next[at]; loops && piece == "</s>" {
			return nil // a loop needs no end
		}
		// The low score keeps ordinary prompts from using the tokens of scripts.
		id := t.add(strings.ReplaceAll(piece, " ", "▁"), plainToken, -1000)
		if old, there := t.next[at]; there && old != id {
			return fmt.Errorf("script %s: after %q comes %q, but another script continues with %q; split the pieces differently", s.marker, t.texts[at], piece, t.texts[old])
		}
		t.next[at] = id
		at = id
	}
	return nil
}

// size is the width of the model: one column per token, in heads of 64.
func (t *table) size() int { return (len(t.texts) + 63) / 64 * 64 }

// writeGGUF writes the model for some scripts.
func writeGGUF(w io.Writer, scripts []script) error {
	t, err := newTable(scripts)
	if err != nil {
		return err
	}
	tensors := t.tensors()
	out := bufio.NewWriterSize(w, 1<<16)
	_, _ = out.Write(t.header(tensors)) // Flush returns the first error
	for _, tensor := range tensors {
		columns := tensor.shape[0]
		line := make([]byte, 4*columns)
		for row := range tensor.len() / columns {
			for column := range columns {
				binary.LittleEndian.PutUint32(line[4*column:], math.Float32bits(tensor.at(row, column)))
			}
			_, _ = out.Write(line)
		}
	}
	return out.Flush()
}

// header is everything before the weights.
func (t *table) header(tensors []tensor) []byte {
	d := uint32(t.size())
	pairs := []struct {
		key   string
		value any
	}{
		{"general.architecture", "llama"}, {"general.name", "scripted"}, {"general.file_type", uint32(0)},
		{"llama.context_length", uint32(2048)}, {"llama.embedding_length", d}, {"llama.block_count", uint32(1)},
		{"llama.feed_forward_length", uint32(64)}, {"llama.attention.head_count", d / 64}, {"llama.attention.head_count_kv", d / 64},
		{"llama.attention.layer_norm_rms_epsilon", float32(1e-5)}, {"llama.rope.dimension_count", uint32(64)},
		{"llama.rope.freq_base", float32(10000)}, {"llama.vocab_size", uint32(len(t.texts))},
		{"tokenizer.ggml.model", "llama"}, {"tokenizer.ggml.tokens", t.texts}, {"tokenizer.ggml.scores", t.scores},
		{"tokenizer.ggml.token_type", t.kinds}, {"tokenizer.ggml.bos_token_id", uint32(1)}, {"tokenizer.ggml.eos_token_id", uint32(endOfText)},
		{"tokenizer.ggml.unknown_token_id", uint32(0)}, {"tokenizer.ggml.add_bos_token", true}, {"tokenizer.ggml.add_eos_token", false},
		{"tokenizer.ggml.add_space_prefix", false},
	}
	out := put([]byte("GGUF"), uint32(3), uint64(len(tensors)), uint64(len(pairs)))
	for _, pair := range pairs {
		out = putValue(putText(out, pair.key), pair.value)
	}
	offset := uint64(0)
	for _, tensor := range tensors {
		out = put(putText(out, tensor.name), uint32(len(tensor.shape)))
		for _, n := range tensor.shape {
			out = put(out, uint64(n))
		}
		out = put(out, uint32(0), offset) // 0: float32
		offset += 4 * uint64(tensor.len())
	}
	return append(out, make([]byte, (32-len(out)%32)%32)...)
}

// put appends little-endian numbers.
func put(out []byte, numbers ...any) []byte {
	for _, n := range numbers {
		out, _ = binary.Append(out, binary.LittleEndian, n) // it fails only for types without a size
	}
	return out
}

func putText(out []byte, text string) []byte { return append(put(out, uint64(len(text))), text...) }

// putValue appends the number of the type, then the value.
func putValue(out []byte, value any) []byte {
	switch v := value.(type) {
	case uint32:
		return put(out, uint32(4), v)
	case float32:
		return put(out, uint32(6), v)
	case bool:
		return put(out, uint32(7), v)
	case string:
		return putText(put(out, uint32(8)), v)
	case []float32:
		return put(out, uint32(9), uint32(6), uint64(len(v)), v)
	case []int32:
		return put(out, uint32(9), uint32(5), uint64(len(v)), v)
	case []string:
		out = put(out, uint32(9), uint32(8), uint64(len(v)))
		for _, text := range v {
			out = putText(out, text)
		}
	}
	return out
}

// A tensor is computed value by value: most values are zeros. Its size is a
// multiple of 32 bytes, as GGUF wants it, because all widths are multiples of 64.
type tensor struct {
	name  string
	shape []int // the fastest dimension first
	at    func(row, column int) float32
}

func (t tensor) len() int {
	n := 1
	for _, d := range t.shape {
		n *= d
	}
	return n
}

// tensors are the weights. Attention and feed-forward are zero, so the residual
// stream carries the one-hot vector of the last token unchanged. The final norm turns
// its 1 into the square root of d, and the successor leads by 20 nats. A little noise
// keeps the others from being equal.
func (t *table) tensors() []tensor {
	d, v := t.size(), len(t.texts)
	zero := func(int, int) float32 { return 0 }
	one := func(int, int) float32 { return 1 }
	noise := rand.New(rand.NewPCG(1, 2))
	lead := float32(20 / math.Sqrt(float64(d)))
	block := func(name string, at func(int, int) float32, shape ...int) tensor {
		return tensor{"blk.0." + name + ".weight", shape, at}
	}
	return []tensor{
		{"token_embd.weight", []int{d, v}, func(row, column int) float32 {
			if row == column {
				return 1
			}
			return 0
		}},
		block("attn_norm", one, d), block("attn_q", zero, d, d), block("attn_k", zero, d, d), block("attn_v", zero, d, d),
		block("attn_output", zero, d, d), block("ffn_norm", one, d), block("ffn_gate", zero, d, 64), block("ffn_up", zero, d, 64),
		block("ffn_down", zero, 64, d),
		{"output_norm.weight", []int{d}, one},
		{"output.weight", []int{d, v}, func(row, column int) float32 {
			successor, there := t.next[column]
			if !there {
				successor = endOfText
			}
			if row == successor {
				return lead
			}
			return noise.Float32() * 1e-4
		}},
	}
}
