// 8-bit arithmetic for arm64 with the dot product of ARMv8.2, written by hand. It
// computes the same as asm/dot.go; only the codes are signed here: 128 less.

#include "textflag.h"

#define SDOT(d, n, m) WORD $(0x4E809400 | (m)<<16 | (n)<<5 | (d)) // four sums of four products
#define MLS(d, n, m) WORD $(0x6EA09400 | (m)<<16 | (n)<<5 | (d))  // d -= n*m
#define SCVTF(d, n) WORD $(0x4E21D800 | (n)<<5 | (d))
#define FADD(d, n, m) WORD $(0x4E20D400 | (m)<<16 | (n)<<5 | (d))
#define FMUL(d, n, m) WORD $(0x6E20DC00 | (m)<<16 | (n)<<5 | (d))
#define FMAX(d, n, m) WORD $(0x4E20F400 | (m)<<16 | (n)<<5 | (d))
#define FMIN(d, n, m) WORD $(0x4EA0F400 | (m)<<16 | (n)<<5 | (d))
#define FMAXP(d, n, m) WORD $(0x6E20F400 | (m)<<16 | (n)<<5 | (d))
#define FMINP(d, n, m) WORD $(0x6EA0F400 | (m)<<16 | (n)<<5 | (d))
#define FCVTNS(d, n) WORD $(0x4E21A800 | (n)<<5 | (d))  // to the nearest integer
#define SQXTN(d, n) WORD $(0x0E614800 | (n)<<5 | (d))   // to 16 bits, the lower half
#define SQXTN2(d, n) WORD $(0x4E614800 | (n)<<5 | (d))  // the upper half
#define SQXTUN(d, n) WORD $(0x2E212800 | (n)<<5 | (d))  // to bytes, the lower half
#define SQXTUN2(d, n) WORD $(0x6E212800 | (n)<<5 | (d)) // the upper half

// The tiles: 1 to 6 rows and a panel of 16 columns. The sums of row r are in V(4r)
// to V(4r+3). A step loads the panel's 64 bytes into V24 to V27 and four bytes of
// each row, in turn, into V28 to V31.
#define START \
	MOVD k+0(FP), R0        \
	MOVD a+8(FP), R1        \
	MOVD aStride+16(FP), R8 \
	MOVD b+24(FP), R7

#define CLEAR(c0, c1, c2, c3) \
	VEOR c0.B16, c0.B16, c0.B16 \
	VEOR c1.B16, c1.B16, c1.B16 \
	VEOR c2.B16, c2.B16, c2.B16 \
	VEOR c3.B16, c3.B16, c3.B16

#define WEIGHTS \
	VLD1.P 64(R7), [V24.B16, V25.B16, V26.B16, V27.B16]

#define STEP(a, x, number, c) \
	VLD1R.P 4(a), [x.S4]   \
	SDOT(c, 24, number)    \
	SDOT(c+1, 25, number)  \
	SDOT(c+2, 26, number)  \
	SDOT(c+3, 27, number)

#define STORE \
	MOVD c+32(FP), R9        \
	MOVD cStride+40(FP), R10 \
	MOVD scale+48(FP), R11   \
	MOVD zero+56(FP), R12    \
	MOVD columns+64(FP), R13 \
	MOVD width+72(FP), R14   \
	LSL  $2, R14             \
	ADD  R14, R13, R15       \
	ADD  R14, R15, R16

// TO writes (sums - zero*R15) * scale * R13 + R16 of one row.
#define TO(c, c0, c1, c2, c3) \
	VLD1    (R15), [V24.S4, V25.S4, V26.S4, V27.S4] \
	VLD1R.P 4(R12), [V28.S4]                        \
	VLD1R.P 4(R11), [V29.S4]                        \
	MLS(c, 24, 28)                                  \
	MLS(c+1, 25, 28)                                \
	MLS(c+2, 26, 28)                                \
	MLS(c+3, 27, 28)                                \
	SCVTF(c, c)                                     \
	SCVTF(c+1, c+1)                                 \
	SCVTF(c+2, c+2)                                 \
	SCVTF(c+3, c+3)                                 \
	VLD1    (R13), [V24.S4, V25.S4, V26.S4, V27.S4] \
	FMUL(c, c, 29)                                  \
	FMUL(c+1, c+1, 29)                              \
	FMUL(c+2, c+2, 29)                              \
	FMUL(c+3, c+3, 29)                              \
	FMUL(c, c, 24)                                  \
	FMUL(c+1, c+1, 25)                              \
	FMUL(c+2, c+2, 26)                              \
	FMUL(c+3, c+3, 27)                              \
	VLD1    (R16), [V24.S4, V25.S4, V26.S4, V27.S4] \
	FADD(c, c, 24)                                  \
	FADD(c+1, c+1, 25)                              \
	FADD(c+2, c+2, 26)                              \
	FADD(c+3, c+3, 27)                              \
	VST1    [c0.S4, c1.S4, c2.S4, c3.S4], (R9)      \
	ADD     R10, R9

