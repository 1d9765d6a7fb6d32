package ingest

import (
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
)

const (
	// mostCopies is how many copies of a text are tried when an id is made again
	// from it: more of one text are hardly told apart by anyone.
	mostCopies = 16
	// fileDigits is how much of an id front matter holds ([memory.ID.InFile]).
	// With fewer a block is not given another name than its text makes.
	fileDigits = 12
)

// name proposes ids to blocks that front matter has a name for, should they be
// new memories. An id is made from the text that a memory was born with, and
// which of several copies it was; neither can be read off a file that was edited
// since. So where a database is made anew, a memory that somebody decided
// something about keeps the name by which its file calls it: the digits in the
// file, which are all that people see, are the same; the others may differ.
func (w *work) name() {
	n := w.namer()
	if n == nil {
		return
	}
	n.each(n.withID, func(e memory.Entry, text memory.Fingerprint) memory.ID { return born(text, e.IDPrefix) })
	if len(w.listed) > 0 || len(w.known) > 0 {
		return // another memory may have that name already
	}
	n.each(n.withQuote, called)
	n.each(func(e memory.Entry, home string) (int, bool) { return n.alike(e, home, nil) }, called)
}

// namer goes over what front matter decides, and the blocks that it could be
// about, each under every id that a memory of its text could be born with.
type namer struct {
	*work
	*subjects
	from  []int           // subject → fresh block
	named map[string]bool // digits that a block has been given
}

func (w *work) namer() *namer {
	said := false
	for _, f := range w.batch.Files {
		said = said || len(f.Entries) > 0
	}
	if !said {
		return nil
	}
	copies := map[memory.Fingerprint]int{}
	for _, f := range w.fresh {
		copies[f.Block.Fingerprint]++
	}
	n := &namer{work: w, named: map[string]bool{}}
	var all []subject
	for i, f := range w.fresh {
		if f.PreferredID != "" {
			n.named[f.PreferredID.InFile()] = true
		}
		for c := range min(copies[f.Block.Fingerprint], mostCopies) {
			all = append(all, newSubject(memory.NewID(f.Block.Fingerprint, c), f.Path, f.Block.Text, f.Block.Fingerprint))
			n.from = append(n.from, i)
		}
	}
	n.subjects = newSubjects(all)
	return n
}

func (n *namer) each(match func(e memory.Entry, home string) (int, bool), id func(memory.Entry, memory.Fingerprint) memory.ID) {
	for _, f := range n.batch.Files {
		for _, e := range f.Entries {
			at, ok := match(e, home(e, f.Path))
			if !ok {
				continue
			}
			fresh := &n.fresh[n.from[at]]
			wants := id(e, fresh.Block.Fingerprint)
			if wants != "" && fresh.PreferredID == "" && !n.named[wants.InFile()] {
				fresh.PreferredID, n.named[wants.InFile()] = wants, true
			}
		}
	}
}

// born is the id with these digits that a memory of this text was born with.
func born(text memory.Fingerprint, prefix string) memory.ID {
	for n := range mostCopies {
		if id := memory.NewID(text, n); prefix != "" && strings.HasPrefix(digits(id), prefix) {
			return id
		}
	}
	return ""
}

// called is the id of a memory that was edited since it was born: made again
// from the quote where that is all of the text it was born with, else the digits
// that its file knows, with what its text gives for the others.
func called(e memory.Entry, text memory.Fingerprint) memory.ID {
	if len(e.IDPrefix) < fileDigits {
		return ""
	}
	if id := born(chunker.Fingerprint(e.Quote), e.IDPrefix); id != "" {
		return id
	}
	id, err := memory.ParseIDPrefix(e.IDPrefix + digits(memory.NewID(text, 0))[len(e.IDPrefix):])
	if err != nil {
		return ""
	}
	return memory.ID(id)
}
