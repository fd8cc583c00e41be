package bert

import "sync/atomic"

// A matrix is a linear layer packed for one kernel: panels of `width` output
// columns, [out/width][in][width], so that the inner loop only reads forward.
// Columns after the last are zeros.
type matrix struct {
	in, out int
	panels  []float32
	bias    []float32
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

// A table is a list of rows, `stride` numbers apart. A row has room for a whole
// number of panels.
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

// multiply computes c = a*m + bias for a number of rows. It returns early when
// stop is set.
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
