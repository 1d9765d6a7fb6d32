//go:build !race

package chunker_test

// hostileSize is so large that quadratic work takes minutes and linear work
// takes a moment.
const hostileSize = 256 << 10
