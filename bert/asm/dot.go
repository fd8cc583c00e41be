package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// A dotISA is an instruction set that multiplies bytes. A step multiplies four
// unsigned bytes of a row with four signed bytes of each column and adds the four
// products to the column's 32-bit sum.
type dotISA struct {
	isa
	// dot adds x*w to sum. All sums are exact, so all sets compute the same.
	dot func(s isa, w, x, sum Register)
	// physical is set where Go's assembler does not know the instruction: it is
	// then written as bytes, which need registers with known numbers.
	physical bool
}

var dotSets = []dotISA{
	{isa{"AVX512VNNI", 64, 12, ZMM}, vnni, false},
	{isa{"AVX512", 64, 12, ZMM}, threeSteps, false},
	{isa{"AVXVNNI", 32, 6, YMM}, vexVNNI, true},
	{isa{"AVX2", 32, 6, YMM}, threeSteps, false},
}

func dots() {
	for _, s := range dotSets {
		for n := 1; n <= s.rows; n++ {
			s.tile(n)
		}
	}
	for _, s := range sets {
		s.bounds()
		s.codes()
	}
}

func vnni(_ isa, w, x, sum Register) {
	Instruction(&ir.Instruction{
		Opcode: "VPDPBUSD", Operands: []Op{w, x, sum}, Inputs: []Op{w, x, sum}, Outputs: []Op{sum}, ISA: []string{"AVX512VNNI"},
	})
}

// vexVNNI is the same instruction in the encoding of AVX-VNNI: VEX.256.66.0F38.W0 50.
func vexVNNI(_ isa, w, x, sum Register) {
	number := func(r Register) int { return int(r.(Physical).PhysicalIndex()) }
	high := func(r Register) int { return 1 - number(r)>>3 }
	first := 0xC4 | (high(sum)<<7|1<<6|high(w)<<5|2)<<8 | ((15-number(x))<<3|1<<2|1)<<16 | 0x50<<24
	Instruction(&ir.Instruction{Opcode: "LONG", Operands: []Op{U32(first)}})
	Instruction(&ir.Instruction{Opcode: "BYTE", Operands: []Op{U8(0xC0 | number(sum)&7<<3 | number(w)&7)}})
}

// threeSteps does the same in three instructions. The first adds two products in 16
// bits; that is exact because weights are at most 64 in size: 2*255*64 < 2^15.
func threeSteps(s isa, w, x, sum Register) {
	t := s.vector()
	VPMADDUBSW(w, x, t)
	VPMADDWD(words(), t, t)
	VPADDD(t, sum, sum)
}

var ones Mem

// words returns a vector of 16-bit ones.
func words() Mem {
	if ones.Symbol.Name == "" {
		ones = GLOBL("ones16", 24) // RODATA|NOPTR
		for i := range 16 {
			DATA(4*i, U32(0x00010001))
		}
	}
	return ones
}

// registers returns vectors: virtual ones, or Y0, Y1 ...
func (s dotISA) registers() func() Register {
	if !s.physical {
		return func() Register { return s.vector() }
	}
	next := 0
	return func() Register {
		next++
		return []Register{Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11, Y12, Y13, Y14, Y15}[next-1]
	}
}

// tile computes c = (a*b - zero*sums) * scale * scales + bias for n rows and one
// panel, two vectors wide. scale and zero belong to a row; scales, sums and bias to
// the columns. The products are integers up to there. The f32 operations are not
// fused, so that every path, and plain Go, computes the same bits.
func (s dotISA) tile(n int) {
	s.begin(fmt.Sprintf("dot%d", n),
		"func(k int, a *uint8, aStride int, b *int8, c *float32, cStride int, scale *float32, zero *int32, columns *float32, width int)")
	vector := s.registers()
	sums := make([][2]Register, n)
	for r := range sums {
		for v := range sums[r] {
			sums[r][v] = vector()
			s.clear(sums[r][v])
		}
	}
	w, x := [2]Register{vector(), vector()}, vector()

	stride := load("aStride")
	rows := []Register{load("a")}
	for r := 3; r < n; r += 3 {
		next := GP64()
		LEAQ(Mem{Base: rows[len(rows)-1], Index: stride, Scale: 2}, next)
		ADDQ(stride, next)
		rows = append(rows, next)
	}
	b, k := load("b"), load("k")
	step := func(i int) {
		for v := range w {
			VMOVUPS(Mem{Base: b, Disp: (2*i + v) * s.bytes}, w[v])
		}
		for r := range sums {
			at := Mem{Base: rows[r/3], Disp: 4 * i}
			if r%3 > 0 {
				at.Index, at.Scale = stride, uint8(r%3)
			}
			VPBROADCASTD(at, x)
			for v := range w {
				s.dot(s.isa, w[v], x, sums[r][v])
			}
		}
	}
	s.steps(k, 2, step, rows, b)
	s.steps(k, 1, step, rows, b)
	s.scale(sums, w[0], x)
	end()
}

