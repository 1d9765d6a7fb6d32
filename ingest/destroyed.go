package ingest

import (
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/identity"
)

// destroyedFault is the fault of a destroyed text that a file has again.
const destroyedFault = "this text was destroyed, and a branch, a backup or a program brought it back: it is not indexed; delete it from the file"

// withoutDestroyed returns the blocks of a file whose texts were not destroyed, and takes what
// repeats a destroyed text out of their other fields. The index never gets these texts, so that
// nothing of them has to be erased later.
func (r *run) withoutDestroyed(state *memory.FileState, blocks []memory.Block) []memory.Block {
	if r.isDestroyed == nil {
		return blocks
	}
	blocks = slices.DeleteFunc(blocks, func(b memory.Block) bool {
		isGone := r.isDestroyed(b) || b.Kind == memory.KindProperties && r.hasDestroyedValue(b)
		if isGone {
			r.addDestroyedFault(state, b.LineStart)
			r.destroyed = append(r.destroyed, b.Text)
		}
		return isGone
	})
	for i := range blocks {
		if chunker.RemoveFields(&blocks[i], r.isDestroyedField) {
			r.addDestroyedFault(state, blocks[i].LineStart)
		}
	}
	return blocks
}

// withoutDestroyedFields takes what repeats a destroyed text out of what a file declares, and
// returns its other names.
func (r *run) withoutDestroyedFields(state *memory.FileState, aliases []string) []string {
	if r.isDestroyed == nil {
		return aliases
	}
	isGone := func(text string) bool { return r.isDestroyedField(text, nil) }
	left := slices.DeleteFunc(slices.Clone(aliases), isGone)
	found := chunker.RemoveDeclared(&state.Declared, isGone) || len(left) < len(aliases)
	state.Entries = slices.DeleteFunc(slices.Clone(state.Entries), func(e memory.Entry) bool { return isGone(e.Quote) })
	for i := range state.Entries {
		found = chunker.RemoveDeclared(&state.Entries[i].Declared, isGone) || found
	}
	if found {
		r.addDestroyedFault(state, 1)
	}
	return left
}

func (r *run) addDestroyedFault(state *memory.FileState, line int) {
	state.Faults = append(state.Faults, memory.Fault{Path: state.Path, Line: line, Message: destroyedFault})
}

// isDestroyedField reports whether a field repeats a destroyed text. A short one counts where it
// was destroyed: under the same heading, or under none.
func (r *run) isDestroyedField(text string, heading []string) bool {
	b := memory.Block{Text: text, Fingerprint: chunker.Fingerprint(text), Heading: heading}
	return text != "" && (r.isDestroyed(b) || r.isDestroyed(memory.Block{Text: text, Fingerprint: b.Fingerprint}))
}

// hasDestroyedValue reports whether properties repeat a destroyed text.
func (r *run) hasDestroyedValue(b memory.Block) bool {
	return slices.ContainsFunc(strings.Split(b.Text, "\n"), func(line string) bool {
		key, values, _ := strings.Cut(line, ": ")
		return slices.ContainsFunc(append(strings.Split(values, ", "), key, values, line), func(text string) bool { return r.isDestroyedField(text, b.Heading) })
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
