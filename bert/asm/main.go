// Command asm generates ../kernel_amd64.s: the inner loops of package bert for
// AVX-512 and AVX2. Run `go generate ./bert` after a change here; a test of this
// module compares the committed files with the generated ones.
//
// Both instruction sets take the same steps, so the same code generates both;
// only the vectors differ.
package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// An isa is one instruction set.
type isa struct {
	name   string
	bytes  int // of a vector
	rows   int // of the largest tile, which fills the registers
	vector func() VecVirtual
}

var sets = []isa{
	{"AVX512", 64, 12, ZMM},
	{"AVX2", 32, 6, YMM},
}

func main() {
	for _, s := range sets {
		for n := 1; n <= s.rows; n++ {
			s.tile(n)
		}
		s.gelu()
		s.softmax()
		s.norm()
		s.add()
	}
	dots()
	Generate()
}

// begin starts a function. No function checks the lengths that it gets.
func (s isa) begin(name, signature string) {
	TEXT(name+s.name, NOSPLIT, signature)
	Pragma("noescape")
}

func end() {
	VZEROUPPER()
	RET()
}

func load(name string) Register { return Load(Param(name), GP64()) }

// tile computes c = from + a*b for n rows and one panel, two vectors wide. All sums stay in
// registers; a step loads two vectors of weights and one number of each row. The
// tile also prefetches k numbers from `ahead` into the second-level cache, so
// that the first tile of the next panel does not wait for memory.
func (s isa) tile(n int) {
	s.begin(fmt.Sprintf("tile%d", n),
		"func(k int, a *float32, aStride int, b *float32, c *float32, cStride int, from *float32, fromStride int, ahead *float32)")
	sums := make([][2]VecVirtual, n)
	from, fromStride := load("from"), load("fromStride")
	for r := range sums {
		for v := range sums[r] {
			sums[r][v] = s.vector()
			VMOVUPS(Mem{Base: from, Disp: v * s.bytes}, sums[r][v])
		}
		ADDQ(fromStride, from)
	}

	// Three rows share a pointer: x86 can address p, p+stride and p+2*stride.
	stride := load("aStride")
	rows := []Register{load("a")}
	for r := 3; r < n; r += 3 {
		next := GP64()
		LEAQ(Mem{Base: rows[len(rows)-1], Index: stride, Scale: 2}, next)
		ADDQ(stride, next)
		rows = append(rows, next)
	}
	b, k, ahead := load("b"), load("k"), load("ahead")
	step := func(i int) {
		w := [2]VecVirtual{s.vector(), s.vector()}
		for v := range w {
			VMOVUPS(Mem{Base: b, Disp: (2*i + v) * s.bytes}, w[v])
		}
		for r := range sums {
			at := Mem{Base: rows[r/3], Disp: 4 * i}
			if r%3 > 0 {
				at.Index, at.Scale = stride, uint8(r%3)
			}
			x := s.vector()
			VBROADCASTSS(at, x)
			for v := range w {
				VFMADD231PS(w[v], x, sums[r][v])
			}
		}
		if i == 3 { // 16 bytes each time: three of four prefetches find their cache line loaded
			PREFETCHT1(Mem{Base: ahead})
			ADDQ(Imm(16), ahead)
		}
	}
	s.steps(k, 4, step, rows, b)
	s.steps(k, 1, step, rows, b)

	c, cStride := load("c"), load("cStride")
	for r := range sums {
		for v := range sums[r] {
			VMOVUPS(sums[r][v], Mem{Base: c, Disp: v * s.bytes})
		}
		ADDQ(cStride, c)
	}
	end()
}

var loops = 0

// steps repeats a step while at least `times` of them are left in k.
func (s isa) steps(k Register, times int, step func(int), rows []Register, b Register) {
	loops++
	again, done := fmt.Sprintf("loop%d", loops), fmt.Sprintf("done%d", loops)
	Label(again)
	CMPQ(k, U8(times))
	JL(LabelRef(done))
	for i := range times {
		step(i)
	}
	for _, p := range rows {
		ADDQ(U8(4*times), p)
	}
	ADDQ(U32(2*times*s.bytes), b)
	SUBQ(U8(times), k)
	JMP(LabelRef(again))
	Label(done)
}

