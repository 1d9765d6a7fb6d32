package edits

import (
	"reflect"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/frontmatter"
)

// checkOtherBlocks refuses a change of the bytes [start, end) if another block of the
// file would be different after it. It also refuses one that leaves no memory. It returns
// the blocks that the bytes hold afterwards.
func checkOtherBlocks(src, next []byte, start, end int, leavesMemory bool) (left []memory.Block, err error) {
	before, after := blocksOf(src), blocksOf(next)
	grown := len(next) - len(src)
	var above, below []memory.Block
	for _, b := range before {
		switch {
		case b.End <= start:
			above = append(above, b)
		case b.Start >= end:
			below = append(below, b)
		case b.Start < start || b.End > end:
			return nil, memory.Invalid("new_lines", "the lines belong to several memories").WithHint("edit the file with your editor: memory open ID")
		}
	}
	var keptAbove, keptBelow []memory.Block
	for _, b := range after {
		switch {
		case b.End <= start:
			keptAbove = append(keptAbove, b)
		case b.Start >= end+grown:
			keptBelow = append(keptBelow, b)
		default:
			left = append(left, b)
		}
	}
	if !sameBlocks(above, keptAbove) || !sameBlocks(below, keptBelow) {
		return nil, memory.Invalid("new_lines", "the change would alter other memories of the file").
			WithHint("close what you open, such as a code fence or a comment, and add no heading")
	}
	if leavesMemory && len(left) == 0 {
		return nil, memory.Invalid("new_lines", "the new lines hold no memory").WithHint("to hide the memory, forget it")
	}
	return left, nil
}

func blocksOf(src []byte) []memory.Block {
	return chunker.Blocks(src, frontmatter.Parse(src, time.UTC).BodyStart)
}

// sameBlocks reports whether blocks are equal but for their place.
func sameBlocks(a, b []memory.Block) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		x, y := a[i], b[i]
		x.Start, x.End, x.LineStart, x.LineEnd = y.Start, y.End, y.LineStart, y.LineEnd
		if !reflect.DeepEqual(x, y) {
			return false
		}
	}
	return true
}
