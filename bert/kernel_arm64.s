// The inner loops of package bert for arm64, written by hand. They do the same
// steps as those that asm/main.go generates for amd64; see there for the formulas.

#include "textflag.h"

// Vector instructions that Go's assembler does not know: d = n op m, four lanes.
#define FADD(d, n, m) WORD $(0x4E20D400 | (m)<<16 | (n)<<5 | (d))
#define FSUB(d, n, m) WORD $(0x4EA0D400 | (m)<<16 | (n)<<5 | (d))
#define FMUL(d, n, m) WORD $(0x6E20DC00 | (m)<<16 | (n)<<5 | (d))
#define FDIV(d, n, m) WORD $(0x6E20FC00 | (m)<<16 | (n)<<5 | (d))
#define FMAX(d, n, m) WORD $(0x4E20F400 | (m)<<16 | (n)<<5 | (d))
#define FMIN(d, n, m) WORD $(0x4EA0F400 | (m)<<16 | (n)<<5 | (d))
#define FADDP(d, n, m) WORD $(0x6E20D400 | (m)<<16 | (n)<<5 | (d)) // adds neighbours
#define FMAXP(d, n, m) WORD $(0x6E20F400 | (m)<<16 | (n)<<5 | (d))
#define FSQRT(d, n) WORD $(0x6EA1F800 | (n)<<5 | (d))
#define FRINTN(d, n) WORD $(0x4E218800 | (n)<<5 | (d)) // to the nearest whole number
#define FCVTNS(d, n) WORD $(0x4E21A800 | (n)<<5 | (d)) // the same, to an integer

// The tiles: c = from + a*b for 1 to 6 rows and a panel of 16 columns. The sums
// of row r are in V(4r) to V(4r+3). A step loads the panel's 16 weights into V24
// to V27 and one number of each row, in turn, into V28 to V31.
#define START \
	MOVD k+0(FP), R0           \
	MOVD a+8(FP), R1           \
	MOVD aStride+16(FP), R8    \
	MOVD b+24(FP), R7          \
	MOVD from+48(FP), R9       \
	MOVD fromStride+56(FP), R10

#define FROM(c0, c1, c2, c3) \
	VLD1 (R9), [c0.S4, c1.S4, c2.S4, c3.S4] \
	ADD  R10, R9

#define WEIGHTS \
	VLD1.P 64(R7), [V24.S4, V25.S4, V26.S4, V27.S4]

#define STEP(a, x, c0, c1, c2, c3) \
	VLD1R.P 4(a), [x.S4]          \
	VFMLA   x.S4, V24.S4, c0.S4   \
	VFMLA   x.S4, V25.S4, c1.S4   \
	VFMLA   x.S4, V26.S4, c2.S4   \
	VFMLA   x.S4, V27.S4, c3.S4

#define STORE \
	MOVD c+32(FP), R9         \
	MOVD cStride+40(FP), R10

#define TO(c0, c1, c2, c3) \
	VST1 [c0.S4, c1.S4, c2.S4, c3.S4], (R9) \
	ADD  R10, R9

// func tile1NEON(k int, a *float32, aStride int, b, c *float32, cStride int, from *float32, fromStride int, ahead *float32)
TEXT ·tile1NEON(SB), NOSPLIT, $0-72
	START
	FROM(V0, V1, V2, V3)

loop:
	WEIGHTS
	STEP(R1, V28, V0, V1, V2, V3)
	SUBS $1, R0
	BNE  loop
	STORE
	TO(V0, V1, V2, V3)
	RET

// func tile2NEON(k int, a *float32, aStride int, b, c *float32, cStride int, from *float32, fromStride int, ahead *float32)
TEXT ·tile2NEON(SB), NOSPLIT, $0-72
	START
	ADD  R8, R1, R2
	FROM(V0, V1, V2, V3)
	FROM(V4, V5, V6, V7)

loop:
	WEIGHTS
	STEP(R1, V28, V0, V1, V2, V3)
	STEP(R2, V29, V4, V5, V6, V7)
	SUBS $1, R0
	BNE  loop
	STORE
	TO(V0, V1, V2, V3)
	TO(V4, V5, V6, V7)
	RET

// func tile3NEON(k int, a *float32, aStride int, b, c *float32, cStride int, from *float32, fromStride int, ahead *float32)
TEXT ·tile3NEON(SB), NOSPLIT, $0-72
	START
	ADD  R8, R1, R2
	ADD  R8, R2, R3
	FROM(V0, V1, V2, V3)
	FROM(V4, V5, V6, V7)
	FROM(V8, V9, V10, V11)

