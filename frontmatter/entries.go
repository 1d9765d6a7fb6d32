package frontmatter

import (
	"bytes"
	"errors"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/memory-tiered/memory"
)

// maxKeys is how many keys of one line are read: three times what there is.
const maxKeys = 64

// minID is how many digits an id in a file needs to be one.
const minID = memory.MinIDPrefix

// readFile reads the keys that hold for the whole file, and the list.
func (r *parser) readFile() {
	if r.root.Kind != yaml.MappingNode {
		r.markBroken(r.bounds.firstLine, "is not a list of keys and values")
		return
	}
	if !r.decisionsFile {
		r.FileDefaults = r.readPairs(r.root, fileLevel, nil)
	}
	for n, i := range memoriesKeys(r.root) {
		if n > 0 {
			r.addFault(r.fileLine(r.root.Content[i]), "%s stands twice; both lists are read", memoriesKey)
		}
		r.readEntries(r.root.Content[i+1])
	}
	r.Entries = r.mergeDuplicates(r.rawEntries)
}

// readPairs reads a mapping's keys that have a field, each once. What else it
// holds goes to rest.
func (r *parser) readPairs(n *yaml.Node, p level, rest func(key, value *yaml.Node)) memory.Declared {
	var d memory.Declared
	said := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, node := n.Content[i], n.Content[i+1]
		f := findField(key.Value, p)
		if f == nil {
			if rest != nil {
				rest(key, node)
			}
			continue
		}
		var one memory.Declared
		err := f.read(&one, value{node, r.zone})
		if err != nil && !errors.Is(err, errEmpty) && !r.mayBelongToOther(f, key.Value, p) {
			r.addFault(r.fileLine(key), "%s: %v", key.Value, err)
		}
		if f.write(one, r.zone) == "" && one.SourceRef == "" {
			continue
		}
		if said[f.key] {
			r.addFault(r.fileLine(key), "%s is said twice", f.key)
			d, _ = mergeDeclared(d, one, r.zone)
			continue
		}
		said[f.key] = true
		d = addField(d, one)
	}
	return d
}

// mayBelongToOther says that a value which we do not know may well be another program's.
func (r *parser) mayBelongToOther(f *field, key string, p level) bool {
	return p == fileLevel && (f.shared || f.alias == key)
}

// addField lays one more field over those that are read: unlike Over it keeps
// a since that was read before its tier, an only before what it limits.
func addField(d, one memory.Declared) memory.Declared {
	since, day, only := d.Since, d.SinceDay, d.Only || one.Only
	if !one.Since.IsZero() {
		since, day = one.Since, one.SinceDay
	}
	d = one.Over(d)
	d.Since, d.SinceDay, d.Only = since, day, only
	return d
}

func (r *parser) readEntries(n *yaml.Node) {
	n = resolveAlias(n)
	if n.Kind == yaml.ScalarNode && (n.Tag == "!!null" || n.Value == "") || n.Kind == yaml.MappingNode && len(n.Content) == 0 {
		return
	}
	if n.Kind != yaml.SequenceNode {
		r.addFault(r.fileLine(n), "%s is not a list of lines that begin with -", memoriesKey)
		return
	}
	for _, item := range n.Content {
		r.rawEntries = append(r.rawEntries, r.readEntry(item))
	}
}

// readEntry reads one line; it is zero where nothing on it can be understood.
func (r *parser) readEntry(item *yaml.Node) memory.Entry {
	e := memory.Entry{Line: r.fileLine(item)}
	switch {
	case item.Kind != yaml.MappingNode:
		r.addFault(e.Line, `not understood: a line is - {id: "…", quote: "…", …}`)
		return memory.Entry{}
	case len(item.Content) > 2*maxKeys:
		r.addFault(e.Line, "not read: it has more than %d keys", maxKeys)
		return memory.Entry{}
	}
	e.Declared = r.readPairs(item, entryLevel, func(key, node *yaml.Node) { r.readIdentity(&e, item, key, node) })
	if e.IDPrefix == "" && e.Quote == "" {
		r.addFault(e.Line, "names no memory: it has neither id nor quote")
		return memory.Entry{}
	}
	if e.Quote == "" {
		r.addFault(e.Line, "has no quote, and an id alone is not enough to know a memory by")
	}
	return e
}

// readIdentity reads what says which memory a line is about.
func (r *parser) readIdentity(e *memory.Entry, item, key, node *yaml.Node) {
	s, err := value{node, r.zone}.text()
	switch key.Value {
	case "id":
		digits := strings.ToLower(strings.ReplaceAll(s, "-", ""))
		if err == nil && (len(digits) < minID || len(digits) > 32 || strings.Trim(digits, "0123456789abcdef") != "") {
			err = errors.New(`"` + truncate(s) + `" is not the id of a memory`)
		}
		if err == nil && e.IDPrefix == "" {
			e.IDPrefix = digits
		}
	case "quote":
		if err == nil && e.Quote == "" {
			e.Quote = foldSpaces(s)
		}
	case "path":
		if err == nil && r.decisionsFile {
			e.Path = s
		}
	case "<<":
		err = errors.New("what it would bring in is not read here")
	default:
		cut := errors.Is(err, errEmpty) && item.Style&yaml.FlowStyle != 0 && e.Quote != ""
		if err = nil; cut {
			err = errors.New("a key without a value: put the quote between quotation marks if it has a comma")
		}
	}
	if err != nil && !errors.Is(err, errEmpty) {
		r.addFault(r.fileLine(key), "%s: %v", truncate(key.Value), err)
	}
}

// singleLineEntry is a decision on a line of its own, as this package writes it.
var singleLineEntry = regexp.MustCompile(`^[ \t]*- \{.*\}[ \t]*(#.*)?\r?\n?$`)

// salvageEntries reads the lines that can be understood alone out of front matter that
// cannot be as a whole: forgetting holds all the same.
func (r *parser) salvageEntries(raw []byte) {
	n := 0
	for line := range bytes.Lines(raw) {
		n++
		if !singleLineEntry.Match(line) {
			continue
		}
		t := decode(FormatYAML, bytes.TrimSpace(line))
		if t.err != nil || t.root == nil || t.root.Kind != yaml.SequenceNode || len(t.root.Content) != 1 {
			continue
		}
		item := t.root.Content[0]
		setLines(item, n)
		if e := r.readEntry(item); e.Line > 0 {
			r.rawEntries = append(r.rawEntries, e)
		}
	}
	r.Entries = r.mergeDuplicates(r.rawEntries)
}
