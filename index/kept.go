package index

import "context"

// KeptAside counts the memories about which the index alone knows a decision:
// aside because their file cannot be written, forgotten because a line that said
// so is in no file any more.
func (db *DB) KeptAside(ctx context.Context) (aside, inherited int, err error) {
	err = db.now().one(ctx, `SELECT count(*) FILTER (WHERE sidecar <> '{}'), count(*) FILTER (WHERE inherited <> '{}')
		FROM memories WHERE missing_since IS NULL`, nil, &aside, &inherited)
	return aside, inherited, failed("count decisions", err)
}
