// Package index is the only one that knows SQL. It keeps, in one SQLite
// database a workspace, which memories there are, where they stand, what holds
// for them, and what is needed to find them: a keyword index (FTS5) and vectors
// (sqlite-vec).
//
// It alone is responsible for what is visible: a lane ([DB.Text], [DB.Vector])
// yields ids, and text leaves only through the view of what is visible
// ([DB.Visible], [DB.List]). Whether a text is forgotten is decided inside the
// transaction that publishes it.
//
// One connection writes, through [DB.Update] alone; readers never wait for it.
// The package keeps no clock: whoever writes says what time it is.
package index
