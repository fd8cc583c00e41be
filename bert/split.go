package bert

import (
	"context"
	"slices"
	"sync/atomic"

	"verbatim"
)

// A split model looks at one sentence at a time in its lower layers, and at the
// pair only in the last ones. So each sentence goes through the lower layers once,
// as [CLS] sentence [SEP], whatever its partners are and on which side it is. The
// pair is the vectors of the first sentence plus the first side's vector, followed
// by those of the second sentence plus the second side's vector.

func (m *Model) split() bool { return m.Joint > 0 }

// lower returns the layers that see one sentence, joint those that see the pair.
func (m *Model) lower() []layer { return m.layers[:m.Layers-m.Joint] }
func (m *Model) joint() []layer { return m.layers[m.Layers-m.Joint:] }

// chunkBytes is about how much memory the sentences that are computed together may
// take, beside the cache.
const chunkBytes = 5 << 20

// scoreSplit returns the logits of pairs. It computes them in chunks of about
// `together` bytes, so that many pairs take no more memory than a few.
func (m *Model) scoreSplit(ctx context.Context, workers int, pairs []verbatim.Pair, together int, progress func(int)) ([][2]float64, error) {
	all, err := m.tokenise(ctx, workers, pairs)
	if err != nil {
		return nil, err
	}
	result := make([][2]float64, len(pairs))
	report := progress
	for done := 0; done < len(all); {
		chunk, sentences := m.chunkOf(all[done:], together)
		if err := m.understand(ctx, workers, sentences); err != nil {
			return nil, err
		}
		if err := m.project(ctx, workers, sentences); err != nil {
			return nil, err
		}
		if before := done; progress != nil {
			report = func(more int) { progress(before + more) }
		}
		if err := m.compare(ctx, workers, chunk, result, report); err != nil {
			return nil, err
		}
		for _, s := range sentences {
			s.state, s.asked = nil, nil // from here on the cache decides
		}
		done += len(chunk)
	}
	return result, nil
}

// A sentence is a text of the pairs to score. It has its wordpieces unless the
// cache has its state.
type sentence struct {
	text   string
	number int // in the order of the pairs
	pairs  int // that it is in
	length int // in tokens
	ids    []int32
	state  *state
	asked  []float32 // what the first joint layer asks of it: see project
}

// A couple is a pair of sentences and its place among the pairs to score.
type couple struct {
	sentences [2]*sentence
	place     int
}

// tokenise splits all sentences into wordpieces, each once, and those that the
// cache knows not at all. Pairs that share a sentence come one after the other: if
// all pairs do, by the one that is in fewer pairs.
func (m *Model) tokenise(ctx context.Context, workers int, pairs []verbatim.Pair) ([]couple, error) {
	texts := make(map[string]*sentence, len(pairs))
	var all []*sentence
	find := func(text string) *sentence {
		s := texts[text]
		if s == nil {
			s = &sentence{text: text, number: len(all)}
			texts[text], all = s, append(all, s)
		}
		s.pairs++
		return s
	}
	couples := make([]couple, len(pairs))
	for i, p := range pairs {
		couples[i] = couple{[2]*sentence{find(p.First), find(p.Second)}, i}
	}
	rarer := func(c couple) int {
		a, b := c.sentences[0], c.sentences[1]
		if a.pairs < b.pairs {
			return a.number
		}
		return b.number
	}
	slices.SortStableFunc(couples, func(a, b couple) int { return rarer(a) - rarer(b) })
	return couples, share(ctx, workers, len(all), func(*atomic.Bool) func(int) error {
		return func(i int) error {
			if known := m.states.get(all[i].text); known != nil {
				all[i].length = known.length
				return nil
			}
			return m.readSentence(ctx, all[i])
		}
	})
}

func (m *Model) readSentence(ctx context.Context, s *sentence) (err error) {
	s.ids, err = m.encodeSentence(ctx, s.text)
	s.length = len(s.ids)
	return err
}

// chunkOf returns the first of the pairs, to be computed together, and their
// sentences.
func (m *Model) chunkOf(all []couple, most int) (chunk []couple, sentences []*sentence) {
	seen := map[*sentence]bool{}
	bytes := 0
	for i, c := range all {
		for _, s := range c.sentences {
			if !seen[s] {
				seen[s] = true
				sentences = append(sentences, s)
				bytes += 4 * 4 * m.Hidden * s.length // the state, its queries, keys and values
			}
		}
		if bytes > most {
			return all[:i+1], sentences
		}
	}
	return all, sentences
}

// understand runs the sentences that the cache does not have through the lower
// layers.
func (m *Model) understand(ctx context.Context, workers int, chunk []*sentence) error {
	var missing []*sentence
	var lengths []int
	for _, s := range chunk {
		if s.state = m.states.get(s.text); s.state != nil {
			continue
		}
		if s.ids == nil { // the cache has dropped it since
			if err := m.readSentence(ctx, s); err != nil {
				return err
			}
		}
		missing, lengths = append(missing, s), append(lengths, s.length)
	}
	err := m.inGroups(ctx, workers, lengths, nil, func(b *buffers, start, end int) {
		m.encodeStates(b, missing[start:end], lengths[start:end])
	})
	if err != nil {
		return err
	}
	for _, s := range missing {
		m.states.put(s.text, s.state)
	}
	return nil
}