// each loops over n numbers, 16 at once; body gets the byte offset of a vector.
func (s isa) each(n Register, body func(at Register, disp int)) {
	loops++
	again := fmt.Sprintf("loop%d", loops)
	at, last := GP64(), GP64()
	XORQ(at, at)
	MOVQ(n, last)
	SHLQ(Imm(2), last)
	Label(again)
	for disp := 0; disp < 64; disp += s.bytes {
		body(at, disp)
	}
	ADDQ(U8(64), at)
	CMPQ(at, last)
	JL(LabelRef(again))
}

func indexed(base, at Register, disp int) Mem {
	return Mem{Base: base, Index: at, Scale: 1, Disp: disp}
}

var constants = map[string]Mem{}

// constant returns a vector filled with one number.
func constant(value float32) Mem {
	bits := math.Float32bits(value)
	name := fmt.Sprintf("f%08x", bits)
	m, ok := constants[name]
	if !ok {
		m = GLOBL(name, 24) // RODATA|NOPTR
		for i := range 16 {
			DATA(4*i, U32(bits))
		}
		constants[name] = m
	}
	return m
}

// polynomial evaluates a polynomial at x; coefficients start with the lowest.
func (s isa) polynomial(x VecVirtual, coefficients ...float32) VecVirtual {
	last := len(coefficients) - 1
	p := s.vector()
	VMOVUPS(constant(coefficients[last]), p)
	for i := last - 1; i >= 0; i-- {
		VFMADD213PS(constant(coefficients[i]), x, p)
	}
	return p
}

// gelu replaces n numbers, a multiple of 16, by x/2 * (1 + erf(x/sqrt 2)), with erf(z) = z*P(z*z)/Q(z*z) up to
// 4, where erf is 1 to the last bit of an f32. P and Q are our own fit, with an
// error of 2.5e-8 before rounding; all coefficients are positive, so nothing
// cancels.
func (s isa) gelu() {
	s.begin("gelu", "func(x *float32, n int)")
	x, n := load("x"), load("n")
	s.each(n, func(at Register, disp int) {
		half, z, u := s.vector(), s.vector(), s.vector()
		VMOVUPS(indexed(x, at, disp), half)
		VMULPS(constant(math.Sqrt2/2), half, z)
		VMULPS(constant(0.5), half, half)
		VMINPS(constant(4), z, z)
		VMAXPS(constant(-4), z, z)
		VMULPS(z, z, u)
		p := s.polynomial(u, erfP...)
		q := s.polynomial(u, erfQ...)
		VMULPS(z, p, p)
		VDIVPS(q, p, p)
		VFMADD213PS(half, half, p)
		VMOVUPS(p, indexed(x, at, disp))
	})
	end()
}

var (
	erfP = []float32{1.1283791065216064, 0.19354528188705444, 0.053101781755685806, 0.003883355762809515, 0.000284566602203995, 1.986785719054751e-06}
	erfQ = []float32{1, 0.50485759973526, 0.11535009741783142, 0.015207272954285145, 0.0011855748016387224, 3.742024637176655e-05}
)

// exp computes e^x for x of at most 0. Below -86 it returns e^-86, which is
// negligible next to the row's largest value, 1. With x = n*ln 2 + r, e^r comes
// from its series and n is added to the exponent bits.
func (s isa) exp(x VecVirtual) VecVirtual {
	n, low := s.vector(), s.vector()
	VMOVUPS(constant(-86), low)
	VMAXPS(x, low, x) // in this order a NaN stays a NaN
	VMULPS(constant(math.Log2E), x, n)
	if s.name == "AVX2" {
		VROUNDPS(Imm(0), n, n)
	} else {
		VRNDSCALEPS(Imm(0), n, n)
	}
	VFNMADD231PS(constant(0.693359375), n, x) // ln 2: first the part that multiplies exactly
	VFNMADD231PS(constant(-2.12194440e-4), n, x)
	p := s.polynomial(x, 1, 1, 1./2, 1./6, 1./24, 1./120, 1./720, 1./5040)
	VCVTPS2DQ(n, n)
	VPSLLD(Imm(23), n, n)
	VPADDD(n, p, p)
	return p
}

