//go:build !race

package chunker_test

// hostileSize is large enough that quadratic work takes minutes, and small
// enough that linear work is done in an eye's blink.
const hostileSize = 256 << 10
