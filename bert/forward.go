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

	// The last layer has these instead of key and value, one for each head: see top.
	keyBack, headValue []*matrix
}

// scaling is the scale and shift of a layer normalisation.
type scaling struct{ scale, shift []float32 }

// buffers holds the intermediate results of one goroutine.
type buffers struct {
	x, y, query, key, value, inner table // one row per token
	first                          table // one row per pair: its first token
	scores                         table // one row per token or head, one column per token
	heads                          table // one row per token, one column per head
	back                           table // one row
	keys, values                   []float32
	zeros                          []float32
	stop                           *atomic.Bool
	tokens, sequences, longest     int // that there is room for

	// for 8-bit arithmetic: one row per token
	codes    []uint8
	rowScale []float32
	rowZero  []int32
}

// takeBuffers returns buffers that an earlier group gave back, or new ones. Nothing
// reads what is left in them. It waits while all processors have a group, so that
// many calls at the same time need no more memory than one.
func (m *Model) takeBuffers(tokens, sequences, longest int, stop *atomic.Bool) *buffers {
	m.slots <- struct{}{}
	b, _ := m.spare.Get().(*buffers)
	if b == nil || b.tokens < tokens || b.sequences < sequences || b.longest < longest {
		return m.newBuffers(up(tokens, 128), up(sequences, 32), up(longest, 64), stop) // most calls then find room
	}
	b.stop = stop
	return b
}

func (m *Model) giveBuffers(b *buffers) {
	b.stop = nil
	m.spare.Put(b)
	<-m.slots
}

func (m *Model) newBuffers(tokens, sequences, longest int, stop *atomic.Bool) *buffers {
	k, h := m.kernel, m.Hidden
	size := h / m.Heads
	b := &buffers{
		x: newTable(tokens, h, k.width), y: newTable(tokens, h, k.width),
		query: newTable(tokens, h, k.width), key: newTable(tokens, h, k.width), value: newTable(tokens, h, k.width),
		inner:  newTable(tokens, m.Inner, k.width),
		first:  newTable(sequences, h, k.width),
		scores: newTable(max(longest, m.Heads), longest, k.width),
		heads:  newTable(longest, m.Heads, k.width), back: newTable(m.Heads, h, k.width),
		keys: make([]float32, max(size*up(longest, k.width), h*up(m.Heads, k.width))), values: make([]float32, longest*up(h, k.width)),
		zeros: make([]float32, up(max(h, longest), k.width)), stop: stop,
		tokens: tokens, sequences: sequences, longest: longest,
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
		m.attend(b, lengths)
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
	at = 0
	for i, n := range lengths {
		if b.stop.Load() {
			return nil
		}
		m.attendFirst(b, i, at, n, l)
		at += n
	}
	m.feed(b, b.first, len(lengths), l)
	if b.stop.Load() {
		return nil
	}
	return m.classify(b, len(lengths))
}

// attendFirst is the attention of one token, the first of n from row `at` on, whose
// query is row i. With a single query no token needs its key or value: the query
// times the key's matrix K can be multiplied with the tokens themselves, since
// q*(K*x) = (q*K)*x, and the value's matrix with the weighted sum of the tokens. (The
// key's bias adds the same to all scores, so softmax removes it.)
func (m *Model) attendFirst(b *buffers, i, at, n int, l *layer) {
	k, h, size := m.kernel, m.Hidden, m.Hidden/m.Heads
	clear(b.keys[:h*up(m.Heads, k.width)])
	for head := range m.Heads {
		k.multiply(b.back, b.query.from(i, head*size), 1, l.keyBack[head], b.stop)
		k.column(b.keys, h, head, b.back.row(0, h))
	}
	tokens := b.x.from(at, 0)
	k.multiply(b.heads, tokens, n, &matrix{in: h, out: m.Heads, panels: b.keys, bias: b.zeros}, b.stop)
	scale := float32(1 / math.Sqrt(float64(size)))
	for head := range m.Heads {
		row := b.scores.row(head, up(n, k.width))
		for j := range n {
			row[j] = b.heads.row(j, m.Heads)[head]
		}
		k.weigh(row, n, scale)
	}
	sums := b.back
	k.multiply(sums, b.scores, m.Heads, b.packValues(k, b.x, at, n, 0, h), b.stop)
	for head := range m.Heads {
		k.multiply(b.y.from(i, head*size), sums.from(head, 0), 1, l.headValue[head], b.stop)
	}
}

// weigh replaces the first n scores of a row by their softmax and the rest by 0.
func (k *kernel) weigh(row []float32, n int, scale float32) {
	for i := n; i < len(row); i++ {
		row[i] = -math.MaxFloat32 / 4 // so low that it adds nothing
	}
	k.softmax(row, scale)
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
// and values, and writes it to y.
func (m *Model) attend(b *buffers, lengths []int) {
	k, size := m.kernel, m.Hidden/m.Heads
	scale := float32(1 / math.Sqrt(float64(size)))
	at := 0
	for _, n := range lengths {
		for head := range m.Heads {
			if b.stop.Load() {
				return
			}
			column := head * size
			keys := b.packKeys(k, at, n, column, size)
			k.multiply(b.scores, b.query.from(at, column), n, keys, b.stop)
			for r := range n {
				k.weigh(b.scores.row(r, up(n, k.width)), n, scale)
			}
			values := b.packValues(k, b.value, at, n, column, size)
			k.multiply(b.y.from(at, column), b.scores, n, values, b.stop)
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
func (b *buffers) packValues(k *kernel, from table, at, n, column, size int) *matrix {
	for i := range n {
		row := from.row(at+i, column+size)[column:]
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
