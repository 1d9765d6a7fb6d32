package frontmatter

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory/frontmatter/fields"
)

// TextMerge merges three versions of a text line by line. The base is what the two others were
// made from. conflicts reports that merged has git's markers.
type TextMerge func(base, ours, theirs []byte) (merged []byte, conflicts bool, err error)

// MergeVersions merges three versions of a file. Its entries merge as a set by id, and come out
// sorted by it. The rest of the front matter and the text below it merge with text. If both sides
// changed an entry, its keys merge one by one, and what protects more applies.
//
// Front matter that [Set] refuses merges with text, as a part of the whole file.
func MergeVersions(base, ours, theirs []byte, decisionsFile bool, text TextMerge) (merged []byte, conflicts bool, err error) {
	if merged, isSettled := threeWay(string(base), string(ours), string(theirs)); isSettled {
		return []byte(merged), false, nil
	}
	m := versions{decisionsFile: decisionsFile, text: text}
	parts := []*version{&m.base, &m.ours, &m.theirs}
	isSettled := true
	for i, src := range [][]byte{base, ours, theirs} {
		isSettled = isSettled && parts[i].read(src, decisionsFile)
	}
	if isSettled && m.frame() {
		merged, conflicts, err = m.merge()
	}
	if merged == nil && err == nil {
		return text(base, ours, theirs)
	}
	return merged, conflicts, err
}

// versions merges three versions. merged has what they have in common around their text.
type versions struct {
	base, ours, theirs, merged version
	decisionsFile              bool
	text                       TextMerge
}

// version is one version of a file, taken apart.
type version struct {
	bom, opening, closing string // empty: the version has none
	eol, margin           string // empty: unknown
	others                string // the front matter without the list of entries
	body                  string
	listKey               string // the line of the list's key; empty: there is no list
	behind                string // the line behind the list
	isEmptied             bool   // the list has no entries
	isBlank               bool   // the front matter has nothing between its delimiters
	entries               map[string]entryText
}

// read takes a file apart. ok is false if [Set] would refuse it.
func (v *version) read(src []byte, decisionsFile bool) (ok bool) {
	r := parse(src, time.UTC, decisionsFile)
	e := editor{parser: r, eol: lineEnd(src)}
	reason := r.ReadOnlyReason
	if reason == "" {
		e.layout, reason = findLayout(r.root, r.bounds.raw(src))
	}
	if reason != "" || r.Broken || e.inline {
		return false
	}
	v.bom, v.entries = string(byteOrderMark(src)), map[string]entryText{}
	if bytes.IndexByte(src, '\n') >= 0 {
		v.eol = e.eol
	}
	if !decisionsFile {
		v.body = string(src[r.BodyStart:])
	}
	if r.Format != fields.None && !decisionsFile {
		v.opening, v.closing = string(src[len(v.bom):r.bounds.start]), string(src[r.bounds.end:r.BodyStart])
	}
	lines := e.layout.lines
	v.others = string(bytes.Join(slices.Concat(lines[:e.from], lines[e.to:]), nil))
	if e.key == nil {
		v.isBlank = v.opening != "" && v.others == ""
		return true
	}
	v.listKey, v.margin, v.isEmptied = string(e.listHead()), e.margin, len(e.items) == 0
	v.behind = string(bytes.Join(lines[e.to:min(e.to+1, len(lines))], nil))
	return v.readEntries(&e)
}

// readEntries reads the lines of the list. A comment belongs to the entry below it.
func (v *version) readEntries(e *editor) (ok bool) {
	from := e.from + 1
	for i, it := range e.items {
		entry := entryText{lines: e.sourceOf(it), node: it.node, Entry: e.rawEntries[i]}
		entry.comments = string(bytes.Join(e.layout.lines[from:it.from], nil))
		key := entry.lines
		if len(entry.IDPrefix) >= 12 {
			key = entry.IDPrefix[:12]
		}
		if other, isDouble := v.entries[key]; isDouble {
			if entry, ok = v.mergeEntry(entryText{}, other, entry); !ok {
				return false
			}
		}
		v.entries[key], from = entry, it.to
	}
	return true
}

