package frontmatter

import "bytes"

// conflictLine returns the line of the first of git's conflict markers, or 0.
// All three markers must be at line starts and in order. Markers inside a
// closed fenced block are an example.
func conflictLine(src []byte) int {
	if !bytes.Contains(src, []byte("<<<<<<<")) || !bytes.Contains(src, []byte(">>>>>>>")) {
		return 0
	}
	var fence []byte
	stage, first := 0, 0
	for at, n := 0, 1; at < len(src); n++ {
		line := lineAt(src, at)
		at += len(line)
		text := bytes.TrimRight(line, " \t\r\n")
		if stage == 0 {
			if fence = openFence(fence, text); fence != nil {
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

// openFence returns the fence that is open after a line, or nil.
func openFence(open, text []byte) []byte {
	t := bytes.TrimLeft(text, " ")
	if len(text)-len(t) > 3 || len(t) < 3 || t[0] != '`' && t[0] != '~' {
		return open
	}
	run := len(t) - len(bytes.TrimLeft(t, string(t[0])))
	switch {
	case run < 3:
		return open
	case open == nil:
		return t[:run]
	case t[0] == open[0] && run >= len(open) && run == len(t):
		return nil
	}
	return open
}
