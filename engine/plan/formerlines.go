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

// formerLines are the lines of a file's head that a decision changed, such as an entry over several
// lines. A later decision that means the same brings them back, if nobody edited the new lines
// since.
type formerLines struct {
	From int    `json:"from"` // bytes of the head above them
	Was  []byte `json:"was"`
	Is   []byte `json:"is"`
	Head string `json:"head"` // a hash of the head with the decision
}

// maxFormerLines is the number of decisions about one file whose former lines are kept.
const maxFormerLines = 8

func newFormerLines(before, after []byte) formerLines {
	n, below := min(len(before), len(after)), 0
	from := 0
	for from < n && before[from] == after[from] {
		from++
	}
	from = bytes.LastIndexByte(after[:from], '\n') + 1
	for below < n-from && before[len(before)-1-below] == after[len(after)-1-below] {
		below++
	}
	for below > 0 && len(after)-below > 0 && after[len(after)-below-1] != '\n' {
		below--
	}
	return formerLines{from, before[from : len(before)-below], after[from : len(after)-below], hashText(after)}
}

// before returns a head with the lines as they were before the decision.
func (l formerLines) before(head []byte) (former []byte, ok bool) {
	from := l.From
	if hashText(head) != l.Head {
		if from = bytes.Index(head, l.Is); len(l.Is) == 0 || from != bytes.LastIndex(head, l.Is) || from > 0 && head[from-1] != '\n' {
			return nil, false
		}
	}
	if from < 0 {
		return nil, false
	}
	return slices.Concat(head[:from], l.Was, head[from+len(l.Is):]), true
}

// keepForm returns next, which changes to src made. If a former head of the file means the same
// as that of next, it comes back byte for byte.
func (f *Executor) keepForm(ctx context.Context, now time.Time, path string, src, next []byte, changes []frontmatter.Change) ([]byte, error) {
	isDecisions := path == memory.DecisionsFile
	noted, err := f.DB.Meta(ctx, index.MetaFormerLines+path)
	if err != nil {
		return nil, err
	}
	var steps []formerLines
	_ = json.Unmarshal([]byte(noted), &steps) // none: no former lines are known
	head := frontmatter.Head(src, isDecisions)
	former := head
	for i, step := range slices.Backward(steps) {
		before, ok := step.before(former)
		if !ok {
			continue // it was not written, or its lines were edited since
		}
		former = before
		if back, ok := frontmatter.WithHead(next, f.Zone, former, isDecisions); ok {
			return back, f.noteFormerLines(ctx, now, path, noted, steps[:i])
		}
	}
	back, err := applyChanges(path, next, f.Zone, frontmatter.Reverse(src, f.Zone, changes, isDecisions))
	if len(steps) > 0 || err != nil || !bytes.Equal(back, src) {
		steps = append(steps, newFormerLines(head, frontmatter.Head(next, isDecisions)))
		steps = steps[max(0, len(steps)-maxFormerLines):]
	}
	return next, f.noteFormerLines(ctx, now, path, noted, steps)
}

func (f *Executor) noteFormerLines(ctx context.Context, now time.Time, path, noted string, steps []formerLines) error {
	note, err := []byte(nil), error(nil)
	if len(steps) > 0 {
		note, err = json.Marshal(steps)
	}
	if err != nil || string(note) == noted {
		return err
	}
	return f.DB.Update(ctx, now, func(tx *index.Tx) error { return tx.SetMeta(index.MetaFormerLines+path, string(note)) })
}

func hashText(text []byte) string {
	hash := sha256.Sum256(text)
	return hex.EncodeToString(hash[:])
}
