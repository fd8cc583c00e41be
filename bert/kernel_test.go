package bert

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
)

// Every kernel multiplies as float64 does, for every number of rows and for
// sizes that are no multiple of a tile, a panel or a block.
func TestMultiply(t *testing.T) {
	for _, k := range kernels() {
		rng := rand.New(rand.NewPCG(7, 7))
		for _, size := range [][2]int{{1, 1}, {3, 5}, {4, 16}, {5, 33}, {64, 100}, {257, 17}, {385, 64}, {800, 48}, {400, 300}} {
			in, out := size[0], size[1]
			weights, bias := randoms(rng, in*out, 1), randoms(rng, out, 1)
			m := packed(k, weights, bias, in, out)
			for rows := 1; rows <= 26; rows++ {
				x, y := newTable(rows, in, k.width), newTable(rows, out, k.width)
				for r := range rows {
					copy(x.row(r, in), randoms(rng, in, 1))
				}
				k.multiply(y, x, rows, m, new(atomic.Bool))
				for r := range rows {
					for o := range out {
						want, size := float64(bias[o]), 1.0
						for i, v := range x.row(r, in) {
							want += float64(v) * float64(weights[o*in+i])
							size += math.Abs(float64(v) * float64(weights[o*in+i]))
						}
						if got := float64(y.row(r, out)[o]); !(math.Abs(got-want) <= 1e-6*size) {
							t.Fatalf("%s, %d rows %dx%d: row %d, column %d is %v, want %v", k.name, rows, in, out, r, o, got, want)
						}
					}
				}
			}
		}
	}
}

func packed(k *kernel, weights, bias []float32, in, out int) *matrix {
	m, err := k.pack(in, out, bias, func(row []float32) error {
		weights = weights[copy(row, weights):]
		return nil
	})
	if err != nil {
		panic(err)
	}
	return m
}

func randoms(rng *rand.Rand, n int, scale float32) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = scale * float32(rng.NormFloat64())
	}
	return x
}

// GELU, softmax and norm match their formulas in float64.
func TestElementwise(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for _, k := range kernels() {
		x := append(randoms(rng, 1024-16, 3), 0, 1e-30, -1e-30, 1, -1, 5.6, -5.6, 5.7, -5.7, 20, -20, 1e4, -1e4, 3, -3, 4)
		got := slices.Clone(x)
		k.gelu(got)
		near(t, k.name+" gelu", got, func(i int) float64 {
			return 0.5 * float64(x[i]) * math.Erfc(-float64(x[i])/math.Sqrt2)
		}, 5e-7)

		for _, n := range []int{32, 64, 96, 512} {
			for _, spread := range []float32{0, 1, 30, 1e4} {
				x := randoms(rng, n, spread)
				got := slices.Clone(x)
				k.softmax(got, 0.125)
				most, sum := float64(slices.Max(x)), 0.0
				for _, v := range x {
					sum += math.Exp(0.125 * (float64(v) - most))
				}
				near(t, fmt.Sprintf("%s softmax of %d", k.name, n), got, func(i int) float64 {
					return math.Exp(0.125*(float64(x[i])-most)) / sum
				}, 1e-6)
			}
		}

		for _, n := range []int{16, 36, 64, 256, 768} {
			x, added, scale, shift := randoms(rng, n, 2), randoms(rng, n, 1), randoms(rng, n, 1), randoms(rng, n, 1)
			got := slices.Clone(x)
			k.norm(got, added, scale, shift, 1e-12)
			mean, variance := 0.0, 0.0
			for i := range x {
				mean += (float64(x[i]) + float64(added[i])) / float64(n)
			}
			for i := range x {
				d := float64(x[i]) + float64(added[i]) - mean
				variance += d * d / float64(n)
			}
			near(t, fmt.Sprintf("%s norm of %d", k.name, n), got, func(i int) float64 {
				return (float64(x[i])+float64(added[i])-mean)/math.Sqrt(variance+1e-12)*float64(scale[i]) + float64(shift[i])
			}, 3e-6)
		}
	}
}

func near(t *testing.T, what string, got []float32, want func(int) float64, limit float64) {
	t.Helper()
	for i, v := range got {
		if w := want(i); !(math.Abs(float64(v)-w) <= limit*max(1, math.Abs(w))) {
			t.Errorf("%s: number %d is %v, want %v", what, i, v, w)
		}
	}
}

// Kernels pass a NaN on, so that Score can report it.
func TestKernelsKeepNaN(t *testing.T) {
	nan := float32(math.NaN())
	for _, k := range kernels() {
		x := make([]float32, 32)
		x[5] = nan
		k.softmax(x, 1)
		y := make([]float32, 32)
		y[7] = nan
		k.gelu(y)
		z := make([]float32, 32)
		z[9] = nan
		k.norm(z, make([]float32, 32), make([]float32, 32), make([]float32, 32), 1e-12)
		for what, v := range map[string]float32{"softmax": x[5], "gelu": y[7], "norm": z[0]} {
			if v == v {
				t.Errorf("%s: %s turns a NaN into %v", k.name, what, v)
			}
		}
	}
}
