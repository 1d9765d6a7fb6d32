package rows

import (
	"context"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
)

// A restore cannot remove an entry from a file that is gone. It notes the entry's
// day in the sidecar instead. If the file returns, its entry of that day forgets
// nothing, and the next decision removes it.

// ForgottenDay returns the day of a forgetting declaration as its file contains it.
func ForgottenDay(d memory.Declared) string {
	if d.ForgottenAt.IsZero() {
		return "undated"
	}
	return d.ForgottenAt.Format(time.DateOnly)
}

// WithoutRevoked clears the forgetting of a declaration that the sidecar revokes.
func WithoutRevoked(d, sidecar memory.Declared) memory.Declared {
	if d.Forgets() && sidecar.Revoked == ForgottenDay(d) {
		d.Forgotten, d.ForgottenAt, d.Only = nil, time.Time{}, false
	}
	return d
}

// entriesWithoutRevoked changes entries as [WithoutRevoked] does.
func entriesWithoutRevoked(entries []Entry, sidecar memory.Declared) []Entry {
	for i := range entries {
		entries[i].Declared = WithoutRevoked(entries[i].Declared, sidecar)
	}
	return entries
}

// RevokedEntries lists the present memories with an entry that forgets them and was
// revoked while its file was gone.
func (s *Reader) RevokedEntries(ctx context.Context) (ids []memory.ID, err error) {
	ids, err = sqldb.Column[memory.ID](ctx, s.sql.Read(), `SELECT DISTINCT e.about FROM entries e JOIN places p ON p.memory_id = e.about
		JOIN memories m ON m.id = e.about WHERE json_extract(m.sidecar, '$.revoked') <> '' AND NOT m.do_not_inject
		AND CAST(json_extract(e.declared, '$.forgotten') AS INTEGER) = 1 ORDER BY e.about`)
	return ids, sqldb.Wrap("read revoked entries", err)
}