// encodeStates runs sentences through the lower layers.
func (m *Model) encodeStates(b *buffers, group []*sentence, lengths []int) {
	at := 0
	for _, s := range group {
		m.embed(b, at, s.ids, 0, b.zeros[:m.Hidden])
		at += len(s.ids)
	}
	m.through(b, lengths, m.lower())
	if b.stop.Load() {
		return
	}
	at = 0
	for _, s := range group {
		rows := make([]float32, 0, len(s.ids)*m.Hidden)
		for i := range s.ids {
			rows = append(rows, b.x.row(at+i, m.Hidden)...)
		}
		s.state = &state{len(s.ids), rows}
		at += len(s.ids)
	}
}

// project computes the queries, keys and values of the first joint layer, if it is
// not the last too. They depend on the side only by a vector that is added, so a
// sentence needs them once, not in every pair.
func (m *Model) project(ctx context.Context, workers int, chunk []*sentence) error {
	if m.Joint == 1 {
		return nil
	}
	lengths := make([]int, len(chunk))
	for i, s := range chunk {
		lengths[i] = s.length
	}
	return m.inGroups(ctx, workers, lengths, nil, func(b *buffers, start, end int) {
		m.projectStates(b, chunk[start:end])
	})
}

func (m *Model) projectStates(b *buffers, group []*sentence) {
	h, at, l := m.Hidden, 0, &m.joint()[0]
	for _, s := range group {
		for r := range s.length {
			copy(b.x.row(at+r, h), s.state.rows[r*h:])
		}
		at += s.length
	}
	x := m.operand(b, b.x, at, h)
	m.multiply(b.query, x, l.query, b.stop)
	m.multiply(b.key, x, l.key, b.stop)
	m.multiply(b.value, x, l.value, b.stop)
	at = 0
	for _, s := range group {
		s.asked = make([]float32, 0, 3*h*s.length)
		for range s.length {
			s.asked = append(append(append(s.asked, b.query.row(at, h)...), b.key.row(at, h)...), b.value.row(at, h)...)
			at++
		}
	}
}

// sides returns what each side adds to a token and to its query, key and value in
// the first joint layer.
func (m *Model) sides() [2][4][]float32 {
	var sides [2][4][]float32
	b := m.newBuffers(3, 1, 1, new(atomic.Bool))
	for i := range sides {
		sides[i][0] = m.side(i)
		copy(b.x.row(i, m.Hidden), m.side(i)) // and a row of zeros, to take the bias away
	}
	if m.Joint == 1 {
		return sides
	}
	l := &m.joint()[0]
	x := m.operand(b, b.x, 3, m.Hidden)
	for part, by := range []*matrix{l.query, l.key, l.value} {
		m.multiply(b.y, x, by, b.stop)
		for i := range sides {
			sides[i][1+part] = make([]float32, m.Hidden)
			for j := range m.Hidden {
				sides[i][1+part][j] = b.y.row(i, m.Hidden)[j] - b.y.row(2, m.Hidden)[j]
			}
		}
	}
	return sides
}

// compare computes the logits of pairs whose sentences have their states.
func (m *Model) compare(ctx context.Context, workers int, chunk []couple, result [][2]float64, progress func(int)) error {
	lengths := make([]int, len(chunk))
	for i, c := range chunk {
		lengths[i] = c.sentences[0].length + c.sentences[1].length
	}
	return m.inGroups(ctx, workers, lengths, progress, func(b *buffers, start, end int) {
		for i, logits := range m.compareSentences(b, chunk[start:end], lengths[start:end]) {
			result[chunk[start+i].place] = logits
		}
	})
}

// compareSentences runs pairs of sentences through the joint layers and the head.
func (m *Model) compareSentences(b *buffers, group []couple, lengths []int) [][2]float64 {
	h, at := m.Hidden, 0
	for _, c := range group {
		for i, s := range c.sentences {
			side := &m.added[i]
			for r := range s.length {
				m.kernel.add(b.x.row(at, h), s.state.rows[r*h:][:h], side[0])
				if m.Joint > 1 {
					asked := s.asked[3*r*h:][:3*h]
					m.kernel.add(b.query.row(at, h), asked[:h], side[1])
					m.kernel.add(b.key.row(at, h), asked[h:2*h], side[2])
					m.kernel.add(b.value.row(at, h), asked[2*h:], side[3])
				}
				at++
			}
		}
	}
	layers := m.joint()
	last := len(layers) - 1
	if last > 0 {
		m.attend(b, lengths)
		m.feed(b, b.x, at, &layers[0])
		m.through(b, lengths, layers[1:last])
	}
	return m.top(b, lengths, &layers[last])
}
