package chunker

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
)

// longestLeadIn is how many bytes a lead-in may have: what is longer says
// something of its own.
const longestLeadIn = 160

var (
	// linkDefinition is a line that only names the target of links.
	linkDefinition = regexp.MustCompile(`^ {0,3}\[[^\]\n]+\]:[ \t]+\S`)
	// onlyComments is an HTML block that shows nothing.
	onlyComments = regexp.MustCompile(`^(?s:\s*<!--.*?-->)+\s*$`)
)

// join settles what the parser cannot know: comments belong to what they stand
// under, link definitions are no memories, a lead-in goes with what it leads to.
func (c *cutter) join() {
	var joined []unit
	for _, u := range c.units {
		switch src := c.src[u.Start:u.End]; {
		case u.kind == memory.KindHTML && onlyComments.Match(src):
			if last := len(joined) - 1; last >= 0 && joined[last].kind != "" && c.adjacent(joined[last], u) {
				joined[last].loose = append(joined[last].loose, u.Span)
				continue
			}
			u.kind = ""
		case u.kind == memory.KindParagraph && onlyDefinitions(src):
			u.kind = ""
		}
		joined = append(joined, u)
	}
	c.units = c.leadIns(joined)
}

// adjacent says that b begins on the line after a's last.
func (c *cutter) adjacent(a, b unit) bool {
	end := a.End
	if n := len(a.loose); n > 0 {
		end = a.loose[n-1].End
	}
	return bytes.Count(c.src[end:b.Start], []byte("\n")) == 1
}

func onlyDefinitions(src []byte) bool {
	for line := range bytes.Lines(src) {
		if !linkDefinition.Match(line) {
			return false
		}
	}
	return true
}

// leadIns makes one block of a lead-in and the list, code or table under it. A
// lead-in over bullets stays apart: it joins their heading path.
func (c *cutter) leadIns(units []unit) []unit {
	for i := 0; i+1 < len(units); i++ {
		if !c.leadsIn(units[i]) {
			continue
		}
		switch next := &units[i+1]; next.kind {
		case memory.KindList, memory.KindCode, memory.KindTable:
			next.Start = units[i].Start
			units[i].kind, units[i].End = "", units[i].Start
		case memory.KindItem:
			if next.first {
				units[i].kind, units[i].level = "", leadInLevel
			}
		}
	}
	return slices.DeleteFunc(units, func(u unit) bool { return u.Start == u.End })
}

// leadInLevel marks a lead-in as the heading of the bullets after it, below any
// real heading.
const leadInLevel = 7

func (c *cutter) leadsIn(u unit) bool {
	src := strings.TrimSpace(string(c.src[u.Start:u.End]))
	return u.kind == memory.KindParagraph && len(u.loose) == 0 && len(src) <= longestLeadIn &&
		(strings.HasSuffix(src, ":") || strings.HasSuffix(src, "："))
}
