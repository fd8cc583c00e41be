package bert

import (
	"errors"
	"math"
	"sync/atomic"
	"unsafe"
)

// The 8-bit arithmetic of the linear layers. A weight is a whole number times the
// scale of its output column; a row of numbers is bytes, with a scale and a zero
// point of its own:
//
//	w[i][c] = weight[i][c] * scales[c]               weight from -64 to 64
//	x[r][i] = (code[r][i] - zero[r]) * scale[r]      code from 0 to 255
//
// Sums of products are whole numbers, so every path has the same. The few f32
// operations after them have a fixed order. Attention, normalisation, GELU and the
// head are computed in f32.
//
// Weights stop at 64, not at 127, because processors without an instruction for
// this add two products in 16 bits first: 2*255*64 fits, 2*255*127 does not.
const mostWeight = 64

// A dot multiplies a few rows of codes with one panel of weights, k steps of four
// bytes. c = (a*b - zero*sums) * scale * scales + bias; columns holds the panel's
// scales, sums and biases, width numbers apart.
type dot func(k int, a *uint8, aStride int, b *int8, c *float32, cStride int, scale *float32, zero *int32, columns *float32, width int)

// bytesKernel is the 8-bit part of a kernel.
type bytesKernel struct {
	name   string
	fast   bool  // faster than the kernel's f32 arithmetic
	offset int32 // 128 if the tiles take signed codes, 128 less than the unsigned
	tiles  []dot
	bounds func(x []float32) (low, high float32)
	codes  func(to []uint8, x []float32, inverse float32, zero int32)
}

// portableBytes is the reference for the others, which compute the same bits.
var portableBytes = bytesKernel{
	tiles: []dot{portableDot}, bounds: portableBounds, codes: portableCodes,
}

// portableDot computes one row of a panel of four columns.
func portableDot(k int, a *uint8, _ int, b *int8, c *float32, _ int, scale *float32, zero *int32, columns *float32, width int) {
	x, w := unsafe.Slice(a, 4*k), unsafe.Slice(b, 4*k*width)
	data, to := unsafe.Slice(columns, 3*width), unsafe.Slice(c, width)
	for column := range to {
		sum := int32(0)
		for i, v := range x {
			sum += int32(v) * int32(w[i/4*4*width+4*column+i%4])
		}
		sum -= *zero * int32(math.Float32bits(data[width+column]))
		scaled := float32(float32(sum)**scale) * data[column]
		to[column] = float32(scaled) + data[2*width+column] // the conversion forbids a fused operation
	}
}

func portableBounds(x []float32) (low, high float32) {
	for _, v := range x {
		low, high = min(low, v), max(high, v)
	}
	return low, high
}

func portableCodes(to []uint8, x []float32, inverse float32, zero int32) {
	for i, v := range x {
		code := math.RoundToEven(float64(float32(v*inverse))) + float64(zero)
		to[i] = uint8(max(0, min(code, 255)))
	}
}

// wholeBytes uses the portable loops for rows that are not a whole number of vectors.
func (k bytesKernel) wholeBytes() *bytesKernel {
	bounds, codes := k.bounds, k.codes
	k.bounds = func(x []float32) (low, high float32) {
		if len(x)%16 != 0 {
			return portableBounds(x)
		}
		return bounds(x)
	}
	k.codes = func(to []uint8, x []float32, inverse float32, zero int32) {
		if len(x)%16 != 0 {
			portableCodes(to, x, inverse, zero)
			for i := range to {
				to[i] -= uint8(k.offset)
			}
			return
		}
		_ = to[len(x)-1] // bounds, before assembly
		codes(to, x, inverse, zero)
	}
	return &k
}

// A byteMatrix is a linear layer packed for one kernel: panels of `width` columns,
// [out/width][in/4][width][4], then the columns' scales, sums and biases,
// [out/width][3][width].
type byteMatrix struct {
	steps   int // of four bytes
	weights []int8
	columns []float32 // the sums are int32
}

var errNotFinite = errors.New("the weights contain infinite or undefined values; download the model again")

