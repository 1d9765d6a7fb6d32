// Package index stores memories and decisions about them in one SQLite database per
// workspace. Its subpackages find them again. query answers from the tables or from
// the index in memory (search). vectors stores what the embedding models made, text
// analyses words, and sqlite has the connections. rows reads and writes the rows of
// memories, and marks recognises forgotten texts. journal stores decisions and what
// happened, and repair saves the rows of a damaged database.
//
// Package index alone decides what is visible. A search returns ids, and text leaves
// the package only through [DB.Visible], [DB.List] and the decisions that work on
// memories by id. The transaction that indexes a text also decides whether it is
// forgotten.
//
// [DB.Update] is the only way to write, and readers never wait for it. The package
// reads no clock: the caller passes the time.
//
// schema/README.md describes the tables. [DB.Apply] writes what was read from files. It
// loads the memories concerned into a set ([rows.Set]), changes them in memory, resolves
// their state and writes the differences. Decisions work in the same way.
package index
