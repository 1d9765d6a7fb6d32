package plan

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"znkr.io/diff"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/frontmatter"
)

// Reinsert returns a file with what a change took out of it. What another program wrote since
// stays. It reports false if no place would leave every other memory of the file as it is.
func (f *Executor) Reinsert(taken FileChange, now []byte) (next []byte, ok bool) {
	if bytes.Equal(now, taken.After) {
		return taken.Before, true
	}
	head, body := f.cutHead(now)
	_, before := f.cutHead(taken.Before)
	_, after := f.cutHead(taken.After)
	kept := chunker.Blocks(after, 0)
	for _, b := range chunker.Blocks(before, 0) {
		if len(kept) > 0 && kept[0].Text == b.Text {
			kept = kept[1:]
			continue
		}
		present := chunker.Blocks(body, 0)
		if slices.ContainsFunc(present, func(p memory.Block) bool { return p.Text == b.Text }) { // another program wrote it again
			continue
		}
		if body, ok = f.reinsertBlock(head, body, present, linesOf(before), b); !ok {
			return nil, false
		}
	}
	return slices.Concat(head, body), true
}

// cutHead cuts a file before its body.
func (f *Executor) cutHead(src []byte) (head, body []byte) {
	at := frontmatter.Parse(src, f.Zone).BodyStart
	return src[:at], src[at:]
}

// reinsertBlock writes a block, which was among some lines, into a body that has other blocks. If
// its old place is none any more, it tries the ends of the blocks around that.
func (f *Executor) reinsertBlock(head, body []byte, present []memory.Block, was []string, b memory.Block) ([]byte, bool) {
	lines, gaps := linesOf(body), frontmatter.RemovalGaps(body)
	for _, at := range placesAround(present, placeOf(was, lines, b.LineStart-1), len(lines)) {
		for _, above := range gaps {
			for _, below := range gaps {
				next := []byte(strings.Join(slices.Concat(ended(lines[:at], gaps[1]), []string{above}, ended(was[b.LineStart-1:b.LineEnd], gaps[1]), []string{below}, lines[at:]), ""))
				_, parsed := f.cutHead(slices.Concat(head, next))
				if bytes.Equal(parsed, next) && hasOneMore(present, chunker.Blocks(next, 0), b.Text) {
					return next, true
				}
			}
		}
	}
	return nil, false
}

// placeOf returns the line before which a line of an earlier version belongs: it follows the
// nearest line above that is still there.
func placeOf(was, lines []string, line int) (place int) {
	from, to := 0, 0
	for _, edit := range diff.Edits(trimmed(was), trimmed(lines)) {
		if edit.Op != diff.Insert {
			from++
		}
		if edit.Op != diff.Delete {
			to++
		}
		if edit.Op == diff.Match && from <= line {
			place = to
		}
	}
	return place
}

// placesAround returns a line, and after it the lines where a block begins or ends, the nearest
// first.
func placesAround(blocks []memory.Block, want, n int) []int {
	places := []int{n}
	for _, b := range blocks {
		places = append(places, b.LineStart-1, b.LineEnd)
	}
	distance := func(line int) int { return max(line-want, want-line) }
	slices.SortStableFunc(places, func(a, b int) int { return cmp.Compare(distance(a), distance(b)) })
	return slices.Insert(places, 0, want)
}

// hasOneMore reports whether blocks are those from before, with one text between them.
func hasOneMore(before, after []memory.Block, text string) bool {
	if len(after) != len(before)+1 {
		return false
	}
	for i, b := range after {
		if b.Text == text && sameBlocks(before[:i], after[:i]) && sameBlocks(before[i:], after[i+1:]) {
			return true
		}
	}
	return false
}

// linesOf cuts a text into lines, each with its line end.
func linesOf(text []byte) []string { return slices.Collect(strings.Lines(string(text))) }

// trimmed returns lines without their ends, which an editor may write in another way.
func trimmed(lines []string) []string {
	list := make([]string, len(lines))
	for i, line := range lines {
		list[i] = strings.TrimRight(line, " \t\r\n")
	}
	return list
}

// ended returns lines of which the last one has a line end.
func ended(lines []string, end string) []string {
	if n := len(lines); n > 0 && !strings.HasSuffix(lines[n-1], "\n") {
		return append(slices.Clone(lines), end)
	}
	return lines
}
