package bert

import "golang.org/x/sys/cpu"

//go:generate go -C asm run . -out ../kernel_amd64.s -stubs ../stub_amd64.go -pkg bert

// fast checks what the processor supports and whether the operating system
// saves the wide registers. GODEBUG=cpu.avx512f=off turns AVX-512 off.
func fast() []*kernel {
	var found []*kernel
	x := &cpu.X86
	if x.HasAVX512F && x.HasAVX512DQ && x.HasAVX512BW && x.HasAVX512VL {
		k := avx512
		if x.HasAVX512VNNI {
			k.bytes = avx512VNNI
		}
		found = append(found, &k)
	}
	if x.HasAVX2 && x.HasFMA {
		k := avx2
		if x.HasAVXVNNI {
			k.bytes = avxVNNI
		}
		found = append(found, &k)
	}
	return found
}

var avx512 = kernel{
	name: "AVX-512", width: 32, depth: 384,
	tiles: []tile{
		tile1AVX512, tile2AVX512, tile3AVX512, tile4AVX512, tile5AVX512, tile6AVX512,
		tile7AVX512, tile8AVX512, tile9AVX512, tile10AVX512, tile11AVX512, tile12AVX512,
	},
	gelu:    func(x []float32) { geluAVX512(&x[0], len(x)) },
	softmax: func(x []float32, scale float32) { softmaxAVX512(&x[0], len(x), scale) },
	norm: inVectors(func(x, added, scale, shift []float32, epsilon float32) {
		normAVX512(&x[0], &added[0], &scale[0], &shift[0], len(x), epsilon)
	}),
	add: addVectors(addAVX512),
	bytes: inAVX512("", []dot{
		dot1AVX512, dot2AVX512, dot3AVX512, dot4AVX512, dot5AVX512, dot6AVX512,
		dot7AVX512, dot8AVX512, dot9AVX512, dot10AVX512, dot11AVX512, dot12AVX512,
	}),
}

var avx2 = kernel{
	name: "AVX2", width: 16, depth: 384,
	tiles:   []tile{tile1AVX2, tile2AVX2, tile3AVX2, tile4AVX2, tile5AVX2, tile6AVX2},
	gelu:    func(x []float32) { geluAVX2(&x[0], len(x)) },
	softmax: func(x []float32, scale float32) { softmaxAVX2(&x[0], len(x), scale) },
	norm: inVectors(func(x, added, scale, shift []float32, epsilon float32) {
		normAVX2(&x[0], &added[0], &scale[0], &shift[0], len(x), epsilon)
	}),
	add: addVectors(addAVX2),
	bytes: inAVX2("", []dot{
		dot1AVX2, dot2AVX2, dot3AVX2, dot4AVX2, dot5AVX2, dot6AVX2,
	}),
}

var (
	avx512VNNI = inAVX512("VNNI", []dot{
		dot1AVX512VNNI, dot2AVX512VNNI, dot3AVX512VNNI, dot4AVX512VNNI, dot5AVX512VNNI, dot6AVX512VNNI,
		dot7AVX512VNNI, dot8AVX512VNNI, dot9AVX512VNNI, dot10AVX512VNNI, dot11AVX512VNNI, dot12AVX512VNNI,
	})
	avxVNNI = inAVX2("VNNI", []dot{
		dot1AVXVNNI, dot2AVXVNNI, dot3AVXVNNI, dot4AVXVNNI, dot5AVXVNNI, dot6AVXVNNI,
	})
)

func inAVX512(name string, tiles []dot) *bytesKernel {
	return bytesKernel{
		name: name, fast: true, tiles: tiles,
		bounds: func(x []float32) (low, high float32) { return boundsAVX512(&x[0], len(x)) },
		codes: func(to []uint8, x []float32, inverse float32, zero int32) {
			codesAVX512(&to[0], &x[0], len(x), inverse, zero)
		},
	}.wholeBytes()
}

func inAVX2(name string, tiles []dot) *bytesKernel {
	return bytesKernel{
		name: name, fast: true, tiles: tiles,
		bounds: func(x []float32) (low, high float32) { return boundsAVX2(&x[0], len(x)) },
		codes: func(to []uint8, x []float32, inverse float32, zero int32) {
			codesAVX2(&to[0], &x[0], len(x), inverse, zero)
		},
	}.wholeBytes()
}