// frame sets what the versions have in common. ok is false if they differ in it.
func (m *versions) frame() (ok bool) {
	ok = m.base.bom == m.ours.bom && m.ours.bom == m.theirs.bom
	m.merged.bom = m.base.bom
	for _, v := range []*version{&m.base, &m.ours, &m.theirs} {
		ok = ok && common(&m.merged.eol, v.eol) && common(&m.merged.margin, v.margin) &&
			common(&m.merged.opening, v.opening) && common(&m.merged.closing, v.closing)
	}
	ours, theirs := m.ours, m.theirs
	m.merged.isEmptied = ours.isEmptied || theirs.isEmptied || m.decisionsFile
	m.merged.isBlank = ours.isBlank || theirs.isBlank
	m.merged.listKey, m.merged.behind = cmp.Or(ours.listKey, theirs.listKey), cmp.Or(ours.behind, theirs.behind)
	if ours.listKey == "" || theirs.listKey == "" {
		return ok
	}
	key, isSettled := threeWay(m.base.listKey, ours.listKey, theirs.listKey)
	m.merged.listKey = key
	if m.merged.behind, _ = threeWay(m.base.behind, ours.behind, theirs.behind); ours.behind != theirs.behind && m.base.listKey == "" {
		m.merged.behind = ""
	}
	return ok && isSettled
}

// common reports whether one value agrees with those before it. An empty one agrees with all.
func common(all *string, one string) bool {
	agrees := *all == "" || one == "" || *all == one
	*all = cmp.Or(*all, one)
	return agrees
}

// threeWay merges values that have no parts. It is not settled if both sides changed the value.
func threeWay[T comparable](base, ours, theirs T) (merged T, isSettled bool) {
	if ours == base {
		return theirs, true
	}
	return ours, ours == theirs || theirs == base
}

// merge returns nil if only a merge of the whole files can work.
func (m *versions) merge() (merged []byte, conflicts bool, err error) {
	entries, isSettled := m.mergeEntries()
	if !isSettled {
		return nil, false, nil
	}
	others, conflictsAbove, err := m.mergeText(m.base.others, m.ours.others, m.theirs.others)
	if err != nil {
		return nil, false, err
	}
	body, conflictsBelow, err := m.mergeText(m.base.body, m.ours.body, m.theirs.body)
	if err != nil {
		return nil, false, err
	}
	head := m.merged.bom + m.merged.head(others, entries, conflictsAbove)
	if merged = []byte(head + body); !conflictsAbove && !m.readsBack([]byte(head), merged, len(entries)) {
		return nil, false, nil
	}
	return merged, conflictsAbove || conflictsBelow, nil
}

// mergeEntries returns the lines of the merged entries, sorted by id.
func (m *versions) mergeEntries() (lines []string, isSettled bool) {
	all := maps.Clone(m.ours.entries)
	maps.Copy(all, m.theirs.entries)
	for _, key := range slices.Sorted(maps.Keys(all)) {
		e, isSettled := m.merged.mergeEntry(m.base.entries[key], m.ours.entries[key], m.theirs.entries[key])
		if !isSettled {
			return nil, false
		}
		if e.lines != "" {
			lines = append(lines, e.comments+e.lines)
		}
	}
	return lines, true
}

func (m *versions) mergeText(base, ours, theirs string) (merged string, conflicts bool, err error) {
	if merged, isSettled := threeWay(base, ours, theirs); isSettled {
		return merged, false, nil
	}
	text, conflicts, err := m.text([]byte(base), []byte(ours), []byte(theirs))
	return string(text), conflicts, err
}

// head returns the front matter with its delimiters; empty if that has nothing.
func (v *version) head(others string, entries []string, hasConflict bool) string {
	list := ""
	switch {
	case len(entries) > 0:
		list = v.listKey + strings.Join(entries, "")
	case strings.Contains(v.listKey, "#"):
		list = v.listKey
	case v.isEmptied && v.listKey != "":
		list = strings.TrimRight(v.listKey, "\r\n") + " []" + v.eol
	}
	if others+list == "" && !v.isBlank {
		return ""
	}
	at := len(others)
	if before := "\n" + others; v.behind != "" && !hasConflict && strings.Count(before, "\n"+v.behind) == 1 {
		at = strings.Index(before, "\n"+v.behind)
	}
	return v.opening + others[:at] + list + others[at:] + v.closing
}

// readsBack reports whether the merged file has all entries where they belong, and its text
// below them.
func (m *versions) readsBack(head, merged []byte, entries int) bool {
	above := parse(head, time.UTC, m.decisionsFile)
	return above.ReadOnlyReason == "" && !above.Broken && len(above.rawEntries) == entries &&
		parse(merged, time.UTC, m.decisionsFile).BodyStart == len(head)
}
