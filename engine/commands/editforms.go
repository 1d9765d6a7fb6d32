package commands

import (
	"reflect"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
)

// forms returns the ways to write a text in the place of another one in a block. What
// surrounds the old text stays: the marker of a list item, a comment, a tag.
func forms(block, old, text string) (list []string) {
	first, rest := leadOf(block)
	indent := strings.Repeat(" ", len(first))
	for _, indented := range []bool{true, false} {
		was, is := old, text
		if indented {
			was, is = strings.ReplaceAll(old, "\n", "\n"+indent), strings.ReplaceAll(text, "\n", "\n"+indent)
		}
		if before, after, found := strings.Cut(rest, was); found {
			list = append(list, first+before+is+after)
		}
	}
	// The text is written with marks that it is shown without: it is written anew as a bullet.
	bullet := strings.TrimSuffix(string(chunker.Bullet(text)), "\n")
	if strings.TrimLeft(first, " ") != "" {
		bullet = strings.TrimPrefix(bullet, "- ")
		ending := block[len(strings.TrimRight(block, "\n")):]
		for _, comment := range []string{commentOf(block), ""} {
			list = append(list, first+strings.ReplaceAll(bullet, "\n  ", "\n"+indent)+comment+ending)
		}
	}
	return list
}

// leadOf cuts a block behind the marker of its list item.
func leadOf(block string) (lead, rest string) {
	content := strings.TrimLeft(block, " ")
	for _, marker := range []string{"- ", "* ", "+ "} {
		if strings.HasPrefix(content, marker) {
			n := len(block) - len(content) + len(marker)
			return block[:n], block[n:]
		}
	}
	return "", block
}

// commentOf returns the comment at the end of a block, with the space before it.
func commentOf(block string) string {
	block = strings.TrimRight(block, "\n ")
	if i := strings.LastIndex(block, " <!--"); i >= 0 && strings.HasSuffix(block, "-->") {
		return block[i:]
	}
	return ""
}

// holds reports whether blocks are those from before, but for the text of one. Its block id,
// and what its comments and tags declare, have to stay too.
func holds(before, after []memory.Block, edited int, text string) bool {
	if len(before) != len(after) {
		return false
	}
	for i := range before {
		was, is := before[i], after[i]
		if i == edited && (is.Text != text || was.BlockID != is.BlockID || !reflect.DeepEqual(withoutTags(was.Annotations), withoutTags(is.Annotations))) {
			return false
		}
		if i != edited && (was.Text != is.Text || !reflect.DeepEqual(was.Annotations, is.Annotations) || !reflect.DeepEqual(was.Heading, is.Heading)) {
			return false
		}
	}
	return true
}

// withoutTags returns a declaration without tags, which are words of the text.
func withoutTags(d memory.Declared) memory.Declared {
	d.Tags = nil
	return d
}
