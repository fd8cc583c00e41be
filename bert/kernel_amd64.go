package bert

import "golang.org/x/sys/cpu"

//go:generate go -C asm run . -out ../kernel_amd64.s -stubs ../stub_amd64.go -pkg bert

// fast checks what the processor supports and whether the operating system
// saves the wide registers. GODEBUG=cpu.avx512f=off turns AVX-512 off.
func fast() []*kernel {
	var found []*kernel
	if x := &cpu.X86; x.HasAVX512F && x.HasAVX512DQ && x.HasAVX512BW && x.HasAVX512VL {
		found = append(found, &avx512)
	}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		found = append(found, &avx2)
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
}

var avx2 = kernel{
	name: "AVX2", width: 16, depth: 384,
	tiles:   []tile{tile1AVX2, tile2AVX2, tile3AVX2, tile4AVX2, tile5AVX2, tile6AVX2},
	gelu:    func(x []float32) { geluAVX2(&x[0], len(x)) },
	softmax: func(x []float32, scale float32) { softmaxAVX2(&x[0], len(x), scale) },
	norm: inVectors(func(x, added, scale, shift []float32, epsilon float32) {
		normAVX2(&x[0], &added[0], &scale[0], &shift[0], len(x), epsilon)
	}),
}