loop:
	WEIGHTS
	STEP(R1, V28, V0, V1, V2, V3)
	STEP(R2, V29, V4, V5, V6, V7)
	STEP(R3, V30, V8, V9, V10, V11)
	SUBS $1, R0
	BNE  loop
	STORE
	TO(V0, V1, V2, V3)
	TO(V4, V5, V6, V7)
	TO(V8, V9, V10, V11)
	RET

// func tile4NEON(k int, a *float32, aStride int, b, c *float32, cStride int, from *float32, fromStride int, ahead *float32)
TEXT ·tile4NEON(SB), NOSPLIT, $0-72
	START
	ADD  R8, R1, R2
	ADD  R8, R2, R3
	ADD  R8, R3, R4
	FROM(V0, V1, V2, V3)
	FROM(V4, V5, V6, V7)
	FROM(V8, V9, V10, V11)
	FROM(V12, V13, V14, V15)

loop:
	WEIGHTS
	STEP(R1, V28, V0, V1, V2, V3)
	STEP(R2, V29, V4, V5, V6, V7)
	STEP(R3, V30, V8, V9, V10, V11)
	STEP(R4, V31, V12, V13, V14, V15)
	SUBS $1, R0
	BNE  loop
	STORE
	TO(V0, V1, V2, V3)
	TO(V4, V5, V6, V7)
	TO(V8, V9, V10, V11)
	TO(V12, V13, V14, V15)
	RET

// func tile5NEON(k int, a *float32, aStride int, b, c *float32, cStride int, from *float32, fromStride int, ahead *float32)
TEXT ·tile5NEON(SB), NOSPLIT, $0-72
	START
	ADD  R8, R1, R2
	ADD  R8, R2, R3
	ADD  R8, R3, R4
	ADD  R8, R4, R5
	FROM(V0, V1, V2, V3)
	FROM(V4, V5, V6, V7)
	FROM(V8, V9, V10, V11)
	FROM(V12, V13, V14, V15)
	FROM(V16, V17, V18, V19)

loop:
	WEIGHTS
	STEP(R1, V28, V0, V1, V2, V3)
	STEP(R2, V29, V4, V5, V6, V7)
	STEP(R3, V30, V8, V9, V10, V11)
	STEP(R4, V31, V12, V13, V14, V15)
	STEP(R5, V28, V16, V17, V18, V19)
	SUBS $1, R0
	BNE  loop
	STORE
	TO(V0, V1, V2, V3)
	TO(V4, V5, V6, V7)
	TO(V8, V9, V10, V11)
	TO(V12, V13, V14, V15)
	TO(V16, V17, V18, V19)
	RET

// func tile6NEON(k int, a *float32, aStride int, b, c *float32, cStride int, from *float32, fromStride int, ahead *float32)
TEXT ·tile6NEON(SB), NOSPLIT, $0-72
	START
	ADD  R8, R1, R2
	ADD  R8, R2, R3
	ADD  R8, R3, R4
	ADD  R8, R4, R5
	ADD  R8, R5, R6
	FROM(V0, V1, V2, V3)
	FROM(V4, V5, V6, V7)
	FROM(V8, V9, V10, V11)
	FROM(V12, V13, V14, V15)
	FROM(V16, V17, V18, V19)
	FROM(V20, V21, V22, V23)

loop:
	WEIGHTS
	STEP(R1, V28, V0, V1, V2, V3)
	STEP(R2, V29, V4, V5, V6, V7)
	STEP(R3, V30, V8, V9, V10, V11)
	STEP(R4, V31, V12, V13, V14, V15)
	STEP(R5, V28, V16, V17, V18, V19)
	STEP(R6, V29, V20, V21, V22, V23)
	SUBS $1, R0
	BNE  loop
	STORE
	TO(V0, V1, V2, V3)
	TO(V4, V5, V6, V7)
	TO(V8, V9, V10, V11)
	TO(V12, V13, V14, V15)
	TO(V16, V17, V18, V19)
	TO(V20, V21, V22, V23)
	RET

