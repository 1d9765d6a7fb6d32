package frontmatter

import (
	"bytes"
	"encoding/json"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter/fields"
	"github.com/memory-tiered/memory/frontmatter/syntax"
)

// protectUnreadUser makes a file nobody's if its front matter cannot be read and
// declares a user.
func (r *parser) protectUnreadUser(raw []byte) {
	if line := fields.FindUser(raw); line >= 0 && r.FileDefaults.User == "" {
		r.FileDefaults.User = memory.NobodyUser
		r.addFault(min(r.bounds.firstLine+line, r.lastLine), "user cannot be read here: until its front matter is correct, no user gets the memories of this file")
	}
}

// protectUnread makes the whole file private if a part of its front matter cannot be
// read and contains the word private. It makes it nobody's if that declares a user.
func (r *parser) protectUnread(raw []byte, t syntax.Tree) {
	unread := t.Err != nil || t.Multiple || r.bounds.unclosed || r.unread
	if !unread || r.decisionsFile {
		return
	}
	r.protectUnreadUser(raw)
	line := fields.FindPrivate(raw)
	if r.FileDefaults.Private != nil || line < 0 {
		return
	}
	yes := true
	r.FileDefaults.Private = &yes
	r.addFault(min(r.bounds.firstLine+line, r.lastLine), "private cannot be read here: the whole file counts as private until its front matter is correct")
}

// splitJSON finds JSON front matter without delimiters whose braces do not have
// lines of their own. It is an object at the start, then the end of its line. A
// blank line follows, unless the object has one of our keys. An object that
// cannot be decoded ends at the first blank line, and counts only if it
// declares private.
func splitJSON(src []byte, at int) bounds {
	c := bounds{format: syntax.JSON, bareJSON: true, start: at, firstLine: 1}
	limited := src[at:min(len(src), at+syntax.MaxSize)]
	dec := json.NewDecoder(bytes.NewReader(limited))
	var object map[string]json.RawMessage
	err := dec.Decode(&object)
	c.end = at + int(dec.InputOffset())
	rest := lineAt(src, c.end)
	if err != nil || trimEnd(rest) != "" {
		c.end = paragraphEnd(src, at)
		c.bodyStart = c.end
		if !fields.DeclaresProtection(c.raw(src)) {
			return bounds{}
		}
		return c
	}
	c.bodyStart = c.end + len(rest)
	next := lineAt(src, c.bodyStart)
	if trimEnd(next) == "" {
		c.bodyStart += len(next)
		return c
	}
	for key := range object {
		if key == fields.MemoriesKey || fields.Find(key, fields.FileLevel) != nil {
			return c
		}
	}
	return bounds{}
}

// closing returns the line that closes front matter of this format.
func (c bounds) closing() string {
	if c.format == syntax.TOML {
		return "+++"
	}
	return "---"
}