// A packer reads a layer of shape [out, in] row by row.
type packer = func(in, out int, bias []float32, next func([]float32) error) (*matrix, error)

// packBytes reads a layer of shape [out, in] row by row.
func (k *kernel) packBytes(in, out int, bias []float32, next func([]float32) error) (*matrix, error) {
	steps, wide := (in+3)/4, up(out, k.width)
	q := &byteMatrix{steps, make([]int8, 4*steps*wide), make([]float32, 3*wide)}
	row := make([]float32, in)
	for o := range out {
		if err := next(row); err != nil {
			return nil, err
		}
		most := float32(0)
		for _, v := range row {
			most = max(most, v, -v)
		}
		if size := most + max(bias[o], -bias[o]); size != size || size > math.MaxFloat32 {
			return nil, errNotFinite
		}
		panel, column := o/k.width, o%k.width
		sum, scale := int32(0), most/mostWeight
		at := q.weights[4*steps*k.width*panel+4*column:]
		for i, v := range row {
			if scale > 0 {
				w := int8(math.RoundToEven(float64(v / scale)))
				at[i/4*4*k.width+i%4] = w
				sum += int32(w)
			}
		}
		data := q.columns[3*k.width*panel+column:]
		data[0], data[k.width], data[2*k.width] = scale, math.Float32frombits(uint32(sum)), bias[o]
	}
	return &matrix{in: in, out: out, bytes: q}, nil
}

// An operand is the rows that matrices are multiplied with, as numbers and, for
// 8-bit arithmetic, as bytes.
type operand struct {
	table
	rows   int
	codes  []uint8 // rows `stride` bytes apart
	stride int
	scale  []float32 // of each row
	zero   []int32
}

// codeStride is the distance between rows of n bytes: no power of two, as in newTable.
func codeStride(n int) int { return up(n, 64) + 64 }

// operand prepares rows of n numbers. The next call overwrites its bytes.
func (m *Model) operand(b *buffers, a table, rows, n int) operand {
	o := operand{table: a, rows: rows}
	if !m.bytes {
		return o
	}
	o.stride = codeStride(n)
	o.codes, o.scale, o.zero = b.codes[:rows*o.stride], b.rowScale[:rows], b.rowZero[:rows]
	k := m.kernel.bytes
	for r := range rows {
		if b.stop.Load() {
			break
		}
		x := a.row(r, n)
		low, high := k.bounds(x)
		size, inverse := high-low, float32(0)
		if size > 0 {
			inverse = 255 / size
		}
		zero := int32(math.RoundToEven(float64(-low * inverse)))
		k.codes(o.codes[r*o.stride:][:n], x, inverse, zero)
		o.scale[r], o.zero[r] = size/255, zero-k.offset
	}
	return o
}

// multiply computes c = a*m + bias, until stop is set.
func (m *Model) multiply(c table, a operand, by *matrix, stop *atomic.Bool) {
	if by.bytes == nil {
		m.kernel.multiply(c, a.table, a.rows, by, stop)
		return
	}
	k, q := m.kernel, by.bytes
	tiles := k.bytes.tiles
	count := (a.rows + len(tiles) - 1) / len(tiles) // tiles of about the same height
	for column := 0; column < by.out; column += k.width {
		if stop.Load() {
			return
		}
		weights, columns := q.weights[4*q.steps*column:], q.columns[3*column:]
		_, _ = weights[4*q.steps*k.width-1], columns[3*k.width-1] // bounds, before assembly
		for t, r, n := 0, 0, 0; t < count; t, r = t+1, r+n {
			n = (t+1)*a.rows/count - r
			_ = c.data[(r+n-1)*c.stride+column+k.width-1]
			_, _, _ = a.codes[(r+n-1)*a.stride+4*q.steps-1], a.scale[r+n-1], a.zero[r+n-1]
			tiles[n-1](q.steps, &a.codes[r*a.stride], a.stride, &weights[0], &c.data[r*c.stride+column], 4*c.stride,
				&a.scale[r], &a.zero[r], &columns[0], k.width)
		}
	}
}
