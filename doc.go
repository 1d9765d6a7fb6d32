// Package memory holds the words that every other package speaks: what a
// memory, a block, a tier, a query and a hit are, and the one function that
// knows which of several statements about a memory wins ([Resolve]).
//
// It imports only the standard library and does nothing but define, parse and
// print these words: no file, no database, no clock.
package memory
