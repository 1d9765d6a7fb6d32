package index

import (
	"context"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// SidecarOnly counts the memories about which the index alone knows a decision:
// aside because their file cannot be written, forgotten because a line that said
// so is in no file any more.
func (db *DB) SidecarOnly(ctx context.Context) (aside, inherited int, err error) {
	err = db.sql.Read().One(ctx, `SELECT count(*) FILTER (WHERE sidecar <> '{}'), count(*) FILTER (WHERE inherited <> '{}')
		FROM memories WHERE missing_since IS NULL`, nil, &aside, &inherited)
	return aside, inherited, sqlite.Wrap("count decisions", err)
}

// LacksVector says whether a memory still waits for a vector.
func (db *DB) LacksVector(ctx context.Context, id memory.ID) (waits bool, err error) {
	err = db.sql.Read().One(ctx, "SELECT EXISTS (SELECT 1 FROM chunks WHERE memory_id = ? AND embedded = 0)", []any{id}, &waits)
	return waits, sqlite.Wrap("read chunks", err)
}
