package migrate

import (
	"cmp"
	"encoding/hex"
	"io"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/frontmatter"
	"github.com/memory-tiered/memory/internal/exportlines"
	"github.com/memory-tiered/memory/workspace"
)

// folder contains what was migrated.
const folder = "memory/imported"

// Reasons why a memory of another system is not in the export.
const (
	SkipEmpty       = "empty"         // it has no text
	SkipDuplicate   = "duplicate"     // an earlier memory of the system has the same text
	SkipForgotten   = "forgotten"     // it is forgotten there
	SkipDeciding    = "decides"       // the front matter of its file decides about single memories, or has a mistake
	SkipUnmarkable  = "not_markable"  // its file declares trust itself
	SkipUnindexable = "not_indexable" // disks do not take its name
)

// Skipped is a memory of another system that does not come over.
type Skipped struct {
	Ref    string `json:"ref"`
	Reason string `json:"reason"`
}

// Exported is the result of writing an export.
type Exported struct {
	Refs    []string // what each row is there, in order
	Skipped []Skipped
}

// Ref returns what the memory on a line of the export is there. The first line is the header.
func (e Exported) Ref(line int) string { return e.Refs[line-2] }

// exporter collects the rows of an export.
type exporter struct {
	Exported
	system string
	zone   *time.Location
	rows   []memory.ExportRow
	same   map[memory.Fingerprint]int // rows with this text
}

// Export writes the memories as an export. zone is that of the dates in headings.
func (c Content) Export(system string, zone *time.Location, out io.Writer) (Exported, error) {
	e := &exporter{system: system, zone: zone, same: map[memory.Fingerprint]int{}}
	e.addEntries(c.Entries)
	for _, d := range c.Documents {
		e.addDocument(d)
	}
	w := exportlines.New(out)
	err := w.Begin(memory.ExportHeader{From: system, Workspace: system, Memories: len(e.rows), WithText: true})
	for _, row := range e.rows {
		if err == nil {
			err = w.Add(row)
		}
	}
	if err == nil {
		_, err = w.End()
	}
	return e.Exported, err
}

func (e *exporter) skip(ref, reason string) {
	e.Skipped = append(e.Skipped, Skipped{ref, reason})
}

// add adds a row. d is what is declared about the memory, and file about its whole file.
func (e *exporter) add(ref, name string, heading []string, text string, markdown *string, d, file memory.Declared) {
	print := chunker.Fingerprint(text)
	id := memory.NewID(print, e.same[print])
	e.same[print]++
	e.Refs = append(e.Refs, ref)
	e.rows = append(e.rows, memory.ExportRow{Fingerprint: hex.EncodeToString(print[:]), Markdown: markdown, Declared: d, File: file,
		Memory: memory.Exported{Memory: memory.Memory{ID: id, Path: name, Heading: heading}, Text: &text}})
}

// addEntries adds single memories, in groups by category and day. Each text comes once.
func (e *exporter) addEntries(entries []Entry) {
	type key struct {
		text  string
		scope memory.Scope
		user  string
	}
	first := map[key]*Entry{}
	var chosen []*Entry
	for _, entry := range entries {
		entry.Text = chunker.Clean(entry.Text)
		k := key{entry.Text, entry.Declared.Scope, entry.Declared.User}
		switch earlier := first[k]; {
		case entry.Text == "":
			e.skip(entry.Ref, SkipEmpty)
		case isForgottenThere(entry.Declared):
			e.skip(entry.Ref, SkipForgotten)
		case earlier != nil:
			earlier.merge(entry.Declared)
			e.skip(entry.Ref, SkipDuplicate)
		default:
			first[k] = &entry
			chosen = append(chosen, &entry)
		}
	}
	slices.SortStableFunc(chosen, func(a, b *Entry) int {
		return cmp.Or(cmp.Compare(groupOf(a), groupOf(b)), a.Declared.Created.Compare(b.Declared.Created))
	})
	file := memory.Declared{Tier: memory.TierWarm, Source: memory.SourceLegacy}
	for _, entry := range chosen {
		d := entry.Declared
		d.SourceRef, d.Forgotten, d.ForgottenAt = sourceRef(e.system, entry.Ref), nil, time.Time{}
		e.add(entry.Ref, folder+"/"+e.system+".md", e.headingsOf(entry), entry.Text, annotatedBullet(entry.Text, d), d, file)
	}
}

