package frontmatter

import "bytes"

// conflictLine is the line of the first of git's conflict markers, 0 where the
// three do not stand at line starts in their order. Markers inside a closed
// stretch of code are somebody's example.
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

// openFence gives the fence that is open after a line; nil is none.
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
