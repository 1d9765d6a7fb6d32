// Package frontmatter reads and writes a person's decisions in the front matter
// of a Markdown file. It alone knows their format. [Parse] reads declarations
// for the file and for single memories. [Redact] returns a file as an agent may
// see it. [Set] changes single entries and keeps every other byte. The keys and
// their values are in package fields, and package syntax decodes the text.
//
// The package is pure: bytes in, bytes out. Parsing never fails. An invalid
// value becomes a fault with its line, and the rest is still read. In doubt a
// memory is hidden.
package frontmatter

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter/fields"
	"github.com/memory-tiered/memory/frontmatter/protecting"
)

// Parsed is the content of a file's front matter.
type Parsed struct {
	Format       fields.Format
	BodyStart    int             // offset of the Markdown, after byte order mark and front matter
	FileDefaults memory.Declared // declared for every memory of the file
	Entries      []memory.Entry  // declared for single memories, in file order, duplicates merged

	// Faults are sorted by line; their paths are empty. The body can be read
	// despite them.
	Faults []memory.Fault

	// Broken reports that the front matter is invalid as a whole. Declarations
	// missing from Parsed do not count as removed.
	Broken bool

	// EntriesUnread reports a mistake in the list of entries. Entries missing
	// from Parsed do not count as removed.
	EntriesUnread bool

	// Withheld reports that what looks like a mark that protects cannot be read. No model
	// gets the file, and FileDefaults is private. A fault names the first line.
	Withheld bool

	// StrayEntries are the lines below the front matter that name a memory as an entry does.
	// They have its text, and are no memory themselves.
	StrayEntries []int

	// NoList reports a decisions file without the key of its list: it was emptied, or is
	// another file. It reverts nothing.
	NoList bool

	// HasConflict reports git conflict markers anywhere in the file. The last
	// indexed version stays in use until they are gone.
	HasConflict bool

	// ReadOnlyReason is a clause that explains why [Set] refuses the file ("its
	// front matter is TOML"), or empty. Decisions then go elsewhere.
	ReadOnlyReason string
}

// Parse reads the front matter of a Markdown file. zone applies to dates
// without a time zone; nil is UTC.
func Parse(src []byte, zone *time.Location) Parsed {
	return parse(src, zone, false).Parsed
}

// ParseDecisions reads a decisions file. It has the entries of front matter
// without delimiters, each with the path of its memory's file. Only Entries,
// Faults, Broken, NoList, HasConflict and ReadOnlyReason are set.
func ParseDecisions(src []byte, zone *time.Location) Parsed {
	return parse(src, zone, true).Parsed
}

// parser is a Parsed with the source positions that [Set] and [Redact] need.
type parser struct {
	Parsed
	bounds        bounds
	root          *yaml.Node     // the top-level mapping, or nil
	rawEntries    []memory.Entry // one per list item, before duplicates are merged
	unlisted      []memory.Entry // of a decisions file, outside its list
	zone          *time.Location
	lastLine      int  // the last line of the front matter
	decisionsFile bool // the source is a decisions file
	ofUser        bool // a mark that cannot be read may be about a user
	unread        bool // a part of the front matter is not in Parsed
}

func parse(src []byte, zone *time.Location, decisionsFile bool) *parser {
	if zone == nil {
		zone = time.UTC
	}
	r := &parser{zone: zone, decisionsFile: decisionsFile}
	r.BodyStart = len(byteOrderMark(src))
	conflict := conflictLine(src)
	if decisionsFile {
		r.bounds = bounds{format: fields.YAML, start: r.BodyStart, end: len(src), bodyStart: len(src), firstLine: 1}
	} else {
		r.bounds = split(src)
	}
	if r.bounds.format != fields.None {
		r.parseRaw(r.bounds.raw(src))
	} else if _, other := opensOther(trimEnd(lineAt(src, r.BodyStart))); other {
		r.ReadOnlyReason = "its front matter has a format that is not read"
	}
	if !decisionsFile && conflict == 0 {
		r.readBody(src)
	}
	r.NoList = decisionsFile && len(r.rawEntries) == 0 && (r.root == nil || len(memoriesKeys(r.root)) == 0)
	r.sortFaults()
	if n := len(r.Faults) - maxFaults; n > 0 {
		r.Faults = r.Faults[:maxFaults]
		r.addFault(r.lastLine, "and %d more faults", n)
	}
	if conflict > 0 {
		r.HasConflict, r.Withheld, r.ofUser = true, false, false
		r.readConflict(src)
		r.ReadOnlyReason = "it has git conflict markers"
		if r.Broken {
			r.Faults = nil // the markers are the cause
		}
		r.addFault(conflict, "git conflict markers: resolve the conflict; until then the last indexed version stays in use")
	}
	if r.Withheld {
		protecting.Withhold(&r.FileDefaults, r.ofUser)
	}
	r.sortFaults()
	return r
}

// maxFaults limits the faults reported for one file. More of them are one
// mistake, made by a program.
const maxFaults = 50

func (r *parser) sortFaults() {
	slices.SortStableFunc(r.Faults, func(a, b memory.Fault) int { return a.Line - b.Line })
}

// parseRaw reads the text between the delimiters, unless it is prose between
// two thematic breaks.
func (r *parser) parseRaw(raw []byte) {
	r.lastLine = r.bounds.firstLine + bytes.Count(bytes.TrimSuffix(raw, []byte("\n")), []byte("\n"))
	t := fields.Decode(r.bounds.format, raw)
	if !r.decisionsFile && !isFrontMatter(r.bounds, raw, t) {
		r.bounds = bounds{}
		return
	}
	r.accept()
	defer r.protectUnread(raw, t)
	if t.Err != nil {
		r.markBroken(r.bounds.firstLine+t.ErrLine-1, "front matter is not valid %s: %v", r.bounds.format.Title(), t.Err)
		r.readUnread(raw)
		return
	}
	r.root = t.Root
	if r.bounds.unclosed {
		r.markBroken(1, "front matter has no closing line: add a line %s after it", r.bounds.closing())
	}
	if t.Multiple {
		r.unread, r.EntriesUnread = true, true
		r.ReadOnlyReason = "its front matter contains several YAML documents"
		r.addFault(r.bounds.firstLine, "front matter contains several YAML documents; merge them into one; until then the first applies, and of the others the lines about memories")
	}
	if r.root != nil {
		r.readFile()
	}
	if r.unread {
		r.readUnread(raw)
	}
	if r.ReadOnlyReason == "" {
		r.ReadOnlyReason = r.findReadOnlyReason(raw)
	}
}

// accept sets the format and the start of the body once front matter is found.
func (r *parser) accept() {
	r.Format, r.BodyStart = r.bounds.format, r.bounds.bodyStart
}

func (r *parser) markBroken(line int, format string, args ...any) {
	r.Broken = true
	r.ReadOnlyReason = "its front matter is broken"
	r.addFault(line, format, args...)
}

func (r *parser) addFault(line int, format string, args ...any) {
	r.Faults = append(r.Faults, memory.Fault{Line: line, Message: fmt.Sprintf(format, args...)})
}

// fileLine returns the line of a node in the file, at most the last line of
// front matter. YAML recognises more line breaks than a file has, and places an
// empty value at the start of the next one.
func (r *parser) fileLine(n *yaml.Node) int {
	return min(r.bounds.firstLine+max(n.Line, 1)-1, r.lastLine)
}
