package chunker

import (
	"bytes"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
)

// emit turns units into blocks, each with the headings that it stands under.
func emit(src []byte, units []unit) Layout {
	memories := 0
	for _, u := range units {
		if u.kind != "" && u.End-u.Start > len("-") {
			memories++ // as far as can be told without reading it
		}
	}
	// Blocks are large, and copying them to grow costs more than finding them.
	out := Layout{slices.Grow([]memory.Block(nil), memories), slices.Grow([]Other(nil), len(units)-memories)}
	var path headings
	lines := lineCounter{src: src, line: 1}
	for _, u := range units {
		if u.kind != memory.KindItem {
			path.close(leadInLevel)
		}
		if u.kind == "" {
			if u.level > 0 {
				path.push(u.level, headingWords(u, src[u.Start:u.End]))
			}
			out.Others = append(out.Others, Other{u.Span, u.other})
			continue
		}
		out.Blocks = append(out.Blocks, memory.Block{Kind: u.kind, Heading: path.names, Start: u.Start, End: u.end()})
		b := &out.Blocks[len(out.Blocks)-1]
		if u.read(src, b); b.Text == "" {
			out.Blocks = out.Blocks[:len(out.Blocks)-1]
			out.Others = append(out.Others, Other{Span{u.Start, u.end()}, OtherEmpty})
			continue
		}
		b.Fingerprint = Fingerprint(b.Text)
		b.LineStart, b.LineEnd = lines.at(b.Start), lines.at(b.End)
	}
	if len(out.Blocks) == 0 {
		out.Blocks = nil
	}
	return out
}

// read fills in what a unit says and what is declared about it.
func (u unit) read(src []byte, b *memory.Block) {
	for _, s := range u.loose {
		text := clean(src[s.Start:s.End])
		if id, ok := strings.CutPrefix(strings.TrimSpace(text), "^"); ok {
			b.BlockID = id
		} else {
			declareAll(b, text)
		}
	}
	lead := leadText(src[u.Start : u.Start+u.lead])
	raw := clean(src[u.Start+u.lead : u.End])
	switch u.kind {
	case memory.KindItem:
		annotate(b, unmarked(raw))
	case memory.KindParagraph:
		annotate(b, leftAligned(raw))
	case memory.KindQuote:
		annotate(b, unquoted(raw))
	case memory.KindHTML:
		b.Text = strings.TrimSpace(takeLastComments(b, raw))
	case memory.KindCode:
		annotate(b, lead)
		gap := lead[len(strings.TrimRight(lead, "\n")):]
		b.Text = strings.TrimSpace(b.Text + gap + outdented(raw))
	default:
		annotate(b, lead+outdented(raw))
	}
}

// leadText is a lead-in as it stands above what it leads to, with one blank line
// between them where there is any.
func leadText(src []byte) string {
	above := clean(src)
	said := strings.TrimRight(above, "\n")
	gap := min(2, len(above)-len(said))
	return leftAligned(said) + above[len(said):len(said)+gap]
}

// takeLastComments takes the annotations off that HTML ends with.
func takeLastComments(b *memory.Block, raw string) string {
	found := comments(raw)
	for i := len(found) - 1; i >= 0 && found[i].End == len(raw) && declare(b, raw[found[i].Start:found[i].End]); i-- {
		raw = strings.TrimRight(raw[:found[i].Start], " \t\n")
	}
	return raw
}

// lineCounter says on which line a place is; places are asked for in order.
type lineCounter struct {
	src       []byte
	line, pos int
}

func (c *lineCounter) at(pos int) int {
	c.line += bytes.Count(c.src[c.pos:pos], []byte("\n"))
	c.pos = pos
	return c.line
}
