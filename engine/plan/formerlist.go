package plan

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter"
	"github.com/memory-tiered/memory/index"
)

// formerList is the list of entries of a file before a decision, such as an empty one. It is kept
// if the reverse of the decision would write it in another way.
type formerList struct {
	Lines string   `json:"lines"`
	Valid []string `json:"valid"` // hashes of the list as decisions left it; Lines are out of date after any other edit
}

// keepForm returns next, which changes to src made, with the list of entries as it was before
// earlier decisions, if that means the same. It notes the list of src, if the reverse of the
// changes would write that in another way.
func (f *Executor) keepForm(ctx context.Context, now time.Time, path string, src, next []byte, changes []frontmatter.Change) ([]byte, error) {
	if path == memory.DecisionsFile {
		return next, nil
	}
	noted, err := f.DB.Meta(ctx, index.MetaFormerList+path)
	if err != nil {
		return nil, err
	}
	var former formerList
	_ = json.Unmarshal([]byte(noted), &former) // none: no list is valid
	list := frontmatter.ListLines(src)
	isValid := slices.Contains(former.Valid, hashText(list))
	if isValid {
		if back, err := frontmatter.SetAs(src, f.Zone, changes, []byte(former.Lines)); err == nil {
			return back, nil
		}
	}
	back, err := frontmatter.Set(next, f.Zone, frontmatter.Reverse(src, f.Zone, changes))
	switch {
	case err != nil || !bytes.Equal(back, src):
		former.Lines = string(list)
	case !isValid:
		return next, f.noteFormerList(ctx, now, path, noted, "")
	}
	former.Valid = []string{hashText(list), hashText(frontmatter.ListLines(next))} // a write may fail
	note, err := json.Marshal(former)
	if err != nil {
		return nil, err
	}
	return next, f.noteFormerList(ctx, now, path, noted, string(note))
}

func (f *Executor) noteFormerList(ctx context.Context, now time.Time, path, noted, note string) error {
	if note == noted {
		return nil
	}
	return f.DB.Update(ctx, now, func(tx *index.Tx) error { return tx.SetMeta(index.MetaFormerList+path, note) })
}

func hashText(text []byte) string {
	hash := sha256.Sum256(text)
	return hex.EncodeToString(hash[:])
}
