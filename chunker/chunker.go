// Package chunker cuts Markdown into blocks with exact byte spans, and blocks
// into chunks. It alone knows what in a file is one thing that a person said,
// which of it are annotations, and how a text is written as a bullet so that it
// reads back the same.
//
// It is pure: the same bytes give the same blocks. Only the block structure is
// parsed (parse.go); what stands inside a line is looked at afterwards
// (annotate.go), as parsing it would cost more than everything else together.
package chunker

import "github.com/memory-tiered/memory"

// Span is bytes of a file, [Start, End).
type Span struct{ Start, End int }

// Layout is everything that a file's body holds. Every byte of the body that is
// not blank is in exactly one of its spans.
type Layout struct {
	Blocks  []memory.Block
	Skipped []Skipped
}

// Skipped is a construct that is no memory.
type Skipped struct {
	Span
	Kind SkippedKind
}

// SkippedKind says why something is no memory.
type SkippedKind string

const (
	SkippedHeading    SkippedKind = "heading"
	SkippedLeadIn     SkippedKind = "lead-in" // its words are in the heading path of the bullets after it
	SkippedRule       SkippedKind = "rule"
	SkippedDefinition SkippedKind = "definition" // of a link's target
	SkippedComment    SkippedKind = "comment"    // that belongs to no block
	SkippedBlockID    SkippedKind = "block id"   // likewise
	SkippedEmpty      SkippedKind = "empty"      // an item, quote or paragraph that says nothing
)

// Blocks gives what a file says. body is where its front matter ends (and a byte
// order mark): nothing before it is looked at, but spans and lines count from
// the file's first byte. Blocks come in order and never overlap. Blocks under
// one heading share its path: do not write to it.
func Blocks(src []byte, bodyStart int) []memory.Block { return Parse(src, bodyStart).Blocks }

// Parse gives everything that the body holds, in order.
func Parse(src []byte, bodyStart int) Layout {
	bodyStart = max(0, min(bodyStart, len(src)))
	units := regroup(src, parseUnits(src, bodyStart))
	return buildLayout(src, units)
}