// func dot1NEON(k int, a *uint8, aStride int, b *int8, c *float32, cStride int, scale *float32, zero *int32, columns *float32, width int)
TEXT ·dot1NEON(SB), NOSPLIT, $0-80
	START
	CLEAR(V0, V1, V2, V3)

loop:
	WEIGHTS
	STEP(R1, V28, 28, 0)
	SUBS $1, R0
	BNE  loop
	STORE
	TO(0, V0, V1, V2, V3)
	RET

// func dot2NEON(k int, a *uint8, aStride int, b *int8, c *float32, cStride int, scale *float32, zero *int32, columns *float32, width int)
TEXT ·dot2NEON(SB), NOSPLIT, $0-80
	START
	ADD  R8, R1, R2
	CLEAR(V0, V1, V2, V3)
	CLEAR(V4, V5, V6, V7)

loop:
	WEIGHTS
	STEP(R1, V28, 28, 0)
	STEP(R2, V29, 29, 4)
	SUBS $1, R0
	BNE  loop
	STORE
	TO(0, V0, V1, V2, V3)
	TO(4, V4, V5, V6, V7)
	RET

// func dot3NEON(k int, a *uint8, aStride int, b *int8, c *float32, cStride int, scale *float32, zero *int32, columns *float32, width int)
TEXT ·dot3NEON(SB), NOSPLIT, $0-80
	START
	ADD  R8, R1, R2
	ADD  R8, R2, R3
	CLEAR(V0, V1, V2, V3)
	CLEAR(V4, V5, V6, V7)
	CLEAR(V8, V9, V10, V11)

loop:
	WEIGHTS
	STEP(R1, V28, 28, 0)
	STEP(R2, V29, 29, 4)
	STEP(R3, V30, 30, 8)
	SUBS $1, R0
	BNE  loop
	STORE
	TO(0, V0, V1, V2, V3)
	TO(4, V4, V5, V6, V7)
	TO(8, V8, V9, V10, V11)
	RET

// func dot4NEON(k int, a *uint8, aStride int, b *int8, c *float32, cStride int, scale *float32, zero *int32, columns *float32, width int)
TEXT ·dot4NEON(SB), NOSPLIT, $0-80
	START
	ADD  R8, R1, R2
	ADD  R8, R2, R3
	ADD  R8, R3, R4
	CLEAR(V0, V1, V2, V3)
	CLEAR(V4, V5, V6, V7)
	CLEAR(V8, V9, V10, V11)
	CLEAR(V12, V13, V14, V15)

loop:
	WEIGHTS
	STEP(R1, V28, 28, 0)
	STEP(R2, V29, 29, 4)
	STEP(R3, V30, 30, 8)
	STEP(R4, V31, 31, 12)
	SUBS $1, R0
	BNE  loop
	STORE
	TO(0, V0, V1, V2, V3)
	TO(4, V4, V5, V6, V7)
	TO(8, V8, V9, V10, V11)
	TO(12, V12, V13, V14, V15)
	RET

// func dot5NEON(k int, a *uint8, aStride int, b *int8, c *float32, cStride int, scale *float32, zero *int32, columns *float32, width int)
TEXT ·dot5NEON(SB), NOSPLIT, $0-80
	START
	ADD  R8, R1, R2
	ADD  R8, R2, R3
	ADD  R8, R3, R4
	ADD  R8, R4, R5
	CLEAR(V0, V1, V2, V3)
	CLEAR(V4, V5, V6, V7)
	CLEAR(V8, V9, V10, V11)
	CLEAR(V12, V13, V14, V15)
	CLEAR(V16, V17, V18, V19)

