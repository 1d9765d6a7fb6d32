package review

import (
	"context"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/edits"
	"github.com/memory-tiered/memory/engine/redact"
)

// AddLines adds the lines of the memories. Those of a file that changed since it was
// indexed stay empty, so that no step overwrites them.
func AddLines(ctx context.Context, files *edits.Files, items []memory.ReviewItem) error {
	if len(items) == 0 {
		return nil
	}
	hidden, err := files.DB.Hidden(ctx, memory.View{})
	if err != nil {
		return err
	}
	sources := map[string][]byte{}
	lines := func(m memory.Memory) (shown, hash string, err error) {
		src, known := sources[m.Path]
		if !known {
			if src, err = files.ReadIndexed(ctx, m.Path); err != nil {
				return "", "", err
			}
			sources[m.Path] = src
		}
		lines := edits.LinesOf(src, m)
		if lines == "" {
			return "", "", nil
		}
		shown, _ = redact.HideComments(lines, hidden)
		return shown, edits.HashLines(lines), nil
	}
	for i := range items {
		item := &items[i]
		if item.Lines, item.LinesHash, err = lines(item.Memory); err != nil {
			return err
		}
		if item.Other != nil {
			if item.OtherLines, item.OtherLinesHash, err = lines(*item.Other); err != nil {
				return err
			}
		}
	}
	return nil
}

// resolveLines returns the lines of a memory as they are in its file. next is what a person
// made of them, with the hidden comments. It is a conflict if the request names other lines.
func resolveLines(ctx context.Context, files *edits.Files, m memory.Memory, listed, hash, edited string) (was, next string, err error) {
	src, err := files.ReadIndexed(ctx, m.Path)
	if err != nil {
		return "", "", err
	}
	forgotten, err := files.DB.Hidden(ctx, memory.View{})
	if err != nil {
		return "", "", err
	}
	was = edits.LinesOf(src, m)
	shown, hidden := redact.HideComments(was, forgotten)
	same := hash == edits.HashLines(was)
	if hash == "" {
		listed = edits.UnixLines(listed)
		same = listed == edits.UnixLines(was) || listed == edits.UnixLines(shown) || listed == edits.UnixLines(string([]rune(shown)))
	}
	if !same {
		return "", "", edits.LinesChanged(m.Path, m.LineStart)
	}
	kept, ok := edits.KeepBytes(shown, edited)
	if !ok {
		return "", "", memory.Invalid("new_lines", "%s:%d has bytes that are not UTF-8, and the edit has another number of \uFFFD for them", m.Path, m.LineStart).
			WithHint("keep each \uFFFD, replace all of them, or edit the file itself")
	}
	return was, redact.RestoreComments(kept, hidden), nil
}
