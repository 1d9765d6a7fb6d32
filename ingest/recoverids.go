package ingest

import (
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/identity"
)

const (
	// maxCopies is how many copies of a text are tried to recreate an id.
	// People cannot tell apart more copies of one text.
	maxCopies = 16
	// digitsInFile is how many digits of an id front matter contains
	// ([memory.ID.InFile]). An id with fewer digits is not recovered.
	digitsInFile = 12
)

// recoverIDs sets the preferred ids of blocks from front matter, for the case
// that they become new memories. An id is made from the memory's original text
// and its number among copies of it. A file that was edited since contains
// neither. So if a database is rebuilt, a memory with a decision keeps the id
// from its file. The digits in the file, which are all that people see, stay
// equal; the others may change.
func (r *run) recoverIDs() {
	r.preferNamed()
	n := r.newIDRecoverer()
	if n == nil {
		return
	}
	n.recoverEach(n.findByID, func(e memory.Entry, b identity.NewBlock) memory.ID {
		return originalID(b.Block.Fingerprint, b.User, e.IDPrefix)
	})
	if r.hasIndex() {
		return // another memory may have that id already
	}
	n.recoverEach(n.findByQuote, idInFile)
}

// hasIndex reports whether the index knows a file or a memory from before.
func (r *run) hasIndex() bool { return len(r.indexed) > 0 || len(r.known) > 0 }

// preferNamed sets the preferred id of a block if an entry of its file names a
// memory with the block's text. That memory is in no file, or has left another one.
func (r *run) preferNamed() {
	isNamed := idsNamedBy(r.statesToMatch())
	var all []candidate
	var known []identity.KnownMemory
	for _, k := range r.known {
		if !k.OutsideBatch && isNamed(k.ID) {
			known, all = append(known, k), append(all, newCandidate(k.ID, k.Path, k.Text, k.Fingerprint))
		}
	}
	named := newCandidateIndex(all)
	for _, f := range r.batch.Files {
		for _, e := range f.Entries {
			path := candidatePath(e, f.Path)
			at, ok := named.findByID(e, path)
			if !ok || !known[at].Missing && !r.mayHaveCome(known[at], path, !r.hadEntry(f.Path, e)) {
				continue
			}
			i := slices.IndexFunc(r.blocks, func(b identity.NewBlock) bool {
				return b.Path == path && b.Block.Fingerprint == known[at].Fingerprint && b.PreferredID == ""
			})
			if i >= 0 {
				r.blocks[i].PreferredID = known[at].ID
			}
		}
	}
}

// mayHaveCome reports whether a memory of another file may have moved to a path. It has left its
// file. If the line about it did not come along, its text is in no third file.
func (r *run) mayHaveCome(k identity.KnownMemory, path string, withLine bool) bool {
	return k.Path != path && !slices.ContainsFunc(r.read, func(b identity.NewBlock) bool {
		return b.Block.Fingerprint == k.Fingerprint && (b.Path == k.Path || !withLine && b.Path != path)
	})
}

// hadEntry reports whether the indexed file has the entry already.
func (r *run) hadEntry(path string, e memory.Entry) bool {
	f, _ := r.indexedFile(path)
	return slices.ContainsFunc(f.Entries, func(was memory.Entry) bool { return keyOf(was) == keyOf(e) })
}

// idRecoverer matches entries with blocks. Each block is a candidate under
// every id that a memory with its text may have got.
type idRecoverer struct {
	*run
	*candidateIndex
	blockOf    []int           // candidate → block
	usedDigits map[string]bool // digits of ids already assigned
}

func (r *run) newIDRecoverer() *idRecoverer {
	hasEntries := false
	for _, f := range r.batch.Files {
		hasEntries = hasEntries || len(f.Entries) > 0
	}
	if !hasEntries {
		return nil
	}
	copies := map[string]map[memory.Fingerprint]int{"": {}} // of each user; of everybody: all copies
	ofEverybody := map[memory.Fingerprint]bool{}
	for _, b := range r.blocks {
		if copies[b.User] == nil {
			copies[b.User] = map[memory.Fingerprint]int{}
		}
		for _, user := range usersOfID(b.User) {
			copies[user][b.Block.Fingerprint]++
		}
		ofEverybody[b.Block.Fingerprint] = ofEverybody[b.Block.Fingerprint] || b.User == ""
	}
	n := &idRecoverer{run: r, usedDigits: map[string]bool{}}
	var all []candidate
	for i, b := range r.blocks {
		if b.PreferredID != "" {
			n.usedDigits[b.PreferredID.InFile()] = true
		}
		for _, user := range usersOfID(b.User) {
			if user != b.User && ofEverybody[b.Block.Fingerprint] {
				continue // the id is more likely that of everybody's memory
			}
			for c := range min(copies[user][b.Block.Fingerprint], maxCopies) {
				all = append(all, newCandidate(memory.NewUserID(b.Block.Fingerprint, user, c), b.Path, b.Block.Text, b.Block.Fingerprint))
				n.blockOf = append(n.blockOf, i)
			}
		}
	}
	n.candidateIndex = newCandidateIndex(all)
	return n
}

// usersOfID returns the users that the id of a user's memory may be made from. A memory
// may have got its id before its text had a user.
func usersOfID(user string) []string {
	if user == "" {
		return []string{""}
	}
	return []string{user, ""}
}

// recoverEach sets the preferred id of the block that match returns for an
// entry.
func (n *idRecoverer) recoverEach(match func(e memory.Entry, likelyPath string) (int, bool), id func(memory.Entry, identity.NewBlock) memory.ID) {
	for _, f := range n.batch.Files {
		for _, e := range f.Entries {
			at, ok := match(e, candidatePath(e, f.Path))
			if !ok {
				continue
			}
			block := &n.blocks[n.blockOf[at]]
			preferred := id(e, *block)
			if preferred != "" && block.PreferredID == "" && !n.usedDigits[preferred.InFile()] {
				block.PreferredID, n.usedDigits[preferred.InFile()] = preferred, true
			}
		}
	}
}

// originalID returns the id with this prefix that a user's memory with this original
// text may have got, or "".
func originalID(text memory.Fingerprint, user, prefix string) memory.ID {
	for _, user := range usersOfID(user) {
		for n := range maxCopies {
			if id := memory.NewUserID(text, user, n); prefix != "" && strings.HasPrefix(digits(id), prefix) {
				return id
			}
		}
	}
	return ""
}

// idInFile returns the id of a memory that was edited since it was new. If the
// quote is its whole original text, the id is made from it. Otherwise the
// result has the digits from the file, and the rest from the current text.
func idInFile(e memory.Entry, b identity.NewBlock) memory.ID {
	if len(e.IDPrefix) < digitsInFile {
		return ""
	}
	if id := originalID(chunker.Fingerprint(e.Quote), b.User, e.IDPrefix); id != "" {
		return id
	}
	id, err := memory.ParseIDPrefix(e.IDPrefix + digits(memory.NewUserID(b.Block.Fingerprint, b.User, 0))[len(e.IDPrefix):])
	if err != nil {
		return ""
	}
	return memory.ID(id)
}
