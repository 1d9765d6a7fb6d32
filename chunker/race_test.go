//go:build race

package chunker_test

// hostileSize is smaller here: the race detector makes every step many times
// slower, and how work grows is tested without it.
const hostileSize = 16 << 10
