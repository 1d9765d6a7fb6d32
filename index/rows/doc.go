// Package rows reads and writes the rows of the tables memories and places. There
// is one struct for a memory and one for its place in a file. A row is comparable,
// so that only the columns that differ are written. [Memory.Resolve] computes the
// state in a row from what the files and the sidecar declare; memory.Resolve
// decides which declaration wins.
//
// The package writes only inside a transaction of its caller, who reports which memories
// changed.
package rows
