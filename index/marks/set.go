package marks

import (
	"context"
	"encoding/hex"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
)

// Set is a set of marked texts. It also recognises texts that are not indexed yet.
type Set struct {
	key    []byte
	marks  map[sqldb.Hash]bool // of exact texts and of wordings
	others *elsewhere          // what other machines hide
}

// NewSet returns an empty set. key is the value of [KeyName] in table meta.
func NewSet(key string) (s Set, err error) {
	s.marks, s.others = map[sqldb.Hash]bool{}, &elsewhere{}
	s.key, err = hex.DecodeString(key)
	return s, err
}

// AddAll adds every text that is marked in the database.
func (s Set) AddAll(ctx context.Context, db sqldb.Reader) (err error) {
	if *s.others, err = readElsewhere(func(query string, args []any, row func(scan func(...any) error) error) error {
		return db.Each(ctx, query, args, row)
	}); err != nil {
		return err
	}
	return db.Each(ctx, "SELECT mark FROM forgotten UNION ALL SELECT wording FROM forgotten WHERE wording IS NOT NULL", nil, func(scan func(...any) error) error {
		var m sqldb.Hash
		err := scan(&m)
		s.marks[m] = true
		return err
	})
}

// AddDestroyed adds the exact texts that were destroyed.
func (s Set) AddDestroyed(ctx context.Context, db sqldb.Reader) error {
	return db.Each(ctx, "SELECT mark FROM forgotten WHERE destroyed", nil, func(scan func(...any) error) error {
		var m sqldb.Hash
		err := scan(&m)
		s.marks[m] = true
		return err
	})
}

// HasBlock reports whether the set has the exact text of a block.
func (s Set) HasBlock(b memory.Block) bool {
	return s.marks[Text{Fingerprint: sqldb.Hash(b.Fingerprint), Heading: sqldb.JSONList(b.Heading), Short: isShort(b.Text)}.mark(s.key)]
}

// AddExact adds one text, without other texts that have its wording.
func (s Set) AddExact(t Text) { s.marks[t.mark(s.key)] = true }

// IsEmpty reports whether the set has no text.
func (s Set) IsEmpty() bool { return len(s.marks) == 0 && len(s.others.hidden) == 0 }

// Has reports whether a text is in the set.
func (s Set) Has(t Text) bool {
	own := t.allMarks(s.key)
	return slices.ContainsFunc(own, func(m sqldb.Hash) bool { return s.marks[m] }) || s.others.hides(t, own)
}

// Contains reports whether a text under a heading is in the set.
func (s Set) Contains(f memory.Fingerprint, text string, heading []string) bool {
	return !s.IsEmpty() && s.Has(NewText(sqldb.Hash(f), text, sqldb.JSONList(heading)))
}
