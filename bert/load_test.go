package bert

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"verbatim"
)

// The error for a broken folder says what is wrong with it.
func TestBrokenFolders(t *testing.T) {
	rename := func(from, to string) func(fstest.MapFS) {
		return func(f fstest.MapFS) {
			data := f[weights].Data
			n := int(binary.LittleEndian.Uint64(data))
			header := bytes.ReplaceAll(bytes.Clone(data[8:8+n]), []byte(from), []byte(to))
			f[weights] = &fstest.MapFile{Data: append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...), data[8+n:]...)}
		}
	}
	file := func(name, text string) func(fstest.MapFS) {
		return func(f fstest.MapFS) { f[name] = &fstest.MapFile{Data: []byte(text)} }
	}
	config := func(from, to string) func(fstest.MapFS) {
		return file("config.json", strings.Replace(tiny.config(), from, to, 1))
	}
	for _, c := range []struct {
		name   string
		damage func(fstest.MapFS)
		want   string
	}{
		{"no config", func(f fstest.MapFS) { delete(f, "config.json") }, "config.json is missing"},
		{"config is not JSON", file("config.json", "{"), "config.json: unexpected end"},
		{"another architecture", config(`"bert"`, `"roberta"`), `model_type is "roberta"; only bert models can be read`},
		{"another activation", config(`"gelu"`, `"gelu_new"`), `hidden_act is "gelu_new"`},
		{"relative positions", config(`"hidden_act"`, `"position_embedding_type": "relative_key", "hidden_act"`), `position_embedding_type is "relative_key"`},
		{"another truncation", config(`"hidden_act"`, `"truncation": "middle", "hidden_act"`), `truncation is "middle"; without joint_layers`},
		{"split, cut at the end", config(`"hidden_act"`, `"joint_layers": 1, "truncation": "longest_first", "hidden_act"`), `truncation is "longest_first"; with joint_layers it must be middle`},
		{"more joint layers than layers", config(`"hidden_act"`, `"joint_layers": 3, "truncation": "middle", "hidden_act"`), "joint_layers is 3; it must be between 0 and the 2 layers"},
		{"fewer joint layers than none", config(`"hidden_act"`, `"joint_layers": -1, "truncation": "middle", "hidden_act"`), "joint_layers is -1"},
		{"no layers", config(`"num_hidden_layers": 2`, `"num_hidden_layers": 0`), "num_hidden_layers is 0"},
		{"indivisible heads", config(`"num_attention_heads": 2`, `"num_attention_heads": 3`), "hidden_size 16 is not divisible by 3 heads"},
		{"too many layers", config(`"num_hidden_layers": 2`, `"num_hidden_layers": 3`), "bert.encoder.layer.2.attention.self.query.bias is missing"},
		{"too few layers", config(`"num_hidden_layers": 2`, `"num_hidden_layers": 1`), "more layers than the 1 in config.json"},
		{"wrong shape", config(`"intermediate_size": 24`, `"intermediate_size": 25`), "has the shape [24], but config.json needs [25]"},
		{"huge sizes", config(`"vocab_size": 40`, `"vocab_size": 2000000000`), "has the shape [40 16], but config.json needs [2000000000 16]"},
		{"no vocabulary", func(f fstest.MapFS) { delete(f, "vocab.txt") }, "vocab.txt and tokenizer.json are both missing"},
		{"vocabulary too long", file("vocab.txt", tiny.vocabulary()+"more\n"), "41 wordpieces, but vocab_size in config.json is 40"},
		{"vocabulary without [SEP]", file("vocab.txt", "[PAD]\n[UNK]\n[CLS]\n"), "has no [SEP]"},
		{"no weights", func(f fstest.MapFS) { delete(f, weights) }, "model.safetensors is missing"},
		{"weights of PyTorch", func(f fstest.MapFS) { delete(f, weights); f["pytorch_model.bin"] = &fstest.MapFile{} }, "the folder has pytorch_model.bin, but only"},
		{"not a BERT model", rename("word_embeddings", "wird_embeddings"), "it is not a BERT model"},
		{"no head", rename("cls.seq_relationship.weight", "cls.seq_relationship.weihgt"), "has no next-sentence head (tensor cls.seq_relationship.weight is missing)"},
		{"no pooler", rename("bert.pooler.dense.weight", "bert.pooler.dense.weihgt"), "has no next-sentence head (tensor bert.pooler.dense.weight is missing)"},
		{"half a norm", rename("layer.1.output.LayerNorm.bias", "layer.1.output.LayerNorm.bios"), "neither weight and bias nor gamma and beta"},
		{"integer weights", rename(`"dtype":"F16"`, `"dtype":"I16"`), `has the type "I16"; only F32, F16 and BF16 can be read`},
		{"truncated", func(f fstest.MapFS) { f[weights].Data = f[weights].Data[:len(f[weights].Data)-1] }, "it is truncated: download it again"},
		{"truncated in the header", func(f fstest.MapFS) { f[weights].Data = f[weights].Data[:100] }, "it is truncated or not a safetensors file"},
		{"overlapping tensors", overlap, "its tensors overlap"},
		{"too large", config(`"intermediate_size": 24`, `"intermediate_size": 100000`), "must be between 1 and 65536"},
		{"empty", file(weights, ""), "has only 0 bytes"},
		{"a web page", file(weights, "<!DOCTYPE html><html>Not found</html>"), "not a safetensors file"},
	} {
		folder := tiny.folder()
		c.damage(folder)
		if _, err := load(folder, &portable, F32); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v\nwant ... %s ...", c.name, err, c.want)
		}
	}
}

