package bert

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"verbatim"
)

// Every path multiplies bytes to the same bits as plain Go, for every number of
// rows and for sizes that are no multiple of a tile, a panel or four bytes. The
// largest codes and weights fit into all sums on the way.
func TestBytesMatchPlainGo(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for _, k := range byteKernels() {
		for _, size := range [][2]int{{1, 1}, {3, 5}, {4, 16}, {5, 33}, {64, 100}, {257, 17}, {1024, 64}, {400, 96}} {
			in, out := size[0], size[1]
			weights, bias := randoms(rng, in*out, 1), randoms(rng, out, 1)
			if in == 64 {
				for i := range weights {
					weights[i] = 1 - 2*float32(i/in%2) // all as large as they can be
				}
			}
			plain, fast := packedBytes(&portable, weights, bias, in, out), packedBytes(k, weights, bias, in, out)
			for rows := 1; rows <= 26; rows++ {
				x := newTable(rows, in, 32)
				for r := range rows {
					copy(x.row(r, in), randoms(rng, in, float32(math.Exp(rng.NormFloat64()))))
				}
				if in == 64 {
					for i := range x.data {
						x.data[i] = 2
					}
				}
				want, got := product(&portable, x, rows, plain), product(k, x, rows, fast)
				for r := range rows {
					for o := range out {
						w, g := want.row(r, out)[o], got.row(r, out)[o]
						if math.Float32bits(w) != math.Float32bits(g) {
							t.Fatalf("%s %s, %d rows %dx%d: row %d, column %d is %v, in plain Go %v", k.name, k.bytes.name, rows, in, out, r, o, g, w)
						}
					}
				}
			}
		}
	}
}

// byteKernels returns each way to multiply bytes that this processor has.
func byteKernels() []*kernel {
	var all []*kernel
	for _, k := range kernels() {
		for _, b := range append(otherBytes(k), k.bytes) {
			one := *k
			one.bytes = b
			all = append(all, &one)
		}
	}
	return all
}

func packedBytes(k *kernel, weights, bias []float32, in, out int) *matrix {
	m, err := k.packBytes(in, out, bias, func(row []float32) error {
		weights = weights[copy(row, weights):]
		return nil
	})
	if err != nil {
		panic(err)
	}
	return m
}

func product(k *kernel, x table, rows int, by *matrix) table {
	m := &Model{kernel: k, bytes: true}
	b := &buffers{codes: make([]uint8, rows*codeStride(by.in)), rowScale: make([]float32, rows), rowZero: make([]int32, rows), stop: new(atomic.Bool)}
	c := newTable(rows, by.out, k.width)
	m.multiply(c, m.operand(b, x, rows, by.in), by, b.stop)
	return c
}

// A product of bytes is close to that of the numbers they stand for.
func TestBytesAreClose(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	const in, out, rows = 256, 64, 20
	weights, bias := randoms(rng, in*out, 1), randoms(rng, out, 1)
	x := newTable(rows, in, 32)
	for r := range rows {
		copy(x.row(r, in), randoms(rng, in, 3))
	}
	got, off, size := product(&portable, x, rows, packedBytes(&portable, weights, bias, in, out)), 0.0, 0.0
	for r := range rows {
		for o := range out {
			want := float64(bias[o])
			for i, v := range x.row(r, in) {
				want += float64(v) * float64(weights[o*in+i])
			}
			off += math.Pow(float64(got.row(r, out)[o])-want, 2)
			size += want * want
		}
	}
	if share := math.Sqrt(off / size); share > 0.02 {
		t.Errorf("bytes are off by %.4f", share)
	}
}

// Codes round to the nearest, cover the whole range, and have an exact zero.
func TestCodes(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for _, k := range byteKernels() {
		for _, n := range []int{16, 48, 50, 1024} {
			for range 200 {
				x := randoms(rng, n, float32(math.Exp(3*rng.NormFloat64())))
				low, high := k.bytes.bounds(x)
				if l, h := portableBounds(x); l != low || h != high {
					t.Fatalf("%s: from %v to %v, want %v to %v", k.name, low, high, l, h)
				}
				inverse, zero := 255/(high-low), rng.Int32N(256)
				got, want := make([]uint8, n), make([]uint8, n)
				k.bytes.codes(got, x, inverse, zero)
				portableCodes(want, x, inverse, zero)
				for i := range got {
					if got[i] += uint8(k.bytes.offset); got[i] != want[i] {
						t.Fatalf("%s: %v becomes %d, want %d", k.name, x[i], got[i], want[i])
					}
				}
			}
		}
	}
	codes := make([]uint8, 5)
	portableCodes(codes, []float32{-1, 0, 0.3, 0.5, 9}, 10, 8)
	if string(codes) != "\x00\x08\x0b\x0d\x62" {
		t.Errorf("%d", codes)
	}
}