// scale turns the sums into numbers and stores them. The columns' scales, sums and
// biases lie `width` numbers apart.
func (s dotISA) scale(sums [][2]Register, t, u Register) {
	c, cStride, scale, zero := load("c"), load("cStride"), load("scale"), load("zero")
	columns, width := load("columns"), load("width")
	SHLQ(Imm(2), width)
	for r := range sums {
		for v, sum := range sums[r] {
			at := func(i uint8) Mem {
				m := Mem{Base: columns, Disp: v * s.bytes}
				if i > 0 {
					m.Index, m.Scale = width, i
				}
				return m
			}
			VPBROADCASTD(Mem{Base: zero, Disp: 4 * r}, t)
			VPMULLD(at(1), t, t)
			VPSUBD(t, sum, sum)
			VCVTDQ2PS(sum, sum)
			VBROADCASTSS(Mem{Base: scale, Disp: 4 * r}, u)
			VMULPS(u, sum, sum)
			VMULPS(at(0), sum, sum)
			VADDPS(at(2), sum, sum)
			VMOVUPS(sum, Mem{Base: c, Disp: v * s.bytes})
		}
		ADDQ(cStride, c)
	}
}

func (s isa) clear(v Register) {
	if s.bytes == 32 {
		VPXOR(v, v, v)
	} else {
		VPXORD(v, v, v)
	}
}

// bounds finds the smallest and the largest of n numbers, a multiple of 16, and 0.
func (s isa) bounds() {
	s.begin("bounds", "func(x *float32, n int) (low float32, high float32)")
	x, n := load("x"), load("n")
	low, high := s.vector(), s.vector()
	s.zero(low)
	s.zero(high)
	s.each(n, func(at Register, disp int) {
		v := s.vector()
		VMOVUPS(indexed(x, at, disp), v)
		VMINPS(v, low, low)
		VMAXPS(v, high, high)
	})
	s.gather(low, func(a, b VecVirtual) { VMINPS(a, b, b) })
	s.gather(high, func(a, b VecVirtual) { VMAXPS(a, b, b) })
	Store(low.AsX(), Return("low"))
	Store(high.AsX(), Return("high"))
	end()
}

// codes writes n numbers, a multiple of 16, as bytes: round(x*inverse) + zero.
func (s isa) codes() {
	s.begin("codes", "func(to *uint8, x *float32, n int, inverse float32, zero int32)")
	to, x, n := load("to"), load("x"), load("n")
	inverse, zero := s.vector(), s.vector()
	VBROADCASTSS(NewParamAddr("inverse", 24), inverse)
	VBROADCASTSS(NewParamAddr("zero", 28), zero) // vet does not know VPBROADCASTD
	loops++
	again := fmt.Sprintf("loop%d", loops)
	Label(again)
	var parts []VecVirtual
	for disp := 0; disp < 64; disp += s.bytes {
		v := s.vector()
		VMULPS(Mem{Base: x, Disp: disp}, inverse, v)
		VCVTPS2DQ(v, v)
		VPADDD(zero, v, v)
		parts = append(parts, v)
	}
	if s.name == "AVX2" {
		VPACKSSDW(parts[1], parts[0], parts[0])
		VPERMQ(Imm(0xD8), parts[0], parts[0])
		high := XMM()
		VEXTRACTI128(Imm(1), parts[0], high)
		VPACKUSWB(high, parts[0].AsX(), high)
		VMOVDQU(high, Mem{Base: to})
	} else {
		none := s.vector()
		s.zero(none)
		VPMAXSD(none, parts[0], parts[0])
		VPMOVUSDB(parts[0], Mem{Base: to})
	}
	ADDQ(U8(64), x)
	ADDQ(U8(16), to)
	SUBQ(U8(16), n)
	JG(LabelRef(again))
	end()
}