// overlap makes all tensors share the same bytes, so that a short file would fill
// a large memory.
func overlap(f fstest.MapFS) {
	data := f[weights].Data
	n := int(binary.LittleEndian.Uint64(data))
	header, most := map[string]tensor{}, int64(0)
	json.Unmarshal(data[8:8+n], &header)
	delete(header, "__metadata__")
	for name, t := range header {
		t.Offsets = [2]int64{0, t.Offsets[1] - t.Offsets[0]}
		most = max(most, t.Offsets[1])
		header[name] = t
	}
	text, _ := json.Marshal(header)
	short := append(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text...)
	f[weights] = &fstest.MapFile{Data: append(short, data[8+n:][:most]...)}
}

// The error for a folder starts with its name.
func TestOpen(t *testing.T) {
	m, err := Open("testdata/gamma", Auto)
	if err != nil || m.Layers != 2 {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"testdata/nowhere":           "testdata/nowhere: no such folder",
		"testdata/gamma/config.json": "is a file; name the folder",
		"testdata/tokens":            "testdata/tokens: config.json is missing",
	} {
		if _, err := Open(path, Auto); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// tokenizer.json replaces a missing vocab.txt, and settings are read from where
// Hugging Face puts them.
func TestTokenizerFiles(t *testing.T) {
	words := strings.Fields("[PAD] [UNK] [CLS] [SEP] Été été ete Ete")
	vocab := map[string]int{}
	for i, w := range words {
		vocab[w] = i
	}
	asJSON, _ := json.Marshal(map[string]any{
		"normalizer": map[string]any{"type": "BertNormalizer", "lowercase": false, "clean_text": true},
		"model":      map[string]any{"type": "WordPiece", "vocab": vocab, "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100},
	})
	for _, c := range []struct {
		name   string
		files  map[string]string
		reads  string // the wordpiece of "Été"
		broken string
	}{
		{"vocab.txt with capitals", map[string]string{"vocab.txt": strings.Join(words, "\n")}, "Été", ""},
		{"vocab.txt of Windows", map[string]string{"vocab.txt": strings.Join(words, "\r\n") + "\r\n"}, "Été", ""},
		{"lower case", map[string]string{"vocab.txt": strings.Join(words, "\n"), "tokenizer_config.json": `{"do_lower_case": true, "model_max_length": 1000000000000000019884624838656}`}, "ete", ""},
		{"accents kept", map[string]string{"vocab.txt": strings.Join(words, "\n"), "tokenizer_config.json": `{"do_lower_case": true, "strip_accents": false}`}, "été", ""},
		{"accents stripped", map[string]string{"vocab.txt": strings.Join(words, "\n"), "tokenizer_config.json": `{"do_lower_case": false, "strip_accents": true}`}, "Ete", ""},
		{"null means lower case", map[string]string{"vocab.txt": strings.Join(words, "\n"), "tokenizer_config.json": `{"do_lower_case": true, "strip_accents": null}`}, "ete", ""},
		{"tokenizer.json", map[string]string{"tokenizer.json": string(asJSON)}, "Été", ""},
		{"tokenizer.json of another kind", map[string]string{"tokenizer.json": `{"normalizer": null, "model": {"type": "BPE", "vocab": []}}`}, "", `the model is "BPE"`},
		{"another normalizer", map[string]string{"tokenizer.json": `{"normalizer": {"type": "NFC"}, "model": {"type": "WordPiece"}}`}, "", `the normalizer is "NFC"`},
		{"settings are not JSON", map[string]string{"vocab.txt": "x", "tokenizer_config.json": "["}, "", "tokenizer_config.json"},
	} {
		folder := fstest.MapFS{}
		for name, text := range c.files {
			folder[name] = &fstest.MapFile{Data: []byte(text)}
		}
		tokens, _, err := readTokenizer(folder)
		if c.broken != "" {
			if err == nil || !strings.Contains(err.Error(), c.broken) {
				t.Errorf("%s: %v, want %s", c.name, err, c.broken)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		ids := tokens.all("Été")
		if len(ids) != 1 || words[ids[0]] != c.reads {
			t.Errorf("%s: Été is %v, want %s", c.name, ids, c.reads)
		}
	}
}

// A length limit in tokenizer_config.json applies if it is the smaller one.
func TestModelMaxLength(t *testing.T) {
	folder := tiny.folder()
	folder["tokenizer_config.json"] = &fstest.MapFile{Data: []byte(`{"model_max_length": 20}`)}
	m, err := load(folder, &portable, F32)
	if err != nil || m.MaxTokens() != 20 {
		t.Errorf("%v, %v", m, err)
	}
}

// NaN weights are an error, never a score.
func TestWeightsWithNaN(t *testing.T) {
	for _, k := range kernels() {
		m := tiny.load(t, k)
		m.words[2*m.Hidden] = float32(math.NaN()) // in [CLS]
		if _, err := m.Score(context.Background(), make([]verbatim.Pair, 3)); err == nil || !strings.Contains(err.Error(), "pair 1 has no finite score") {
			t.Errorf("%s: %v", k.name, err)
		}
	}
}

// f16 is read correctly: subnormal, largest and special values.
func TestHalf(t *testing.T) {
	for bits, want := range map[uint16]float64{
		0x0000: 0, 0x3C00: 1, 0xC000: -2, 0x7BFF: 65504, 0x0400: 0x1p-14, 0x0001: 0x1p-24, 0x83FF: -1023 * 0x1p-24,
		0x3555: 0.333251953125, 0x7C00: math.Inf(1), 0xFC00: math.Inf(-1),
	} {
		if got := half(bits); float64(got) != want {
			t.Errorf("%04x is %v, want %v", bits, got, want)
		}
	}
	if v := half(0x7E00); v == v {
		t.Errorf("a NaN became %v", v)
	}
}

// Load returns a model or an error for any folder, and its memory use is at most
// a constant times the size of the files.
func FuzzLoad(f *testing.F) {
	small := sketch{1, 4, 1, 4, 30, 8, 0}
	folder := small.folder()
	f.Add(folder["config.json"].Data, folder["vocab.txt"].Data, folder[weights].Data)
	f.Add([]byte(`{"hidden_size": 1e9}`), []byte("[CLS]\n[SEP]\n[UNK]"), []byte("\xff\xff\xff\xff\xff\xff\xff\x7f{}"))
	for _, name := range recorded[:1] {
		config, _ := os.ReadFile(filepath.Join("testdata", name, "config.json"))
		f.Add(config, folder["vocab.txt"].Data, folder[weights].Data)
	}
	f.Fuzz(func(t *testing.T, config, vocab, tensors []byte) {
		folder := fstest.MapFS{"config.json": {Data: config}, "vocab.txt": {Data: vocab}, weights: {Data: tensors}}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		m, err := load(folder, kernels()[0], F32)
		runtime.ReadMemStats(&after)
		if taken, limit := after.TotalAlloc-before.TotalAlloc, uint64(4<<20+200*(len(config)+len(vocab)+len(tensors))); taken > limit {
			t.Errorf("allocated %d bytes for %d", taken, len(config)+len(vocab)+len(tensors))
		}
		if err != nil {
			return
		}
		if m.Hidden > 1<<12 || m.Inner > 1<<12 {
			return
		}
		scores, err := m.Score(context.Background(), []verbatim.Pair{{First: "a b", Second: "c"}})
		if err == nil && !(scores[0] <= 0) {
			t.Errorf("score %v", scores)
		}
	})
}

// The same holds for tokenizer.json.
func FuzzTokenizerJSON(f *testing.F) {
	f.Add([]byte(`{"normalizer":{"type":"BertNormalizer","lowercase":true},"model":{"type":"WordPiece","vocab":{"[UNK]":0,"[CLS]":1,"[SEP]":2,"a":3,"##b":4}}}`), []byte(`{"do_lower_case":true}`), "ab ba")
	f.Add([]byte(`{"normalizer":{"type":"BertNormalizer"},"model":{"vocab":{"a":2000000000}}}`), []byte(`{"model_max_length":1e30}`), "")
	f.Fuzz(func(t *testing.T, tokenizer, config []byte, text string) {
		folder := fstest.MapFS{"tokenizer.json": {Data: tokenizer}, "tokenizer_config.json": {Data: config}}
		tokens, limit, err := readTokenizer(folder)
		if err != nil {
			return
		}
		if limit < 0 || limit > maxTokens {
			t.Errorf("limit %d", limit)
		}
		for _, id := range tokens.all(text) {
			if id < 0 || int(id) > tokens.size-1 {
				t.Errorf("%q has the id %d of %d", text, id, tokens.size-1)
			}
		}
	})
}

// Any bytes become known wordpieces. White space around a text changes nothing,
// and two texts together have the pieces of each.
func FuzzTokens(f *testing.F) {
	f.Add("The light, however, was out.", "Été à Köln")
	f.Add("\xff\u0301각中\u2028", "İ\u200b##ing")
	lower, keep := tokensFixture(f, true, true), tokensFixture(f, false, false)
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, tokens := range []*tokenizer{lower, keep} {
			x, y := tokens.all(a), tokens.all(b)
			both := tokens.all(" " + a + "\n" + b + "\t")
			if len(both) != len(x)+len(y) {
				t.Errorf("%q and %q: %v and %v, together %v", a, b, x, y, both)
			}
			for _, id := range both {
				if id < 0 || int(id) > tokens.size-1 {
					t.Errorf("id %d", id)
				}
			}
		}
	})
}

// All code paths agree on the real weights of the small model.
func TestPathsAgreeOnSmallModel(t *testing.T) {
	pairs := []verbatim.Pair{
		{First: "She asked him where he had left the key.", Second: "“It is in my coat,” he said, “where it always is.”"},
		{First: "She asked him where he had left the key.", Second: "The treaty of that year gave the northern provinces to the crown."},
	}
	var want []float64
	for _, k := range slices.Backward(kernels()) { // portable first
		got, err := loadFolder(t, os.DirFS("small"), k).Score(context.Background(), pairs)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			if !(math.Abs(got[i]-want[i]) <= 1e-4) {
				t.Errorf("%s: pair %d scores %v, want %v", k.name, i, got[i], want[i])
			}
		}
		want = got
	}
}
