package marks

import (
	"context"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/query"
	"github.com/memory-tiered/memory/index/sqldb"
)

// Redactions decides which blocks of some files on disk a view does not show. The state of an
// indexed memory decides about its own block, and [Hidden] about every text.
type Redactions struct {
	*Hidden
	indexed map[blockKey]indexedBlock
	shown   map[string]map[string]bool // path → keys of its visible texts
	hidden  map[string]bool            // keys of the texts of hidden memories
	others  map[string]bool            // keys of those that belong to other users
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

// ReadRedactions returns the redactions of some files for a view of what is put before a
// prompt.
func ReadRedactions(ctx context.Context, db sqldb.Reader, h *Hidden, view memory.View, paths []string) (rd Redactions, err error) {
	rd = Redactions{h, map[blockKey]indexedBlock{}, map[string]map[string]bool{}, map[string]bool{}, map[string]bool{}}
	ofUsers := memory.View{Users: view.Users}
	hidden, args := query.HiddenBy(view, query.ViewRow, view.Rules())
	replaced, replacedArgs := query.Superseded(view)
	others, othersArgs := query.HiddenBy(ofUsers, query.ViewRow, ofUsers.Rules())
	err = db.Each(ctx, "SELECT path, ordinal, fingerprint, text, heading, "+hidden+" OR "+replaced+", "+others+
		" FROM visible WHERE path IN (SELECT value FROM json_each(?))",
		slices.Concat(args, replacedArgs, othersArgs, []any{sqldb.JSONList(paths)}), func(scan func(...any) error) error {
			var at blockKey
			var f sqldb.Hash
			var text, heading string
			var block indexedBlock
			err := scan(&at.path, &at.ordinal, &f, &text, &heading, &block.hidden, &block.others)
			block.text = textKey(memory.Fingerprint(f), text, heading)
			rd.indexed[at] = block
			if block.others {
				rd.others[block.text] = true
			}
			if block.hidden {
				rd.hidden[block.text] = true
				return err
			}
			if rd.shown[at.path] == nil {
				rd.shown[at.path] = map[string]bool{}
			}
			rd.shown[at.path][block.text] = true
			return err
		})
	return rd, sqldb.Wrap("read hidden memories", err)
}

// Hides reports whether a block must be hidden; ordinal is its number in the file.
func (rd Redactions) Hides(path string, ordinal int, b memory.Block) bool {
	if block, known := rd.at(path, ordinal, b); known {
		return block.hidden
	}
	return rd.hidesText(b)
}

// at returns the block of an indexed memory, if the file has it at that place.
func (rd Redactions) at(path string, ordinal int, b memory.Block) (block indexedBlock, known bool) {
	block, known = rd.indexed[blockKey{path, ordinal}]
	return block, known && block.text == keyOf(b)
}

// IsOthers reports whether a block belongs to another user. The state of an indexed
// memory decides about its own block. Any other block does if its text does.
func (rd Redactions) IsOthers(path string, ordinal int, b memory.Block) bool {
	if block, known := rd.at(path, ordinal, b); known {
		return block.others
	}
	return rd.others[keyOf(b)]
}

// Shows reports whether a file contains the text of a block as an indexed memory that
// is visible. It is for a file whose present version is not indexed.
func (rd Redactions) Shows(path string, b memory.Block) bool {
	return rd.shown[path][keyOf(b)] && !rd.hidesText(b)
}

// hidesText reports whether the text of a block is hidden by what is known of it elsewhere.
func (rd Redactions) hidesText(b memory.Block) bool {
	return rd.hidden[keyOf(b)] || rd.Hidden.Hides(b.Text, b.Heading)
}

func keyOf(b memory.Block) string { return textKey(b.Fingerprint, b.Text, sqldb.JSONList(b.Heading)) }

// textKey returns equal keys for equal texts. A short text differs under another
// heading.
func textKey(f memory.Fingerprint, text, heading string) string {
	if isShort(text) {
		return f.String() + heading
	}
	return f.String()
}
