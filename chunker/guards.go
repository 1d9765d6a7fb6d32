package chunker

import (
	"bytes"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter/protecting"
)

// guards applies annotations that protect and belong to no memory, such as a
// comment private in a heading or between two blank lines. Nobody can tell what
// they mean, so they protect everything that they may mean.
type guards struct {
	sections  []sectionGuard
	next      memory.Declared // for the next block or section
	list      memory.Declared // for the items of the list below a lead-in
	open      []container
	closed    Span // numbers of the blocks in the element that the last block closes
	entered   bool // an HTML element was opened directly above
	heading   int  // level of the heading directly above, 0: none
	beginning bool // nothing but comments is above
}

// sectionGuard protects the blocks below a heading. Level 0 is the whole file.
type sectionGuard struct {
	level    int
	declared memory.Declared
}

// enterSection ends the sections of a level and below, and starts a new one.
func (g *guards) enterSection(level int, declared memory.Declared) {
	g.sections = slices.DeleteFunc(g.sections, func(s sectionGuard) bool { return s.level >= level })
	protecting.Add(&declared, g.next)
	g.addSection(level, declared)
	g.next, g.list = memory.Declared{}, memory.Declared{}
	g.heading, g.beginning, g.entered, g.closed = level, false, false, Span{}
}

func (g *guards) addSection(level int, declared memory.Declared) {
	if protecting.Protects(declared) {
		g.sections = append(g.sections, sectionGuard{level, declared})
	}
}

// addComment notes a construct that is no memory, below some blocks. It protects the block
// above it. It also protects the block below if no blank line is between them.
func (g *guards) addComment(declared memory.Declared, blocks []memory.Block, below neighbour) {
	above := lastOf(blocks)
	switch {
	case !protecting.Protects(declared):
	case g.heading > 0:
		g.addSection(g.heading, declared)
	case g.entered:
		protecting.Add(&g.open[len(g.open)-1].declared, declared)
		protecting.Add(&above.Annotations, declared)
	case g.beginning && !below.touches:
		g.addSection(0, declared)
	default:
		protecting.Add(&g.next, declared)
		if below.isList && (above == nil || above.Kind != memory.KindItem) {
			protecting.Add(&g.list, declared)
		}
		if above != nil && !below.touches {
			protecting.Add(&above.Annotations, declared)
			protectAll(blocks, g.closed, declared)
		}
	}
}

// neighbour is what is below a construct.
type neighbour struct {
	touches bool // it is a block on the next line
	isList  bool // it is the first item of a list
}

// apply protects a block.
func (g *guards) apply(b *memory.Block) {
	for _, s := range g.sections {
		protecting.Add(&b.Annotations, s.declared)
	}
	protecting.Add(&b.Annotations, g.around())
	if b.Kind != memory.KindItem {
		g.list = memory.Declared{}
	}
	protecting.Add(&b.Annotations, g.list)
	protecting.Add(&b.Annotations, g.next)
	g.next, g.heading, g.beginning, g.entered, g.closed = memory.Declared{}, 0, false, false, Span{}
}

// protectAbove applies what the last block declares, which is HTML, to the block above it. It
// begins with a comment that has no end, or that does not end its line.
func (a *annotator) protectAbove(blocks []memory.Block, gap, html []byte) {
	if len(blocks) < 2 || !bytes.HasPrefix(bytes.TrimLeft(html, blanks), []byte("<!--")) {
		return
	}
	unclosed, _ := unclosedComment(string(html))
	if countLineBreaks(gap) != 1 && unclosed == "" {
		return
	}
	last := &blocks[len(blocks)-1]
	protecting.Add(&blocks[len(blocks)-2].Annotations, last.Annotations)
	if line, _, _ := bytes.Cut(html, []byte("\n")); unclosed == "" {
		a.notes = append(a.notes, note{string(line), "it does not end its line; until you correct it, it applies to the memories above and below"})
	}
}

// addBlock notes what the last block declares about the blocks below it: a lead-in about its
// list, and an HTML block about its elements.
func (g *guards) addBlock(blocks []memory.Block, leads bool) {
	b := &blocks[len(blocks)-1]
	if b.Kind == memory.KindHTML {
		g.addHTML(blocks)
	}
	if leads {
		g.list = memory.Declared{}
		protecting.Add(&g.list, b.Annotations)
	}
}

// unclosedComment returns the part of a text that looks like a comment without a
// correct end, such as <!-- private -- >, and the words in it.
func unclosedComment(raw string) (comment, words string) {
	for _, x := range findMarkup(raw, codeSpans(raw)) {
		if x.kind != markupComment || x.escapeStart < x.start || strings.Contains(raw[x.end:], "-->") {
			continue
		}
		line, below, _ := strings.Cut(strings.TrimLeft(raw[x.end:], blanks), "\n")
		words, _, _ = strings.Cut(line, ">")
		return strings.TrimRight(strings.TrimSuffix(raw[x.start:], below), blanks), strings.Trim(words, " \t-–—!")
	}
	return "", ""
}

// applyUnclosed reports an annotation in a comment without a correct end. If it
// protects, it applies.
func (a *annotator) applyUnclosed(b *memory.Block, raw string) {
	if !strings.Contains(raw, "<!--") {
		return
	}
	comment, words := unclosedComment(raw)
	if comment == "" {
		return
	}
	var meant memory.Block
	trial := annotator{zone: a.zone}
	if known := trial.applyComment(&meant, "<!-- "+words+" -->"); known || len(trial.notes) > 0 {
		protecting.Add(&b.Annotations, meant.Annotations)
		a.notes = append(a.notes, note{comment, "the comment has no end; write it as <!-- " + shorten(words) + " -->"})
	}
}

// findMarks returns what looks like a mark that protects and is outside the grammar of
// comments, such as <!- private --> and [private:: true]. Some may be behind backslashes.
func findMarks(raw string, code spans) []protecting.Mark {
	return slices.DeleteFunc(protecting.InText(raw), func(m protecting.Mark) bool { return code.contains(m.Start) })
}

// applyMarks reports what looks like a mark. It withholds the block.
func (a *annotator) applyMarks(b *memory.Block, raw string) {
	if !protecting.MayHave(raw) {
		return
	}
	for _, m := range findMarks(raw, codeSpans(raw)) {
		if m.Start > 0 && raw[m.Start-1] == '\\' {
			continue
		}
		a.notes = append(a.notes, note{raw[m.Start:m.End], withhold(b, m.Key).Error() + "; write it as <!-- " + m.Name + ": … -->"})
	}
}
