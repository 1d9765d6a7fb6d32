package frontmatter

import (
	"bytes"
	"errors"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/memory-tiered/memory"
)

// maxPairs is how many keys of one line are read: three times what there is.
const maxPairs = 64

// minID is how many digits an id in a file needs to be one.
const minID = memory.MinIDPrefix

// readFile reads the keys that hold for the whole file, and the list.
func (r *reading) readFile() {
	if r.root.Kind != yaml.MappingNode {
		r.broken(r.cut.line, "is not a list of keys and values")
		return
	}
	if !r.bare {
		r.FileDefaults = r.readPairs(r.root, forFile, nil)
	}
	for n, i := range memoriesKeys(r.root) {
		if n > 0 {
			r.fault(r.at(r.root.Content[i]), "%s stands twice; both lists are read", memoriesKey)
		}
		r.readMemories(r.root.Content[i+1])
	}
	r.Entries = r.joined(r.lines)
}

// readPairs reads a mapping's keys that have a field, each once. What else it
// holds goes to rest.
func (r *reading) readPairs(n *yaml.Node, p place, rest func(key, value *yaml.Node)) memory.Declared {
	var d memory.Declared
	said := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, node := n.Content[i], n.Content[i+1]
		f := fieldOf(key.Value, p)
		if f == nil {
			if rest != nil {
				rest(key, node)
			}
			continue
		}
		var one memory.Declared
		err := f.read(&one, value{node, r.zone})
		if err != nil && !errors.Is(err, errEmpty) && !r.foreign(f, key.Value, p) {
			r.fault(r.at(key), "%s: %v", key.Value, err)
		}
		if f.write(one, r.zone) == "" && one.SourceRef == "" {
			continue
		}
		if said[f.key] {
			r.fault(r.at(key), "%s is said twice", f.key)
			d, _ = join(d, one, r.zone)
			continue
		}
		said[f.key] = true
		d = alongside(d, one)
	}
	return d
}

// foreign says that a value which we do not know may well be another program's.
func (r *reading) foreign(f *field, key string, p place) bool {
	return p == forFile && (f.shared || f.other == key)
}

// alongside lays one more field over those that are read: unlike Over it keeps
// a since that was read before its tier, an only before what it limits.
func alongside(d, one memory.Declared) memory.Declared {
	since, day, only := d.Since, d.SinceDay, d.Only || one.Only
	if !one.Since.IsZero() {
		since, day = one.Since, one.SinceDay
	}
	d = one.Over(d)
	d.Since, d.SinceDay, d.Only = since, day, only
	return d
}

func (r *reading) readMemories(n *yaml.Node) {
	n = follow(n)
	if n.Kind == yaml.ScalarNode && (n.Tag == "!!null" || n.Value == "") || n.Kind == yaml.MappingNode && len(n.Content) == 0 {
		return
	}
	if n.Kind != yaml.SequenceNode {
		r.fault(r.at(n), "%s is not a list of lines that begin with -", memoriesKey)
		return
	}
	for _, item := range n.Content {
		r.lines = append(r.lines, r.readEntry(item))
	}
}

// readEntry reads one line; it is zero where nothing on it can be understood.
func (r *reading) readEntry(item *yaml.Node) memory.Entry {
	e := memory.Entry{Line: r.at(item)}
	switch {
	case item.Kind != yaml.MappingNode:
		r.fault(e.Line, `not understood: a line is - {id: "…", quote: "…", …}`)
		return memory.Entry{}
	case len(item.Content) > 2*maxPairs:
		r.fault(e.Line, "not read: it has more than %d keys", maxPairs)
		return memory.Entry{}
	}
	e.Declared = r.readPairs(item, forMemory, func(key, node *yaml.Node) { r.readName(&e, item, key, node) })
	if e.IDPrefix == "" && e.Quote == "" {
		r.fault(e.Line, "names no memory: it has neither id nor quote")
		return memory.Entry{}
	}
	if e.Quote == "" {
		r.fault(e.Line, "has no quote, and an id alone is not enough to know a memory by")
	}
	return e
}

// readName reads what says which memory a line is about.
func (r *reading) readName(e *memory.Entry, item, key, node *yaml.Node) {
	s, err := value{node, r.zone}.text()
	switch key.Value {
	case "id":
		digits := strings.ToLower(strings.ReplaceAll(s, "-", ""))
		if err == nil && (len(digits) < minID || len(digits) > 32 || strings.Trim(digits, "0123456789abcdef") != "") {
			err = errors.New(`"` + clip(s) + `" is not the id of a memory`)
		}
		if err == nil && e.IDPrefix == "" {
			e.IDPrefix = digits
		}
	case "quote":
		if err == nil && e.Quote == "" {
			e.Quote = fold(s)
		}
	case "path":
		if err == nil && r.bare {
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
		r.fault(r.at(key), "%s: %v", clip(key.Value), err)
	}
}

// oneLine is a decision on a line of its own, as this package writes it.
var oneLine = regexp.MustCompile(`^[ \t]*- \{.*\}[ \t]*(#.*)?\r?\n?$`)

// salvage reads the lines that can be understood alone out of front matter that
// cannot be as a whole: forgetting holds all the same.
func (r *reading) salvage(raw []byte) {
	n := 0
	for line := range bytes.Lines(raw) {
		n++
		if !oneLine.Match(line) {
			continue
		}
		t := decode(FormatYAML, bytes.TrimSpace(line))
		if t.err != nil || t.root == nil || t.root.Kind != yaml.SequenceNode || len(t.root.Content) != 1 {
			continue
		}
		item := t.root.Content[0]
		setLines(item, n)
		if e := r.readEntry(item); e.Line > 0 {
			r.lines = append(r.lines, e)
		}
	}
	r.Entries = r.joined(r.lines)
}
