//go:build race

package chunker_test

// hostileSize is smaller here, because the race detector makes every step many
// times slower. Tests without it check how work grows.
const hostileSize = 16 << 10
