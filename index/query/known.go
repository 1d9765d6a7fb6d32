package query

import (
	"context"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/identity"
	"github.com/memory-tiered/memory/index/sqldb"
	"github.com/memory-tiered/memory/internal/wording"
)

// knownIDs selects the memories of a [identity.KnownQuery], some of them twice. Without
// MissingSince, the last condition selects none. UNION would sort the ids, and SQLite
// would scan all memories to have the last part sorted.
const knownIDs = `SELECT memory_id FROM places WHERE path IN (SELECT value FROM json_each(?1))
	UNION ALL SELECT id FROM memories WHERE last_path IN (SELECT value FROM json_each(?1) UNION ALL SELECT value FROM json_each(?4))
	UNION ALL SELECT value FROM json_each(?5)
	UNION ALL SELECT id FROM memories WHERE fingerprint IN (SELECT unhex(value) FROM json_each(?2))
	UNION ALL SELECT memory_id FROM past_fingerprints WHERE fingerprint IN (SELECT unhex(value) FROM json_each(?2))
	UNION ALL SELECT id FROM memories WHERE missing_since >= ?3`

// Known lists, by id, the memories that the query selects: those that the blocks
// of changed files may contain.
func (s *Searcher) Known(ctx context.Context, q identity.KnownQuery) (known []identity.KnownMemory, err error) {
	inBatch := map[string]bool{}
	for _, p := range slices.Concat(q.Paths, q.Left) {
		inBatch[p] = true
	}
	args := []any{sqldb.JSONList(q.Paths), fingerprintList(q.Fingerprints), sqldb.ToMillis(q.MissingSince),
		sqldb.JSONList(q.Left), sqldb.JSONList(q.IDs)}
	position := map[memory.ID]int{}
	err = s.db.Snapshot(ctx, func(r sqldb.Reader) error {
		if err := r.Each(ctx, selectKnown, args, func(scan func(...any) error) error {
			k, err := scanKnown(scan)
			k.OutsideBatch = !k.Missing && !inBatch[k.Path]
			position[k.ID] = len(known)
			known = append(known, k)
			return err
		}); err != nil || len(known) == 0 {
			return err
		}
		if err := readPastPlaces(ctx, r, args, known, position); err != nil {
			return err
		}
		return r.Each(ctx, selectKnownTexts, args,
			func(scan func(...any) error) error {
				var id memory.ID
				var f sqldb.Hash
				err := scan(&id, &f)
				if i, ok := position[id]; ok && known[i].Fingerprint != memory.Fingerprint(f) {
					known[i].PastFingerprints = append(known[i].PastFingerprints, memory.Fingerprint(f))
				}
				return err
			})
	})
	return known, sqldb.Wrap("read known memories", err)
}

const selectKnownTexts = `SELECT memory_id, fingerprint FROM past_fingerprints WHERE memory_id IN (` + knownIDs + `)`

const selectKnown = `SELECT m.id, m.fingerprint, m.text, coalesce(p.block_id, m.last_block_id),
	coalesce(p.path, m.last_path, ''), coalesce(p.ordinal, m.last_ordinal), coalesce(p.heading, m.last_heading),
	m.missing_since, m.first_seen, coalesce(p.span_start, 0), coalesce(p.span_end, 0), coalesce(p.line_start, 0),
	m.sidecar <> '{}' OR m.inherited <> '{}' OR EXISTS (SELECT 1 FROM entries e WHERE e.about = m.id), m.do_not_inject,
	m.id IN (` + beingDestroyed + `), ` + textUser + `
	FROM memories m LEFT JOIN places p ON p.memory_id = m.id WHERE m.id IN (` + knownIDs + `) ORDER BY m.id`

// textUser is the user of a memory m, as its text and its file declare it. It is empty if
// a decision about the memory names the user: a text that returns does not declare that.
const textUser = `CASE WHEN coalesce(json_extract(m.sidecar, '$.user'), json_extract(m.inherited, '$.user'),
	(SELECT max(json_extract(e.declared, '$.user')) FROM entries e WHERE e.about = m.id)) IS NULL THEN m.user ELSE '' END`

// beingDestroyed selects the memories that an intent destroys.
const beingDestroyed = `SELECT d.value FROM intents i, json_each(i.body, '$.destroy') d`

func scanKnown(scan func(...any) error) (k identity.KnownMemory, err error) {
	var f sqldb.Hash
	var missing, seen sqldb.Millis
	var heading string
	err = scan(&k.ID, &f, &k.Text, &k.BlockID, &k.Path, &k.Ordinal, &heading, &missing, &seen, &k.Start, &k.End, &k.LineStart, &k.HasDecision, &k.IsForgotten, &k.BeingDestroyed, &k.User)
	k.Fingerprint, k.Heading = memory.Fingerprint(f), sqldb.ParseJSONList(heading)
	k.PastFingerprints = []memory.Fingerprint{k.Fingerprint}
	k.Missing, k.MissingSince, k.FirstSeen = missing != 0, missing.Time(), seen.Time()
	return k, err
}

// fingerprintList returns fingerprints as a JSON array of hexadecimal strings.
func fingerprintList(fps []memory.Fingerprint) string {
	hex := make([]string, len(fps))
	for i, f := range fps {
		hex[i] = f.String()
	}
	return sqldb.JSONList(hex)
}

const selectPastPlaces = `SELECT memory_id, path, fingerprint, ordinal, left_at FROM past_places
	WHERE memory_id IN (` + knownIDs + `)`

// readPastPlaces adds the past places to known memories; position is the index of
// each id.
func readPastPlaces(ctx context.Context, r sqldb.Reader, args []any, known []identity.KnownMemory, position map[memory.ID]int) error {
	return r.Each(ctx, selectPastPlaces, args, func(scan func(...any) error) error {
		var id memory.ID
		var p identity.PastPlace
		var f sqldb.Hash
		var left sqldb.Millis
		err := scan(&id, &p.Path, &f, &p.Ordinal, &left)
		p.Fingerprint, p.LeftAt = memory.Fingerprint(f), left.Time()
		if i, ok := position[id]; ok {
			known[i].PastPlaces = append(known[i].PastPlaces, p)
		}
		return err
	})
}

// WithWording lists the memories with the wording of a text, by id, including missing
// and forgotten ones.
func (s *Searcher) WithWording(ctx context.Context, text string) (ids []memory.ID, err error) {
	err = s.db.Read().Each(ctx, "SELECT id FROM memories WHERE wording = nullif(CAST(?1 AS INTEGER), 0) ORDER BY id", []any{wording.Of(text).Key()},
		func(scan func(...any) error) error {
			var id memory.ID
			err := scan(&id)
			ids = append(ids, id)
			return err
		})
	return ids, sqldb.Wrap("find texts with a wording", err)
}
