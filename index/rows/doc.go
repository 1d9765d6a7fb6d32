// Package rows writes what the tables hold about memories. A transaction loads a [Set] of
// them, changes it in memory, and saves it. Saving resolves their states. It writes only the
// columns that differ, and the chunks that searches find. Callers know why a memory changes:
// a batch of files, a decision, the ageing policy.
//
// The rows are of several kinds. memory.go has the state of a memory and place.go its place in
// a file. files.go and entries.go have what the files declare, and merge.go, revoked.go and
// doubt.go tell which entries count. uses.go has how often a memory reached a model.
// [Memory.Resolve] computes a state from all declarations; memory.Resolve decides which wins.
//
// The package writes only inside a transaction of its caller.
package rows