// softmax replaces n numbers, a multiple of 16, by the softmax of scale*x.
func (s isa) softmax() {
	s.begin("softmax", "func(x *float32, n int, scale float32)")
	x, n := load("x"), load("n")
	scale, most, sum := s.vector(), s.vector(), s.vector()
	VBROADCASTSS(NewParamAddr("scale", 16), scale)
	VBROADCASTSS(Mem{Base: x}, most)
	s.each(n, func(at Register, disp int) { VMAXPS(indexed(x, at, disp), most, most) })
	s.gather(most, func(a, b VecVirtual) { VMAXPS(a, b, b) })
	s.zero(sum)
	s.each(n, func(at Register, disp int) {
		v := s.vector()
		VMOVUPS(indexed(x, at, disp), v)
		VSUBPS(most, v, v)
		VMULPS(scale, v, v)
		p := s.exp(v)
		VADDPS(p, sum, sum)
		VMOVUPS(p, indexed(x, at, disp))
	})
	s.gather(sum, func(a, b VecVirtual) { VADDPS(a, b, b) })
	inverse := s.vector()
	VMOVUPS(constant(1), inverse)
	VDIVPS(sum, inverse, inverse)
	s.each(n, func(at Register, disp int) {
		v := s.vector()
		VMULPS(indexed(x, at, disp), inverse, v)
		VMOVUPS(v, indexed(x, at, disp))
	})
	end()
}

// norm adds to n numbers, a multiple of 16, and normalises the sums.
func (s isa) norm() {
	s.begin("norm", "func(x *float32, added *float32, scale *float32, shift *float32, n int, epsilon float32)")
	x, added, n := load("x"), load("added"), load("n")
	count, one := XMM(), XMM()
	VXORPS(count, count, count)
	VCVTSI2SSQ(n, count, count)
	VMOVSS(constant(1), one)
	VDIVSS(count, one, one)
	share, mean, spread := s.vector(), s.vector(), s.vector()
	VBROADCASTSS(one, share)
	s.zero(mean)
	s.each(n, func(at Register, disp int) {
		v := s.vector()
		VMOVUPS(indexed(x, at, disp), v)
		VADDPS(indexed(added, at, disp), v, v)
		VADDPS(v, mean, mean)
		VMOVUPS(v, indexed(x, at, disp))
	})
	s.gather(mean, func(a, b VecVirtual) { VADDPS(a, b, b) })
	VMULPS(share, mean, mean)
	s.zero(spread)
	s.each(n, func(at Register, disp int) {
		v := s.vector()
		VMOVUPS(indexed(x, at, disp), v)
		VSUBPS(mean, v, v)
		VFMADD231PS(v, v, spread)
	})
	s.gather(spread, func(a, b VecVirtual) { VADDPS(a, b, b) })
	VMULPS(share, spread, spread)
	epsilon, inverse := s.vector(), s.vector()
	VBROADCASTSS(NewParamAddr("epsilon", 40), epsilon)
	VADDPS(epsilon, spread, spread)
	VSQRTPS(spread, spread)
	VMOVUPS(constant(1), inverse)
	VDIVPS(spread, inverse, inverse)
	scale, shift := load("scale"), load("shift")
	s.each(n, func(at Register, disp int) {
		v, w := s.vector(), s.vector()
		VMOVUPS(indexed(x, at, disp), v)
		VSUBPS(mean, v, v)
		VMULPS(inverse, v, v)
		VMOVUPS(indexed(scale, at, disp), w)
		VFMADD213PS(indexed(shift, at, disp), w, v)
		VMOVUPS(v, indexed(x, at, disp))
	})
	end()
}

// add computes to = a + b for n numbers, a multiple of 16.
func (s isa) add() {
	s.begin("add", "func(to *float32, a *float32, b *float32, n int)")
	to, a, b, n := load("to"), load("a"), load("b"), load("n")
	s.each(n, func(at Register, disp int) {
		v := s.vector()
		VMOVUPS(indexed(a, at, disp), v)
		VADDPS(indexed(b, at, disp), v, v)
		VMOVUPS(v, indexed(to, at, disp))
	})
	end()
}

func (s isa) zero(v VecVirtual) {
	if s.name == "AVX2" {
		VXORPS(v, v, v)
	} else {
		VPXORD(v, v, v)
	}
}

// gather combines all lanes of a vector and writes the result to each of them.
func (s isa) gather(v VecVirtual, combine func(a, b VecVirtual)) {
	w := s.vector()
	if s.name == "AVX2" {
		VPERM2F128(Imm(1), v, v, w) // swaps the halves
		combine(w, v)
	} else {
		VSHUFF64X2(Imm(0x4E), v, v, w) // swaps the halves
		combine(w, v)
		VSHUFF64X2(Imm(0xB1), v, v, w) // swaps the quarters
		combine(w, v)
	}
	VPERMILPS(Imm(0x4E), v, w) // swaps the pairs
	combine(w, v)
	VPERMILPS(Imm(0xB1), v, w) // swaps neighbours
	combine(w, v)
}
