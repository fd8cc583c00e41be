package main

import (
	"crypto/sha256"
	"encoding/binary"
)

// An idSet remembers in which line each id stood first, in about 16 bytes an
// id: 64 bits of its hash and the line, in small tables that grow by a quarter
// when they are full. Two ids of one hash would be taken for one and named as
// such; among ten million ids the chance of that is one in 300,000.
type idSet struct {
	shards [256]idTable
}

type idTable struct {
	slots []idSlot
	used  int
}

// An idSlot is empty where its line is 0.
type idSlot struct{ high, low, line uint32 }

// first is the line in which the id stood before, or 0; then it is remembered.
func (s *idSet) first(id string, line int) int {
	sum := sha256.Sum256([]byte(id))
	t := &s.shards[sum[31]]
	if t.used*20 >= len(t.slots)*17 {
		t.grow()
	}
	slot := t.find(binary.BigEndian.Uint32(sum[:4]), binary.BigEndian.Uint32(sum[4:8]))
	if slot.line > 0 {
		return int(slot.line)
	}
	slot.line = uint32(line)
	t.used++
	return 0
}

// find is the slot of a hash, or the free one where it belongs.
func (t *idTable) find(high, low uint32) *idSlot {
	n := uint64(len(t.slots))
	for i := uint64(high) * n >> 32; ; i = (i + 1) % n {
		slot := &t.slots[i]
		if slot.line == 0 {
			slot.high, slot.low = high, low
			return slot
		}
		if slot.high == high && slot.low == low {
			return slot
		}
	}
}

func (t *idTable) grow() {
	old := t.slots
	t.slots = make([]idSlot, max(16, len(old)+len(old)/4))
	for _, slot := range old {
		if slot.line > 0 {
			*t.find(slot.high, slot.low) = slot
		}
	}
}
