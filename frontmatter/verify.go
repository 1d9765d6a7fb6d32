package frontmatter

import (
	"bytes"
	"slices"

	"go.yaml.in/yaml/v3"
)

// verify parses the edited file and returns what is wrong, or "". Every other
// key, every other entry and the body must keep their meaning, and the changed
// entries must have the new content. written are the changes as the edited file identifies them.
func verify(src []byte, before *parser, after []byte, todo, written []prepared) (reason string) {
	now := parse(after, before.zone, before.decisionsFile)
	switch {
	case now.Broken || now.HasConflict || now.ReadOnlyReason != "":
		return "the edited file would be invalid"
	case !bytes.Equal(src[before.BodyStart:], after[now.BodyStart:]) || !bytes.Equal(byteOrderMark(src), byteOrderMark(after)):
		return "the text below it would become front matter"
	case !slices.EqualFunc(otherKeys(before.root), otherKeys(now.root), sameNode):
		return "another key would change"
	}
	mineBefore, mineNow := matchEntries(before.rawEntries, todo), matchEntries(now.rawEntries, written)
	if !slices.EqualFunc(unchangedItems(before, mineBefore), unchangedItems(now, mineNow), sameNode) {
		return "another entry would change"
	}
	for i, c := range todo {
		if reason := before.checkChange(c, len(mineBefore[i]) > 0, now, mineNow[i]); reason != "" {
			return reason
		}
	}
	return ""
}

// withoutPrevious returns the changes without Previous: after the edit their
// entries have ids.
func withoutPrevious(todo []prepared) []prepared {
	todo = slices.Clone(todo)
	for i := range todo {
		todo[i].Previous = nil
	}
	return todo
}

// checkChange compares one change with the entries of the edited file.
func (r *parser) checkChange(c prepared, had bool, now *parser, lines []int) (reason string) {
	switch {
	case len(lines) == 0 && (!c.hasContent || c.Remove):
		return ""
	case len(lines) == 1 && (c.hasContent || had && !c.Remove) && now.matchesChange(now.rawEntries[lines[0]], c):
		return ""
	}
	return "the entry of " + c.ID.Short() + " would differ from the decision"
}

func otherKeys(root *yaml.Node) (nodes []*yaml.Node) {
	if root == nil {
		return nil
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		if !isListKey(root.Content[i]) {
			nodes = append(nodes, root.Content[i], root.Content[i+1])
		}
	}
	return nodes
}

// unchangedItems returns the list's items that belong to no change.
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

// sameNode reports whether two values are equal, wherever they are.
func sameNode(a, b *yaml.Node) bool {
	return a.Kind == b.Kind && a.Tag == b.Tag && a.Value == b.Value && a.Anchor == b.Anchor &&
		slices.EqualFunc(a.Content, b.Content, sameNode)
}
