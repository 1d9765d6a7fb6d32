package frontmatter

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/memory-tiered/memory"
)

// Format is the language that a file's front matter is written in.
type Format string

const (
	FormatNone Format = ""     // the file has no front matter
	FormatYAML Format = "yaml" // between ---, or closed by ...
	FormatTOML Format = "toml" // between +++; read only
	FormatJSON Format = "json" // an object and an empty line; read only
)

// Parsed is what a file's head says.
type Parsed struct {
	Format       Format
	BodyStart    int             // where the Markdown begins: byte order mark and front matter are before it
	FileDefaults memory.Declared // for every memory of the file
	Entries      []memory.Entry  // for single memories, as the file orders them, doubled lines joined

	// Faults are by line, their paths empty. None keeps the body from being read.
	Faults []memory.Fault

	// Broken says that there is front matter and it could not be understood as a
	// whole. What is absent here was not taken back by anyone.
	Broken bool

	// HasConflict says that git's conflict markers stand somewhere in the file:
	// what was indexed of it last stays served until they are gone.
	HasConflict bool

	// ReadOnlyReason says why [Set] refuses the file, as a clause ("its front matter
	// is TOML"); empty where it does not. What is decided goes elsewhere then.
	ReadOnlyReason string
}

// Parse reads the head of a Markdown file. Dates without a zone are in zone;
// nil is UTC.
func Parse(src []byte, zone *time.Location) Parsed {
	return parse(src, zone, false).Parsed
}

// ParseDecisions reads a decisions file: the same lines as front matter holds,
// without delimiters, each with the path of the file that it is about. Of the
// answer only Entries and what speaks of trouble have a meaning.
func ParseDecisions(src []byte, zone *time.Location) Parsed {
	return parse(src, zone, true).Parsed
}

// reading is a Matter with what [Set] and [Redact] need to know of its source.
type reading struct {
	Parsed
	cut   cut
	root  *yaml.Node     // the mapping; nil where there is none
	lines []memory.Entry // one a list item, before doubled ones are joined
	zone  *time.Location
	last  int  // the last line of the front matter
	bare  bool // a decisions file
}

func parse(src []byte, zone *time.Location, bare bool) *reading {
	if zone == nil {
		zone = time.UTC
	}
	r := &reading{zone: zone, bare: bare}
	r.BodyStart = len(byteOrderMark(src))
	conflict := conflictLine(src)
	if bare {
		r.cut = cut{format: FormatYAML, start: r.BodyStart, end: len(src), body: len(src), line: 1}
	} else {
		r.cut = split(src)
	}
	if r.cut.format != FormatNone {
		r.understand(r.cut.raw(src))
	}
	r.sortFaults()
	if n := len(r.Faults) - maxFaults; n > 0 {
		r.Faults = r.Faults[:maxFaults]
		r.fault(r.last, "and %d more", n)
	}
	if conflict > 0 {
		r.HasConflict = true
		r.ReadOnlyReason = "it has git conflict markers"
		if r.Broken {
			r.Faults = nil // the markers are why
		}
		r.fault(conflict, "git conflict markers: what was indexed last is served until they are gone")
	}
	r.sortFaults()
	return r
}

// maxFaults is how many a person is told of one file: more is one mistake, made
// by a program.
const maxFaults = 50

func (r *reading) sortFaults() {
	slices.SortStableFunc(r.Faults, func(a, b memory.Fault) int { return a.Line - b.Line })
}

// understand reads the front matter that was cut out, unless a look at it shows
// that it is none: prose between two thematic breaks.
func (r *reading) understand(raw []byte) {
	r.last = r.cut.line + bytes.Count(bytes.TrimSuffix(raw, []byte("\n")), []byte("\n"))
	t := decode(r.cut.format, raw)
	if !r.bare && !isFrontMatter(r.cut, raw, t) {
		r.cut = cut{}
		return
	}
	r.take()
	if t.err != nil {
		r.broken(r.cut.line+t.line-1, "front matter is not valid %s: %v", r.cut.format.title(), t.err)
		r.salvage(raw)
		return
	}
	r.root = t.root
	if r.cut.unclosed {
		r.broken(1, "front matter is never closed: a line --- is missing after it")
	}
	if t.several {
		r.ReadOnlyReason = "its front matter holds several YAML documents"
		r.fault(r.cut.line, "front matter holds several YAML documents; only the first is read")
	}
	if r.root != nil {
		r.readFile()
	}
	if r.ReadOnlyReason == "" {
		r.ReadOnlyReason = r.unwritable(raw)
	}
}

func (r *reading) take() {
	r.Format, r.BodyStart = r.cut.format, r.cut.body
}

func (r *reading) broken(line int, format string, args ...any) {
	r.Broken = true
	r.ReadOnlyReason = "its front matter is broken"
	r.fault(line, format, args...)
}

func (r *reading) fault(line int, format string, args ...any) {
	r.Faults = append(r.Faults, memory.Fault{Line: line, Message: fmt.Sprintf(format, args...)})
}

// at is the file's line of a node. YAML knows more line breaks than a file has,
// and sees an empty value where the next one begins.
func (r *reading) at(n *yaml.Node) int { return min(r.cut.line+max(n.Line, 1)-1, r.last) }

func (f Format) title() string {
	switch f {
	case FormatTOML:
		return "TOML"
	case FormatJSON:
		return "JSON"
	}
	return "YAML"
}
