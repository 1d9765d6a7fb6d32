package ingest

import (
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/internal/wording"
)

// minWordsElsewhere is how many words a part of a text must have so that it counts in
// another file too. Fewer words may be in any text.
const minWordsElsewhere = 6

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
// decided, and that is gone. All words of a part stand together in the text. The index
// protects a part as it protects the whole.
func (r *run) noteParts() {
	if !slices.Contains(r.result.Changes, memory.Added) {
		return
	}
	gone := r.goneTexts()
	if len(gone) == 0 {
		return
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
// the memory says now.
func (g goneText) hasPart(words []string, path string) bool {
	switch {
	case len(words) == 0, len(words) == 1 && !g.justGone, path != g.path && len(words) < minWordsElsewhere:
		return false
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

// restOfQuote returns the memories that a quote continues with, where its text was split.
// One text of the file is how the quote begins, and the next one begins with the rest.
func (s *candidateIndex) restOfQuote(e memory.Entry, path string) (ids []memory.ID) {
	quoted := wording.Words(e.Quote)
	var rest []string // of the quote, after the texts before
	for _, one := range s.all {
		if !one.present || one.path != path {
			rest = nil
			continue
		}
		words := wording.Words(chunker.WithoutColumnNames(one.content))
		if len(rest) > 1 && len(words) > 0 && !beginAlike(words, rest) && beginAlike(words, rest[1:]) {
			rest = rest[1:] // the word that joined the parts is gone
		}
		if len(rest) > 0 && len(words) > 0 && beginAlike(words, rest) {
			ids = append(ids, one.id)
			rest = rest[min(len(words), len(rest)):]
			continue
		}
		rest = nil
		if len(words) > 0 && len(words) < len(quoted) && beginAlike(words, quoted) {
			rest = quoted[len(words):]
		}
	}
	return ids
}

// beginAlike reports whether one of two lists is the beginning of the other one.
func beginAlike(a, b []string) bool {
	n := min(len(a), len(b))
	return slices.Equal(a[:n], b[:n])
}
