package frontmatter

import (
	"bytes"

	"github.com/memory-tiered/memory/internal/markdown"
)

// conflictLine returns the line of the first of git's conflict markers, or 0.
// All three markers must be at line starts and in order. Markers inside a
// closed fenced block are an example.
func conflictLine(src []byte) int {
	if !bytes.Contains(src, []byte("<<<<<<<")) || !bytes.Contains(src, []byte(">>>>>>>")) {
		return 0
	}
	var fence markdown.Fence
	stage, first := 0, 0
	for at, n := 0, 1; at < len(src); n++ {
		line := lineAt(src, at)
		at += len(line)
		text := bytes.TrimRight(line, " \t\r\n")
		if stage == 0 {
			if fence = fence.After(string(bytes.TrimLeft(text, " "))); fence != "" {
				continue
			}
		}
		switch {
		case isMarker(text, "<<<<<<<"):
			stage, first = 1, n
		case stage == 1 && string(text) == "=======":
			stage = 2
		case stage == 2 && isMarker(text, ">>>>>>>"):
			return first
		}
	}
	return 0
}

func isMarker(text []byte, sign string) bool {
	return string(text) == sign || bytes.HasPrefix(text, []byte(sign+" "))
}
