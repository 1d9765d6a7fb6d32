package ingest

import (
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/identity"
)

// destroyedFault is the fault of a destroyed text that a file has again.
const destroyedFault = "this text was destroyed, and a branch, a backup or a program brought it back: it is not indexed; delete it from the file"

// withoutDestroyed returns the blocks of a file whose texts were not destroyed. The index
// never gets the others, so that nothing of them has to be erased later.
func (r *run) withoutDestroyed(state *memory.FileState, blocks []memory.Block) []memory.Block {
	if r.isDestroyed == nil {
		return blocks
	}
	return slices.DeleteFunc(blocks, func(b memory.Block) bool {
		if !r.isDestroyed(b) {
			return false
		}
		state.Faults = append(state.Faults, memory.Fault{Path: state.Path, Line: b.LineStart, Message: destroyedFault})
		r.destroyed = append(r.destroyed, b.Text)
		return true
	})
}

// dropDestroyedEntries removes the entries about destroyed texts, because they quote them.
// A quote that another text of the batch begins with stays.
func (r *run) dropDestroyedEntries() {
	if len(r.destroyed) == 0 {
		return
	}
	for i := range r.batch.Files {
		r.batch.Files[i].Entries = slices.DeleteFunc(r.batch.Files[i].Entries, func(e memory.Entry) bool {
			return e.Quote != "" && slices.ContainsFunc(r.destroyed, func(text string) bool { return chunker.QuoteFits(e.Quote, text) }) &&
				!slices.ContainsFunc(r.read, func(b identity.NewBlock) bool { return chunker.QuoteFits(e.Quote, b.Block.Text) })
		})
	}
}
