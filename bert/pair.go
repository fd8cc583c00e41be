package bert

import (
	"context"

	"verbatim"
)

// encode writes a pair as [CLS] first [SEP] second [SEP], cut to the limit.
func (m *Model) encode(ctx context.Context, pair verbatim.Pair) (sequence, error) {
	t, room := m.tokenizer, m.limit-3
	first := ends{most: m.limit, tail: m.Truncation == "tail_head"}
	second := ends{most: m.limit}
	if err := t.each(ctx, pair.First, first.take); err != nil {
		return sequence{}, err
	}
	if err := t.each(ctx, pair.Second, second.take); err != nil {
		return sequence{}, err
	}
	cut := longestFirst
	if first.tail {
		cut = secondFavoured
	}
	a, b := cut(min(len(first.ids), m.limit), min(len(second.ids), m.limit), room)
	ids := append(make([]int32, 0, a+b+3), t.cls)
	ids = append(append(ids, first.keep(a)...), t.sep)
	border := len(ids)
	ids = append(append(ids, second.keep(b)...), t.sep)
	return sequence{ids, border}, nil
}

// ends holds as many wordpieces as can matter, from the head of a text or from
// its tail.
type ends struct {
	most int
	tail bool
	ids  []int32
}

// take wants more, until the head is full.
func (e *ends) take(id int32) bool {
	if e.tail && len(e.ids) == 8*e.most { // now and then drop what is too far back
		e.ids = e.ids[:copy(e.ids, e.ids[len(e.ids)-e.most:])]
	}
	e.ids = append(e.ids, id)
	return e.tail || len(e.ids) < e.most
}

func (e *ends) keep(n int) []int32 {
	if e.tail {
		return e.ids[len(e.ids)-n:]
	}
	return e.ids[:n]
}

// longestFirst takes tokens from the longer sentence until both fit. When both
// must be cut to half an odd room, the fast tokenizers give the odd token to
// the sentence that was longer, and to the second where they were equal. (The
// slow ones always give it to the first.) They count no further than the limit
// of the pair, so that two very long sentences are equal.
func longestFirst(a, b, room int) (int, int) {
	half := room / 2
	switch {
	case a+b <= room:
		return a, b
	case min(a, b) <= half && a <= b:
		return a, room - a
	case min(a, b) <= half:
		return room - b, b
	case a > b:
		return room - half, half
	default:
		return half, room - half
	}
}

// secondFavoured is how the embedded model was trained: each sentence has half
// the room, the second the odd token, and either uses what the other leaves.
func secondFavoured(a, b, room int) (int, int) {
	half := room / 2
	switch {
	case a+b <= room:
		return a, b
	case a <= half:
		return a, room - a
	case b <= room-half:
		return room - b, b
	default:
		return half, room - half
	}
}
