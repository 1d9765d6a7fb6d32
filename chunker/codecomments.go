package chunker

import (
	"regexp"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter/protecting"
)

var (
	// fenceLine matches a line that opens or closes a code block, perhaps with words after
	// the fence.
	fenceLine = regexp.MustCompile("^[ \t>*+-]*(`{3,}|~{3,})(.*)$")
	// lineComment matches a comment on one line.
	lineComment = regexp.MustCompile(`<!--.*?-->`)
)

// applyCodeComments reports comments at code blocks that protect: on the line of a fence, and
// alone on the first or the last line between fences. They apply. In indented code, which
// may be a text by mistake, those on any line do. Other comments in code are text. In a
// bullet, all are.
func (a *annotator) applyCodeComments(b *memory.Block, raw string) {
	if !strings.Contains(raw, "<!--") {
		return
	}
	lines := strings.Split(raw, "\n")
	fence := ""
	for i, line := range lines {
		opened, fenceHere := fence, ""
		if m := fenceLine.FindStringSubmatch(line); m != nil && (fence == "" || m[1][0] == fence[0]) {
			fenceHere = m[1]
			if fence == "" {
				fence = fenceHere
			} else if strings.TrimSpace(m[2]) == "" && len(fenceHere) >= len(fence) {
				fence = ""
			}
		}
		if !strings.Contains(line, "<!--") {
			continue
		}
		alone := strings.Trim(lineComment.ReplaceAllString(line, ""), " \t>#/*;") == ""
		edge := opened != "" && alone && (isFenceLine(lines, i-1) || isFenceLine(lines, i+1) || i+1 == len(lines))
		indented := opened == "" && b.Kind == memory.KindCode
		if fenceHere != "" || edge || indented {
			a.applyCodeComment(b, line)
		}
	}
}

func isFenceLine(lines []string, i int) bool {
	return i >= 0 && i < len(lines) && fenceLine.MatchString(lines[i])
}

// applyCodeComment adds what the comments of a line of code hide or trust less.
func (a *annotator) applyCodeComment(b *memory.Block, line string) {
	for _, comment := range lineComment.FindAllString(line, -1) {
		var one memory.Block
		new(annotator).applyComment(&one, comment)
		if !protecting.Protects(one.Annotations) {
			continue
		}
		if b.Kind == memory.KindItem {
			// The program writes texts as bullets, and an agent's text must not hide itself.
			a.notes = append(a.notes, note{comment, "it is in a code block, where it has no effect; write it on the line below the code block"})
			continue
		}
		protecting.Add(&b.Annotations, one.Annotations)
		a.notes = append(a.notes, note{comment, "it is in a code block, and applies to all of it; write it on the line below the code block"})
	}
}
