//go:build !amd64

package transformer

func multiply(sums []float32, sumStride int, tile, panel []float32, stride int) {
	multiplyPlain(sums, sumStride, tile, panel, stride)
}

func multiplyGroups(sums []float32, stride int, tile []tileGroup, panel []panelGroup) {
	multiplyGroupsPlain(sums, stride, tile, panel)
}
