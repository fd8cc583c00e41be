package main

import (
	"fmt"
	"testing"
)

func TestIdsAreKnownAgain(t *testing.T) {
	var ids idSet
	const n = 100_000
	for i := range n {
		if line := ids.first(fmt.Sprint("J", i), i+1); line != 0 {
			t.Fatalf("J%d is new but was found in line %d", i, line)
		}
	}
	for i := range n {
		if line := ids.first(fmt.Sprint("J", i), 1); line != i+1 {
			t.Fatalf("J%d stood in line %d, not %d", i, i+1, line)
		}
	}
	bytes := 0
	for _, shard := range ids.shards {
		bytes += 12 * cap(shard.slots)
	}
	if each := float64(bytes) / n; each > 18 {
		t.Errorf("%.1f bytes an id, want about 16", each)
	} else {
		t.Logf("%.1f bytes an id", each)
	}
}