DATA gelu<>+0(SB)/4, $0x3f3504f3 // 1/sqrt 2
DATA gelu<>+4(SB)/4, $0x3f000000 // 1/2
DATA gelu<>+8(SB)/4, $0x40800000 // 4
DATA gelu<>+12(SB)/4, $0xc0800000 // -4
DATA gelu<>+16(SB)/4, $0x3f906eba // P0
DATA gelu<>+20(SB)/4, $0x3e4630bc // P1
DATA gelu<>+24(SB)/4, $0x3d598141 // P2
DATA gelu<>+28(SB)/4, $0x3b7e7fe6 // P3
DATA gelu<>+32(SB)/4, $0x399531e2 // P4
DATA gelu<>+36(SB)/4, $0x360554b8 // P5
DATA gelu<>+40(SB)/4, $0x3f800000 // Q0
DATA gelu<>+44(SB)/4, $0x3f013e59 // Q1
DATA gelu<>+48(SB)/4, $0x3dec3cac // Q2
DATA gelu<>+52(SB)/4, $0x3c7927ed // Q3
DATA gelu<>+56(SB)/4, $0x3a9b654a // Q4
DATA gelu<>+60(SB)/4, $0x381cf3af // Q5
GLOBL gelu<>(SB), RODATA|NOPTR, $64

// HORNER is p = q*x + c.
#define HORNER(p, q, x, c) \
	VMOV  c.B16, p.B16           \
	VFMLA x.S4, q.S4, p.S4

// func geluNEON(x *float32, n int)
TEXT ·geluNEON(SB), NOSPLIT, $0-16
	MOVD x+0(FP), R0
	MOVD n+8(FP), R1
	MOVD $gelu<>(SB), R2
	VLD1R.P 4(R2), [V16.S4]
	VLD1R.P 4(R2), [V17.S4]
	VLD1R.P 4(R2), [V18.S4]
	VLD1R.P 4(R2), [V19.S4]
	VLD1R.P 4(R2), [V20.S4]
	VLD1R.P 4(R2), [V21.S4]
	VLD1R.P 4(R2), [V22.S4]
	VLD1R.P 4(R2), [V23.S4]
	VLD1R.P 4(R2), [V24.S4]
	VLD1R.P 4(R2), [V25.S4]
	VLD1R.P 4(R2), [V26.S4]
	VLD1R.P 4(R2), [V27.S4]
	VLD1R.P 4(R2), [V28.S4]
	VLD1R.P 4(R2), [V29.S4]
	VLD1R.P 4(R2), [V30.S4]
	VLD1R.P 4(R2), [V31.S4]

loop:
	VLD1 (R0), [V0.S4]
	FMUL(1, 0, 16) // z
	FMUL(0, 0, 17) // x/2
	FMIN(1, 1, 18)
	FMAX(1, 1, 19)
	FMUL(2, 1, 1)  // z*z
	HORNER(V3, V25, V2, V24)
	HORNER(V4, V31, V2, V30)
	HORNER(V5, V3, V2, V23)
	HORNER(V6, V4, V2, V29)
	HORNER(V3, V5, V2, V22)
	HORNER(V4, V6, V2, V28)
	HORNER(V5, V3, V2, V21)
	HORNER(V6, V4, V2, V27)
	HORNER(V3, V5, V2, V20)
	HORNER(V4, V6, V2, V26)
	FMUL(3, 3, 1)
	FDIV(3, 3, 4) // erf
	VFMLA  V0.S4, V3.S4, V0.S4
	VST1.P [V0.S4], 16(R0)
	SUBS $4, R1
	BNE  loop
	RET

DATA exp<>+0(SB)/4, $0xc2ac0000 // the smallest input
DATA exp<>+4(SB)/4, $0x3fb8aa3b // 1/ln 2
DATA exp<>+8(SB)/4, $0x3f318000 // ln 2, the part that multiplies exactly
DATA exp<>+12(SB)/4, $0xb95e8083 // the remaining part
DATA exp<>+16(SB)/4, $0x3f800000 // 1/0!
DATA exp<>+20(SB)/4, $0x3f800000 // 1/1!
DATA exp<>+24(SB)/4, $0x3f000000 // 1/2!
DATA exp<>+28(SB)/4, $0x3e2aaaab // 1/3!
DATA exp<>+32(SB)/4, $0x3d2aaaab // 1/4!
DATA exp<>+36(SB)/4, $0x3c088889 // 1/5!
DATA exp<>+40(SB)/4, $0x3ab60b61 // 1/6!
DATA exp<>+44(SB)/4, $0x39500d01 // 1/7!
GLOBL exp<>(SB), RODATA|NOPTR, $48

