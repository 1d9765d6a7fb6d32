package plan

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

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
	_, withoutTaken := f.cutHead(taken.After)
	_, withTaken := f.cutHead(taken.Before)
	after, before := linesOf(withoutTaken), linesOf(withTaken)
	match, gone := alignKept(after, before, chunker.Blocks(withoutTaken, 0), chunker.Blocks(withTaken, 0))
	present := chunker.Blocks(body, 0)
	for _, h := range slices.Backward(hunks(match, len(before))) { // from the end, so that places above stay
		var texts []string
		for _, b := range gone {
			if b.LineStart > h.to && b.LineStart <= h.toEnd {
				texts = append(texts, b.Text)
			}
		}
		if len(texts) > 0 && containAll(present, texts) { // another program wrote it again
			continue
		}
		if body, ok = f.reinsertHunk(head, after, h, before[h.to:h.toEnd], texts, body); !ok {
			return nil, false
		}
	}
	return slices.Concat(head, body), true
}

// alignKept aligns the lines of a body without some blocks to those with them. It returns these
// blocks too.
func alignKept(after, before []string, kept, all []memory.Block) (match []int, gone []memory.Block) {
	match = slices.Repeat([]int{-1}, len(after))
	a, b := 0, 0
	for _, block := range all {
		if len(kept) == 0 || kept[0].Text != block.Text {
			gone = append(gone, block)
			continue
		}
		alignBetween(after, before, match, a, kept[0].LineStart-1, b, block.LineStart-1)
		a, b = kept[0].LineEnd, block.LineEnd
		for i := range min(a-kept[0].LineStart, b-block.LineStart) + 1 {
			match[kept[0].LineStart-1+i] = block.LineStart - 1 + i
		}
		kept = kept[1:]
	}
	alignBetween(after, before, match, a, len(after), b, len(before))
	for i, line := range match {
		if slices.ContainsFunc(gone, func(b memory.Block) bool { return line >= b.LineStart-1 && line < b.LineEnd }) {
			match[i] = -1
		}
	}
	return match, gone
}

// cutHead cuts a file before its body.
func (f *Executor) cutHead(src []byte) (head, body []byte) {
	at := frontmatter.Parse(src, f.Zone).BodyStart
	return src[:at], src[at:]
}

// reinsertHunk writes lines, in which some texts begin, where they were among the lines of a
// body. If that is no place for them any more, it tries the ends of the blocks around it.
func (f *Executor) reinsertHunk(head []byte, after []string, h hunk, taken, texts []string, body []byte) ([]byte, bool) {
	lines, kept, gaps := linesOf(body), chunker.Blocks(body, 0), frontmatter.RemovalGaps(body)
	separator := trimmed(after[h.from:h.fromEnd]) // which the removal left in their place
	want := placeOf(alignLines(trimmed(after), trimmed(lines)), h, len(lines))
	for _, at := range placesAround(kept, want, len(lines)) {
		tail := lines[at:]
		if len(tail) >= len(separator) && slices.Equal(trimmed(tail[:len(separator)]), separator) {
			tail = tail[len(separator):]
		}
		for _, above := range gaps {
			for _, below := range gaps {
				next := []byte(strings.Join(slices.Concat(ended(lines[:at], gaps[1]), []string{above}, ended(taken, gaps[1]), []string{below}, tail), ""))
				_, parsed := f.cutHead(slices.Concat(head, next))
				if bytes.Equal(parsed, next) && holdsTaken(kept, chunker.Blocks(next, 0), texts) {
					return next, true
				}
			}
		}
	}
	return nil, false
}

// placeOf returns the line of a file before which a hunk belongs. match aligns the lines without
// the hunk to the n lines of the file. The nearest line above that is still there decides.
func placeOf(match []int, h hunk, n int) int {
	below := h.fromEnd
	for below < len(match) && match[below] < 0 {
		below++
	}
	limit := n
	if below < len(match) {
		limit = match[below]
	}
	above := h.from - 1
	for above >= 0 && match[above] < 0 {
		above--
	}
	switch {
	case above < 0:
		return min(h.from, limit)
	case above < h.from-1 && below == h.fromEnd:
		return max(limit-(h.fromEnd-h.from), 0)
	}
	return min(match[above]+h.from-above, limit)
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

// holdsTaken reports whether blocks are those that were kept, with some texts between them.
func holdsTaken(kept, after []memory.Block, texts []string) bool {
	if len(after) != len(kept)+len(texts) {
		return false
	}
	for at := range len(kept) + 1 {
		end := at + len(texts)
		if sameBlocks(kept[:at], after[:at]) && slices.EqualFunc(after[at:end], texts, hasText) && sameBlocks(kept[at:], after[end:]) {
			return true
		}
	}
	return false
}

func hasText(b memory.Block, text string) bool { return b.Text == text }

func containAll(blocks []memory.Block, texts []string) bool {
	for _, text := range texts {
		if !slices.ContainsFunc(blocks, func(b memory.Block) bool { return hasText(b, text) }) {
			return false
		}
	}
	return true
}
