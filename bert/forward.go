package bert

import (
	"math"
	"sync/atomic"
)

// A sequence is one pair as the model sees it: [CLS] first [SEP] second [SEP].
type sequence struct {
	ids    []int32
	second int // where segment 1 starts
}

// A layer is one layer of the encoder.
type layer struct {
	query, key, value, mix *matrix
	mixNorm                scaling
	grow, shrink           *matrix
	norm                   scaling
}

// scaling is the scale and shift of a layer normalisation.
type scaling struct{ scale, shift []float32 }

// buffers holds the intermediate results of one goroutine.
type buffers struct {
	x, y, query, key, value, inner table // one row per token
	first                          table // one row per pair: its first token
	scores                         table // one row and one column per token
	keys, values                   []float32
	zeros                          []float32
	stop                           *atomic.Bool

	// for 8-bit arithmetic: one row per token
	codes    []uint8
	rowScale []float32
	rowZero  []int32
}

func (m *Model) newBuffers(tokens, pairs, longest int, stop *atomic.Bool) *buffers {
	k, h := m.kernel, m.Hidden
	size := h / m.Heads
	b := &buffers{
		x: newTable(tokens, h, k.width), y: newTable(tokens, h, k.width),
		query: newTable(tokens, h, k.width), key: newTable(tokens, h, k.width), value: newTable(tokens, h, k.width),
		inner:  newTable(tokens, m.Inner, k.width),
		first:  newTable(pairs, h, k.width),
		scores: newTable(longest, longest, k.width),
		keys:   make([]float32, size*up(longest, k.width)), values: make([]float32, longest*up(size, k.width)),
		zeros: make([]float32, up(max(h, longest), k.width)), stop: stop,
	}
	if m.bytes {
		b.codes = make([]uint8, tokens*codeStride(max(h, m.Inner)))
		b.rowScale, b.rowZero = make([]float32, tokens), make([]int32, tokens)
	}
	return b
}

// logits runs pairs through a model whose layers all see the pair. When stop is
// set it ends early, without a usable result.
func (m *Model) logits(b *buffers, group []sequence) [][2]float64 {
	lengths := make([]int, len(group))
	at := 0
	for i, s := range group {
		lengths[i] = len(s.ids)
		m.embed(b, at, s.ids[:s.second], 0, m.side(0))
		m.embed(b, at+s.second, s.ids[s.second:], s.second, m.side(1))
		at += len(s.ids)
	}
	last := len(m.layers) - 1
	m.through(b, lengths, m.layers[:last])
	return m.top(b, lengths, &m.layers[last])
}

// through runs sequences in x through layers, packed end to end without padding:
// the linear layers run over all tokens at once, attention runs over each sequence.
func (m *Model) through(b *buffers, lengths []int, layers []layer) {
	tokens := sum(lengths)
	for i := range layers {
		l := &layers[i]
		x := m.operand(b, b.x, tokens, m.Hidden)
		m.multiply(b.query, x, l.query, b.stop)
		m.multiply(b.key, x, l.key, b.stop)
		m.multiply(b.value, x, l.value, b.stop)
		m.attend(b, lengths, false)
		m.feed(b, b.x, tokens, l)
		if b.stop.Load() {
			return
		}
	}
}

// top runs sequences through the last layer and the head. It computes only the
// first token of each sequence, because the head reads no other.
func (m *Model) top(b *buffers, lengths []int, l *layer) [][2]float64 {
	at := 0
	for i, n := range lengths {
		copy(b.first.row(i, m.Hidden), b.x.row(at, m.Hidden))
		at += n
	}
	m.multiply(b.query, m.operand(b, b.first, len(lengths), m.Hidden), l.query, b.stop)
	x := m.operand(b, b.x, at, m.Hidden)
	m.multiply(b.key, x, l.key, b.stop)
	m.multiply(b.value, x, l.value, b.stop)
	m.attend(b, lengths, true)
	m.feed(b, b.first, len(lengths), l)
	if b.stop.Load() {
		return nil
	}
	return m.classify(b, len(lengths))
}

func sum(lengths []int) (tokens int) {
	for _, n := range lengths {
		tokens += n
	}
	return tokens
}

// side is the vector that tells the first sentence of a pair (0) from the second (1).
func (m *Model) side(i int) []float32 { return m.segments[i*m.Hidden:][:m.Hidden] }

