package bert

import (
	"math"
	"sync/atomic"
	"unsafe"
)

// A kernel is one code path: the few inner loops that take most of the time,
// written for one kind of processor. Weights are packed for one kernel, so a
// model keeps the kernel that it was loaded with.
//
// Every kernel processes a row of a matrix in an order that depends only on the
// row's length. So a pair's score has the same bits whatever else is computed
// with it.
type kernel struct {
	name  string
	width int // columns of a panel of packed weights
	depth int // steps of a product before the next panel

	// tiles[n-1] multiplies n rows with one panel. There is one for each number
	// of rows that fits into the registers.
	tiles []tile

	gelu    func(x []float32)
	softmax func(x []float32, scale float32) // of scale*x
	norm    normFunc
	add     addFunc

	bytes *bytesKernel
}

type (
	normFunc = func(x, added, scale, shift []float32, epsilon float32)
	addFunc  = func(to, a, b []float32) // to = a + b
)

// A tile computes c = from + a*b for a few rows of a and c and one panel b of k
// steps. Strides are in bytes; with a fromStride of 0 all rows start from the
// same row, a bias. A tile may prefetch k numbers from ahead into the cache,
// because the next tiles need them.
type tile func(k int, a *float32, aStride int, b, c *float32, cStride int, from *float32, fromStride int, ahead *float32)

// kernels returns those that this processor can run, from the fastest to the portable.
func kernels() []*kernel { return append(fast(), &portable) }

// portable is plain Go, for processors without their own kernel, and the
// reference for the others. It is about 20 times slower than AVX-512.
var portable = kernel{
	name: "portable", width: 4, depth: 256,
	tiles:   []tile{portableTile1, portableTile2},
	gelu:    portableGelu,
	softmax: portableSoftmax,
	norm:    portableNorm,
	add:     portableAdd,
	bytes:   &portableBytes,
}

func floats(p *float32, n int) []float32 { return unsafe.Slice(p, n) }

func row(p *float32, stride, r int) *float32 {
	return (*float32)(unsafe.Add(unsafe.Pointer(p), stride*r))
}

func portableTile1(k int, a *float32, _ int, b, c *float32, _ int, from *float32, _ int, ahead *float32) {
	portableTile2(k, a, 0, b, c, 0, from, 0, ahead) // the same row twice
}

func portableTile2(k int, a *float32, aStride int, b, c *float32, cStride int, from *float32, fromStride int, _ *float32) {
	start, second := floats(from, 4), floats(row(from, fromStride, 1), 4)
	c0, c1, c2, c3 := start[0], start[1], start[2], start[3]
	d0, d1, d2, d3 := second[0], second[1], second[2], second[3]
	x, y, w := floats(a, k), floats(row(a, aStride, 1), k), floats(b, 4*k)
	for i, v := range x {
		w0, w1, w2, w3 := w[0], w[1], w[2], w[3]
		u := y[i]
		c0 += v * w0
		c1 += v * w1
		c2 += v * w2
		c3 += v * w3
		d0 += u * w0
		d1 += u * w1
		d2 += u * w2
		d3 += u * w3
		w = w[4:]
	}
	copy(floats(c, 4), []float32{c0, c1, c2, c3})
	copy(floats(row(c, cStride, 1), 4), []float32{d0, d1, d2, d3})
}

// portableGelu is the exact x*P(X <= x) with erf, not the approximation with tanh.
func portableGelu(x []float32) {
	for i, v := range x {
		x[i] = float32(0.5 * float64(v) * (1 + math.Erf(float64(v)/math.Sqrt2)))
	}
}

func portableSoftmax(x []float32, scale float32) {
	most := x[0]
	for _, v := range x {
		most = max(most, v)
	}
	sum := float32(0)
	for i, v := range x {
		x[i] = float32(math.Exp(float64(scale * (v - most))))
		sum += x[i]
	}
	for i := range x {
		x[i] /= sum
	}
}

// portableNorm adds the residual to x and normalises the sum.
func portableNorm(x, added, scale, shift []float32, epsilon float32) {
	added, scale, shift = added[:len(x)], scale[:len(x)], shift[:len(x)]
	mean := float32(0)
	for i := range x {
		x[i] += added[i]
		mean += x[i]
	}
	mean /= float32(len(x))
	spread := float32(0)
	for _, v := range x {
		spread += (v - mean) * (v - mean)
	}
	inverse := float32(1 / math.Sqrt(float64(spread/float32(len(x))+epsilon)))
	for i, v := range x {
		x[i] = (v-mean)*inverse*scale[i] + shift[i]
	}
}

func portableAdd(to, a, b []float32) {
	a, b = a[:len(to)], b[:len(to)]
	for i := range to {
		to[i] = a[i] + b[i]
	}
}