// merge adds what is known about a copy. The older date and the higher importance win.
func (e *Entry) merge(other memory.Declared) {
	d := &e.Declared
	if at := other.Created; !at.IsZero() && (d.Created.IsZero() || at.Before(d.Created)) {
		d.Created = at
	}
	if n := other.Importance; n != nil && (d.Importance == nil || *n > *d.Importance) {
		d.Importance = n
	}
	if other.Private != nil {
		d.Private = other.Private
	}
	d.Trust = memory.LowerTrust(d.Trust, other.Trust)
}

// groupOf orders entries by category. Those without one are last.
func groupOf(e *Entry) int {
	if i := slices.Index(memory.Categories, e.Declared.Category); i >= 0 {
		return i
	}
	return len(memory.Categories)
}

// headingsOf returns the headings above an entry: its category, and its day if it is known.
// So whoever reads the file, or a block, sees from when the memory is.
func (e *exporter) headingsOf(entry *Entry) []string {
	if at := entry.Declared.Created; !at.IsZero() {
		return []string{heading(entry.Declared.Category), at.In(e.zone).Format(time.DateOnly)}
	}
	return []string{heading(entry.Declared.Category)}
}

func heading(c memory.Category) string {
	switch c {
	case "", memory.CategoryOther:
		return "Other memories"
	case memory.CategoryEntity:
		return "Entities"
	default:
		return strings.ToUpper(string(c[:1])) + string(c[1:]) + "s"
	}
}

// addDocument adds the memories of a Markdown file. A file with decisions about single
// memories does not come over: they are about memories that have ids there.
func (e *exporter) addDocument(d Document) {
	parsed := frontmatter.Parse(d.Text, e.zone)
	chunks := chunker.Parse(d.Text, parsed.BodyStart)
	file := parsed.FileDefaults
	declaresTrust := file.Trust != "" || slices.ContainsFunc(chunks.Blocks, func(b memory.Block) bool { return b.Annotations.Trust != "" })
	name := path.Join(folder, e.system, path.Join("/", d.Path))
	if !strings.EqualFold(path.Ext(name), ".md") {
		name += ".md"
	}
	switch {
	case len(parsed.Entries) > 0, len(parsed.Faults) > 0, len(chunks.Faults) > 0, parsed.HasConflict, parsed.Broken:
		e.skip(d.Path, SkipDeciding)
		return
	case len(chunks.Blocks) == 0:
		e.skip(d.Path, SkipEmpty)
		return
	case d.Untrusted && declaresTrust:
		e.skip(d.Path, SkipUnmarkable)
		return
	case !isOnDisks(name):
		e.skip(d.Path, SkipUnindexable)
		return
	}
	if d.Untrusted {
		file.Trust = memory.TrustUntrusted
	}
	if _, dated := workspace.DateOf(d.Path, e.zone); !dated && file.Created.IsZero() {
		file.Created = d.Time.Truncate(time.Second)
	}
	if file.Source == "" {
		file.Source = memory.SourceLegacy
	}
	for _, b := range chunks.Blocks {
		lines := string(d.Text[b.Start:b.End])
		e.add(d.Path, name, b.Heading, b.Text, &lines, b.Annotations, file)
	}
}

// Limits of the name of a copied file, in bytes. Disks take names of 255 bytes, and
// systems take paths of 1,024 or more. The folder of the workspace and a number need room.
const (
	maxNamePart = 240
	maxPath     = 600
)

// isOnDisks reports whether disks take a path.
func isOnDisks(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if len(part) > maxNamePart {
			return false
		}
	}
	return len(name) <= maxPath && !strings.ContainsFunc(name, unicode.IsControl)
}
