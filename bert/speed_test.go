//go:build unix

package bert

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"verbatim"
)

// processorTime returns the processor time that this process has used.
func processorTime() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkMultiply measures the matrix kernels alone; bench/kernels.sh compares
// them with OpenBLAS.
func BenchmarkMultiply(b *testing.B) {
	for _, k := range kernels() {
		for _, s := range [][3]int{{192, 768, 3072}, {384, 256, 1024}, {384, 1024, 256}} {
			rows, in, out := s[0], s[1], s[2]
			b.Run(fmt.Sprintf("%s/%dx%dx%d", k.name, rows, in, out), func(b *testing.B) {
				rng := rand.New(rand.NewPCG(1, 1))
				m := packed(k, randoms(rng, in*out, 1), nil, in, out)
				x, y := newTable(rows, in, k.width), newTable(rows, out, k.width)
				copy(x.data, randoms(rng, len(x.data), 1))
				stop := new(atomic.Bool)
				k.multiply(y, x, rows, m, stop)
				start := processorTime()
				for b.Loop() {
					k.multiply(y, x, rows, m, stop)
				}
				flop := 2 * float64(rows) * float64(in) * float64(out) * float64(b.N)
				b.ReportMetric(flop/float64(processorTime()-start), "GFLOP/cpu-s")
			})
		}
	}
}

// BenchmarkRank ranks 200 candidates with a model as large as the small one: 400
// pairs of about 96 wordpieces.
func BenchmarkRank(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	pairs := make([]verbatim.Pair, 400)
	for i := range pairs {
		pairs[i] = verbatim.Pair{First: prose(rng, 46), Second: prose(rng, 47)}
	}
	for _, k := range kernels() {
		b.Run(k.name, func(b *testing.B) {
			if k == &portable {
				b.Skip("takes a minute")
			}
			m := likeSmall.load(b, k)
			start := processorTime()
			for b.Loop() {
				if _, err := m.Score(context.Background(), pairs); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric((processorTime()-start).Seconds()/float64(b.N), "cpu-s/op")
		})
	}
}

// BenchmarkLoad reads a model as large as the small one.
func BenchmarkLoad(b *testing.B) {
	folder := likeSmall.folder()
	for _, k := range kernels() {
		b.Run(k.name, func(b *testing.B) {
			start := processorTime()
			for b.Loop() {
				if _, err := load(folder, k); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric((processorTime()-start).Seconds()/float64(b.N), "cpu-s/op")
		})
	}
}

// BenchmarkFolder scores 16 pairs of 96 wordpieces with the model in the folder
// $BERT_FOLDER, whose words are w0, w1 ...; see bench/model.sh.
func BenchmarkFolder(b *testing.B) {
	folder := os.Getenv("BERT_FOLDER")
	if folder == "" {
		b.Skip("BERT_FOLDER is not set")
	}
	m, err := Open(folder)
	if err != nil {
		b.Fatal(err)
	}
	text := func(n int) string {
		var words strings.Builder
		for range n {
			fmt.Fprintf(&words, "w%d ", rand.IntN(30000))
		}
		return words.String()
	}
	pairs := make([]verbatim.Pair, 16)
	for i := range pairs {
		pairs[i] = verbatim.Pair{First: text(46), Second: text(47)}
	}
	if _, err := m.Score(context.Background(), pairs); err != nil { // warm up, as PyTorch does
		b.Fatal(err)
	}
	start, wall := processorTime(), time.Now()
	for b.Loop() {
		if _, err := m.Score(context.Background(), pairs); err != nil {
			b.Fatal(err)
		}
	}
	n := float64(len(pairs) * b.N)
	b.ReportMetric(n/(processorTime()-start).Seconds(), "pairs/cpu-s")
	b.ReportMetric(n/time.Since(wall).Seconds(), "pairs/s")
	b.ReportMetric(float64(peakMemory())/1e6, "MB")
}

// peakMemory returns the largest memory use of this process, in bytes.
func peakMemory() int64 {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	if runtime.GOOS == "darwin" {
		return u.Maxrss
	}
	return 1024 * u.Maxrss
}
