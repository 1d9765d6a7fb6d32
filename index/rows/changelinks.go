package rows

import (
	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
)

// A declaration that a memory is superseded names the first digits of another id. The
// column superseded_by has the whole id as soon as that memory is known.

// completeLinks replaces the digits in the rows of the set by whole ids. A link
// to an unknown memory stays as it is declared.
func (cs *Set) completeLinks() error {
	var links []memory.ID
	for _, r := range cs.Rows {
		if r.SupersededBy != "" {
			links = append(links, memory.ID(r.SupersededBy))
		}
	}
	if len(links) == 0 {
		return nil
	}
	whole, err := cs.tx.wholeIDs(links)
	if err != nil {
		return err
	}
	for id := range cs.Rows { // those that this transaction adds
		if link := id.Linked(); whole[link] == "" {
			whole[link] = id
		}
	}
	for _, r := range cs.Rows {
		if id := whole[memory.ID(r.SupersededBy)]; id != "" {
			r.SupersededBy = sqldb.NullText(id)
		}
	}
	return nil
}
