package bert

import (
	"context"
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

// chunkBytes is how much memory the sentences that are computed together may take.
const chunkBytes = 32 << 20

// scoreSplit returns the logits of pairs. It computes them in chunks of about
// `together` bytes, so that many pairs take no more memory than a few.
func (m *Model) scoreSplit(ctx context.Context, workers int, pairs []verbatim.Pair, together int, progress func(int)) ([][2]float64, error) {
	result := make([][2]float64, 0, len(pairs))
	texts, err := m.tokenise(ctx, workers, pairs)
	if err != nil {
		return nil, err
	}
	report := progress
	for len(pairs) > 0 {
		n, chunk := m.chunkOf(pairs, texts, together)
		if err := m.understand(ctx, workers, chunk); err != nil {
			return nil, err
		}
		if before := len(result); progress != nil {
			report = func(done int) { progress(before + done) }
		}
		logits, err := m.compare(ctx, workers, pairs[:n], texts, report)
		if err != nil {
			return nil, err
		}
		for _, s := range chunk {
			s.state = nil // from here on the cache decides
		}
		result, pairs = append(result, logits...), pairs[n:]
	}
	return result, nil
}

// A sentence is a text of the pairs to score. It has its wordpieces unless the
// cache has its state.
type sentence struct {
	text   string
	length int // in tokens
	ids    []int32
	state  *state
}

// tokenise splits all sentences into wordpieces, each once, and those that the
// cache knows not at all.
func (m *Model) tokenise(ctx context.Context, workers int, pairs []verbatim.Pair) (map[string]*sentence, error) {
	texts := make(map[string]*sentence, len(pairs))
	var all []*sentence
	for _, p := range pairs {
		for _, text := range []string{p.First, p.Second} {
			if texts[text] == nil {
				s := &sentence{text: text}
				texts[text], all = s, append(all, s)
			}
		}
	}
	return texts, share(ctx, workers, len(all), func(*atomic.Bool) func(int) error {
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

// chunkOf returns how many pairs are computed together, and their sentences.
func (m *Model) chunkOf(pairs []verbatim.Pair, texts map[string]*sentence, most int) (n int, chunk []*sentence) {
	seen := map[*sentence]bool{}
	bytes := 0
	for i, p := range pairs {
		for _, s := range []*sentence{texts[p.First], texts[p.Second]} {
			if !seen[s] {
				seen[s] = true
				chunk = append(chunk, s)
				bytes += 4 * m.Hidden * s.length
			}
		}
		if bytes > most {
			return i + 1, chunk
		}
	}
	return len(pairs), chunk
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

// compare returns the logits of pairs whose sentences have their states.
func (m *Model) compare(ctx context.Context, workers int, pairs []verbatim.Pair, texts map[string]*sentence, progress func(int)) ([][2]float64, error) {
	states, lengths := make([][2]*state, len(pairs)), make([]int, len(pairs))
	for i, p := range pairs {
		states[i] = [2]*state{texts[p.First].state, texts[p.Second].state}
		lengths[i] = states[i][0].length + states[i][1].length
	}
	result := make([][2]float64, len(pairs))
	err := m.inGroups(ctx, workers, lengths, progress, func(b *buffers, start, end int) {
		copy(result[start:end], m.compareStates(b, states[start:end], lengths[start:end]))
	})
	return result, err
}

// compareStates runs pairs of sentences through the joint layers and the head.
func (m *Model) compareStates(b *buffers, group [][2]*state, lengths []int) [][2]float64 {
	h, at := m.Hidden, 0
	for _, pair := range group {
		for i, s := range pair {
			side := m.side(i)
			for r := range s.length {
				x, from := b.x.row(at, h), s.rows[r*h:][:h]
				for j, v := range from {
					x[j] = v + side[j]
				}
				at++
			}
		}
	}
	layers := m.joint()
	last := len(layers) - 1
	m.through(b, lengths, layers[:last])
	return m.top(b, lengths, &layers[last])
}
