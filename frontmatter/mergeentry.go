package frontmatter

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter/fields"
	"github.com/memory-tiered/memory/frontmatter/protecting"
)

// entryText is an entry as a file has it. The zero value is one that a version does not have.
type entryText struct {
	lines    string
	comments string // the lines above it
	node     *yaml.Node
	memory.Entry
}

// mergeEntry merges three versions of an entry. It is not settled if both sides changed what has
// no rule.
func (v *version) mergeEntry(base, ours, theirs entryText) (merged entryText, isSettled bool) {
	whole := func(e entryText) string { return e.comments + e.lines }
	if text, isSettled := threeWay(whole(base), whole(ours), whole(theirs)); isSettled {
		if text == whole(ours) {
			return ours, true
		}
		return theirs, true
	}
	if theirs.lines < ours.lines { // so that both directions have the same result
		ours, theirs = theirs, ours
	}
	pairs, isSettled := mergePairs(base, ours, theirs)
	if !isSettled || !slices.ContainsFunc(pairs, func(p pair) bool { return !slices.Contains(fields.IdentityKeys, p.key) }) {
		return merged, isSettled
	}
	comments, ok := threeWay(base.comments, ours.comments, theirs.comments)
	var behind [3]string
	for i, e := range []entryText{base, ours, theirs} {
		isClear := e.node == nil
		if !isClear {
			behind[i], isClear = commentBehind(e.node, e.lines)
		}
		ok = ok && isClear
	}
	comment, isSettled := threeWay(behind[0], behind[1], behind[2])
	merged = entryText{comments: comments, lines: cmp.Or(v.margin, "  ") + "- " + formatPairs(pairs) + comment + cmp.Or(v.eol, "\n")}
	merged.node = fields.Decode(fields.YAML, []byte(formatPairs(pairs)+comment)).Root
	r := &parser{zone: time.UTC}
	var isRead bool
	merged.Entry, isRead = r.exactEntry([]byte(merged.lines))
	return merged, ok && isSettled && isRead
}

// mergePairs merges the keys of an entry that both sides changed.
func mergePairs(base, ours, theirs entryText) (pairs []pair, isSettled bool) {
	both, _ := fields.Merge(ours.Declared, theirs.Declared, time.UTC)
	all := slices.Concat(ours.pairs(), theirs.pairs())
	slices.SortStableFunc(all, func(a, b pair) int { return cmp.Compare(uint(keyRank(a.key)), uint(keyRank(b.key))) })
	seen := map[string]bool{}
	for _, p := range all {
		f := fields.Find(p.key, fields.EntryLevel)
		if f == nil {
			f = &fields.Field{Key: p.key}
		}
		if seen[f.Key] {
			continue
		}
		seen[f.Key] = true
		if p.value, isSettled = mergeValue(*f, base, ours, theirs, both); !isSettled {
			return nil, false
		}
		if p.value != "" {
			pairs = append(pairs, p)
		}
	}
	return pairs, true
}

// mergeValue merges the values of one key. For one that protects, and for one that both sides
// changed, the rules for two entries about one memory apply.
func mergeValue(f fields.Field, base, ours, theirs entryText, both memory.Declared) (value string, isSettled bool) {
	is := [2]string{ours.valueOf(f), theirs.valueOf(f)}
	value, isSettled = threeWay(base.valueOf(f), is[0], is[1])
	isKnown := fields.Find(f.Key, fields.EntryLevel) != nil
	switch {
	case slices.Contains(fields.IdentityKeys, f.Key):
		if ours.node == nil || theirs.node == nil {
			return cmp.Or(is[0], is[1]), true
		}
		if !isSettled && fields.IsForgotten(theirs.Declared) && !fields.IsForgotten(ours.Declared) {
			value = is[1]
		}
		return value, true
	case isKnown && (!isSettled || f.Key == "only" || protecting.Find(f.Key, "") != nil):
		value = f.Write(both, time.UTC)
		return value, value != "" || f.Key == "only"
	}
	return value, isSettled
}

// pairs returns the keys of an entry, and none of one that does not exist.
func (e entryText) pairs() []pair {
	if e.node == nil {
		return nil
	}
	return pairsOf(e.node)
}

// valueOf returns the value of a field as the entry has it.
func (e entryText) valueOf(f fields.Field) string {
	for _, p := range e.pairs() {
		if f.HasKey(strings.TrimSpace(p.key)) {
			return p.value
		}
	}
	return ""
}

// mergeDuplicates merges the entries of one memory, such as a git merge that
// keeps both sides leaves behind. Entries with the same id are about one
// memory. Without an id, the quote decides.
func (r *parser) mergeDuplicates(lines []memory.Entry) []memory.Entry {
	var out []memory.Entry
	at := map[string]int{}
	for _, e := range lines {
		if e.Line == 0 {
			continue
		}
		key := cmp.Or(e.IDPrefix, "\x00"+e.Quote+"\x00"+e.Unread)
		i, duplicate := at[key]
		if !duplicate {
			at[key] = len(out)
			out = append(out, e)
			continue
		}
		var contradictions []string
		first := out[i]
		if first.Quote == "" || fields.IsForgotten(e.Declared) && !fields.IsForgotten(first.Declared) && e.Quote != "" {
			out[i].Quote = e.Quote
		}
		out[i].Path = cmp.Or(first.Path, e.Path)
		out[i].Declared, contradictions = fields.Merge(first.Declared, e.Declared, r.zone)
		if len(contradictions) > 0 {
			r.addFault(e.Line, "contradicts line %d about the same memory (%s): %s",
				first.Line, strings.Join(contradictions, ", "), "the value that hides or protects more applies; remove one of the two")
		}
	}
	return out
}
