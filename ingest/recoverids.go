package ingest

import (
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
)

const (
	// maxCopies is how many copies of a text are tried when an id is made again
	// from it: more of one text are hardly told apart by anyone.
	maxCopies = 16
	// digitsInFile is how much of an id front matter holds ([memory.ID.InFile]).
	// With fewer a block is not given another name than its text makes.
	digitsInFile = 12
)

// recoverIDs proposes ids to blocks that front matter has a name for, should they be
// new memories. An id is made from the text that a memory was born with, and
// which of several copies it was; neither can be read off a file that was edited
// since. So where a database is made anew, a memory that somebody decided
// something about keeps the name by which its file calls it: the digits in the
// file, which are all that people see, are the same; the others may differ.
func (r *run) recoverIDs() {
	n := r.newIDRecoverer()
	if n == nil {
		return
	}
	n.recoverEach(n.findByID, func(e memory.Entry, text memory.Fingerprint) memory.ID { return originalID(text, e.IDPrefix) })
	if len(r.indexed) > 0 || len(r.known) > 0 {
		return // another memory may have that name already
	}
	n.recoverEach(n.findByQuote, idInFile)
	n.recoverEach(func(e memory.Entry, home string) (int, bool) { return n.findSimilar(e, home, nil) }, idInFile)
}

// idRecoverer goes over what front matter decides, and the blocks that it could be
// about, each under every id that a memory of its text could be born with.
type idRecoverer struct {
	*run
	*candidateIndex
	blockOf    []int           // subject → fresh block
	usedDigits map[string]bool // digits that a block has been given
}

func (r *run) newIDRecoverer() *idRecoverer {
	hasEntries := false
	for _, f := range r.batch.Files {
		hasEntries = hasEntries || len(f.Entries) > 0
	}
	if !hasEntries {
		return nil
	}
	copies := map[memory.Fingerprint]int{}
	for _, f := range r.blocks {
		copies[f.Block.Fingerprint]++
	}
	n := &idRecoverer{run: r, usedDigits: map[string]bool{}}
	var all []candidate
	for i, f := range r.blocks {
		if f.PreferredID != "" {
			n.usedDigits[f.PreferredID.InFile()] = true
		}
		for c := range min(copies[f.Block.Fingerprint], maxCopies) {
			all = append(all, newCandidate(memory.NewID(f.Block.Fingerprint, c), f.Path, f.Block.Text, f.Block.Fingerprint))
			n.blockOf = append(n.blockOf, i)
		}
	}
	n.candidateIndex = newCandidateIndex(all)
	return n
}

func (n *idRecoverer) recoverEach(match func(e memory.Entry, home string) (int, bool), id func(memory.Entry, memory.Fingerprint) memory.ID) {
	for _, f := range n.batch.Files {
		for _, e := range f.Entries {
			at, ok := match(e, candidatePath(e, f.Path))
			if !ok {
				continue
			}
			fresh := &n.blocks[n.blockOf[at]]
			wants := id(e, fresh.Block.Fingerprint)
			if wants != "" && fresh.PreferredID == "" && !n.usedDigits[wants.InFile()] {
				fresh.PreferredID, n.usedDigits[wants.InFile()] = wants, true
			}
		}
	}
}

// originalID is the id with these digits that a memory of this text was born with.
func originalID(text memory.Fingerprint, prefix string) memory.ID {
	for n := range maxCopies {
		if id := memory.NewID(text, n); prefix != "" && strings.HasPrefix(digits(id), prefix) {
			return id
		}
	}
	return ""
}

// idInFile is the id of a memory that was edited since it was born: made again
// from the quote where that is all of the text it was born with, else the digits
// that its file knows, with what its text gives for the others.
func idInFile(e memory.Entry, text memory.Fingerprint) memory.ID {
	if len(e.IDPrefix) < digitsInFile {
		return ""
	}
	if id := originalID(chunker.Fingerprint(e.Quote), e.IDPrefix); id != "" {
		return id
	}
	id, err := memory.ParseIDPrefix(e.IDPrefix + digits(memory.NewID(text, 0))[len(e.IDPrefix):])
	if err != nil {
		return ""
	}
	return memory.ID(id)
}
