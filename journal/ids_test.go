package journal

import (
	"fmt"
	"runtime"
	"testing"
)

func TestIDSetFindsTheFirstLine(t *testing.T) {
	var ids idSet
	const n = 100_000
	for i := range n {
		if line := ids.first(fmt.Sprint("J", i), i+1); line != 0 {
			t.Fatalf("J%d is new but was found in line %d", i, line)
		}
	}
	for i := range n {
		if line := ids.first(fmt.Sprint("J", i), 1); line != i+1 {
			t.Fatalf("J%d was found in line %d, want %d", i, line, i+1)
		}
	}
}

func TestIDSetIsSmall(t *testing.T) {
	heap := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	for _, n := range []int{90_000, 120_000, 160_000} {
		before := heap()
		var ids idSet
		for i := range n {
			ids.first(fmt.Sprint("J", i), i+1)
		}
		each := float64(heap()-before) / float64(n)
		t.Logf("%d ids: %.1f bytes per id", n, each)
		if each > 60 {
			t.Errorf("%.1f bytes per id for %d ids, want at most 60", each, n)
		}
		runtime.KeepAlive(&ids)
	}
}
