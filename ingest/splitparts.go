package ingest

import (
	"context"
	"fmt"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/wording"
)

// minRun is how many words in a row make two texts parts of each other in any file. Fewer
// words may be in any text. A longer text needs as many.
const minRun = 6

// goneText is the text of a decided memory that its file does not contain any more.
type goneText struct {
	id         memory.ID
	text       memory.Fingerprint
	path, user string
	words      []string
	now        []string // the words of the memory's new text; empty if it is missing
	justGone   bool     // in this run
}

// noteParts notes the new memories that are parts of a text about which somebody
// decided, and that is gone. All words of a part stand together in the text. A text that
// comes back with more words has it as a part. The index protects a part as it protects the
// whole.
func (r *run) noteParts(ctx context.Context) error {
	if !slices.Contains(r.result.Changes, memory.Added) {
		return nil
	}
	if err := r.addRecentlyMissing(ctx); err != nil {
		return fmt.Errorf("read missing memories: %w", err)
	}
	gone := r.goneTexts()
	if len(gone) == 0 {
		return nil
	}
	public := r.publicTexts()
	for i, b := range r.blocks {
		if r.result.Changes[i] != memory.Added || public[b.Block.Fingerprint] {
			continue
		}
		words := wording.Words(b.Block.Text)
		for _, g := range gone {
			if g.text != b.Block.Fingerprint && g.hasPart(words, b.Path) && (g.user == "" || g.user == b.User) {
				r.batch.Parts = append(r.batch.Parts, memory.Part{Memory: r.result.IDs[i], Of: g.id})
			}
		}
	}
	return nil
}

// goneTexts returns the texts of decided memories that were edited in this run, or that
// are in no file after it.
func (r *run) goneTexts() (gone []goneText) {
	at := map[memory.ID]int{}
	for i, id := range r.result.IDs {
		at[id] = i
	}
	missing := map[memory.ID]bool{}
	for _, id := range r.result.Missing {
		missing[id] = true
	}
	for _, k := range r.known {
		if !k.IsForgotten && !k.HasDecision {
			continue
		}
		g := goneText{id: k.ID, text: k.Fingerprint, path: k.Path, user: k.User, justGone: !k.Missing}
		switch i, placed := at[k.ID]; {
		case placed && r.result.Changes[i] == memory.Edited:
			g.now = wording.Words(r.blocks[i].Block.Text)
		case placed || k.OutsideBatch || !k.Missing && !missing[k.ID]:
			continue
		}
		g.words = wording.Words(k.Text)
		gone = append(gone, g)
	}
	return gone
}

// publicTexts returns the texts of present memories about which nobody decided. A copy
// of them tells nothing new.
func (r *run) publicTexts() map[memory.Fingerprint]bool {
	public, gone := map[memory.Fingerprint]bool{}, map[memory.ID]bool{}
	for _, id := range r.result.Missing {
		gone[id] = true
	}
	for _, k := range r.known {
		if !k.Missing && !gone[k.ID] && !k.IsForgotten && !k.HasDecision {
			public[k.Fingerprint] = true
		}
	}
	return public
}

// hasPart reports whether words of a file stand together in the text, and not in what
// the memory says now. More words than the text has must contain all of it.
func (g goneText) hasPart(words []string, path string) bool {
	switch {
	case len(words) == 0, len(words) == 1 && !g.justGone, path != g.path && len(words) < minRun:
		return false
	case len(g.words) >= minRun && len(words) > len(g.words):
		return containsRun(words, g.words)
	}
	return containsRun(g.words, words) && !containsRun(g.now, words)
}

// containsRun reports whether a list contains another one as a run.
func containsRun(list, run []string) bool {
	for ; len(list) >= len(run); list = list[1:] {
		if slices.Equal(list[:len(run)], run) {
			return true
		}
	}
	return false
}
