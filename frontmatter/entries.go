package frontmatter

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter/fields"
	"github.com/memory-tiered/memory/frontmatter/protecting"
)

// maxKeys limits the keys of one entry to three times as many as exist.
const maxKeys = 64

// minID is the minimum number of digits of an id in a file.
const minID = memory.MinIDPrefix

// readFile reads the keys for the whole file and the list of entries.
func (r *parser) readFile() {
	if r.root.Kind != yaml.MappingNode {
		r.markBroken(r.bounds.firstLine, "front matter must consist of keys and values (key: value)")
		r.unread = true
		return
	}
	if !r.decisionsFile {
		var unknown []*yaml.Node // keys and values
		r.FileDefaults = r.readPairs(r.root, fields.FileLevel, func(key, value *yaml.Node) { unknown = append(unknown, key, value) })
		for i := 0; i < len(unknown); i += 2 {
			if k := protecting.InKey(unknown[i].Value + " " + unknown[i+1].Value); k != nil {
				r.EntriesUnread = true // the key may have slipped out of an entry
				r.withhold(r.fileLine(unknown[i]), k.Name, "cannot be read here")
			}
		}
		r.withholdNested()
	}
	for i := 0; r.decisionsFile && i+1 < len(r.root.Content); i += 2 {
		if key, node := r.root.Content[i], r.root.Content[i+1]; !isListKey(key) && !isMisspelledList(key, node) {
			r.withholdLine(textOf(key)+" "+textOf(node), r.fileLine(key))
		}
	}
	for n, i := range memoriesKeys(r.root) {
		if n > 0 {
			r.addFault(r.fileLine(r.root.Content[i]), "%s occurs twice; both lists apply, merge them into one", fields.MemoriesKey)
		}
		r.readEntries(r.root.Content[i+1])
	}
	r.readMisspelledList()
	r.Entries = r.mergeDuplicates(slices.Concat(r.rawEntries, r.unlisted))
}

// readMisspelledList reads the list of entries below another key than memories, so that
// forgotten memories stay hidden.
func (r *parser) readMisspelledList() {
	for i := 0; i+1 < len(r.root.Content); i += 2 {
		key, node := r.root.Content[i], r.root.Content[i+1]
		if isListKey(key) || !isMisspelledList(key, node) {
			continue
		}
		r.addFault(r.fileLine(key), "unknown key %q; do you mean %s? until you correct it, its lines apply, and a line that was removed restores nothing",
			fields.Truncate(key.Value), fields.MemoriesKey)
		r.EntriesUnread = true
		r.ReadOnlyReason = "its key " + fields.MemoriesKey + " is misspelled"
		r.readEntries(node)
	}
}

// isListKey reports whether a key is that of the list of entries.
func isListKey(key *yaml.Node) bool { return strings.EqualFold(key.Value, fields.MemoriesKey) }

// isMisspelledList reports whether another key contains the list of entries: it resembles
// memories, or one of its values is an entry.
func isMisspelledList(key, node *yaml.Node) bool {
	if memory.SuggestKey(strings.TrimSpace(key.Value), fields.KeysOf[fields.FileLevel]) == fields.MemoriesKey {
		return true
	}
	return isEntry(node) || slices.ContainsFunc(node.Content, isEntry)
}

// isEntry reports whether a node is a mapping with a quote and a decision.
func isEntry(n *yaml.Node) bool {
	if n.Kind != yaml.MappingNode {
		return false
	}
	quotes, decides := false, false
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i].Value
		quotes = quotes || key == "quote"
		decides = decides || fields.Find(key, fields.EntryLevel) != nil || protecting.Pair(key, n.Content[i+1].Value) != nil
	}
	return quotes && decides
}

// readPairs reads the keys of a mapping that have a field. It passes other keys
// to rest.
func (r *parser) readPairs(n *yaml.Node, p fields.Level, rest func(key, value *yaml.Node)) memory.Declared {
	var d memory.Declared
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		f := r.fieldOf(key, value, p)
		if f == nil || p == fields.EntryLevel && nestsDecision(f, value) {
			rest(key, value)
			continue
		}
		var one memory.Declared
		err := f.Read(&one, fields.Value{Node: value, Zone: r.zone})
		declares := f.Write(one, r.zone) != "" || one.SourceRef != ""
		if err != nil && (declares || !errors.Is(err, fields.ErrEmpty)) && !r.mayBelongToOther(f, key.Value, p) {
			r.addFault(r.fileLine(key), "%s: %v", fields.Truncate(key.Value), err)
		}
		if !declares {
			continue
		}
		if seen[f.Key] {
			r.addFault(r.fileLine(key), "%s occurs twice; remove one of them", f.Key)
			d, _ = fields.Merge(d, one, r.zone)
			continue
		}
		seen[f.Key] = true
		d = fields.Add(d, one)
	}
	return d
}

