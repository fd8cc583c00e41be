// Package scripted makes a language model with fixed answers, so that tests can use
// a real server without downloading weights.
//
// The model is a GGUF file of the llama architecture, about 5 MB, that llama.cpp and
// Ollama load. Its weights are a table of next tokens: the template puts a marker at
// the end of the prompt, and the marker starts a chain of tokens that ends in </s>.
// The same scripts give the same bytes.
package scripted

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
)

// A Script is what the model says after a marker, token by token. A script that
// returns to one of its own pieces never ends.
type Script struct {
	Marker string // for example <|yes|>
	Pieces []string
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

func newTable(scripts []Script) (*table, error) {
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
		t.add(s.Marker, controlToken, 0) // control: the tokenizer recognizes it in a template
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
func (t *table) chain(s Script) error {
	at := t.ids[s.Marker]
	for _, piece := range append(append([]string(nil), s.Pieces...), "</s>") {
		if t.looped(at, piece) {
			return nil
		}
		// The low score keeps ordinary prompts from using the tokens of scripts.
		id := t.add(strings.ReplaceAll(piece, " ", "▁"), plainToken, -1000)
		if old, there := t.next[at]; there && old != id {
			return fmt.Errorf("script %s: after %q comes %q, but another script continues with %q; split the pieces differently", s.Marker, t.texts[at], piece, t.texts[old])
		}
		t.next[at] = id
		at = id
	}
	return nil
}

// looped reports whether the chain is a loop, which needs no end.
func (t *table) looped(at int, piece string) bool {
	_, known := t.next[at]
	return piece == "</s>" && known
}

// size is the width of the model: one column per token, in heads of 64.
func (t *table) size() int { return (len(t.texts) + 63) / 64 * 64 }

// Write writes the model for some scripts.
func Write(w io.Writer, scripts []Script) error {
	t, err := newTable(scripts)
	if err != nil {
		return err
	}
	out := &writer{w: bufio.NewWriterSize(w, 1<<16)}
	tensors := t.tensors()
	out.bytes([]byte("GGUF"))
	out.put(uint32(3))
	out.put(uint64(len(tensors)))
	t.header(out)
	offset := uint64(0)
	for _, tensor := range tensors {
		out.text(tensor.name)
		out.put(uint32(len(tensor.shape)))
		for _, n := range tensor.shape {
			out.put(uint64(n))
		}
		out.put(uint32(0)) // float32
		out.put(offset)
		offset += (uint64(tensor.len())*4 + 31) / 32 * 32
	}
	for _, tensor := range tensors {
		out.pad()
		tensor.write(out)
	}
	out.pad()
	if out.err == nil {
		out.err = out.w.Flush()
	}
	return out.err
}

// header writes the key-value pairs.
func (t *table) header(out *writer) {
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
	out.put(uint64(len(pairs)))
	for _, pair := range pairs {
		out.text(pair.key)
		out.value(pair.value)
	}
}

// A tensor is computed value by value: most values are zeros.
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

func (t tensor) write(out *writer) {
	columns := t.shape[0]
	line := make([]byte, 4*columns)
	for row := range t.len() / columns {
		for column := range columns {
			binary.LittleEndian.PutUint32(line[4*column:], math.Float32bits(t.at(row, column)))
		}
		out.bytes(line)
	}
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

// A writer writes little-endian values and remembers the first error.
type writer struct {
	w   *bufio.Writer
	n   int
	err error
}

func (w *writer) bytes(b []byte) {
	if w.err == nil {
		_, w.err = w.w.Write(b)
		w.n += len(b)
	}
}

func (w *writer) put(value any) {
	if b, err := binary.Append(nil, binary.LittleEndian, value); err == nil {
		w.bytes(b)
	}
}

func (w *writer) text(s string) {
	w.put(uint64(len(s)))
	w.bytes([]byte(s))
}

func (w *writer) pad() { w.bytes(make([]byte, (32-w.n%32)%32)) }

// value writes the number of the type, then the value.
func (w *writer) value(value any) {
	list := func(kind uint32, n int) {
		w.put(uint32(9))
		w.put(kind)
		w.put(uint64(n))
	}
	switch v := value.(type) {
	case uint32:
		w.put(uint32(4))
		w.put(v)
	case float32:
		w.put(uint32(6))
		w.put(v)
	case bool:
		w.put(uint32(7))
		w.put(v)
	case string:
		w.put(uint32(8))
		w.text(v)
	case []string:
		list(8, len(v))
		for _, s := range v {
			w.text(s)
		}
	case []float32:
		list(6, len(v))
		w.put(v)
	case []int32:
		list(5, len(v))
		w.put(v)
	}
}
