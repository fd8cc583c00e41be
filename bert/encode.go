package bert

import (
	"context"

	"verbatim"
)

// encode turns a pair into [CLS] first [SEP] second [SEP], truncated to the limit.
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
		cut = tailHead
	}
	a, b := cut(min(len(first.ids), m.limit), min(len(second.ids), m.limit), room)
	ids := append(make([]int32, 0, a+b+3), t.cls)
	ids = append(append(ids, first.keep(a)...), t.sep)
	border := len(ids)
	ids = append(append(ids, second.keep(b)...), t.sep)
	return sequence{ids, border}, nil
}

// encodeSentence turns a sentence into [CLS] sentence [SEP], for a split model. A
// sentence that is too long loses its middle: half of the room is its beginning,
// half its end.
func (m *Model) encodeSentence(ctx context.Context, text string) ([]int32, error) {
	t, room := m.tokenizer, m.limit-2
	all := ends{most: max(room, 1), tail: true, head: room / 2}
	if err := t.each(ctx, text, all.take); err != nil {
		return nil, err
	}
	ids := append(make([]int32, 0, min(len(all.ids), room)+2), t.cls)
	if n := len(all.ids); n <= room {
		ids = append(ids, all.ids...)
	} else {
		ids = append(append(ids, all.ids[:room/2]...), all.ids[n-room/2:]...)
	}
	return append(ids, t.sep), nil
}

// Measure implements verbatim.Measurer.
func (m *Model) Measure(text string) (length, limit int) {
	limit = m.limit - 3
	if m.split() {
		limit = m.limit - 2
	}
	_ = m.tokenizer.each(context.Background(), text, func(int32) bool { // which never ends
		length++
		return length <= limit
	})
	return min(length, limit+1), limit
}

// Room implements verbatim.Measurer. A sentence of a split model has all the room,
// whatever its partner: so it is the same in all its pairs and computed once. Those of
// other models share the room: each has half of it and what the other leaves.
func (m *Model) Room(partner string) int {
	length, limit := m.Measure(partner)
	if m.split() {
		return limit
	}
	return limit - min(length, (limit+1)/2)
}

// ends keeps the first, or with tail at least the last, `most` wordpieces of a
// text. With tail it also keeps the first `head` of them.
type ends struct {
	most, head int
	tail       bool
	ids        []int32
}

// take adds a wordpiece and reports whether it needs more.
func (e *ends) take(id int32) bool {
	if e.tail && len(e.ids) == 8*e.most { // drop what is too far back
		e.ids = e.ids[:e.head+copy(e.ids[e.head:], e.ids[len(e.ids)-e.most:])]
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

// longestFirst removes tokens from the longer sentence until both fit. When both
// are cut to half of an odd room, the fast tokenizers give the odd token to the
// longer sentence, or to the second if they are equal. (The slow ones always
// give it to the first.) They count only up to the limit of the pair, so two
// very long sentences are equal.
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

// tailHead is the truncation that the small model was trained with: each
// sentence gets half the room, the second one the odd token, and each may use
// what the other leaves.
func tailHead(a, b, room int) (int, int) {
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
