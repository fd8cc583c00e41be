package bert

import (
	"context"

	"verbatim"
)

// encode writes a pair as [CLS] first [SEP] second [SEP], cut to the limit.
func (m *Model) encode(ctx context.Context, pair verbatim.Pair) (sequence, error) {
	t, room := m.tokenizer, m.limit-3
	first := ends{room: room, tail: m.Truncation == "tail_head"}
	second := ends{room: room}
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
	a, b := cut(first.count, second.count, room)
	ids := append(make([]int32, 0, a+b+3), t.cls)
	ids = append(append(ids, first.keep(a)...), t.sep)
	border := len(ids)
	ids = append(append(ids, second.keep(b)...), t.sep)
	return sequence{ids, border}, nil
}

// ends holds as many wordpieces as a pair has room for, from the head of a text
// or from its tail, and counts them all.
type ends struct {
	room  int
	tail  bool
	ids   []int32
	count int
}

func (e *ends) take(id int32) {
	e.count++
	switch {
	case len(e.ids) < e.room:
		e.ids = append(e.ids, id)
	case e.tail && e.room > 0:
		e.ids = append(e.ids, id)
		if len(e.ids) > 4*e.room+64 { // now and then drop what is too far back
			e.ids = e.ids[:copy(e.ids, e.ids[len(e.ids)-e.room:])]
		}
	}
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
// slow ones always give it to the first.)
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
