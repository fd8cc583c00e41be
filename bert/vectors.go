//go:build amd64 || arm64

package bert

type normFunc = func(x, added, scale, shift []float32, epsilon float32)

// inVectors uses the portable loop for rows that are not a whole number of
// vectors. Only the norm sees such rows: all others are padded to a panel.
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
