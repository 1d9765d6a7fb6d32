package frontmatter

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter/fields"
	"github.com/memory-tiered/memory/frontmatter/syntax"
)

// topKey matches a line that begins a key of the whole file.
var topKey = regexp.MustCompile(`^([A-Za-z_][\w-]*)[ \t]*:`)

// maxLoneKeys limits the keys that are read alone: more than a person writes.
const maxLoneKeys = 200

// reportOtherMistakes adds the faults that a decoder does not reach, because it stops at
// the first mistake, on a line of raw. Each key is read alone. Entries are read by
// salvageEntries.
func (r *parser) reportOtherMistakes(raw []byte, reported int) {
	if r.bounds.format != syntax.YAML || r.decisionsFile || len(raw) > syntax.MaxSize {
		return
	}
	var unread []memory.Fault // one for each key that cannot be read
	known := 0                // the one of them that is reported already
	for _, k := range loneKeys(raw) {
		t, line := syntax.Decode(syntax.YAML, k.text), r.bounds.firstLine+k.line-1
		switch {
		case t.Err != nil:
			if k.line <= reported && reported < k.line+bytes.Count(k.text, []byte("\n")) {
				known = len(unread)
			}
			unread = append(unread, memory.Fault{Line: min(line+t.ErrLine-1, r.lastLine), Message: fmt.Sprintf("front matter is not valid YAML: %v", t.Err)})
		case t.Root != nil && t.Root.Kind == yaml.MappingNode:
			one := &parser{zone: r.zone, lastLine: r.lastLine, bounds: r.bounds, root: t.Root}
			one.bounds.firstLine = line
			one.readFile()
			if !one.hidesFile || r.FileDefaults.Private == nil {
				r.Faults = append(r.Faults, one.Faults...)
			}
		}
	}
	for i, f := range unread {
		if i != known {
			r.Faults = append(r.Faults, f)
		}
	}
}

// loneKeys returns the keys of the whole file with their values, but for the list of
// entries.
func loneKeys(raw []byte) (keys []itemText) {
	n, isList := 0, true // the lines above the first key are no key
	for line := range bytes.Lines(raw) {
		n++
		if m := topKey.FindSubmatch(line); m != nil {
			name := string(m[1])
			isList = strings.EqualFold(name, fields.MemoriesKey) || memory.SuggestKey(name, fields.KeysOf[fields.FileLevel]) == fields.MemoriesKey
			if !isList && len(keys) == maxLoneKeys {
				return keys
			}
			if !isList {
				keys = append(keys, itemText{line: n})
			}
		}
		if !isList {
			last := &keys[len(keys)-1]
			last.text = append(last.text, line...)
		}
	}
	return keys
}
