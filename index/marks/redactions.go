package marks

import (
	"context"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
	"github.com/memory-tiered/memory/index/visibility"
)

// Redactions decides which blocks of a file on disk must not be given to a model. Those
// are forgotten, private, quarantined, superseded and archived memories, and those of
// other users.
type Redactions struct {
	forgotten Set
	gone      Gone
	hidden    map[string]bool // keys of texts that are hidden anywhere
	others    map[string]bool // keys of texts that belong to other users
	indexed   map[blockKey]indexedBlock
	shown     map[string]map[string]bool // path → keys of its visible texts
}

// blockKey is the position of a block: its file and its number in the file.
type blockKey struct {
	path    string
	ordinal int
}

type indexedBlock struct {
	text   string // a key
	hidden bool
	others bool // it belongs to another user
}

// Readable is what the reader of a file may see beside these rules.
type Readable struct {
	Users []string     // as [memory.Identities.Readable] returns it
	Scope memory.Scope // global and unscoped memories too; empty: every scope
}

// ReadRedactions returns the redactions for some files at now. forgotten contains the
// texts that are forgotten in every copy.
func ReadRedactions(ctx context.Context, db sqlite.Reader, forgotten Set, now time.Time, readable Readable, paths []string) (rd Redactions, err error) {
	rd.forgotten = forgotten
	if rd.gone, err = ReadGone(ctx, db); err != nil {
		return rd, sqlite.Wrap("read forgotten texts", err)
	}
	rd.hidden, rd.others, rd.indexed, rd.shown = map[string]bool{}, map[string]bool{}, map[blockKey]indexedBlock{}, map[string]map[string]bool{}
	view := memory.View{Model: true, Pushed: true, Now: now}
	everywhere, args := visibility.HiddenBy(view, visibility.View, view.Rules())
	view.Users, view.Scope = readable.Users, readable.Scope
	others, othersArgs := visibility.HiddenBy(memory.View{Users: view.Users}, visibility.View, memory.View{Users: view.Users}.Rules())
	otherScope, scopeArgs := visibility.HiddenBy(memory.View{Scope: view.Scope}, visibility.View, memory.View{Scope: view.Scope}.Rules())
	replaced, replacedArgs := visibility.Superseded(view)
	args = slices.Concat(args, othersArgs, scopeArgs, replacedArgs, []any{sqlite.JSONList(paths)})
	err = db.Each(ctx, `SELECT path, ordinal, fingerprint, text, heading,
			-- hidden from every model, so that no copy in another file shows it
			(`+everywhere+`) AS everywhere,
			-- hidden from this reader
			(`+others+`) AS others,
			(`+otherScope+`) AS otherscope,
			`+replaced+` AS replaced
		FROM visible WHERE everywhere OR replaced OR path IN (SELECT value FROM json_each(?))`, args,
		func(scan func(...any) error) error {
			var at blockKey
			var f sqlite.Hash
			var text, heading string
			var everywhere, others, otherScope, isReplaced bool
			err := scan(&at.path, &at.ordinal, &f, &text, &heading, &everywhere, &others, &otherScope, &isReplaced)
			hidden := everywhere || others || otherScope || isReplaced
			key := textKey(memory.Fingerprint(f), text, heading)
			rd.indexed[at] = indexedBlock{key, hidden, others}
			if others {
				rd.others[key] = true
			}
			if hidden {
				rd.hidden[key] = true
				return err
			}
			if rd.shown[at.path] == nil {
				rd.shown[at.path] = map[string]bool{}
			}
			rd.shown[at.path][key] = true
			return err
		})
	return rd, sqlite.Wrap("read hidden memories", err)
}

// Hides reports whether a block must be hidden; ordinal is its number in the file.
// The state of an indexed memory decides about its own block. Any other block is
// hidden if its text is hidden anywhere, because it may not be indexed yet.
func (rd Redactions) Hides(path string, ordinal int, b memory.Block) bool {
	key := textKey(b.Fingerprint, b.Text, sqlite.JSONList(b.Heading))
	if block, ok := rd.indexed[blockKey{path, ordinal}]; ok && block.text == key {
		return block.hidden
	}
	return rd.hidden[key] || rd.forgotten.Contains(b.Fingerprint, b.Text, b.Heading)
}

// IsOthers reports whether a block belongs to another user. The state of an indexed
// memory decides about its own block. Any other block does if its text does.
func (rd Redactions) IsOthers(path string, ordinal int, b memory.Block) bool {
	key := textKey(b.Fingerprint, b.Text, sqlite.JSONList(b.Heading))
	if block, ok := rd.indexed[blockKey{path, ordinal}]; ok && block.text == key {
		return block.others
	}
	return rd.others[key]
}

// IsEmpty reports whether no text is hidden anywhere.
func (rd Redactions) IsEmpty() bool {
	return len(rd.hidden) == 0 && rd.forgotten.IsEmpty() && rd.gone.IsEmpty()
}

// HidesText reports whether a text that is no memory, such as a heading, repeats a
// hidden one. heading is the path above it.
func (rd Redactions) HidesText(f memory.Fingerprint, text string, heading []string) bool {
	return rd.hidden[textKey(f, text, sqlite.JSONList(heading))] || rd.forgotten.Contains(f, text, heading)
}

// HidesHeading reports whether a heading repeats a hidden text, or a part of a forgotten
// text that is gone. heading is the path above it.
func (rd Redactions) HidesHeading(f memory.Fingerprint, text string, heading []string) bool {
	return rd.HidesText(f, text, heading) || rd.gone.Repeats(text)
}

// Shows reports whether a file contains the text of a block as an indexed memory that
// is visible. It is for a file whose present version is not indexed.
func (rd Redactions) Shows(path string, b memory.Block) bool {
	key := textKey(b.Fingerprint, b.Text, sqlite.JSONList(b.Heading))
	return rd.shown[path][key] && !rd.hidden[key] && !rd.forgotten.Contains(b.Fingerprint, b.Text, b.Heading)
}

// textKey returns equal keys for equal texts. A short text differs under another
// heading.
func textKey(f memory.Fingerprint, text, heading string) string {
	if IsShort(text) {
		return f.String() + heading
	}
	return f.String()
}
