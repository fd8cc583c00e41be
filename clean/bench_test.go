package clean

import (
	"strings"
	"testing"

	"verbatim"
	"verbatim/sentence"
)

// longBook is at least n bytes of scans and editions from the data folder.
func longBook(b *testing.B, n int) *verbatim.Document {
	var text strings.Builder
	for text.Len() < n {
		for _, name := range []string{"hvd.hxvp5b", "nla.obj-52868491", "pg133", "uc2.ark+13960+t7zk5647t", "pg10060", "uc2.ark+13960+t4qj7df3t"} {
			text.WriteString(readBook(b, name+".txt").Text)
		}
	}
	doc, err := verbatim.NewDocument("long", text.String())
	if err != nil {
		b.Fatal(err)
	}
	return doc
}

// BenchmarkRead should stay above 25 MB/s on one core.
func BenchmarkRead(b *testing.B) {
	for _, size := range []struct {
		name  string
		bytes int
	}{{"5MB", 5e6}, {"100MB", 1e8}} {
		b.Run(size.name, func(b *testing.B) {
			if size.bytes > 1e7 && testing.Short() {
				b.Skip("100 MB take too long for a short run")
			}
			doc := longBook(b, size.bytes)
			b.SetBytes(int64(len(doc.Text)))
			b.ReportAllocs()
			for b.Loop() {
				Read(doc)
			}
		})
	}
}

// BenchmarkReadAndSplit should stay above 10 MB/s on one core.
func BenchmarkReadAndSplit(b *testing.B) {
	doc := longBook(b, 5e6)
	b.SetBytes(int64(len(doc.Text)))
	for b.Loop() {
		n := 0
		for range sentence.Split(Read(doc).Copy) {
			n++
		}
		b.ReportMetric(float64(n), "sentences")
	}
}
