package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/redact"
)

// addLines adds the lines of the memories. Those of a file that changed since it was
// indexed stay empty, so that no step overwrites them.
func (s *workspaceState) addLines(ctx context.Context, items []memory.ReviewItem) error {
	if len(items) == 0 {
		return nil
	}
	folder, err := s.openFolder()
	if err != nil {
		return err
	}
	forgotten, err := s.db.ForgottenTexts(ctx)
	if err != nil {
		return err
	}
	sources := map[string][]byte{}
	lines := func(m memory.Memory) (shown, hash string, err error) {
		src, known := sources[m.Path]
		if !known {
			if src, err = s.readIndexed(ctx, folder, m.Path); err != nil {
				return "", "", err
			}
			sources[m.Path] = src
		}
		lines := linesOf(src, m)
		if lines == "" {
			return "", "", nil
		}
		shown, _ = redact.HideComments(lines, forgotten)
		return shown, hashLines(lines), nil
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

// linesOf returns the lines of a memory in its file, without the last line end.
func linesOf(src []byte, m memory.Memory) string {
	start, end := lineSpan(src, m.LineStart, m.LineEnd)
	return trimLineEnd(string(src[start:end]))
}

// hashLines returns a value that names lines, whatever ends them.
func hashLines(lines string) string {
	hash := sha256.Sum256([]byte(unixLines(lines)))
	return "sha256:" + hex.EncodeToString(hash[:])
}

// resolveLines returns the lines of a memory as they are in its file. next is what a person
// made of them, with the hidden comments. It is a conflict if the request names other lines.
func (s *workspaceState) resolveLines(ctx context.Context, m memory.Memory, listed, hash, edited string) (was, next string, err error) {
	folder, err := s.openFolder()
	if err != nil {
		return "", "", err
	}
	src, err := s.readIndexed(ctx, folder, m.Path)
	if err != nil {
		return "", "", err
	}
	forgotten, err := s.db.ForgottenTexts(ctx)
	if err != nil {
		return "", "", err
	}
	was = linesOf(src, m)
	shown, hidden := redact.HideComments(was, forgotten)
	same := hash == hashLines(was)
	if hash == "" {
		same = unixLines(listed) == unixLines(was) || unixLines(listed) == unixLines(shown)
	}
	if !same {
		return "", "", linesChanged(m.Path, m.LineStart)
	}
	return was, redact.RestoreComments(edited, hidden), nil
}
