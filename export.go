package memory

import (
	"cmp"
	"encoding/json"
	"io"
	"time"
)

// ExportFormat names the lines of an export, which [ExportHeader], [ExportRow] and
// [ExportEnd] describe. A reader refuses every other name.
const ExportFormat = "memory-export/1"

// ExportRequest requests an export of the memories that a filter selects. An empty filter
// selects all that are in a file, also forgotten and private ones.
type ExportRequest struct {
	Workspace string `json:"workspace,omitempty"`
	Agent     string `json:"agent,omitempty"`
	Filter
	Pinned   bool   `json:"pinned,omitempty"`    // only pinned memories
	WithText bool   `json:"with_text,omitempty"` // with texts, headings and lines of Markdown; default: without
	File     string `json:"file,omitempty"`      // where the caller writes the lines, absolute; a receipt of destroy looks there

	Sender
	For Audience `json:"for,omitempty"` // an export is refused for a model

	Out io.Writer `json:"-"` // gets the lines
}

// ExportHeader is the first line of an export.
type ExportHeader struct {
	Format    string `json:"format"` // ExportFormat
	Workspace string `json:"workspace"`
	Memories  int    `json:"memories"`
	WithText  bool   `json:"with_text"`
	Version   string `json:"version,omitempty"` // of the program that wrote it
	Note      string `json:"note"`              // for a person
	From      string `json:"from,omitempty"`    // the other memory system; its rows have no tables

	Snapshot json.RawMessage `json:"snapshot,omitempty"` // what a snapshot is

	// Marks are keyed hashes of the texts that are forgotten or were destroyed. Only a
	// whole export with texts has them.
	Marks json.RawMessage `json:"marks,omitempty"`
}

// ExportRow is the line of one memory.
type ExportRow struct {
	N           int         `json:"n"` // the number of the row, from 1
	Memory      Exported    `json:"memory"`
	Fingerprint string      `json:"fingerprint"`        // of the text, in hexadecimal digits
	Markdown    *string     `json:"markdown,omitempty"` // the lines of the memory; nil: redacted, or not known
	Declared    Declared    `json:"declared,omitzero"`  // what front matter declares about this memory
	File        Declared    `json:"file,omitzero"`      // what front matter declares about the whole file
	Audit       []AuditRow  `json:"audit"`
	Tables      TableRows   `json:"tables"` // its rows in the durable tables of the index
	Block       *ExportSpan `json:"-"`
}

// Exported is a memory whose text may be left out.
type Exported struct {
	Memory
	Text *string `json:"text"` // nil: redacted
}

// ExportSpan is where the lines of a memory are.
type ExportSpan struct {
	Start, End int
	FileHash   Hash
}

// TableRows are rows of tables, by the names of the tables and columns. A BLOB is a text
// of "x'", hexadecimal digits and "'".
type TableRows map[string][]map[string]any

// ExportEnd is the last line of an export.
type ExportEnd struct {
	End    bool   `json:"end"` // true
	Rows   int    `json:"rows"`
	SHA256 string `json:"sha256"` // of all lines before, with their line feeds
}

// Dedupe decides which memories of an export are not written again.
type Dedupe string

// The ways to find what is here already.
const (
	DedupeNone   Dedupe = "none"    // every text is written
	DedupeID     Dedupe = "id"      // not those whose id is here
	DedupeIDText Dedupe = "id_text" // not those whose id or text is here
)

// ParseDedupe reads a Dedupe. The empty one is DedupeIDText.
func ParseDedupe(s string) (Dedupe, error) {
	return parseWord("dedupe", cmp.Or(s, string(DedupeIDText)), Dedupes)
}

// Dedupes lists the ways to find what is here already.
var Dedupes = []Dedupe{DedupeNone, DedupeID, DedupeIDText}

// ImportRequest requests to import an export.
type ImportRequest struct {
	Workspace  string `json:"workspace,omitempty"`
	Dedupe     Dedupe `json:"dedupe,omitempty"`      // default: id_text
	DryRun     bool   `json:"dry_run,omitempty"`     // change nothing
	Append     bool   `json:"append,omitempty"`      // append to files that exist; default: write new files beside them
	TakeBack   string `json:"take_back,omitempty"`   // remove the files that imports from this memory system wrote, instead
	KeepEdited bool   `json:"keep_edited,omitempty"` // TakeBack: keep files that were edited since; default: refuse

	Sender
	For Audience `json:"for,omitempty"` // an import is refused for a model

	In io.Reader `json:"-"` // the lines of an export
}

// ImportAnswer counts what an import did with the memories of an export.
type ImportAnswer struct {
	Added      int                 `json:"added"`      // written into Markdown
	Updated    int                 `json:"updated"`    // were here, and got the state of the export
	Unchanged  int                 `json:"unchanged"`  // were here, and kept their state
	Duplicates int                 `json:"duplicates"` // of Updated and Unchanged: their text was here under another id
	NoText     int                 `json:"no_text"`    // are not here, and the export has no text of them
	Destroyed  int                 `json:"destroyed"`  // were destroyed here, and do not come back
	Failed     List[ImportFailure] `json:"failed"`
	Files      List[string]        `json:"files"` // that were written
	DryRun     bool                `json:"dry_run"`
	Notices    List[string]        `json:"notices"`
	Receipt    string              `json:"receipt,omitempty"`

	// Only imports from another memory system have these.
	LeftOut List[ImportFailure] `json:"left_out,omitempty"` // duplicate, forgotten, migrated or not_indexable
	Private List[ImportFailure] `json:"private,omitempty"`  // look like a secret, of this kind
	Removed List[string]        `json:"removed,omitempty"`  // files that TakeBack removed
	Kept    List[string]        `json:"kept,omitempty"`     // files that were edited since
}

// ImportFailure is a memory that could not be imported.
type ImportFailure struct {
	Line    int    `json:"line"` // of the export
	Message string `json:"message"`
}

// SnapshotRequest requests something about the snapshots of a workspace.
type SnapshotRequest struct {
	Action    string `json:"action"` // list, create, restore or remove
	Workspace string `json:"workspace,omitempty"`
	ID        string `json:"id,omitempty"`      // restore and remove: a unique prefix, or last
	Tag       string `json:"tag,omitempty"`     // create: a name for people
	Preview   bool   `json:"preview,omitempty"` // restore: report the changes without making them
}

// Snapshot describes what was decided about all memories at one moment.
type Snapshot struct {
	ID        string    `json:"id"`
	Tag       string    `json:"tag"` // a person gave it; empty: none
	CreatedAt time.Time `json:"created_at"`
	Cause     string    `json:"cause"` // "by hand", "daily", or "before" and a command
	Bytes     int64     `json:"bytes,omitempty"`
	Memories  int       `json:"memories,omitempty"`
	Damaged   string    `json:"damaged,omitempty"` // why it cannot be read
}

// SnapshotAnswer lists all snapshots, or the one of a request. Only a restore has the rest.
type SnapshotAnswer struct {
	Snapshots List[Snapshot] `json:"snapshots"`
	Restored  *DecideAnswer  `json:"restored,omitempty"` // unchanged has the memories that are gone
	Changes   List[AuditRow] `json:"changes,omitempty"`  // the fields that change, of each memory
}
