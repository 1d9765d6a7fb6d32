package transformer

import "golang.org/x/sys/cpu"

// hasAVX2 reports whether this processor has the instructions of multiply_amd64.s.
var hasAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasFMA

// multiply does what multiplyPlain does.
func multiply(sums []float32, sumStride int, tile, panel []float32, stride int) {
	if steps := len(tile) / tileRows; steps == 0 {
		return
	} else if !hasAVX2 {
		multiplyPlain(sums, sumStride, tile, panel, stride)
	} else {
		_, _ = sums[(tileRows-1)*sumStride+panelCols-1], panel[(steps-1)*stride+panelCols-1]
		multiplyAVX2(&sums[0], sumStride, &tile[0], &panel[0], stride, steps)
	}
}

// multiplyGroups does what multiplyGroupsPlain does.
func multiplyGroups(sums []float32, stride int, tile []tileGroup, panel []panelGroup) {
	if !hasAVX2 {
		multiplyGroupsPlain(sums, stride, tile, panel)
		return
	}
	_, _ = sums[(tileRows-1)*stride+panelCols-1], panel[len(tile)-1]
	multiplyGroupsAVX2(&sums[0], stride, &tile[0], &panel[0], len(tile))
}

//go:noescape
func multiplyAVX2(sums *float32, sumStride int, tile, panel *float32, stride, steps int)

//go:noescape
func multiplyGroupsAVX2(sums *float32, stride int, tile *tileGroup, panel *panelGroup, groups int)
