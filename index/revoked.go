package index

import (
	"context"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// A restore cannot remove an entry from a file that is gone. It notes the entry's
// day in the sidecar instead. If the file returns, its entry of that day forgets
// nothing, and the next decision removes it.

// forgottenDay returns the day of a forgetting declaration as its file contains it.
func forgottenDay(d memory.Declared) string {
	if d.ForgottenAt.IsZero() {
		return "undated"
	}
	return d.ForgottenAt.Format(time.DateOnly)
}

// withoutRevoked clears the forgetting of a declaration that the sidecar revokes.
func withoutRevoked(d, sidecar memory.Declared) memory.Declared {
	if isForgetting(d) && sidecar.Revoked == forgottenDay(d) {
		d.Forgotten, d.ForgottenAt, d.Only = nil, time.Time{}, false
	}
	return d
}

func entriesWithoutRevoked(entries []entry, sidecar memory.Declared) []entry {
	for i := range entries {
		entries[i].declared = withoutRevoked(entries[i].declared, sidecar)
	}
	return entries
}

// readEntries reads the entries about the memories of the change set, without
// revoked ones.
func (cs *changeSet) readEntries() (map[memory.ID][]entry, error) {
	entries, err := cs.tx.readEntries(sortedKeys(cs.rows))
	if err != nil {
		return nil, err
	}
	for id := range entries {
		sidecar, err := parseDeclared(cs.rows[id].Sidecar)
		if err != nil {
			return nil, err
		}
		entries[id] = entriesWithoutRevoked(entries[id], sidecar)
	}
	return entries, nil
}

// sidecarAfter returns the sidecar of a memory after its intent is finished.
func sidecarAfter(item IntentItem, unwritten bool) (sidecar memory.Declared) {
	if unwritten {
		sidecar = item.After
	}
	sidecar.Revoked = item.Sidecar.Revoked
	switch {
	case isForgetting(item.After):
		sidecar.Revoked = ""
	case unwritten && isForgetting(item.Before):
		sidecar.Revoked = forgottenDay(item.Before)
	}
	return sidecar
}

// RevokedEntries lists the present memories with an entry that forgets them and was
// revoked while its file was gone.
func (db *DB) RevokedEntries(ctx context.Context) (ids []memory.ID, err error) {
	err = db.sql.Read().Each(ctx, `SELECT DISTINCT e.about FROM entries e JOIN places p ON p.memory_id = e.about
		JOIN memories m ON m.id = e.about WHERE json_extract(m.sidecar, '$.revoked') <> '' AND NOT m.do_not_inject
		AND json_extract(e.declared, '$.forgotten') ORDER BY e.about`, nil, func(scan func(...any) error) error {
		var id memory.ID
		err := scan(&id)
		ids = append(ids, id)
		return err
	})
	return ids, sqlite.Wrap("read revoked entries", err)
}