// func softmaxNEON(x *float32, n int, scale float32)
TEXT ·softmaxNEON(SB), NOSPLIT, $0-20
	MOVD  x+0(FP), R0
	MOVD  n+8(FP), R1
	FMOVS scale+16(FP), F7
	VDUP  V7.S[0], V7.S4
	MOVD  $exp<>(SB), R2
	VLD1R.P 4(R2), [V16.S4]
	VLD1R.P 4(R2), [V17.S4]
	VLD1R.P 4(R2), [V18.S4]
	VLD1R.P 4(R2), [V19.S4]
	VLD1R.P 4(R2), [V20.S4]
	VLD1R.P 4(R2), [V21.S4]
	VLD1R.P 4(R2), [V22.S4]
	VLD1R.P 4(R2), [V23.S4]
	VLD1R.P 4(R2), [V24.S4]
	VLD1R.P 4(R2), [V25.S4]
	VLD1R.P 4(R2), [V26.S4]
	VLD1R.P 4(R2), [V27.S4]

	MOVD  R0, R3
	MOVD  R1, R4
	VLD1R (R0), [V6.S4]

most:
	VLD1.P 16(R3), [V0.S4]
	FMAX(6, 6, 0)
	SUBS $4, R4
	BNE  most
	FMAXP(6, 6, 6)
	FMAXP(6, 6, 6)

	MOVD R0, R3
	MOVD R1, R4
	VEOR V5.B16, V5.B16, V5.B16 // the sum

power:
	VLD1 (R3), [V0.S4]
	FSUB(0, 0, 6)
	FMUL(0, 0, 7)
	FMAX(0, 0, 16)
	FMUL(1, 0, 17)
	FRINTN(1, 1)
	VFMLS V18.S4, V1.S4, V0.S4
	VFMLS V19.S4, V1.S4, V0.S4
	HORNER(V2, V27, V0, V26)
	HORNER(V3, V2, V0, V25)
	HORNER(V2, V3, V0, V24)
	HORNER(V3, V2, V0, V23)
	HORNER(V2, V3, V0, V22)
	HORNER(V3, V2, V0, V21)
	HORNER(V2, V3, V0, V20)
	FCVTNS(1, 1)
	VSHL $23, V1.S4, V1.S4
	VADD V1.S4, V2.S4, V2.S4
	FADD(5, 5, 2)
	VST1.P [V2.S4], 16(R3)
	SUBS $4, R4
	BNE  power
	FADDP(5, 5, 5)
	FADDP(5, 5, 5)
	FDIV(5, 20, 5) // V20 is 1

scale:
	VLD1 (R0), [V0.S4]
	FMUL(0, 0, 5)
	VST1.P [V0.S4], 16(R0)
	SUBS $4, R1
	BNE  scale
	RET

// func normNEON(x, added, scale, shift *float32, n int, epsilon float32)
TEXT ·normNEON(SB), NOSPLIT, $0-44
	MOVD  x+0(FP), R0
	MOVD  added+8(FP), R1
	MOVD  n+32(FP), R4
	SCVTFS R4, F7
	VDUP  V7.S[0], V7.S4        // n
	FMOVS epsilon+40(FP), F8
	VDUP  V8.S[0], V8.S4
	MOVD  R0, R5
	MOVD  R4, R6
	VEOR  V5.B16, V5.B16, V5.B16

mean:
	VLD1   (R5), [V0.S4]
	VLD1.P 16(R1), [V1.S4]
	FADD(0, 0, 1)
	FADD(5, 5, 0)
	VST1.P [V0.S4], 16(R5)
	SUBS $4, R6
	BNE  mean
	FADDP(5, 5, 5)
	FADDP(5, 5, 5)
	FDIV(5, 5, 7)

	MOVD R0, R5
	MOVD R4, R6
	VEOR V6.B16, V6.B16, V6.B16

spread:
	VLD1.P 16(R5), [V0.S4]
	FSUB(0, 0, 5)
	VFMLA V0.S4, V0.S4, V6.S4
	SUBS $4, R6
	BNE  spread
	FADDP(6, 6, 6)
	FADDP(6, 6, 6)
	FDIV(6, 6, 7)
	FADD(6, 6, 8)
	FSQRT(6, 6)

	MOVD scale+16(FP), R2
	MOVD shift+24(FP), R3

write:
	VLD1   (R0), [V0.S4]
	VLD1.P 16(R2), [V1.S4]
	VLD1.P 16(R3), [V2.S4]
	FSUB(0, 0, 5)
	FDIV(0, 0, 6)
	VFMLA  V0.S4, V1.S4, V2.S4
	VST1.P [V2.S4], 16(R0)
	SUBS $4, R4
	BNE  write
	RET
