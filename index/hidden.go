package index

import (
	"context"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// Redactions is what must not be put before a model, for who reads files as they
// are on the disk: forgotten, private, quarantined and superseded memories.
type Redactions struct {
	forgotten ForgottenTexts
	hidden    map[string]bool // of what is hidden anywhere
	indexed   map[blockKey]indexedBlock
}

type blockKey struct {
	path    string
	ordinal int
}

// indexedBlock is what stands in a place, and whether it is hidden.
type indexedBlock struct {
	text   string
	hidden bool
}

// Redactions reads what must not be put before a model, and what stands in some
// files.
func (db *DB) Redactions(ctx context.Context, paths []string) (h Redactions, err error) {
	if h.forgotten, err = db.ForgottenTexts(ctx); err != nil {
		return h, err
	}
	h.hidden, h.indexed = map[string]bool{}, map[blockKey]indexedBlock{}
	err = db.sql.Read().Each(ctx, `SELECT path, ordinal, fingerprint, text, heading,
			forgotten OR private OR trust_tier = 'quarantined' OR superseded_by IS NOT NULL AS hidden
		FROM visible WHERE hidden OR path IN (SELECT value FROM json_each(?))`, []any{sqlite.JSONList(paths)},
		func(scan func(...any) error) error {
			var at blockKey
			var f sqlite.Hash
			var words, heading string
			var hidden bool
			err := scan(&at.path, &at.ordinal, &f, &words, &heading, &hidden)
			text := textKey(memory.Fingerprint(f), words, heading)
			h.indexed[at] = indexedBlock{text, hidden}
			if hidden {
				h.hidden[text] = true
			}
			return err
		})
	return h, sqlite.Wrap("read what is hidden", err)
}

// Hides says whether the block with this number of a file must not be shown. A
// memory that is indexed where it stands is shown or not by its own state. What
// was written a moment ago and is not indexed yet is hidden where its text is
// anywhere.
func (h Redactions) Hides(path string, ordinal int, b memory.Block) bool {
	text := textKey(b.Fingerprint, b.Text, sqlite.JSONList(b.Heading))
	if p, ok := h.indexed[blockKey{path, ordinal}]; ok && p.text == text {
		return p.hidden
	}
	return h.hidden[text] || h.forgotten.Contains(b.Fingerprint, b.Text, b.Heading)
}

// textKey is what makes two texts the same: a short one is meant under its
// heading alone.
func textKey(f memory.Fingerprint, text, heading string) string {
	if len(strings.Fields(text)) < shortTextWords {
		return f.String() + heading
	}
	return f.String()
}
