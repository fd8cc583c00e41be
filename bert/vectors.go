//go:build amd64 || arm64

package bert

type normFunc = func(x, added, scale, shift []float32, epsilon float32)

// inVectors gives rows that fill no whole number of vectors to the portable
// loop. Only the norm sees such rows: all others are padded to a panel.
func inVectors(whole normFunc) normFunc {
	return func(x, added, scale, shift []float32, epsilon float32) {
		if len(x)%16 != 0 {
			portableNorm(x, added, scale, shift, epsilon)
			return
		}
		n := len(x) - 1
		_, _, _ = added[n], scale[n], shift[n] // bounds, before assembly
		whole(x, added, scale, shift, epsilon)
	}
}
