package bert

import "sync/atomic"

// A matrix is a linear layer packed for one kernel: panels of `width` output
// columns, [out/width][in][width], so that the inner loop reads forward only.
// Columns beyond the last are zeros.
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

// A table is some rows of numbers, `stride` apart. Rows have room for a whole
// number of panels.
type table struct {
	data   []float32
	stride int
}

// newTable makes room for rows of n columns. The 16 columns more keep rows
// apart whose distance would otherwise be a power of two, since such rows fall
// into the same few lines of the cache.
func newTable(rows, n, width int) table {
	stride := up(n, max(width, 16)) + max(width, 16)
	return table{make([]float32, rows*stride), stride}
}

func (t table) row(i, n int) []float32 { return t.data[i*t.stride:][:n:n] }

// from is the table that begins at a row and a column.
func (t table) from(row, column int) table { return table{t.data[row*t.stride+column:], t.stride} }

// multiply computes c = a*m + bias for some rows. Steps and panels are taken in
// an order that depends on the matrix alone. It gives up when stop is set.
func (k *kernel) multiply(c, a table, rows int, m *matrix, stop *atomic.Bool) {
	if rows == 0 {
		return
	}
	most := len(k.tiles)
	count := (rows + most - 1) / most // tiles, as even as can be
	for start := 0; start < m.in; start += k.depth {
		steps := min(k.depth, m.in-start)
		for column := 0; column < m.out; column += k.width {
			if stop.Load() {
				return
			}
			panel := &m.panels[column*m.in+start*k.width]
			from, fromStride := m.bias[column:], 0
			for t := range count {
				r := t * rows / count
				n := (t+1)*rows/count - r
				to := &c.data[r*c.stride+column]
				_ = c.data[(r+n-1)*c.stride+column+k.width-1] // bounds, before assembly
				_ = a.data[(r+n-1)*a.stride+start+steps-1]
				if start > 0 {
					from, fromStride = c.data[r*c.stride+column:], 4*c.stride
				}
				k.tiles[n-1](steps, &a.data[r*a.stride+start], 4*a.stride, panel, to, 4*c.stride, &from[0], fromStride)
			}
		}
	}
}
