// Package chunker splits Markdown into blocks with exact byte spans, and blocks
// into chunks. It alone decides which part of a file is one memory, and which
// part is an annotation. It also formats a text as a bullet that reads back the same. It
// makes the short quote by which a line of front matter names a text.
//
// The package is pure: the same bytes give the same blocks. The parser reads
// only the block structure (parse.go). Annotations inside lines are searched
// for afterwards (annotations.go), because parsing them would take most of the
// time.
package chunker

import (
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter/protecting"
)

// Span is a range of bytes of a file, [Start, End).
type Span struct{ Start, End int }

// Layout is the content of a file's body. Every byte of the body that is not
// blank is in exactly one span.
type Layout struct {
	Blocks  []memory.Block
	Skipped []Skipped
	// Properties is the memory with the properties of other programs in front matter, or
	// nil. It is before the body, and not among Blocks.
	Properties *memory.Block
	Aliases    []string // other names of the file

	Faults []memory.Fault // annotations without an effect, by line; their paths are empty
	// Withheld is what a mark that protects declares for the whole file, because it cannot be
	// read, or belongs to no memory. A fault names it.
	Withheld memory.Declared
}

// Skipped is a construct that is not a memory.
type Skipped struct {
	Span
	Kind    SkippedKind
	Heading []string // the heading path above it
	Text    string   // of a heading or a lead-in, as heading paths contain it
}

// SkippedKind names why a construct is not a memory.
type SkippedKind string

const (
	SkippedHeading    SkippedKind = "heading"
	SkippedLeadIn     SkippedKind = "lead-in" // its text is in the heading path of the bullets after it
	SkippedRule       SkippedKind = "rule"
	SkippedDefinition SkippedKind = "definition" // a link's target
	SkippedComment    SkippedKind = "comment"    // belongs to no block
	SkippedBlockID    SkippedKind = "block id"   // belongs to no block
	SkippedEmpty      SkippedKind = "empty"      // an item, quote or paragraph without a text
)

// Blocks returns the blocks of a file in order; they never overlap. bodyStart
// is the offset after the byte order mark and the front matter. Nothing before
// it is parsed, and no front matter after it, but spans and lines count from the file's first byte. Blocks
// under one heading share the slice of its path, which must not be changed.
func Blocks(src []byte, bodyStart int) []memory.Block { return Parse(src, bodyStart).Blocks }

// Parse returns everything that the body holds, in order. Dates without a time
// zone are in UTC.
func Parse(src []byte, bodyStart int) Layout { return ParseIn(src, bodyStart, time.UTC) }

// ParseIn is Parse with the time zone of dates without one.
func ParseIn(src []byte, bodyStart int, zone *time.Location) Layout {
	bodyStart = max(0, min(bodyStart, len(src)))
	units := regroup(src, parseUnits(src, bodyStart))
	layout := buildLayout(src, units, zone)
	layout.addProperties(src, bodyStart)
	return layout
}

// Protect adds what the body declares for the whole file to its front matter.
func (l Layout) Protect(d memory.Declared) memory.Declared {
	if protecting.Protects(l.Withheld) {
		protecting.Withhold(&d, l.Withheld.User != "")
	}
	return d
}
