package index

import (
	"context"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// Copies gives, for some memories, all that say the same, themselves included,
// missing and forgotten ones too, in the order of ids. Texts of few words are
// the same under the same heading alone.
func (db *DB) Copies(ctx context.Context, ids []memory.ID) (copies []memory.ID, err error) {
	type key struct{ print, heading string }
	type one struct {
		id  memory.ID
		key key
	}
	asked := map[memory.ID]bool{}
	for _, id := range ids {
		asked[id] = true
	}
	var all []one
	wanted := map[key]bool{}
	err = db.sql.Read().Each(ctx, `SELECT m.id, m.fingerprint, m.text, coalesce(p.heading, m.last_heading)
		FROM memories m LEFT JOIN places p ON p.memory_id = m.id WHERE m.fingerprint IN
		(SELECT fingerprint FROM memories WHERE id IN (SELECT value FROM json_each(?))) ORDER BY m.id`,
		[]any{sqlite.JSONList(ids)}, func(scan func(...any) error) error {
			var id memory.ID
			var f sqlite.Hash
			var words, heading string
			err := scan(&id, &f, &words, &heading)
			k := key{print: string(f[:])}
			if len(strings.Fields(words)) < shortTextWords {
				k.heading = heading
			}
			all = append(all, one{id, k})
			if asked[id] {
				wanted[k] = true
			}
			return err
		})
	for _, o := range all {
		if wanted[o.key] {
			copies = append(copies, o.id)
		}
	}
	return copies, sqlite.Wrap("find copies", err)
}
