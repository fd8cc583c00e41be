package bert

import (
	"math"
	"sync/atomic"
)

// A sequence is one pair as the model sees it: [CLS] first [SEP] second [SEP],
// with side 1 from `second` on.
type sequence struct {
	ids    []int32
	second int
}

// A layer is one of the encoder's.
type layer struct {
	query, key, value, mix *matrix
	mixNorm                scaling
	grow, shrink           *matrix
	norm                   scaling
}

// scaling is the scale and shift of a layer normalisation.
type scaling struct{ scale, shift []float32 }

// A bench is one goroutine's room to work in.
type bench struct {
	x, y, query, key, value, inner table // a row a token
	first                          table // a row a pair: its first token
	scores                         table // a row a token, a column a token
	keys, values                   []float32
	none                           []float32 // zeros
	stop                           *atomic.Bool
}

func (m *Model) newBench(tokens, pairs, longest int, stop *atomic.Bool) *bench {
	k, h := m.kernel, m.Hidden
	size := h / m.Heads
	return &bench{
		x: newTable(tokens, h, k.width), y: newTable(tokens, h, k.width),
		query: newTable(tokens, h, k.width), key: newTable(tokens, h, k.width), value: newTable(tokens, h, k.width),
		inner:  newTable(tokens, m.Inner, k.width),
		first:  newTable(pairs, h, k.width),
		scores: newTable(longest, longest, k.width),
		keys:   make([]float32, size*up(longest, k.width)), values: make([]float32, longest*up(size, k.width)),
		none: make([]float32, up(max(h, longest), k.width)), stop: stop,
	}
}

// logits runs sequences through the model, packed one after the other without
// padding: the linear layers run over all tokens at once, attention over one
// sequence at a time. Of the last layer only the first token of each sequence
// is wanted, so that only that one is computed.
func (m *Model) logits(b *bench, group []sequence) [][2]float64 {
	tokens := m.embed(b, group)
	last := len(m.layers) - 1
	for i := range m.layers[:last] {
		l := &m.layers[i]
		m.kernel.multiply(b.query, b.x, tokens, l.query, b.stop)
		m.attend(b, group, l, tokens, false)
		m.feed(b.x, b.y, b.inner, tokens, l, b.stop)
		if b.stop.Load() {
			return nil
		}
	}
	l := &m.layers[last]
	at := 0
	for i, s := range group {
		copy(b.first.row(i, m.Hidden), b.x.row(at, m.Hidden))
		at += len(s.ids)
	}
	m.kernel.multiply(b.query, b.first, len(group), l.query, b.stop)
	m.attend(b, group, l, tokens, true)
	m.feed(b.first, b.y, b.inner, len(group), l, b.stop)
	return m.judge(b, len(group))
}

// embed writes the sum of word, position and side into x, normalised.
func (m *Model) embed(b *bench, group []sequence) (tokens int) {
	h := m.Hidden
	for _, s := range group {
		for i, id := range s.ids {
			side := 0
			if i >= s.second {
				side = 1
			}
			x := b.x.row(tokens, h)
			word, place, kind := m.words[int(id)*h:][:h], m.places[i*h:][:h], m.sides[side*h:][:h]
			for j := range x {
				x[j] = word[j] + kind[j] + place[j]
			}
			m.kernel.norm(x, b.none[:h], m.norm.scale, m.norm.shift, m.epsilon)
			tokens++
		}
	}
	return tokens
}

// attend lets every token of a sequence look at all of them, head by head, and
// adds what it sees to x; with `first` only the first token, into first.
func (m *Model) attend(b *bench, group []sequence, l *layer, tokens int, first bool) {
	k, size := m.kernel, m.Hidden/m.Heads
	k.multiply(b.key, b.x, tokens, l.key, b.stop)
	k.multiply(b.value, b.x, tokens, l.value, b.stop)
	scale := float32(1 / math.Sqrt(float64(size)))
	at, mixed := 0, b.y
	for i, s := range group {
		n, rows, row := len(s.ids), len(s.ids), at
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
				k.softmaxRow(b.scores, r, n, scale)
			}
			values := b.packValues(k, at, n, column, size)
			k.multiply(mixed.from(row, column), b.scores, rows, values, b.stop)
		}
		at += n
	}
	x, y := b.x, b.query
	if first {
		x, tokens = b.first, len(group)
	}
	k.multiply(y, mixed, tokens, l.mix, b.stop)
	for r := range tokens {
		k.norm(x.row(r, m.Hidden), y.row(r, m.Hidden), l.mixNorm.scale, l.mixNorm.shift, m.epsilon)
	}
}

// packKeys makes a matrix of one head's keys, by which queries are multiplied.
func (b *bench) packKeys(k *kernel, at, n, column, size int) *matrix {
	full := size * up(n, k.width)
	clear(b.keys[full-size*k.width : full]) // the last panel may be wider than the sequence is long
	for i := range n {
		k.column(b.keys, size, i, b.key.row(at+i, column+size)[column:])
	}
	return &matrix{in: size, out: n, panels: b.keys, bias: b.none}
}

// packValues does the same for values, which lie as they are needed.
func (b *bench) packValues(k *kernel, at, n, column, size int) *matrix {
	for i := range n {
		row := b.value.row(at+i, column+size)[column:]
		for c := 0; c < size; c += k.width {
			to := b.values[c*n+i*k.width:][:k.width]
			clear(to[copy(to, row[c:]):])
		}
	}
	return &matrix{in: n, out: size, panels: b.values, bias: b.none}
}

// softmaxRow works on whole vectors; what is beyond the row is made so small
// that it adds nothing.
func (k *kernel) softmaxRow(scores table, r, n int, scale float32) {
	row := scores.row(r, up(n, k.width))
	for i := n; i < len(row); i++ {
		row[i] = -math.MaxFloat32 / 4
	}
	k.softmax(row, scale)
}

// feed is the second half of a layer: wider, GELU, narrower again.
func (m *Model) feed(x, y, inner table, rows int, l *layer, stop *atomic.Bool) {
	k := m.kernel
	k.multiply(inner, x, rows, l.grow, stop)
	for r := range rows {
		k.gelu(inner.row(r, up(m.Inner, k.width)))
		if stop.Load() {
			return
		}
	}
	k.multiply(y, inner, rows, l.shrink, stop)
	for r := range rows {
		k.norm(x.row(r, m.Hidden), y.row(r, m.Hidden), l.norm.scale, l.norm.shift, m.epsilon)
	}
}

// judge is the head: tanh of the pooler, then "follows" and "does not".
func (m *Model) judge(b *bench, pairs int) [][2]float64 {
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

// logFirst is the log of the first class's share, without the rounding that a
// probability near 0 or 1 would suffer.
func logFirst(logits [2]float64) float64 {
	d := logits[1] - logits[0]
	if d > 0 {
		return -d - math.Log1p(math.Exp(-d))
	}
	return -math.Log1p(math.Exp(d))
}
