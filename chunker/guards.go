package chunker

import (
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/memory-tiered/memory"
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
	protect(&declared, g.next)
	g.addSection(level, declared)
	g.next, g.list = memory.Declared{}, memory.Declared{}
	g.heading, g.beginning, g.entered, g.closed = level, false, false, Span{}
}

func (g *guards) addSection(level int, declared memory.Declared) {
	if protects(declared) {
		g.sections = append(g.sections, sectionGuard{level, declared})
	}
}

// addComment notes a construct that is no memory, below some blocks. It protects the block
// above it. It also protects the block below if no blank line is between them.
func (g *guards) addComment(declared memory.Declared, blocks []memory.Block, below neighbour) {
	above := lastOf(blocks)
	switch {
	case !protects(declared):
	case g.heading > 0:
		g.addSection(g.heading, declared)
	case g.entered:
		protect(&g.open[len(g.open)-1].declared, declared)
		protect(&above.Annotations, declared)
	case g.beginning && !below.touches:
		g.addSection(0, declared)
	default:
		protect(&g.next, declared)
		if below.isList && (above == nil || above.Kind != memory.KindItem) {
			protect(&g.list, declared)
		}
		if above != nil && !below.touches {
			protect(&above.Annotations, declared)
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
		protect(&b.Annotations, s.declared)
	}
	protect(&b.Annotations, g.around())
	if b.Kind != memory.KindItem {
		g.list = memory.Declared{}
	}
	protect(&b.Annotations, g.list)
	protect(&b.Annotations, g.next)
	g.next, g.heading, g.beginning, g.entered, g.closed = memory.Declared{}, 0, false, false, Span{}
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
		protect(&g.list, b.Annotations)
	}
}

// protects reports whether annotations hide a memory from some requests, or trust it
// less.
func protects(d memory.Declared) bool {
	return d.User != "" || d.Private != nil && *d.Private || d.Trust != "" && d.Trust != memory.TrustTrusted
}

// protect adds what a declaration hides or trusts less. A memory's own private: no
// stays.
func protect(to *memory.Declared, d memory.Declared) {
	if to.Private == nil && d.Private != nil && *d.Private {
		to.Private = ptr(true)
	}
	if to.User == "" {
		to.User = d.User
	}
	if slices.Index(memory.TrustTiers, d.Trust) > max(0, slices.Index(memory.TrustTiers, to.Trust)) {
		to.Trust = d.Trust
	}
}

// unclosedComment returns the part of a text that looks like a comment without a
// correct end, such as <!-- private -- >, and the words in it.
func unclosedComment(raw string) (comment, words string) {
	for _, x := range findMarkup(raw, codeSpans(raw)) {
		if x.kind != markupComment || x.escapeStart < x.start || strings.Contains(raw[x.end:], "-->") {
			continue
		}
		line, _, _ := strings.Cut(raw[x.end:], "\n")
		words, _, _ = strings.Cut(line, ">")
		return raw[x.start:x.end] + line, strings.Trim(words, " \t-–—")
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
		protect(&b.Annotations, meant.Annotations)
		a.notes = append(a.notes, note{comment, "the comment has no end; write it as <!-- " + shorten(words) + " -->"})
	}
}

var (
	// nearComment matches what a person or an editor may have made of a comment.
	nearComment = regexp.MustCompile(`[<＜][ \t]?[!！][ \t]?[-–—－][-–—－ \t]*([^<>＜＞\n]{1,200}?)[-–—－ \t]*[>＞]`)
	// protectingWord matches an annotation that protects, and nothing else.
	protectingWord = regexp.MustCompile(`(?i)^[\s@]*(?:(?:priv[a-z]*|trust|users?|usr)[ \t]*[:=][^;]*|users?(?:[ \t]+[^\s;]+)?|private|privat|quarantined?|untrusted|trust[ \t]+\w+)[\s.!]*$`)
)

// nearMiss is a near miss of a comment, with what it declares.
type nearMiss struct {
	start, end int
	words      string
	meant      memory.Declared
}

// findNearComments returns what is nearly a comment, such as <!- private -->, and would
// protect. Some may be escaped by backslashes.
func findNearComments(raw string, code spans) (found []nearMiss) {
	if !hasNearComment(raw) {
		return nil
	}
	for _, m := range nearComment.FindAllStringSubmatchIndex(raw, -1) {
		words := norm.NFKC.String(raw[m[2]:m[3]])
		if strings.HasPrefix(raw[m[0]:], "<!--") || code.contains(m[0]) || !slices.ContainsFunc(strings.Split(words, ";"), protectingWord.MatchString) {
			continue
		}
		var meant memory.Block
		new(annotator).applyComment(&meant, "<!-- "+words+" -->")
		if protects(meant.Annotations) {
			found = append(found, nearMiss{m[0], m[1], words, meant.Annotations})
		}
	}
	return found
}

// applyNearComments reports what is nearly a comment, if it protects. It applies.
func (a *annotator) applyNearComments(b *memory.Block, raw string) {
	if !hasNearComment(raw) {
		return
	}
	for _, near := range findNearComments(raw, codeSpans(raw)) {
		if near.start > 0 && raw[near.start-1] == '\\' {
			continue
		}
		protect(&b.Annotations, near.meant)
		a.notes = append(a.notes, note{raw[near.start:near.end], "this is no comment, and is treated as one; write it as <!-- " + shorten(near.words) + " -->"})
	}
}

// hasNearComment reports quickly whether a text may have a near miss of a comment.
func hasNearComment(raw string) bool {
	return strings.Count(raw, "<!") > strings.Count(raw, "<!--") || strings.Contains(raw, "< !") || strings.Contains(raw, "<\t!") ||
		strings.Contains(raw, "＜") || strings.Contains(raw, "！")
}

// isNearComment reports whether a text is only a near miss of a comment.
func isNearComment(text string) bool {
	at := nearComment.FindStringIndex(text)
	return at != nil && at[0] == 0 && at[1] == len(text)
}
