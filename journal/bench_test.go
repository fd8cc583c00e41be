package journal

import (
	"strings"
	"testing"
)

// sixtyWords is a typical journal of 60 words.
const sixtyWords = "Woke up with a stiff neck and dry lips. Breakfast was poha + tea, skipped the banana. " +
	"By noon my head was pounding, not sure if it's the screen or the heat. Felt cheerful on the way home but a bit lonely later. " +
	"Couldn't focus in the review, kept opening other tabs. No acidity today. Slept six hours last night, which is more than usual."

func BenchmarkExtract(b *testing.B) {
	if n := len(strings.Fields(sixtyWords)); n < 60 {
		b.Fatalf("the journal has %d words", n)
	}
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		e := New(Cards())
		for pb.Next() {
			if items := e.Items(sixtyWords); len(items) < 8 {
				b.Errorf("only %d items", len(items))
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "journals/s")
}
