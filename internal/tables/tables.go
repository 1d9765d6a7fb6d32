// Package tables reads tables of words: files with a section in brackets above its lines.
// Words and their languages are data, and the packages that use them contain none.
package tables

import (
	"iter"
	"strings"
)

// Line is a line of a table.
type Line struct {
	Section string
	Number  int // in the file, from 1
	Text    string
}

// Lines returns the lines of a table, without blank ones and comments. A comment begins
// with "#".
func Lines(text string) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		section, number := "", 0
		for line := range strings.SplitSeq(text, "\n") {
			number++
			line = strings.TrimSpace(line)
			switch {
			case line == "" || strings.HasPrefix(line, "#"):
			case strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]") && !strings.Contains(line, "] "):
				section = line[1 : len(line)-1]
			case !yield(Line{section, number, line}):
				return
			}
		}
	}
}
