// Package frontmatter is the only one that knows how a person's decisions are
// written at the head of a Markdown file: it reads what is declared there for
// the file and for single memories ([Parse]), shows a file as an agent may see
// it ([Redact]), and changes the lines of single decisions while every other
// byte stays as it was ([Set]).
//
// It is pure: bytes in, bytes out. Reading never fails. What cannot be used is
// a fault with its line, and the rest is understood all the same; where that
// leaves a choice, it is made in favour of not showing what somebody wanted
// hidden.
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

// parser is a Matter with what [Set] and [Redact] need to know of its source.
type parser struct {
	Parsed
	bounds        bounds
	root          *yaml.Node     // the mapping; nil where there is none
	rawEntries    []memory.Entry // one a list item, before doubled ones are joined
	zone          *time.Location
	lastLine      int  // the last line of the front matter
	decisionsFile bool // a decisions file
}

func parse(src []byte, zone *time.Location, decisionsFile bool) *parser {
	if zone == nil {
		zone = time.UTC
	}
	r := &parser{zone: zone, decisionsFile: decisionsFile}
	r.BodyStart = len(byteOrderMark(src))
	conflict := conflictLine(src)
	if decisionsFile {
		r.bounds = bounds{format: FormatYAML, start: r.BodyStart, end: len(src), bodyStart: len(src), firstLine: 1}
	} else {
		r.bounds = split(src)
	}
	if r.bounds.format != FormatNone {
		r.parseRaw(r.bounds.raw(src))
	}
	r.sortFaults()
	if n := len(r.Faults) - maxFaults; n > 0 {
		r.Faults = r.Faults[:maxFaults]
		r.addFault(r.lastLine, "and %d more", n)
	}
	if conflict > 0 {
		r.HasConflict = true
		r.ReadOnlyReason = "it has git conflict markers"
		if r.Broken {
			r.Faults = nil // the markers are why
		}
		r.addFault(conflict, "git conflict markers: what was indexed last is served until they are gone")
	}
	r.sortFaults()
	return r
}

// maxFaults is how many a person is told of one file: more is one mistake, made
// by a program.
const maxFaults = 50

func (r *parser) sortFaults() {
	slices.SortStableFunc(r.Faults, func(a, b memory.Fault) int { return a.Line - b.Line })
}

// parseRaw reads the front matter that was cut out, unless a look at it shows
// that it is none: prose between two thematic breaks.
func (r *parser) parseRaw(raw []byte) {
	r.lastLine = r.bounds.firstLine + bytes.Count(bytes.TrimSuffix(raw, []byte("\n")), []byte("\n"))
	t := decode(r.bounds.format, raw)
	if !r.decisionsFile && !isFrontMatter(r.bounds, raw, t) {
		r.bounds = bounds{}
		return
	}
	r.accept()
	if t.err != nil {
		r.markBroken(r.bounds.firstLine+t.errLine-1, "front matter is not valid %s: %v", r.bounds.format.title(), t.err)
		r.salvageEntries(raw)
		return
	}
	r.root = t.root
	if r.bounds.unclosed {
		r.markBroken(1, "front matter is never closed: a line --- is missing after it")
	}
	if t.multiple {
		r.ReadOnlyReason = "its front matter holds several YAML documents"
		r.addFault(r.bounds.firstLine, "front matter holds several YAML documents; only the first is read")
	}
	if r.root != nil {
		r.readFile()
	}
	if r.ReadOnlyReason == "" {
		r.ReadOnlyReason = r.findReadOnlyReason(raw)
	}
}

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

// fileLine is the file's line of a node. YAML knows more line breaks than a file has,
// and sees an empty value where the next one begins.
func (r *parser) fileLine(n *yaml.Node) int {
	return min(r.bounds.firstLine+max(n.Line, 1)-1, r.lastLine)
}

func (f Format) title() string {
	switch f {
	case FormatTOML:
		return "TOML"
	case FormatJSON:
		return "JSON"
	}
	return "YAML"
}
