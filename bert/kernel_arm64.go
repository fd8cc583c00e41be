package bert

// fast needs no check: every arm64 processor has NEON.
func fast() []*kernel { return []*kernel{&neon} }

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
