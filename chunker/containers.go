package chunker

import (
	"regexp"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter/protecting"
)

// maxOpenElements limits the elements inside each other. Deeper ones are not followed.
const maxOpenElements = 256

// container is an HTML element with blocks inside, such as details. A blank line ends an
// HTML block, but not its element.
type container struct {
	name     string
	first    int             // number of the block that opens it
	declared memory.Declared // for its blocks, with what the elements around it declare
}

var (
	// htmlComment matches a comment, which has no tags.
	htmlComment = regexp.MustCompile(`(?s)<!--.*?-->`)
	// htmlTag matches a tag and captures its slash, its name and its end.
	htmlTag = regexp.MustCompile(`<(/?)([A-Za-z][\w-]*)[^<>]*?(/?)>`)
	// emptyElements have no content and no closing tag.
	emptyElements = []string{"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
)

// around returns what the open elements declare.
func (g *guards) around() memory.Declared {
	if len(g.open) == 0 {
		return memory.Declared{}
	}
	return g.open[len(g.open)-1].declared
}

// addHTML follows the elements that the last block opens and closes. What the block
// declares applies to the whole element.
func (g *guards) addHTML(blocks []memory.Block) {
	last := len(blocks) - 1
	b := &blocks[last]
	for _, m := range htmlTag.FindAllStringSubmatch(htmlComment.ReplaceAllString(b.Text, ""), -1) {
		name := strings.ToLower(m[2])
		switch {
		case slices.Contains(emptyElements, name) || m[3] != "":
		case m[1] != "":
			g.close(name, blocks)
		case len(g.open) < maxOpenElements:
			g.open = append(g.open, container{name: name, first: last, declared: g.around()})
		}
	}
	for i := len(g.open) - 1; i >= 0 && g.open[i].first == last; i-- {
		protecting.Add(&g.open[i].declared, b.Annotations)
		g.entered = true
	}
}

// close ends an element, and those inside that have no closing tag. What its last block
// declares protects the others.
func (g *guards) close(name string, blocks []memory.Block) {
	for i, c := range slices.Backward(g.open) {
		if c.name == name {
			g.open, g.closed = g.open[:i], Span{c.first, len(blocks) - 1}
			protectAll(blocks, g.closed, blocks[len(blocks)-1].Annotations)
			return
		}
	}
}

// protectAll protects the blocks with these numbers.
func protectAll(blocks []memory.Block, numbers Span, declared memory.Declared) {
	if protecting.Protects(declared) {
		for i := numbers.Start; i < numbers.End; i++ {
			protecting.Add(&blocks[i].Annotations, declared)
		}
	}
}
