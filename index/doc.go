// Package index stores memories and decisions about them in one SQLite database per
// workspace, and keeps what finds them: a keyword index (FTS5) and vectors
// (sqlite-vec). With its subpackages, it is the only package with SQL.
//
// It alone decides what is visible. A search returns ids, and text leaves the
// package only through [DB.Visible], [DB.List] and the decisions that work on
// memories by id. The transaction that indexes a text also decides whether it is
// forgotten.
//
// [DB.Update] is the only way to write, and readers never wait for it. The package
// reads no clock: the caller passes the time.
//
// schema/README.md describes the tables. [DB.Apply] writes what was read from files:
// it loads the memories concerned into a changeSet, changes them in memory, resolves
// their state (resolve.go) and writes the differences. Decisions work in the same way.
package index
