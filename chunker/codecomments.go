package chunker

import (
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/lazyregexp"
	"github.com/memory-tiered/memory/internal/markdown"
)

// lineComment matches a comment on one line.
var lineComment = lazyregexp.New(`<!--.*?-->`)

// applyCodeComments withholds the file if a comment that protects is at the edge of a code
// block. That is the line of a fence, or the line next to it, with nothing else there. In indented code, which
// may be a text by mistake, it is on any line. Other comments in code are text. In a
// bullet, all are, because the program writes texts as bullets.
func (a *annotator) applyCodeComments(b *memory.Block, raw string) {
	if b.Kind == memory.KindItem || !strings.Contains(raw, "<!--") {
		return
	}
	lines := strings.Split(raw, "\n")
	for i, line := range lines {
		if !strings.Contains(line, "<!--") {
			continue
		}
		alone := strings.Trim(lineComment().ReplaceAllString(line, ""), " \t>#/*;") == ""
		edge := alone && (isFenceLine(lines, i-1) || isFenceLine(lines, i+1))
		indented := b.Kind == memory.KindCode && !isFenceLine(lines, 0)
		if !isFenceLine(lines, i) && !edge && !indented {
			continue
		}
		for _, comment := range lineComment().FindAllString(line, -1) {
			a.noteMisplaced(comment, comment, "it is in a code block; write it on the line below the code block", true)
		}
	}
}

func isFenceLine(lines []string, i int) bool {
	return i >= 0 && i < len(lines) && markdown.FenceOf(strings.TrimLeft(lines[i], " \t>*+-")) != ""
}
