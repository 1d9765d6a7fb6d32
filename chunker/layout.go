package chunker

import (
	"bytes"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
)

// buildLayout turns units into blocks and gives each block its heading path.
func buildLayout(src []byte, units []unit) Layout {
	blockCount := 0
	for _, u := range units {
		if u.kind != "" && u.End-u.Start > len("-") {
			blockCount++ // an estimate: the text is not read yet
		}
	}
	// Blocks are large: growing the slice would cost more than finding them.
	out := Layout{slices.Grow([]memory.Block(nil), blockCount), slices.Grow([]Skipped(nil), len(units)-blockCount)}
	var path headingPath
	lines := lineCounter{src: src, line: 1}
	for _, u := range units {
		if u.kind != memory.KindItem {
			path.pop(leadInLevel)
		}
		if u.kind == "" {
			if u.level > 0 {
				path.push(u.level, headingText(u, src[u.Start:u.End]))
			}
			out.Skipped = append(out.Skipped, Skipped{u.Span, u.skipped})
			continue
		}
		out.Blocks = append(out.Blocks, memory.Block{Kind: u.kind, Heading: path.texts, Start: u.Start, End: u.end()})
		b := &out.Blocks[len(out.Blocks)-1]
		if u.fill(src, b); b.Text == "" {
			out.Blocks = out.Blocks[:len(out.Blocks)-1]
			out.Skipped = append(out.Skipped, Skipped{Span{u.Start, u.end()}, SkippedEmpty})
			continue
		}
		b.Fingerprint = Fingerprint(b.Text)
		b.LineStart, b.LineEnd = lines.lineOf(b.Start), lines.lineOf(b.End)
	}
	if len(out.Blocks) == 0 {
		out.Blocks = nil
	}
	return out
}

// fill sets the text and the annotations of the unit's block.
func (u unit) fill(src []byte, b *memory.Block) {
	for _, s := range u.attached {
		text := cleanSource(src[s.Start:s.End])
		if id, ok := strings.CutPrefix(strings.TrimSpace(text), "^"); ok {
			b.BlockID = id
		} else {
			applyComments(b, text)
		}
	}
	lead := leadText(src[u.Start : u.Start+u.leadLen])
	raw := cleanSource(src[u.Start+u.leadLen : u.End])
	switch u.kind {
	case memory.KindItem:
		extractAnnotations(b, removeBullet(raw))
	case memory.KindParagraph:
		extractAnnotations(b, trimLineStarts(raw))
	case memory.KindQuote:
		extractAnnotations(b, removeQuoteMarks(raw))
	case memory.KindHTML:
		b.Text = strings.TrimSpace(stripTrailingComments(b, raw))
	case memory.KindCode:
		extractAnnotations(b, lead)
		gap := lead[len(strings.TrimRight(lead, "\n")):]
		b.Text = strings.TrimSpace(b.Text + gap + removeIndent(raw))
	default:
		extractAnnotations(b, lead+removeIndent(raw))
	}
}

// leadText returns a lead-in as it appears above its list, code or table, with
// at most one blank line between them.
func leadText(src []byte) string {
	above := cleanSource(src)
	text := strings.TrimRight(above, "\n")
	gap := min(2, len(above)-len(text))
	return trimLineStarts(text) + above[len(text):len(text)+gap]
}

// stripTrailingComments removes the annotations at the end of an HTML block and
// adds them to b.
func stripTrailingComments(b *memory.Block, raw string) string {
	found := findComments(raw)
	for i := len(found) - 1; i >= 0 && found[i].End == len(raw) && applyComment(b, raw[found[i].Start:found[i].End]); i-- {
		raw = strings.TrimRight(raw[:found[i].Start], " \t\n")
	}
	return raw
}

// lineCounter finds the line of a position. Positions must be requested in
// ascending order.
type lineCounter struct {
	src       []byte
	line, pos int
}

func (c *lineCounter) lineOf(pos int) int {
	c.line += bytes.Count(c.src[c.pos:pos], []byte("\n"))
	c.pos = pos
	return c.line
}
