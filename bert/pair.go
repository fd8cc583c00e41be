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

// Measure implements verbatim.Measurer.
func (m *Model) Measure(text string) (length, limit int) {
	limit = m.limit - 3
	_ = m.tokenizer.each(context.Background(), text, func(int32) bool { // which never ends
		length++
		return length <= limit
	})
	return min(length, limit+1), limit
}

// ends keeps the first or, with tail set, at least the last `most` wordpieces of
// a text.
type ends struct {
	most int
	tail bool
	ids  []int32
}

// take adds a wordpiece and reports whether it needs more.
func (e *ends) take(id int32) bool {
	if e.tail && len(e.ids) == 8*e.most { // drop what is too far back
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
