package query

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
)

// MemoryColumns are the columns of the views "visible" and "remembered" that
// [ScanMemory] reads.
const MemoryColumns = `id, text, tier, memory_type, category, scope, user, pinned, forgotten, missing, private,
	importance, importance_label, trust_tier, source, source_kind, source_ref, source_hidden, lang, tags, entities, superseded_by,
	path, line_start, line_end, heading, created_at, edited_at, last_accessed_at, use_count, use_days, expires_at,
	tier_reason, fingerprint, ordinal`

// ScanMemory reads a row of [MemoryColumns].
func ScanMemory(scan func(...any) error) (m memory.Memory, err error) {
	var ref, superseded sqldb.NullText
	var tags, entities, heading, days string
	var created, edited, accessed, expires sqldb.Millis
	var fingerprint sqldb.Hash
	var ordinal int
	err = scan(&m.ID, &m.Text, &m.Tier, &m.Type, &m.Category, &m.Scope, &m.User, &m.Pinned, &m.Forgotten, &m.Missing, &m.Private,
		&m.Importance, &m.ImportanceLabel, &m.Trust, &m.Source, &m.SourceKind, &ref, &m.SourceHidden, &m.Lang, &tags, &entities, &superseded,
		&m.Path, &m.LineStart, &m.LineEnd, &heading, &created, &edited, &accessed, &m.UseCount, &days, &expires,
		&m.TierReason, &fingerprint, &ordinal)
	m.IsProperties = ordinal == memory.PropertiesOrdinal
	m.Entities = sqldb.ParseJSONList(entities)
	m.Tags, m.Heading, m.UseDays = sqldb.ParseJSONList(tags), sqldb.ParseJSONList(heading), sqldb.ParseJSONList(days)
	m.CreatedAt, m.EditedAt, m.LastAccessedAt, m.ExpiresAt = created.Time(), edited.Pointer(), accessed.Pointer(), expires.Pointer()
	m.Fingerprint = memory.Fingerprint(fingerprint)
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

// AppendVisible appends those of some memories that pass the predicate, in the order of
// the ids and each once. It and [Searcher.List] are where texts come from.
func (s *Searcher) AppendVisible(ctx context.Context, to []memory.Memory, ids []memory.ID, p memory.Predicate) ([]memory.Memory, error) {
	if all, done := s.visibleInMemory(to, ids, p); done {
		return all, nil
	}
	f := compile(p)
	found := make(map[memory.ID]memory.Memory, len(ids))
	err := s.db.Read().Each(ctx, "SELECT "+MemoryColumns+" FROM "+f.view+
		" WHERE id IN (SELECT value FROM json_each(?))"+f.and(), append([]any{sqldb.JSONList(ids)}, f.args...),
		func(scan func(...any) error) error {
			m, err := ScanMemory(scan)
			found[m.ID] = m
			return err
		})
	if err != nil {
		return to, sqldb.Wrap("read memories", err)
	}
	to = slices.Grow(to, len(found))
	for _, id := range ids {
		if m, ok := found[id]; ok {
			to = append(to, m)
			delete(found, id)
		}
	}
	return to, nil
}

// visibleInMemory answers from the in-memory index, without loading it. It reports
// false if that lacks a memory: one that is missing or has no chunks.
func (s *Searcher) visibleInMemory(to []memory.Memory, ids []memory.ID, p memory.Predicate) (all []memory.Memory, done bool) {
	s.live.mu.RLock()
	defer s.live.mu.RUnlock()
	if s.live.index == nil || len(p.IDs) > 0 || needsTables(p) {
		return nil, false
	}
	return s.live.index.AppendDocuments(to, ids, s.live.index.Compile(p))
}

// orders are the ways to sort a list; the first is the default. Each ends with unique
// columns, so that pages never overlap.
var orders = map[string]string{
	"":                 "path, ordinal, id",
	"path":             "path, ordinal, id",
	"created_at":       "created_at DESC, path, ordinal, id",
	"last_accessed_at": "last_accessed_at IS NULL, last_accessed_at DESC, path, ordinal, id",
	"use_count":        "use_count DESC, path, ordinal, id",
}

// ownUses selects the uses of a memory by one user. An unknown sender has none.
const ownUses = "FROM uses u WHERE u.memory_id = id AND u.user IN (SELECT value FROM json_each(?))"

// orderFor returns the order of a list. To a user, only the own uses count.
func orderFor(p memory.Predicate, sort string) (order string, args []any) {
	if p.Users == nil || sort != "use_count" && sort != "last_accessed_at" {
		return orders[sort], nil
	}
	figure := map[string]string{"use_count": "count(*)", "last_accessed_at": "coalesce(max(u.at), 0)"}[sort]
	return "(SELECT " + figure + " " + ownUses + ") DESC, path, ordinal, id", []any{sqldb.JSONList(memory.OwnNames(p.Users))}
}

// List returns a page of the memories that pass the predicate, and their number. sort
// is path (the default), created_at, last_accessed_at or use_count, the last three in
// descending order. A limit of 0 means no limit.
func (s *Searcher) List(ctx context.Context, p memory.Predicate, sort string, limit, offset int) (page []memory.Memory, total int, err error) {
	order, orderArgs := orderFor(p, sort)
	if order == "" {
		return nil, 0, memory.Invalid("sort", "unknown sort %q", sort).
			WithHint("one of: path, created_at, last_accessed_at, use_count")
	}
	if limit <= 0 {
		limit = math.MaxInt32
	}
	f := compile(p)
	err = s.db.Snapshot(ctx, func(r sqldb.Reader) error {
		if err := r.One(ctx, "SELECT count(*) FROM "+f.view+" WHERE true"+f.and(), f.args, &total); err != nil {
			return err
		}
		return r.Each(ctx, "SELECT "+MemoryColumns+" FROM "+f.view+" WHERE true"+f.and()+" ORDER BY "+order+" LIMIT ? OFFSET ?",
			append(slices.Concat(f.args, orderArgs), limit, max(offset, 0)), func(scan func(...any) error) error {
				m, err := ScanMemory(scan)
				page = append(page, m)
				return err
			})
	})
	return page, total, sqldb.Wrap("list memories", err)
}

// Tiers counts the memories that pass the predicate by tier.
func (s *Searcher) Tiers(ctx context.Context, p memory.Predicate) (map[memory.Tier]int, error) {
	counts := map[memory.Tier]int{}
	for _, t := range memory.Tiers {
		counts[t] = 0
	}
	f := compile(p)
	err := s.db.Read().Each(ctx, "SELECT tier, count(*) FROM "+f.view+" WHERE true"+f.and()+" GROUP BY tier", f.args,
		func(scan func(...any) error) error {
			var t memory.Tier
			var n int
			err := scan(&t, &n)
			counts[t] = n
			return err
		})
	return counts, sqldb.Wrap("count tiers", err)
}

// maxFound is the number of memories that an ambiguous prefix lists: as many as a
// person reads.
const maxFound = 20

// FindByPrefix returns the memories of a view whose ids begin with a prefix, by id and at
// most 20. For a person, these may be forgotten or missing. prefix is what
// [memory.ParseIDPrefix] returns.
func (s *Searcher) FindByPrefix(ctx context.Context, v memory.View, prefix string) (found []memory.Memory, err error) {
	if strings.Trim(prefix, "0123456789abcdef-") != "" {
		return nil, nil
	}
	f := &sqlFilter{view: "remembered"}
	f.add("id >= ? AND id < ?", prefix, prefix+"g") // a range uses the index on id; 'g' comes after every digit
	f.addView(v)
	err = s.db.Read().Each(ctx, "SELECT "+MemoryColumns+" FROM remembered WHERE true"+f.and()+" ORDER BY id LIMIT ?",
		append(f.args, maxFound), func(scan func(...any) error) error {
			m, err := ScanMemory(scan)
			found = append(found, m)
			return err
		})
	return found, sqldb.Wrap("find memory", err)
}

// OrderedIDs returns the ids of the memories that pass the predicate, by path and place.
func OrderedIDs(ctx context.Context, r sqldb.Reader, p memory.Predicate) ([]memory.ID, error) {
	f := compile(p)
	return sqldb.Column[memory.ID](ctx, r, "SELECT id FROM "+f.view+" WHERE true"+f.and()+" ORDER BY "+orders["path"], f.args...)
}
