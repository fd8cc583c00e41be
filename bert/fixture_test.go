package bert

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"verbatim"
)

// recorded lists the random models in testdata. bert/train/fixtures.py wrote
// them with the logits that PyTorch computes.
var recorded = []string{
	"plain", // f32
	"half",  // f16
	"gamma", // f16; LayerNorm.gamma and beta, as in the published bert-base-uncased
	"bare",  // bf16; names without "bert."
	"odd",   // f16; sizes that are no multiple of a vector
}

// Every code path computes PyTorch's logits.
func TestLogitsMatchPyTorch(t *testing.T) {
	type line struct {
		IDs      []int32    `json:"ids"`
		Second   int        `json:"second"`
		F32, F64 [2]float64 // logits
	}
	for _, k := range kernels() {
		worst := 0.0
		for _, name := range recorded {
			m := fixture(t, name, k)
			lines := readLines[line](t, filepath.Join("testdata", name, "logits.jsonl"))
			if len(lines) < 24 {
				t.Fatalf("%s: only %d pairs", name, len(lines))
			}
			for _, l := range lines {
				got := m.alone(sequence{l.IDs, l.Second})
				for class := range 2 {
					off := max(math.Abs(got[class]-l.F32[class]), math.Abs(got[class]-l.F64[class]))
					if worst = max(worst, off); !(off <= 1e-4) {
						t.Fatalf("%s on %s, %d tokens: logits %v, PyTorch %v", name, k.name, len(l.IDs), got, l.F32)
					}
				}
			}
		}
		t.Logf("%s: largest difference %.2g", k.name, worst)
	}
}

func fixture(t testing.TB, name string, k *kernel) *Model {
	t.Helper()
	m, err := load(os.DirFS(filepath.Join("testdata", name)), k, F32)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return m
}

// alone computes one sequence by itself.
func (m *Model) alone(s sequence) [2]float64 {
	return m.logits(m.newBuffers(len(s.ids), 1, len(s.ids), new(atomic.Bool)), []sequence{s})[0]
}

// Wordpieces match the reference on hostile strings.
func TestTokensMatchReference(t *testing.T) {
	type line struct {
		Text                    string
		Uncased, Cased, Accents []int32
	}
	lines := readLines[line](t, "testdata/tokens/strings.jsonl.gz")
	if len(lines) < 3000 {
		t.Fatalf("only %d strings", len(lines))
	}
	uncased := tokensFixture(t, true, true)
	cased := tokensFixture(t, false, false)
	accents := tokensFixture(t, true, false)
	for _, l := range lines {
		for _, kind := range []struct {
			name string
			t    *tokenizer
			want []int32
		}{{"uncased", uncased, l.Uncased}, {"cased", cased, l.Cased}, {"accents kept", accents, l.Accents}} {
			if got := kind.t.all(l.Text); !slices.Equal(got, kind.want) {
				t.Errorf("%s: %+q\n got %v\nwant %v", kind.name, l.Text, got, kind.want)
			}
		}
	}
}

func tokensFixture(t testing.TB, lower, strip bool) *tokenizer {
	t.Helper()
	tokens, _, err := readTokenizer(os.DirFS("testdata/tokens"))
	if err != nil {
		t.Fatal(err)
	}
	tokens.lower, tokens.strip = lower, strip
	return tokens
}

func (t *tokenizer) all(text string) []int32 {
	ids := []int32{}
	t.each(context.Background(), text, func(id int32) bool { ids = append(ids, id); return true })
	return ids
}

func readLines[T any](t *testing.T, name string) []T {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var from io.Reader = file
	if filepath.Ext(name) == ".gz" {
		if from, err = gzip.NewReader(file); err != nil {
			t.Fatal(err)
		}
	}
	var all []T
	for lines := json.NewDecoder(from); ; {
		var one T
		if err := lines.Decode(&one); err == io.EOF {
			return all
		} else if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all = append(all, one)
	}
}

// Pairs that are too long are truncated as the fast tokenizers do it, down to the
// odd token.
func TestPairsMatchReference(t *testing.T) {
	type line struct {
		Limit, A, B int
		IDs         []int32 `json:"ids"`
		Segments    []int   `json:"sides"`
	}
	m := &Model{tokenizer: tokensFixture(t, true, true)}
	letters := strings.Split("abcdefghijklmnopqrstuvwxyz", "")
	for _, l := range readLines[line](t, "testdata/tokens/pairs.jsonl.gz") {
		m.limit = l.Limit
		pair := verbatim.Pair{First: strings.Join(letters[:l.A], " "), Second: strings.Join(letters[11:11+l.B], " ")}
		got, err := m.encode(context.Background(), pair)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.ids, l.IDs) || got.second != slices.Index(l.Segments, 1) {
			t.Errorf("limit %d: %d and %d tokens become %v, segment 1 at %d; want %v %v", l.Limit, l.A, l.B, got.ids, got.second, l.IDs, l.Segments)
		}
	}
}
