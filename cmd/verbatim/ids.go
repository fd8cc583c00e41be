package main

import (
	"crypto/sha256"
	"math"
)

// An idSet remembers the line in which each id first occurred. It stores 128-bit
// hashes instead of the ids, so its size does not depend on their length: 27 to 45
// bytes per id. Two ids will not have the same hash.
type idSet struct{ lines map[[16]byte]uint32 }

// first returns the line in which the id occurred before. If it is new, first
// remembers the line and returns 0.
func (s *idSet) first(id string, line int) int {
	if s.lines == nil {
		s.lines = map[[16]byte]uint32{}
	}
	sum := sha256.Sum256([]byte(id))
	key := [16]byte(sum[:])
	if first, ok := s.lines[key]; ok {
		return int(first)
	}
	s.lines[key] = uint32(min(line, math.MaxUint32))
	return 0
}
