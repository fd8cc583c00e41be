package bert

import "golang.org/x/sys/cpu"

// fast needs no check for NEON, which every arm64 processor has; only older ones
// lack its dot product.
func fast() []*kernel {
	k := neon
	if cpu.ARM64.HasASIMDDP {
		k.bytes = neonDot
	}
	return []*kernel{&k}
}

var neonDot = bytesKernel{
	name: "DOT", fast: true, offset: 128,
	tiles:  []dot{dot1NEON, dot2NEON, dot3NEON, dot4NEON, dot5NEON, dot6NEON},
	bounds: func(x []float32) (low, high float32) { return boundsNEON(&x[0], len(x)) },
	codes: func(to []uint8, x []float32, inverse float32, zero int32) {
		codesNEON(&to[0], &x[0], len(x), inverse, zero)
	},
}.wholeBytes()

var neon = kernel{
	name: "NEON", width: 16, depth: 256,
	tiles:   []tile{tile1NEON, tile2NEON, tile3NEON, tile4NEON, tile5NEON, tile6NEON},
	gelu:    func(x []float32) { geluNEON(&x[0], len(x)) },
	softmax: func(x []float32, scale float32) { softmaxNEON(&x[0], len(x), scale) },
	norm: inVectors(func(x, added, scale, shift []float32, epsilon float32) {
		normNEON(&x[0], &added[0], &scale[0], &shift[0], len(x), epsilon)
	}),
	add:   portableAdd,
	bytes: &portableBytes,
}

//go:noescape
func tile1NEON(k int, a *float32, aStride int, b, c *float32, cStride int, from *float32, fromStride int, ahead *float32)

//go:noescape
func tile2NEON(k int, a *float32, aStride int, b, c *float32, cStride int, from *float32, fromStride int, ahead *float32)

//go:noescape
func tile3NEON(k int, a *float32, aStride int, b, c *float32, cStride int, from *float32, fromStride int, ahead *float32)

//go:noescape
func tile4NEON(k int, a *float32, aStride int, b, c *float32, cStride int, from *float32, fromStride int, ahead *float32)

//go:noescape
func tile5NEON(k int, a *float32, aStride int, b, c *float32, cStride int, from *float32, fromStride int, ahead *float32)

//go:noescape
func tile6NEON(k int, a *float32, aStride int, b, c *float32, cStride int, from *float32, fromStride int, ahead *float32)

//go:noescape
func geluNEON(x *float32, n int)

//go:noescape
func softmaxNEON(x *float32, n int, scale float32)

//go:noescape
func normNEON(x, added, scale, shift *float32, n int, epsilon float32)

//go:noescape
func dot1NEON(k int, a *uint8, aStride int, b *int8, c *float32, cStride int, scale *float32, zero *int32, columns *float32, width int)

//go:noescape
func dot2NEON(k int, a *uint8, aStride int, b *int8, c *float32, cStride int, scale *float32, zero *int32, columns *float32, width int)

//go:noescape
func dot3NEON(k int, a *uint8, aStride int, b *int8, c *float32, cStride int, scale *float32, zero *int32, columns *float32, width int)

//go:noescape
func dot4NEON(k int, a *uint8, aStride int, b *int8, c *float32, cStride int, scale *float32, zero *int32, columns *float32, width int)

//go:noescape
func dot5NEON(k int, a *uint8, aStride int, b *int8, c *float32, cStride int, scale *float32, zero *int32, columns *float32, width int)

//go:noescape
func dot6NEON(k int, a *uint8, aStride int, b *int8, c *float32, cStride int, scale *float32, zero *int32, columns *float32, width int)

//go:noescape
func boundsNEON(x *float32, n int) (low, high float32)

//go:noescape
func codesNEON(to *uint8, x *float32, n int, inverse float32, zero int32)