// nestsDecision reports whether the value of a field has a mapping that may be another decision.
// That of a field that protects is one only with a key that protects.
func nestsDecision(f *fields.Field, value *yaml.Node) (nests bool) {
	if protecting.Find(f.Key, "") == nil {
		return fields.ContainsNode(value, func(n *yaml.Node) bool { return n.Kind == yaml.MappingNode })
	}
	visitNested(value, func(*yaml.Node, *protecting.Key) { nests = true })
	return nests
}

// fieldOf returns the field of a key, or nil. It adds a fault if the key probably misspells
// one, unless that protects: then it looks like a mark.
func (r *parser) fieldOf(key, node *yaml.Node, p fields.Level) *fields.Field {
	if f := fields.Find(key.Value, p); f != nil {
		return f
	}
	if p == fields.FileLevel {
		r.reportMisplaced(key, node)
	}
	word := memory.SuggestKey(strings.TrimSpace(key.Value), fields.KeysOf[p])
	if word != "" && word != fields.MemoriesKey && protecting.Find(key.Value, node.Value) == nil {
		r.addFault(r.fileLine(key), "unknown key %q; do you mean %s?", fields.Truncate(key.Value), word)
	}
	return nil
}

// reportMisplaced reports a decision about single memories that is declared for
// a whole file. Other programs use pinned too, so only a boolean is ours.
func (r *parser) reportMisplaced(key, node *yaml.Node) {
	word := strings.ToLower(strings.TrimSpace(key.Value))
	if !slices.Contains(fields.EntryOnlyKeys, word) {
		return
	}
	set, err := (fields.Value{Node: node, Zone: r.zone}).Boolean()
	switch {
	case err == nil && !set || err != nil && word == "pinned":
		return
	case word == "forgotten":
		r.hideWholeFile(key, node)
		return
	}
	r.addFault(r.fileLine(key), "%s has no effect on a whole file; declare it in a line below %s", word, fields.MemoriesKey)
}

// hideWholeFile makes a file private that declares forgotten for all its memories.
// The key may have slipped out of an entry, so that no entry counts as removed.
func (r *parser) hideWholeFile(key, node *yaml.Node) {
	if set, err := (fields.Value{Node: node, Zone: r.zone}).Boolean(); err == nil && !set {
		return
	}
	r.EntriesUnread = true
	r.withhold(r.fileLine(key), "forgotten", "belongs into a line below "+fields.MemoriesKey)
}

// mayBelongToOther reports whether another program may have written an unknown
// value.
func (r *parser) mayBelongToOther(f *fields.Field, key string, p fields.Level) bool {
	return p == fields.FileLevel && (f.Shared || f.Alias != "" && strings.EqualFold(f.Alias, key))
}

// readEntries reads the list of entries.
func (r *parser) readEntries(n *yaml.Node) {
	n = fields.ResolveAlias(n)
	if n.Kind == yaml.ScalarNode && (n.Tag == "!!null" || n.Value == "") || n.Kind == yaml.MappingNode && len(n.Content) == 0 {
		return
	}
	if n.Kind != yaml.SequenceNode {
		r.addFault(r.fileLine(n), "%s must be a list; begin each entry with - on its own line", fields.MemoriesKey)
		r.EntriesUnread = true
		r.readEntriesWithoutDashes(n)
		return
	}
	for _, item := range n.Content {
		r.rawEntries = append(r.rawEntries, r.readEntry(item))
	}
}

// readEntriesWithoutDashes reads what is below memories and is no list: one entry,
// or entries that are the values of keys.
func (r *parser) readEntriesWithoutDashes(n *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		r.unread = true
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if slices.Contains(fields.IdentityKeys, n.Content[i].Value) {
			r.rawEntries = append(r.rawEntries, r.readEntry(n))
			return
		}
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		item := n.Content[i+1]
		if !isEntry(item) {
			item = &yaml.Node{Kind: yaml.MappingNode, Content: n.Content[i : i+2], Line: n.Content[i].Line}
		}
		r.rawEntries = append(r.rawEntries, r.readEntry(item))
	}
}

// readEntry reads one entry. It returns the zero entry if nothing in it is
// valid.
func (r *parser) readEntry(item *yaml.Node) memory.Entry {
	e := memory.Entry{Line: r.fileLine(item)}
	item = fields.ResolveAlias(item)
	if item.Kind != yaml.MappingNode || len(item.Content) > 2*maxKeys {
		return r.unreadEntry(e, item, `write it as - {id: "…", quote: "…", pinned: true}`)
	}
	known := len(r.Faults)
	var unread *protecting.Key
	isNamed := true
	e.Declared = r.readPairs(item, fields.EntryLevel, func(key, node *yaml.Node) {
		if k := unreadKey(key, node); k != nil {
			unread = k
			r.addFault(r.fileLine(key), "%s cannot be read here: until you correct it, the memory counts as forgotten", k.Name)
			return
		}
		isNamed = r.readIdentity(&e, item, key, node) && isNamed
	})
	switch {
	case e.IDPrefix == "" && e.Quote == "":
		r.Faults = r.Faults[:known]
		return r.unreadEntry(e, item, "it has neither an id nor a quote; add the first words of the memory as quote")
	case !isNamed && (unread != nil || protecting.Protects(e.Declared)):
		return r.unreadEntry(e, item, "it names several memories")
	case unread != nil:
		r.EntriesUnread, r.ReadOnlyReason = true, "one of its entries cannot be read"
		e.Declared.Forgotten = new(true)
	}
	if e.Quote == "" {
		r.EntriesUnread = true
		r.addFault(e.Line, "entry has no quote: add the first words of the memory, an id alone does not identify it safely")
	}
	return e
}