// embed writes the normalised sum of word, side and position into x, from row `at`
// on. The first of the wordpieces is at the given position.
func (m *Model) embed(b *buffers, at int, ids []int32, position int, side []float32) {
	h := m.Hidden
	for i, id := range ids {
		x := b.x.row(at+i, h)
		word, place := m.words[int(id)*h:][:h], m.positions[(position+i)*h:][:h]
		for j := range x {
			x[j] = word[j] + side[j] + place[j]
		}
		m.kernel.norm(x, b.zeros[:h], m.norm.scale, m.norm.shift, m.epsilon)
	}
}

// attend computes attention within each sequence, head by head, from queries, keys
// and values, and writes it to y. With `first` set it does so only for the first
// token of each sequence: y then has one row per sequence, as the queries do.
func (m *Model) attend(b *buffers, lengths []int, first bool) {
	k, size := m.kernel, m.Hidden/m.Heads
	scale := float32(1 / math.Sqrt(float64(size)))
	at := 0
	for i, n := range lengths {
		rows, row := n, at
		if first {
			rows, row = 1, i
		}
		for head := range m.Heads {
			if b.stop.Load() {
				return
			}
			column := head * size
			keys := b.packKeys(k, at, n, column, size)
			k.multiply(b.scores, b.query.from(row, column), rows, keys, b.stop)
			for r := range rows {
				row := b.scores.row(r, up(n, k.width)) // whole vectors
				for i := n; i < len(row); i++ {
					row[i] = -math.MaxFloat32 / 4 // so low that it adds nothing
				}
				k.softmax(row, scale)
			}
			values := b.packValues(k, at, n, column, size)
			k.multiply(b.y.from(row, column), b.scores, rows, values, b.stop)
		}
		at += n
	}
}

// packKeys packs one head's keys into a matrix, to multiply queries with.
func (b *buffers) packKeys(k *kernel, at, n, column, size int) *matrix {
	full := size * up(n, k.width)
	clear(b.keys[full-size*k.width : full]) // the last panel may be wider than the sequence is long
	for i := range n {
		k.column(b.keys, size, i, b.key.row(at+i, column+size)[column:])
	}
	return &matrix{in: size, out: n, panels: b.keys, bias: b.zeros}
}

// packValues does the same for values, which are already in the right order.
func (b *buffers) packValues(k *kernel, at, n, column, size int) *matrix {
	for i := range n {
		row := b.value.row(at+i, column+size)[column:]
		for c := 0; c < size; c += k.width {
			to := b.values[c*n+i*k.width:][:k.width]
			clear(to[copy(to, row[c:]):])
		}
	}
	return &matrix{in: n, out: size, panels: b.values, bias: b.zeros}
}

// feed is the part of a layer after attention, which is in y: mix, grow, GELU,
// shrink. Its result replaces x.
func (m *Model) feed(b *buffers, x table, rows int, l *layer) {
	k := m.kernel
	m.multiply(b.query, m.operand(b, b.y, rows, m.Hidden), l.mix, b.stop)
	for r := range rows {
		k.norm(x.row(r, m.Hidden), b.query.row(r, m.Hidden), l.mixNorm.scale, l.mixNorm.shift, m.epsilon)
	}
	m.multiply(b.inner, m.operand(b, x, rows, m.Hidden), l.grow, b.stop)
	for r := range rows {
		k.gelu(b.inner.row(r, up(m.Inner, k.width)))
		if b.stop.Load() {
			return
		}
	}
	m.multiply(b.y, m.operand(b, b.inner, rows, m.Inner), l.shrink, b.stop)
	for r := range rows {
		k.norm(x.row(r, m.Hidden), b.y.row(r, m.Hidden), l.norm.scale, l.norm.shift, m.epsilon)
	}
}

// classify is the head: the logits of "follows" and "does not follow".
func (m *Model) classify(b *buffers, pairs int) [][2]float64 {
	m.kernel.multiply(b.y, b.first, pairs, m.pooler, b.stop)
	result := make([][2]float64, pairs)
	for i := range result {
		pooled := b.y.row(i, m.Hidden)
		for class := range 2 {
			sum := float64(m.headBias[class])
			weights := m.head[class*m.Hidden:][:m.Hidden]
			for j, v := range pooled {
				sum += math.Tanh(float64(v)) * float64(weights[j])
			}
			result[i][class] = sum
		}
	}
	return result
}

// logFirst is the log probability of the first class, exact also near 0 and 1.
func logFirst(logits [2]float64) float64 {
	d := logits[1] - logits[0]
	if d > 0 {
		return -d - math.Log1p(math.Exp(-d))
	}
	return -math.Log1p(math.Exp(d))
}
