// Package chunks writes the texts of memories as the search finds them: the chunks, the
// words around them, and their rows in the keyword index. It passes the chunks on to
// package vectors. The text of a memory itself is in package rows.
//
// The package writes only inside a transaction of its caller.
package chunks
