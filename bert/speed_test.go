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

// BenchmarkMultiplyBytes does the same with 8-bit arithmetic, rounding included.
func BenchmarkMultiplyBytes(b *testing.B) {
	for _, k := range byteKernels() {
		for _, s := range [][3]int{{192, 768, 3072}, {384, 256, 1024}, {384, 1024, 256}} {
			rows, in, out := s[0], s[1], s[2]
			b.Run(fmt.Sprintf("%s%s/%dx%dx%d", k.name, k.bytes.name, rows, in, out), func(b *testing.B) {
				rng := rand.New(rand.NewPCG(1, 1))
				m, by := &Model{kernel: k, bytes: true}, packedBytes(k, randoms(rng, in*out, 1), make([]float32, out), in, out)
				x, y := newTable(rows, in, k.width), newTable(rows, out, k.width)
				copy(x.data, randoms(rng, len(x.data), 1))
				room := &buffers{codes: make([]uint8, rows*codeStride(in)), rowScale: make([]float32, rows), rowZero: make([]int32, rows), stop: new(atomic.Bool)}
				start := processorTime()
				for b.Loop() {
					m.multiply(y, m.operand(room, x, rows, in), by, room.stop)
				}
				flop := 2 * float64(rows) * float64(in) * float64(out) * float64(b.N)
				b.ReportMetric(flop/float64(processorTime()-start), "GFLOP/cpu-s")
			})
		}
	}
}

// BenchmarkRank ranks 200 candidates for one place with a model as large as the
// small one: 400 pairs of about 96 wordpieces, of 202 sentences. No sentence is
// known from before.
func BenchmarkRank(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	pairs := make([]verbatim.Pair, 400)
	before, after := prose(rng, 46), prose(rng, 46)
	for i := range 200 {
		candidate := prose(rng, 46)
		pairs[i], pairs[200+i] = verbatim.Pair{First: before, Second: candidate}, verbatim.Pair{First: candidate, Second: after}
	}
	folder := likeSmall.folder()
	rank := func(b *testing.B, k *kernel, how Arithmetic) {
		b.Run(fmt.Sprintf("%s %s %s", k.name, k.bytes.name, how), func(b *testing.B) {
			if k.name == portable.name {
				b.Skip("takes a minute")
			}
			m, err := load(folder, k, how)
			if err != nil {
				b.Fatal(err)
			}
			start := processorTime()
			for b.Loop() {
				m.states = newCache(cacheBytes)
				if _, err := m.Score(context.Background(), pairs); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric((processorTime()-start).Seconds()/float64(b.N), "cpu-s/op")
		})
	}
	for _, k := range kernels() {
		rank(b, k, F32)
	}
	for _, k := range byteKernels() {
		rank(b, k, Int8)
	}
}

// BenchmarkLoad reads a model as large as the small one.
func BenchmarkLoad(b *testing.B) {
	folder := likeSmall.folder()
	for _, k := range kernels() {
		b.Run(k.name, func(b *testing.B) {
			start := processorTime()
			for b.Loop() {
				if _, err := load(folder, k, F32); err != nil {
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
	m, err := Open(folder, Auto)
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