// A model computes the same scores on every way to multiply bytes that belongs to
// the same kernel, and close ones on all.
func TestBytePathsAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	var pairs []verbatim.Pair
	for _, n := range []int{0, 1, 20, 60, 100} {
		pairs = append(pairs, verbatim.Pair{First: prose(rng, n), Second: prose(rng, n)})
	}
	for _, s := range []sketch{{2, 48, 3, 80, 3000, 256, 0}, {4, 64, 4, 256, 3000, 128, 2}} {
		folder := s.folder()
		exact, err := loadFolder(t, folder, &portable).Score(t.Context(), pairs)
		if err != nil {
			t.Fatal(err)
		}
		same := map[string][]float64{}
		for _, k := range byteKernels() {
			m, err := load(folder, k, Int8)
			if err != nil {
				t.Fatal(err)
			}
			scores, err := m.Score(t.Context(), pairs)
			if err != nil || m.Arithmetic() != Int8 {
				t.Fatal(err)
			}
			for i, score := range scores {
				if first := same[k.name]; first != nil && first[i] != score {
					t.Errorf("%s: pair %d scores %v, with other instructions %v", m.Path(), i, score, first[i])
				}
				if math.Abs(score-exact[i]) > 0.5 {
					t.Errorf("%s: pair %d scores %v, in f32 %v", m.Path(), i, score, exact[i])
				}
			}
			same[k.name] = scores
		}
	}
}

// The model's config and the processor decide, unless the caller does.
func TestArithmetic(t *testing.T) {
	folder := tinySplit.folder()
	folder["config.json"].Data = []byte(strings.Replace(tinySplit.config(), `"hidden_act"`, `"arithmetic": "int8", "hidden_act"`, 1))
	fast, slow := *kernels()[0], *kernels()[0]
	quick, lame := *fast.bytes, *slow.bytes
	quick.fast, lame.fast = true, false
	fast.bytes, slow.bytes = &quick, &lame
	for _, c := range []struct {
		k         *kernel
		how, want Arithmetic
	}{{&fast, Auto, Int8}, {&fast, F32, F32}, {&fast, Int8, Int8}, {&slow, Auto, F32}, {&slow, Int8, Int8}} {
		m, err := load(folder, c.k, c.how)
		if err != nil || m.Arithmetic() != c.want {
			t.Errorf("%q: %v, %v; want %s", c.how, m, err, c.want)
		}
	}
	if m, err := load(tinySplit.folder(), &fast, Auto); err != nil || m.Arithmetic() != F32 {
		t.Errorf("a folder that does not allow it: %v, %v", m, err)
	}
	if _, err := load(folder, &fast, "f16"); err == nil || !strings.Contains(err.Error(), `"f16" is unknown`) {
		t.Error(err)
	}
}

// Bytes could hide an infinite weight, so such a model is not loaded.
func TestBytesRejectInfiniteWeights(t *testing.T) {
	for _, name := range []string{"intermediate.dense.weight", "intermediate.dense.bias", "output.LayerNorm.bias"} {
		for _, value := range []float64{math.Inf(1), math.Inf(-1), math.NaN()} {
			folder := tinySplit.folder()
			setTensor(t, folder, "bert.encoder.layer.1."+name, value)
			if _, err := load(folder, kernels()[0], Int8); !errors.Is(err, errNotFinite) {
				t.Errorf("%s is %v: %v", name, value, err)
			}
			if _, err := load(folder, kernels()[0], F32); err != nil {
				t.Error(err)
			}
		}
	}
}

// setTensor changes the first number of an f16 tensor.
func setTensor(t *testing.T, folder fstest.MapFS, name string, value float64) {
	t.Helper()
	data := folder[weights].Data
	n := int(binary.LittleEndian.Uint64(data))
	header := map[string]tensor{}
	_ = json.Unmarshal(data[8:8+n], &header) // __metadata__ is no tensor
	found, ok := header[name]
	if !ok {
		t.Fatalf("no tensor %s", name)
	}
	half := map[bool]uint16{value > 0: 0x7C00, value < 0: 0xFC00, value != value: 0x7E00}[true]
	binary.LittleEndian.PutUint16(data[8+n+int(found.Offsets[0]):], half)
}
