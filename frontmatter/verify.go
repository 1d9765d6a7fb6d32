package frontmatter

import (
	"bytes"
	"slices"

	"go.yaml.in/yaml/v3"
)

// verify reads a file back after an edit and says what is not as it should be:
// every other key, every other line and the body mean what they meant, and the
// lines concerned what was asked for.
func verify(src []byte, before *parser, after []byte, todo []prepared) (reason string) {
	now := parse(after, before.zone, before.decisionsFile)
	switch {
	case now.Broken || now.HasConflict || now.ReadOnlyReason != "":
		return "it could not be read back afterwards"
	case !bytes.Equal(src[before.BodyStart:], after[now.BodyStart:]) || !bytes.Equal(byteOrderMark(src), byteOrderMark(after)):
		return "what stands below it would be read as front matter"
	case !slices.EqualFunc(otherKeys(before.root), otherKeys(now.root), sameNode):
		return "another key would have changed"
	}
	mineBefore, mineNow := matchEntries(before.rawEntries, todo), matchEntries(now.rawEntries, withoutPrevious(todo))
	if !slices.EqualFunc(unchangedItems(before, mineBefore), unchangedItems(now, mineNow), sameNode) {
		return "another line would have changed"
	}
	for i, c := range todo {
		if reason := before.checkChange(c, len(mineBefore[i]) > 0, now, mineNow[i]); reason != "" {
			return reason
		}
	}
	return ""
}

// withoutPrevious are the changes as they find their lines once these have their ids.
func withoutPrevious(todo []prepared) []prepared {
	todo = slices.Clone(todo)
	for i := range todo {
		todo[i].Previous = nil
	}
	return todo
}

// checkChange checks one change in what was read back.
func (r *parser) checkChange(c prepared, had bool, now *parser, lines []int) (reason string) {
	switch {
	case len(lines) == 0 && (!c.hasContent || c.Remove):
		return ""
	case len(lines) == 1 && (c.hasContent || had && !c.Remove) && now.matchesChange(now.rawEntries[lines[0]], c):
		return ""
	}
	return "the line about " + c.ID.Short() + " would not say what was decided"
}

func otherKeys(root *yaml.Node) (nodes []*yaml.Node) {
	if root == nil {
		return nil
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		if root.Content[i].Value != memoriesKey {
			nodes = append(nodes, root.Content[i], root.Content[i+1])
		}
	}
	return nodes
}

// unchangedItems are the list's items that no change is about.
func unchangedItems(r *parser, claimed [][]int) (nodes []*yaml.Node) {
	if r.root == nil {
		return nil
	}
	mine := map[int]bool{}
	for _, i := range slices.Concat(claimed...) {
		mine[i] = true
	}
	for _, k := range memoriesKeys(r.root) {
		for i, n := range r.root.Content[k+1].Content {
			if !mine[i] {
				nodes = append(nodes, n)
			}
		}
	}
	return nodes
}

// sameNode says that two values mean the same, wherever they stand.
func sameNode(a, b *yaml.Node) bool {
	return a.Kind == b.Kind && a.Tag == b.Tag && a.Value == b.Value && a.Anchor == b.Anchor &&
		slices.EqualFunc(a.Content, b.Content, sameNode)
}