// unreadKey returns the key that a key of an entry without a field names, or that is in its
// value, or nil.
func unreadKey(key, node *yaml.Node) *protecting.Key {
	isQuoted := slices.Contains(fields.IdentityKeys, key.Value) && node.Kind == yaml.ScalarNode
	switch {
	case key.Value == "<<": // a merge key, whose values are elsewhere
		return protecting.Find("forgotten", "")
	case isQuoted, node.Kind == yaml.ScalarNode && node.Value == "":
		return protecting.InKey(key.Value + " " + node.Value)
	}
	k, _ := protecting.InLine(textOf(key) + " " + textOf(node))
	return k
}

// unreadEntry reports an entry that does not tell its memory. If it protects, it withholds the
// file, or in a decisions file all that it names.
func (r *parser) unreadEntry(e memory.Entry, item *yaml.Node, reason string) memory.Entry {
	r.EntriesUnread = true
	text := textOf(item)
	k, ofUser := protecting.InLine(text)
	switch {
	case k == nil:
		r.addFault(e.Line, "entry ignored: %s", reason)
	case r.decisionsFile:
		return unreadLine(text, e.Line, ofUser)
	default:
		r.withholdLine(text, e.Line)
	}
	return memory.Entry{}
}

// withholdLine withholds the file if a line of its front matter protects, or in a decisions file
// all that the line names.
func (r *parser) withholdLine(text string, line int) {
	k, ofUser := protecting.InLine(text)
	switch {
	case k == nil, !r.decisionsFile && line > r.lastLine:
		return
	case r.decisionsFile:
		r.unlisted = append(r.unlisted, unreadLine(text, line, ofUser))
	default:
		r.withhold(line, k.Name, "cannot be read here")
		r.ofUser = r.ofUser || ofUser
	}
	r.EntriesUnread = true
}

// unreadLine returns the entry of a line that protects what it names.
func unreadLine(text string, line int, ofUser bool) memory.Entry {
	e := memory.Entry{Line: line, Unread: text}
	protecting.Withhold(&e.Declared, ofUser)
	return e
}

// textOf returns the words of a node, without a quote: that is the text of a memory.
func textOf(n *yaml.Node) string {
	text := n.Value
	if !strings.HasPrefix(n.Tag, "!!") { // a person's own
		text = n.Tag + " " + text
	}
	for i, child := range n.Content {
		isQuote := n.Kind == yaml.MappingNode && i%2 == 1 && n.Content[i-1].Value == "quote" && child.Kind == yaml.ScalarNode
		if !isQuote {
			text += " " + textOf(child)
		}
	}
	return text
}

// readIdentity reads a key that identifies the memory of an entry. It reports whether the entry
// still is about one memory.
func (r *parser) readIdentity(e *memory.Entry, item, key, node *yaml.Node) (ok bool) {
	s, err := fields.Value{Node: node, Zone: r.zone}.Text()
	name := key.Value
	if meant := memory.SuggestKey(strings.TrimSpace(name), fields.KeysOf[fields.EntryLevel]); slices.Contains(fields.IdentityKeys, meant) {
		name = meant // a fault reports it
	}
	switch name {
	case "id":
		digits := strings.ToLower(strings.ReplaceAll(s, "-", ""))
		if err == nil && (len(digits) < minID || len(digits) > 32 || strings.Trim(digits, "0123456789abcdef") != "") {
			err = fmt.Errorf("%q is not a memory id (%d to 32 hexadecimal digits)", fields.Truncate(s), minID)
		}
		if node.Kind != yaml.ScalarNode && node.Kind != yaml.AliasNode || err == nil && e.IDPrefix != "" && e.IDPrefix != digits {
			return false
		}
		if err == nil {
			e.IDPrefix = digits
		}
	case "quote":
		if err == nil && e.Quote == "" {
			e.Quote = fields.FoldSpaces(s)
		}
	case "path":
		if err == nil && r.decisionsFile {
			e.Path = s
		}
	default:
		missingQuotes := errors.Is(err, fields.ErrEmpty) && item.Style&yaml.FlowStyle != 0 && e.Quote != ""
		if err = nil; missingQuotes {
			err = errors.New("key without a value; if the quote contains a comma, put it between quotation marks")
		}
	}
	if err != nil && !errors.Is(err, fields.ErrEmpty) {
		r.addFault(r.fileLine(key), "%s: %v", fields.Truncate(key.Value), err)
	}
	return true
}
