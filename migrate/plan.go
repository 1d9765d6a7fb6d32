package migrate

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/internal/secrets"
)

// Folder contains what was migrated.
const Folder = "memory/imported"

// Reasons why a memory of another system does not come over.
const (
	SkipEmpty       = "empty"         // it has no text
	SkipDuplicate   = "duplicate"     // the workspace, or an earlier memory of the system, has the same text
	SkipForgotten   = "forgotten"     // it was forgotten or destroyed here, nearly repeats a forgotten memory, or is forgotten there
	SkipMigrated    = "migrated"      // an earlier migration brought it, and it was edited or deleted since
	SkipTooLarge    = "too_large"     // no file of memories may be so large
	SkipUnwritable  = "not_writable"  // no Markdown reads back as this text
	SkipDeciding    = "decides"       // the front matter of a copied file decides about single memories
	SkipUnmarkable  = "not_markable"  // a copied file cannot be marked as untrusted
	SkipUnindexable = "not_indexable" // no file of memories may have this name, or its folder cannot be written
)

// Skipped is a memory of another system that does not come over.
type Skipped struct {
	Ref    string    `json:"ref"`
	Reason string    `json:"reason"`
	ID     memory.ID `json:"id,omitempty"` // the memory of the workspace that has the text
	Of     string    `json:"of,omitempty"` // the memory of the other system that has the text
}

// Private is a memory that no model gets, because it looks like a secret.
type Private struct {
	Ref  string `json:"ref"`
	Kind string `json:"kind"`
}

// Plan is what a migration does.
type Plan struct {
	Files   []File
	Skipped []Skipped
	Private []Private
	Notes   []string

	keys []string // of the memories that come over
}

// Memories returns how many memories the plan writes.
func (p *Plan) Memories() (n int) {
	for _, f := range p.Files {
		n += f.Memories
	}
	return n
}

// Paths lists the files of the plan.
func (p *Plan) Paths() (paths []string) {
	for _, f := range p.Files {
		paths = append(paths, f.Path)
	}
	return paths
}

// Known is what the workspace has.
type Known struct {
	Memories  []memory.Memory // those that can be found
	Forgotten []memory.Memory

	// IsForgotten reports whether a text was forgotten or destroyed under a heading.
	IsForgotten func(f memory.Fingerprint, text string, heading []string) bool
	// WasMigrated reports whether an earlier migration brought a memory.
	WasMigrated func(key string) bool
}

// Options of a plan.
type Options struct {
	System    string
	Zone      *time.Location         // of the dates in headings
	MaxBytes  int64                  // of a file
	Exists    func(name string) bool // a file has this path
	Indexable func(name string) bool // a file of this path contains memories

	// FolderFree reports whether files can be written into a folder, which need not exist.
	FolderFree func(name string) bool
}

// planner makes a plan.
type planner struct {
	Options
	known    Known
	plan     *Plan
	keys     []string
	files    map[string]bool // paths of the plan, in lower case
	folders  map[string]bool // of these files
	existing map[memory.Fingerprint][]memory.Memory
	headings [][]string // of the workspace

	forgotten *forgottenTexts
}

// NewPlan decides what comes over, and writes the files in memory.
func NewPlan(c Content, known Known, o Options) *Plan {
	p := &planner{Options: o, known: known, plan: &Plan{Notes: c.Notes}, files: map[string]bool{}, folders: map[string]bool{}}
	p.learn()
	p.write(p.fit(p.choose(c.Entries)))
	p.documents(c.Documents)
	p.plan.keys = p.keys
	return p.plan
}

// learn reads what the workspace has.
func (p *planner) learn() {
	p.existing = map[memory.Fingerprint][]memory.Memory{}
	headings := map[string][]string{}
	for _, m := range p.known.Memories {
		f := chunker.Fingerprint(m.Text)
		p.existing[f] = append(p.existing[f], m)
		headings[strings.Join(m.Heading, "\x00")] = m.Heading
	}
	p.headings, p.forgotten = slices.Collect(maps.Values(headings)), newForgottenTexts(p.known.Forgotten)
}

func (p *planner) skip(ref, reason string) {
	p.plan.Skipped = append(p.plan.Skipped, Skipped{Ref: ref, Reason: reason})
}

// choose leaves out what has no text, what is forgotten, and what is there already.
func (p *planner) choose(entries []Entry) (items []*item) {
	first := map[string]*item{}
	for _, e := range entries {
		it := newItem(e)
		it.Declared.SourceRef = sourceRef(p.System, e.Ref)
		it.Declared.Forgotten, it.Declared.ForgottenAt = nil, time.Time{}
		switch earlier := first[it.key()]; {
		case it.text == "":
			p.skip(e.Ref, SkipEmpty)
		case isForgottenThere(e.Declared), p.isForgotten(it):
			p.skip(e.Ref, SkipForgotten)
		case earlier != nil:
			earlier.merge(it)
			p.plan.Skipped = append(p.plan.Skipped, Skipped{Ref: e.Ref, Reason: SkipDuplicate, Of: earlier.Ref})
		case p.copyOf(it) != "":
			p.plan.Skipped = append(p.plan.Skipped, Skipped{Ref: e.Ref, Reason: SkipDuplicate, ID: p.copyOf(it)})
		case p.known.WasMigrated(it.key()):
			p.skip(e.Ref, SkipMigrated)
		default:
			first[it.key()] = it
			items = append(items, it)
		}
	}
	return items
}

// key identifies a memory by its text, its scope and its user.
func (it *item) key() string {
	return string(it.fingerprint[:]) + "\x00" + string(it.Declared.Scope) + "\x00" + it.Declared.User
}

// merge adds what is known about a copy. The older date and the higher importance win.
func (it *item) merge(duplicate *item) {
	d, other := &it.Declared, duplicate.Declared
	if at := other.Created; !at.IsZero() && (d.Created.IsZero() || at.Before(d.Created)) {
		d.Created = at
	}
	if n := other.Importance; n != nil && (d.Importance == nil || *n > *d.Importance) {
		d.Importance = n
	}
	if other.Private != nil {
		d.Private = other.Private
	}
	if slices.Index(memory.TrustTiers, other.Trust) > slices.Index(memory.TrustTiers, d.Trust) {
		d.Trust = other.Trust
	}
}

// copyOf returns the memory of the workspace with the same text, which everybody has
// who would have the new one.
func (p *planner) copyOf(it *item) memory.ID {
	for _, m := range p.existing[it.fingerprint] {
		sameScope := m.Scope == "" || m.Scope == memory.ScopeGlobal || m.Scope == it.Declared.Scope
		if sameScope && (m.User == "" || m.User == it.Declared.User) {
			return m.ID
		}
	}
	return ""
}

// fit writes the bullet of each item. What looks like a secret becomes private.
func (p *planner) fit(items []*item) (fitted []*item) {
	for _, it := range items {
		if kind, found := secrets.Find(it.text); found {
			yes := true
			it.Declared.Private = &yes
			p.plan.Private = append(p.plan.Private, Private{it.Ref, kind})
		}
		switch {
		case int64(len(it.text)) > p.MaxBytes:
			p.skip(it.Ref, SkipTooLarge)
		case !it.fit():
			p.skip(it.Ref, SkipUnwritable)
		default:
			fitted = append(fitted, it)
		}
	}
	return fitted
}
