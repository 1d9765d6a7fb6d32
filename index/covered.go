package index

import (
	"context"
	"encoding/hex"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// ForgottenTexts is what is forgotten in every copy, for who meets a text that is not
// indexed yet.
type ForgottenTexts struct {
	key   []byte
	marks map[sqlite.Hash]bool
}

// ForgottenTexts reads what is forgotten in every copy.
func (db *DB) ForgottenTexts(ctx context.Context) (c ForgottenTexts, err error) {
	c.marks = map[sqlite.Hash]bool{}
	key, err := db.Meta(ctx, "forget_key")
	if err != nil {
		return c, err
	}
	if c.key, err = hex.DecodeString(key); err != nil {
		return c, err
	}
	err = db.sql.Read().Each(ctx, "SELECT mark FROM forgotten", nil, func(scan func(...any) error) error {
		var h sqlite.Hash
		err := scan(&h)
		c.marks[h] = true
		return err
	})
	return c, sqlite.Wrap("read what is forgotten", err)
}

// Contains says whether a text under a heading is forgotten.
func (c ForgottenTexts) Contains(f memory.Fingerprint, text string, heading []string) bool {
	return len(c.marks) > 0 && c.marks[computeMark(c.key, sqlite.Hash(f), sqlite.JSONList(heading), len(strings.Fields(text)) < shortTextWords)]
}
