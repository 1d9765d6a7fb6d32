package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode/utf8"

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
		listed = unixLines(listed)
		same = listed == unixLines(was) || listed == unixLines(shown) || listed == unixLines(string([]rune(shown)))
	}
	if !same {
		return "", "", linesChanged(m.Path, m.LineStart)
	}
	kept, ok := keepBytes(shown, edited)
	if !ok {
		return "", "", memory.Invalid("new_lines", "%s:%d has bytes that are not UTF-8, and the edit has another number of \uFFFD for them", m.Path, m.LineStart).
			WithHint("keep each \uFFFD, replace all of them, or edit the file itself")
	}
	return was, redact.RestoreComments(kept, hidden), nil
}

// keepBytes returns edited lines with the bytes of the former lines that are not UTF-8. In
// JSON, and so in edited lines, each of them is U+FFFD. ok is false if it is not clear which
// of them stay.
func keepBytes(was, edited string) (kept string, ok bool) {
	if utf8.ValidString(was) || !utf8.ValidString(edited) || !strings.ContainsRune(edited, utf8.RuneError) {
		return edited, true
	}
	var lost []string
	for rest := was; rest != ""; {
		r, size := utf8.DecodeRuneInString(rest)
		if r == utf8.RuneError { // a byte, or a U+FFFD of the file itself
			lost = append(lost, rest[:size])
		}
		rest = rest[size:]
	}
	parts := strings.Split(edited, string(utf8.RuneError))
	if len(parts)-1 != len(lost) {
		return "", false
	}
	for i, part := range parts {
		if kept += part; i < len(lost) {
			kept += lost[i]
		}
	}
	return kept, true
}