loop:
	WEIGHTS
	STEP(R1, V28, 28, 0)
	STEP(R2, V29, 29, 4)
	STEP(R3, V30, 30, 8)
	STEP(R4, V31, 31, 12)
	STEP(R5, V28, 28, 16)
	SUBS $1, R0
	BNE  loop
	STORE
	TO(0, V0, V1, V2, V3)
	TO(4, V4, V5, V6, V7)
	TO(8, V8, V9, V10, V11)
	TO(12, V12, V13, V14, V15)
	TO(16, V16, V17, V18, V19)
	RET

// func dot6NEON(k int, a *uint8, aStride int, b *int8, c *float32, cStride int, scale *float32, zero *int32, columns *float32, width int)
TEXT ·dot6NEON(SB), NOSPLIT, $0-80
	START
	ADD  R8, R1, R2
	ADD  R8, R2, R3
	ADD  R8, R3, R4
	ADD  R8, R4, R5
	ADD  R8, R5, R6
	CLEAR(V0, V1, V2, V3)
	CLEAR(V4, V5, V6, V7)
	CLEAR(V8, V9, V10, V11)
	CLEAR(V12, V13, V14, V15)
	CLEAR(V16, V17, V18, V19)
	CLEAR(V20, V21, V22, V23)

loop:
	WEIGHTS
	STEP(R1, V28, 28, 0)
	STEP(R2, V29, 29, 4)
	STEP(R3, V30, 30, 8)
	STEP(R4, V31, 31, 12)
	STEP(R5, V28, 28, 16)
	STEP(R6, V29, 29, 20)
	SUBS $1, R0
	BNE  loop
	STORE
	TO(0, V0, V1, V2, V3)
	TO(4, V4, V5, V6, V7)
	TO(8, V8, V9, V10, V11)
	TO(12, V12, V13, V14, V15)
	TO(16, V16, V17, V18, V19)
	TO(20, V20, V21, V22, V23)
	RET

// func boundsNEON(x *float32, n int) (low, high float32)
TEXT ·boundsNEON(SB), NOSPLIT, $0-24
	MOVD x+0(FP), R0
	MOVD n+8(FP), R1
	VEOR V5.B16, V5.B16, V5.B16
	VEOR V6.B16, V6.B16, V6.B16

loop:
	VLD1.P 64(R0), [V0.S4, V1.S4, V2.S4, V3.S4]
	FMIN(5, 5, 0)
	FMAX(6, 6, 0)
	FMIN(5, 5, 1)
	FMAX(6, 6, 1)
	FMIN(5, 5, 2)
	FMAX(6, 6, 2)
	FMIN(5, 5, 3)
	FMAX(6, 6, 3)
	SUBS $16, R1
	BNE  loop
	FMINP(5, 5, 5)
	FMINP(5, 5, 5)
	FMAXP(6, 6, 6)
	FMAXP(6, 6, 6)
	FMOVS F5, low+16(FP)
	FMOVS F6, high+20(FP)
	RET

// func codesNEON(to *uint8, x *float32, n int, inverse float32, zero int32)
TEXT ·codesNEON(SB), NOSPLIT, $0-32
	MOVD  to+0(FP), R0
	MOVD  x+8(FP), R1
	MOVD  n+16(FP), R2
	FMOVS inverse+24(FP), F4
	VDUP  V4.S[0], V4.S4
	MOVW  zero+28(FP), R3
	VDUP  R3, V5.S4
	MOVD  $0x80, R3
	VDUP  R3, V6.B16

loop:
	VLD1.P 64(R1), [V0.S4, V1.S4, V2.S4, V3.S4]
	FMUL(0, 0, 4)
	FMUL(1, 1, 4)
	FMUL(2, 2, 4)
	FMUL(3, 3, 4)
	FCVTNS(0, 0)
	FCVTNS(1, 1)
	FCVTNS(2, 2)
	FCVTNS(3, 3)
	VADD V5.S4, V0.S4, V0.S4
	VADD V5.S4, V1.S4, V1.S4
	VADD V5.S4, V2.S4, V2.S4
	VADD V5.S4, V3.S4, V3.S4
	SQXTN(7, 0)
	SQXTN2(7, 1)
	SQXTN(8, 2)
	SQXTN2(8, 3)
	SQXTUN(9, 7)
	SQXTUN2(9, 8)
	VEOR   V6.B16, V9.B16, V9.B16
	VST1.P [V9.B16], 16(R0)
	SUBS $16, R2
	BNE  loop
	RET
