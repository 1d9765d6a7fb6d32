package decisions

import (
	"context"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter"
	"github.com/memory-tiered/memory/index"
)

// metaEmptyHead, with a path after it, is the meta key of the empty front matter
// that a file had before it got its first entry.
const metaEmptyHead = "empty_head:"

// keepEmptyHead gives a file its empty front matter back when it loses its last
// entry. It notes the empty front matter before the file gets its first one.
func (f *Files) keepEmptyHead(ctx context.Context, now time.Time, path string, src, next []byte) ([]byte, error) {
	if path == memory.DecisionsFile {
		return next, nil
	}
	noted, err := f.DB.Meta(ctx, metaEmptyHead+path)
	if err != nil {
		return nil, err
	}
	if noted != "" && frontmatter.HasHead(src) && !frontmatter.HasHead(next) {
		return frontmatter.WithHead(next, []byte(noted)), nil
	}
	head := string(frontmatter.EmptyHead(src))
	if head == noted || head == "" && frontmatter.HasHead(src) {
		return next, nil
	}
	return next, f.DB.Update(ctx, now, func(tx *index.Tx) error { return tx.SetMeta(metaEmptyHead+path, head) })
}
