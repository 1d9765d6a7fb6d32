package chunker

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter/protecting"
)

// buildLayout turns units into blocks and gives each block its heading path.
func buildLayout(src []byte, units []unit, zone *time.Location) Layout {
	blockCount := 0
	for _, u := range units {
		if u.kind != "" && u.End-u.Start > len("-") {
			blockCount++ // an estimate: the text is not read yet
		}
	}
	// Blocks are large: growing the slice would cost more than finding them.
	out := Layout{Blocks: slices.Grow([]memory.Block(nil), blockCount), Skipped: slices.Grow([]Skipped(nil), len(units)-blockCount)}
	a := &annotator{zone: zone}
	var path headingPath
	lines := lineCounter{src: src, line: 1}
	for _, u := range units {
		if u.kind != memory.KindItem {
			path.pop(leadInLevel)
		}
		if u.kind == "" {
			skipped := Skipped{Span: u.Span, Kind: u.skipped}
			if u.level > 0 {
				path.pop(u.level)
				skipped.Text = headingText(u, src[u.Start:u.End])
			}
			skipped.Heading = path.texts
			if u.level > 0 {
				path.push(u.level, skipped.Text)
			}
			out.addUnused(a, src[u.Start:u.End], u.Start, &lines)
			out.Skipped = append(out.Skipped, skipped)
			continue
		}
		out.Blocks = append(out.Blocks, memory.Block{Kind: u.kind, Heading: path.texts, Start: u.Start, End: u.end()})
		b := &out.Blocks[len(out.Blocks)-1]
		if u.fill(a, src, b); b.Text == "" {
			out.Blocks = out.Blocks[:len(out.Blocks)-1]
			out.addUnused(a, src[u.Start:u.end()], u.Start, &lines)
			out.Skipped = append(out.Skipped, Skipped{Span: Span{u.Start, u.end()}, Kind: SkippedEmpty, Heading: path.texts})
			continue
		}
		b.Fingerprint = Fingerprint(b.Text)
		b.LineStart, b.LineEnd = lines.lineOf(b.Start), lines.lineOf(b.End)
		out.Faults = append(out.Faults, a.faults(src[b.Start:b.End], b.LineStart)...)
	}
	if n := len(out.Faults) - maxFaults; n > 0 {
		last := out.Faults[len(out.Faults)-1].Line
		out.Faults = append(out.Faults[:maxFaults], memory.Fault{Line: last, Message: fmt.Sprintf("and %d more faults", n)})
	}
	if len(out.Blocks) == 0 {
		out.Blocks = nil
	}
	out.Withheld = a.withheld
	return out
}

// addUnused adds a fault for each annotation of a construct that is no memory.
func (l *Layout) addUnused(a *annotator, construct []byte, start int, lines *lineCounter) {
	a.notes = nil
	if !bytes.Contains(construct, []byte("<!--")) && !protecting.MayHave(string(construct)) {
		return
	}
	a.noteUnused(string(construct))
	l.Faults = append(l.Faults, a.faults(construct, lines.lineOf(start))...)
}

// fill sets the text and the annotations of the unit's block.
func (u unit) fill(a *annotator, src []byte, b *memory.Block) {
	for _, s := range u.attached {
		text := cleanSource(src[s.Start:s.End])
		if id, ok := strings.CutPrefix(strings.TrimSpace(text), "^"); ok {
			b.BlockID = string(trimTrailingComments([]byte(id)))
		}
		a.applyComments(b, text)
	}
	lead := leadText(src[u.Start : u.Start+u.leadLen])
	raw := cleanSource(src[u.Start+u.leadLen : u.End])
	switch u.kind {
	case memory.KindItem:
		a.extract(b, removeBullet(raw))
	case memory.KindParagraph:
		a.extract(b, trimLineStarts(raw))
	case memory.KindQuote:
		a.extract(b, removeQuoteMarks(raw))
	case memory.KindHTML:
		a.applyUnclosed(raw)
		a.applyMarks(raw)
		b.Text = strings.TrimSpace(a.stripTrailingComments(b, raw))
	case memory.KindCode:
		a.extract(b, lead)
		gap := lead[len(strings.TrimRight(lead, "\n")):]
		b.Text = strings.TrimSpace(b.Text + gap + removeIndent(raw))
	default:
		a.extract(b, lead+removeIndent(raw))
	}
	if u.kind != memory.KindHTML {
		a.applyCodeComments(b, raw)
	}
	a.applyOdd(b, raw, u.leads)
}

// leadText returns a lead-in as it appears above its list, code or table, with
// at most one blank line between them.
func leadText(src []byte) string {
	above := cleanSource(src)
	text := strings.TrimRight(above, "\n")
	gap := min(2, len(above)-len(text))
	return trimLineStarts(text) + above[len(text):len(text)+gap]
}

// stripTrailingComments adds the annotations of an HTML block to b. It removes
// those at the end.
func (a *annotator) stripTrailingComments(b *memory.Block, raw string) string {
	found := findComments(raw)
	known := make([]bool, len(found))
	for i, c := range found {
		known[i] = a.applyComment(b, raw[c.Start:c.End])
	}
	for i := len(found) - 1; i >= 0 && found[i].End == len(raw) && known[i]; i-- {
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
