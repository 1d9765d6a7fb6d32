// Package language knows how people write: words and stop words, plurals, numbers, the
// scripts that do not separate their words, and characters that are invisible. Questions
// and memories are read with the same rules, so that their words can be compared.
//
// It knows nothing of memories. The search index has an analyser of its own, which must
// return exactly the tokens of FTS5.
package language
