package edits

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/decisions"
)

// Restore brings back the lines that a command changed. Lines that changed since
// are a conflict.
func (f *Files) Restore(ctx context.Context, now time.Time, batch, action string) error {
	former, err := f.DB.FormerLines(ctx, batch)
	if err != nil {
		return err
	}
	changesLines := action == string(memory.ReviewEdit) || action == string(memory.ReviewMerge)
	if changesLines && len(former) == 0 {
		return LinesGone{memory.Conflict("the lines before the %s are not kept any more", action).
			WithHint("they are kept until the next backup; correct the file yourself. memory undo 2 reverses the command before it")}
	}
	folder, err := f.Host.Folder()
	if err != nil || len(former) == 0 {
		return err
	}
	for i := len(former) - 1; i >= 0; i-- {
		l := former[i]
		src, _, err := decisions.ReadForEdit(folder, l.Path)
		at, found := findLines(src, l)
		switch {
		case errors.Is(err, fs.ErrNotExist) || err == nil && !found:
			return LinesChanged(l.Path, 1+bytes.Count(src[:min(l.Start, len(src))], []byte("\n")))
		case err != nil:
			return err
		}
		next := bytes.Join([][]byte{src[:at], l.Before, src[at+len(l.After):]}, nil)
		if err := f.replaceFile(context.WithoutCancel(ctx), now, folder, l.Path, src, next); err != nil {
			return err
		}
	}
	return nil
}

// LinesGone is the error for undoing a change of lines that are not kept any more.
type LinesGone struct{ err *memory.Error }

func (e LinesGone) Error() string { return e.err.Error() }
func (e LinesGone) Unwrap() error { return e.err }