// addVectors uses the portable loop for rows that are not a whole number of vectors.
func addVectors(whole func(to, a, b *float32, n int)) addFunc {
	return func(to, a, b []float32) {
		if len(to)%16 != 0 {
			portableAdd(to, a, b)
			return
		}
		_, _ = a[len(to)-1], b[len(to)-1] // bounds, before assembly
		whole(&to[0], &a[0], &b[0], len(to))
	}
}

// inVectors uses the portable loop for rows that are not a whole number of
// vectors. Only the norm sees such rows: all others are padded to a panel.
func inVectors(whole normFunc) normFunc {
	return func(x, added, scale, shift []float32, epsilon float32) {
		if len(x)%16 != 0 {
			portableNorm(x, added, scale, shift, epsilon)
			return
		}
		n := len(x) - 1
		_, _, _ = added[n], scale[n], shift[n] // bounds, before assembly
		whole(x, added, scale, shift, epsilon)
	}
}

// A matrix is a linear layer packed for one kernel: panels of `width` output
// columns, [out/width][in][width], so that the inner loop only reads forward.
// Columns after the last are zeros.
type matrix struct {
	in, out int
	panels  []float32
	bias    []float32

	bytes *byteMatrix // instead, for 8-bit arithmetic
}

// up rounds n up to a multiple.
func up(n, multiple int) int { return (n + multiple - 1) / multiple * multiple }

// pack reads a layer of shape [out, in] row by row.
func (k *kernel) pack(in, out int, bias []float32, next func([]float32) error) (*matrix, error) {
	m := &matrix{in: in, out: out, panels: make([]float32, in*up(out, k.width)), bias: make([]float32, up(out, k.width))}
	copy(m.bias, bias)
	row := make([]float32, in)
	for o := range out {
		if err := next(row); err != nil {
			return nil, err
		}
		k.column(m.panels, in, o, row)
	}
	return m, nil
}

// column writes one output column into its panel.
func (k *kernel) column(panels []float32, in, column int, weights []float32) {
	at := panels[column/k.width*k.width*in+column%k.width:]
	for i, w := range weights[:in] {
		at[i*k.width] = w
	}
}

// A table has rows `stride` numbers apart, each with room for whole panels.
type table struct {
	data   []float32
	stride int
}

// newTable allocates rows of n columns. The 16 extra columns avoid a distance
// between rows that is a power of two: such rows share a few cache lines.
func newTable(rows, n, width int) table {
	stride := up(n, max(width, 16)) + max(width, 16)
	return table{make([]float32, rows*stride), stride}
}

func (t table) row(i, n int) []float32 { return t.data[i*t.stride:][:n:n] }

// from returns the part of the table that starts at a row and a column.
func (t table) from(row, column int) table { return table{t.data[row*t.stride+column:], t.stride} }

// together is how many panels go through all steps before the next ones start:
// few enough that their part of the result stays in the second-level cache.
const together = 8

// parts counts the units of a product: each is `depth` steps of one panel.
func (k *kernel) parts(m *matrix) int { return up(m.out, k.width) / k.width * k.blocks(m) }

func (k *kernel) blocks(m *matrix) int { return up(m.in, k.depth) / k.depth }

// part returns the i-th part. Neighbouring panels come first, then their next
// steps; the order depends only on the matrix.
func (k *kernel) part(m *matrix, i int) (column, start int, weights []float32) {
	left := i / (together * k.blocks(m)) * together // the first panel of this batch
	i -= left * k.blocks(m)
	wide := min(together, up(m.out, k.width)/k.width-left)
	column, start = (left+i%wide)*k.width, i/wide*k.depth
	return column, start, m.panels[column*m.in+start*k.width:][:min(k.depth, m.in-start)*k.width]
}

// multiply computes c = a*m + bias for a number of rows, until stop is set.
func (k *kernel) multiply(c, a table, rows int, m *matrix, stop *atomic.Bool) {
	if rows == 0 {
		return
	}
	most := len(k.tiles)
	count := (rows + most - 1) / most // tiles of about the same height
	parts := k.parts(m)
	for i := range parts {
		if stop.Load() {
			return
		}
		column, start, weights := k.part(m, i)
		_, _, next := k.part(m, min(i+1, parts-1))
		steps := len(weights) / k.width
		from, fromStride := m.bias[column:], 0
		for t, r, n := 0, 0, 0; t < count; t, r = t+1, r+n {
			n = (t+1)*rows/count - r
			to := &c.data[r*c.stride+column]
			_ = c.data[(r+n-1)*c.stride+column+k.width-1] // bounds, before assembly
			_ = a.data[(r+n-1)*a.stride+start+steps-1]
			if start > 0 {
				from, fromStride = c.data[r*c.stride+column:], 4*c.stride
			}
			ahead := &next[t%k.width*(len(next)/k.width)] // the tiles together cover all of it
			k.tiles[n-1](steps, &a.data[r*a.stride+start], 4*a.stride, &weights[0], to, 4*c.stride, &from[0], fromStride, ahead)
		}
	}
}
