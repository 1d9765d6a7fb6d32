package index

import (
	"context"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

const memoryColumns = `id, text, tier, memory_type, category, scope, pinned, forgotten, missing, private,
	importance, importance_label, trust_tier, source, source_kind, source_ref, lang, tags, superseded_by,
	path, line_start, line_end, heading, created_at, edited_at, last_accessed_at, use_count, use_days, expires_at,
	tier_reason, fingerprint`

// Visible gives those of some memories that the predicate lets through, in the
// order of ids. It and [DB.List] are where text comes from.
func (db *DB) Visible(ctx context.Context, ids []memory.ID, p memory.Predicate) ([]memory.Memory, error) {
	if found, done := db.lanes.visible(ids, p); done {
		return found, nil
	}
	f := newFilter(p)
	found := make(map[memory.ID]memory.Memory, len(ids))
	err := db.sql.Read().Each(ctx, "SELECT "+memoryColumns+" FROM "+f.view+
		" WHERE id IN (SELECT value FROM json_each(?))"+f.and(), append([]any{list(ids)}, f.args...),
		func(scan func(...any) error) error {
			m, err := scanMemory(scan)
			found[m.ID] = m
			return err
		})
	if err != nil {
		return nil, sqlite.Wrap("read memories", err)
	}
	out := make([]memory.Memory, 0, len(found))
	for _, id := range ids {
		if m, ok := found[id]; ok {
			out = append(out, m)
			delete(found, id) // once, even where it was asked for twice
		}
	}
	return out, nil
}

// visible answers from memory. done is false where nothing is loaded, or not all
// of it: a memory that is missing, or of which nothing is indexed, is not.
func (l *follower) visible(ids []memory.ID, p memory.Predicate) (found []memory.Memory, done bool) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	s := l.index
	if s == nil || len(p.IDs) > 0 {
		return nil, false
	}
	lets, seen := s.compile(p), make(map[int32]bool, len(ids))
	found = make([]memory.Memory, 0, len(ids))
	for _, id := range ids {
		at, known := s.docIDs[id]
		if !known {
			return nil, false
		}
		if !seen[at] && lets(at) {
			found = append(found, s.memory(at))
		}
		seen[at] = true
	}
	return found, true
}

// visibleIDs says which of some memories the predicate lets through.
func (db *DB) visibleIDs(ctx context.Context, ids []memory.ID, f *sqlFilter) (map[memory.ID]bool, error) {
	found := make(map[memory.ID]bool, len(ids))
	err := db.sql.Read().Each(ctx, "SELECT id FROM "+f.view+" WHERE id IN (SELECT value FROM json_each(?))"+f.and(),
		append([]any{list(ids)}, f.args...), func(scan func(...any) error) error {
			var id memory.ID
			err := scan(&id)
			found[id] = true
			return err
		})
	return found, err
}

func scanMemory(scan func(...any) error) (m memory.Memory, err error) {
	var ref, superseded text
	var tags, heading, days string
	var created, edited, accessed, expires millis
	var f hash
	err = scan(&m.ID, &m.Text, &m.Tier, &m.Type, &m.Category, &m.Scope, &m.Pinned, &m.Forgotten, &m.Missing, &m.Private,
		&m.Importance, &m.ImportanceLabel, &m.Trust, &m.Source, &m.SourceKind, &ref, &m.Lang, &tags, &superseded,
		&m.Path, &m.LineStart, &m.LineEnd, &heading, &created, &edited, &accessed, &m.UseCount, &days, &expires,
		&m.TierReason, &f)
	m.Tags, m.Heading, m.UseDays = parseList(tags), parseList(heading), parseList(days)
	m.CreatedAt, m.EditedAt, m.LastAccessedAt, m.ExpiresAt = created.Time(), edited.Pointer(), accessed.Pointer(), expires.Pointer()
	m.Fingerprint = memory.Fingerprint(f)
	if ref != "" {
		s := string(ref)
		m.SourceRef = &s
	}
	if superseded != "" {
		id := memory.ID(superseded)
		m.SupersededBy = &id
	}
	return m, err
}

// orders are the ways to sort a list; the first is the default. Each ends in
// something unique, so that pages never overlap.
var orders = map[string]string{
	"":                 "path, ordinal, id",
	"path":             "path, ordinal, id",
	"created_at":       "created_at DESC, path, ordinal, id",
	"last_accessed_at": "last_accessed_at IS NULL, last_accessed_at DESC, path, ordinal, id",
	"use_count":        "use_count DESC, path, ordinal, id",
}

// List gives a page of the memories that the predicate lets through, and how
// many there are in all. sort is path (the default), created_at,
// last_accessed_at or use_count, the last three from the highest down. A limit
// of 0 is none.
func (db *DB) List(ctx context.Context, p memory.Predicate, sort string, limit, offset int) (page []memory.Memory, total int, err error) {
	order, ok := orders[sort]
	if !ok {
		return nil, 0, memory.Invalid("sort", "unknown sort %q", sort).
			WithHint("one of: path, created_at, last_accessed_at, use_count")
	}
	if limit <= 0 {
		limit = -1
	}
	f := newFilter(p)
	err = db.sql.Snapshot(ctx, func(q sqlite.Reader) error {
		if err := q.One(ctx, "SELECT count(*) FROM "+f.view+" WHERE true"+f.and(), f.args, &total); err != nil {
			return err
		}
		return q.Each(ctx, "SELECT "+memoryColumns+" FROM "+f.view+" WHERE true"+f.and()+" ORDER BY "+order+" LIMIT ? OFFSET ?",
			append(f.args, limit, max(offset, 0)), func(scan func(...any) error) error {
				m, err := scanMemory(scan)
				page = append(page, m)
				return err
			})
	})
	return page, total, sqlite.Wrap("list memories", err)
}

// Tiers counts the memories that the predicate lets through, by tier.
func (db *DB) Tiers(ctx context.Context, p memory.Predicate) (map[memory.Tier]int, error) {
	counts := map[memory.Tier]int{}
	for _, t := range memory.Tiers {
		counts[t] = 0
	}
	f := newFilter(p)
	err := db.sql.Read().Each(ctx, "SELECT tier, count(*) FROM "+f.view+" WHERE true"+f.and()+" GROUP BY tier", f.args,
		func(scan func(...any) error) error {
			var t memory.Tier
			var n int
			err := scan(&t, &n)
			counts[t] = n
			return err
		})
	return counts, sqlite.Wrap("count tiers", err)
}

// maxFound is how many memories an ambiguous prefix lists: as many as a person
// reads.
const maxFound = 20

// FindByPrefix gives the memories whose id begins so, forgotten and missing ones too,
// by id; prefix is what memory.ParseIDPrefix gives. Of very many it gives the
// first.
func (db *DB) FindByPrefix(ctx context.Context, prefix string) (found []memory.Memory, err error) {
	if strings.Trim(prefix, "0123456789abcdef-") != "" {
		return nil, nil
	}
	// The range can use the index on id; 'g' comes after every digit.
	err = db.sql.Read().Each(ctx, "SELECT "+memoryColumns+" FROM remembered WHERE id >= ? AND id < ? ORDER BY id LIMIT ?",
		[]any{prefix, prefix + "g", maxFound}, func(scan func(...any) error) error {
			m, err := scanMemory(scan)
			found = append(found, m)
			return err
		})
	return found, sqlite.Wrap("find memory", err)
}
