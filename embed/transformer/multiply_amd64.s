#include "textflag.h"

// The sums of a row are in two registers, and the panel's part of a step is in Y8 and Y9.

#define CLEAR \
	VPXOR Y0, Y0, Y0; VPXOR Y1, Y1, Y1; VPXOR Y2, Y2, Y2; VPXOR Y3, Y3, Y3; \
	VPXOR Y4, Y4, Y4; VPXOR Y5, Y5, Y5; VPXOR Y6, Y6, Y6; VPXOR Y7, Y7, Y7

// STEP adds the products of a row's number with the panel.
#define STEP(number, left, right) \
	VBROADCASTSS number, Y10; \
	VFMADD231PS  Y8, Y10, left; \
	VFMADD231PS  Y9, Y10, right

// ADD adds registers to the sums of a row.
#define ADD(sums, left, right) \
	VADDPS  (sums), left, left; \
	VADDPS  32(sums), right, right; \
	VMOVUPS left, (sums); \
	VMOVUPS right, 32(sums)

// func multiplyAVX2(sums *float32, sumStride int, tile, panel *float32, stride, steps int)
TEXT ·multiplyAVX2(SB), NOSPLIT, $0-48
	MOVQ sums+0(FP), DI
	MOVQ sumStride+8(FP), R8
	MOVQ tile+16(FP), SI
	MOVQ panel+24(FP), DX
	MOVQ stride+32(FP), R9
	MOVQ steps+40(FP), CX
	SHLQ $2, R8
	SHLQ $2, R9
	CLEAR

step:
	VMOVUPS (DX), Y8
	VMOVUPS 32(DX), Y9
	STEP(0(SI), Y0, Y1)
	STEP(4(SI), Y2, Y3)
	STEP(8(SI), Y4, Y5)
	STEP(12(SI), Y6, Y7)
	ADDQ R9, DX
	ADDQ $16, SI
	DECQ CX
	JNZ  step

	ADD(DI, Y0, Y1)
	ADDQ R8, DI
	ADD(DI, Y2, Y3)
	ADDQ R8, DI
	ADD(DI, Y4, Y5)
	ADDQ R8, DI
	ADD(DI, Y6, Y7)
	VZEROUPPER
	RET

// PAIR adds the products of a row's pair with the pairs of the panel.
#define PAIR(pair, left, right) \
	VPBROADCASTD pair, Y10; \
	VPMADDWD     Y8, Y10, Y11; \
	VPMADDWD     Y9, Y10, Y12; \
	VPADDD       Y11, left, left; \
	VPADDD       Y12, right, right

// PAIRS does so for the pairs of all rows.
#define PAIRS(at, panelAt) \
	VPMOVSXBW panelAt(DX), Y8; \
	VPMOVSXBW (panelAt+16)(DX), Y9; \
	PAIR(at(SI), Y0, Y1); \
	PAIR((at+4)(SI), Y2, Y3); \
	PAIR((at+8)(SI), Y4, Y5); \
	PAIR((at+12)(SI), Y6, Y7)

// SCALE adds the sums of a group to those of a row. Y8 and Y9 have the scales of the panel.
#define SCALE(scale, sums, left, right) \
	VBROADCASTSS scale, Y10; \
	VMULPS       Y8, Y10, Y11; \
	VMULPS       Y9, Y10, Y12; \
	VCVTDQ2PS    left, left; \
	VCVTDQ2PS    right, right; \
	VFMADD213PS  (sums), Y11, left; \
	VFMADD213PS  32(sums), Y12, right; \
	VMOVUPS      left, (sums); \
	VMOVUPS      right, 32(sums)

// func multiplyGroupsAVX2(sums *float32, stride int, tile *tileGroup, panel *panelGroup, groups int)
TEXT ·multiplyGroupsAVX2(SB), NOSPLIT, $0-40
	MOVQ sums+0(FP), DI
	MOVQ stride+8(FP), R8
	MOVQ tile+16(FP), SI
	MOVQ panel+24(FP), DX
	MOVQ groups+32(FP), CX
	SHLQ $2, R8
	LEAQ (DI)(R8*1), R9
	LEAQ (DI)(R8*2), R10
	LEAQ (R9)(R8*2), R11

group:
	CLEAR
	PAIRS(0, 0)
	PAIRS(16, 32)
	PAIRS(32, 64)
	PAIRS(48, 96)
	PAIRS(64, 128)
	PAIRS(80, 160)
	PAIRS(96, 192)
	PAIRS(112, 224)
	VMOVUPS 256(DX), Y8
	VMOVUPS 288(DX), Y9
	SCALE(128(SI), DI, Y0, Y1)
	SCALE(132(SI), R9, Y2, Y3)
	SCALE(136(SI), R10, Y4, Y5)
	SCALE(140(SI), R11, Y6, Y7)
	ADDQ $144, SI
	ADDQ $320, DX
	DECQ CX
	JNZ  group
	VZEROUPPER
	RET
