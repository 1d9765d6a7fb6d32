package ingest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
)

// updateFaults sets the faults of unmatched entries. It adds unchanged files
// whose entries have another memory now.
func (r *run) updateFaults(states []*memory.FileState) {
	written := map[string]bool{}
	for _, files := range [][]memory.FileState{r.batch.Files, r.batch.Rematched} {
		for _, f := range files {
			written[f.Path] = true
		}
	}
	for _, f := range states {
		f.Faults = append(removeUnmatchedFaults(f.Faults), unmatchedFaults(f.Path, f.Entries)...)
		was, _ := r.indexedFile(f.Path)
		if !written[f.Path] && !slices.EqualFunc(f.Entries, was.Entries, sameMatch) {
			r.batch.Rematched = append(r.batch.Rematched, *f)
		}
	}
	slices.SortFunc(r.batch.Rematched, func(a, b memory.FileState) int { return strings.Compare(a.Path, b.Path) })
}

func sameMatch(a, b memory.Entry) bool {
	return a.MatchedID == b.MatchedID && a.Settled == b.Settled && slices.Equal(a.Doubtful, b.Doubtful)
}

const (
	// unmatchedPrefix begins the fault of an entry without a memory.
	unmatchedPrefix = "no memory matches this decision; correct its quote or remove it: "
	// doubtPrefix begins the fault of an entry with doubtful memories.
	doubtPrefix = "no memory matches this decision exactly; "
	// unreadPrefix begins the fault of a line that protects and that cannot be read.
	unreadPrefix = "this line protects and is not exact: until you correct or remove it, "
	// maxNamedDoubts is how many memories the fault names.
	maxNamedDoubts = 8
)

// doubtFault returns the message about an entry's doubtful memories: how they are
// protected, and what ends that.
func doubtFault(e memory.Entry) string {
	effect, ids := "withheld until you correct its quote, remove it, or forget or restore each: ", e.Doubtful
	switch until := " until you correct its quote or remove it: "; {
	case isForgetting(e):
	case isPrivate(e):
		effect = "private" + until
	case isDistrusting(e):
		effect = string(e.Declared.Trust) + until
	default:
		effect = "only of the user " + e.Declared.User + until
	}
	var names []string
	for _, id := range ids[:min(len(ids), maxNamedDoubts)] {
		names = append(names, id.Short())
	}
	if more := len(ids) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return doubtPrefix + effect + strings.Join(names, ", ")
}

func unmatchedFaults(path string, entries []memory.Entry) []memory.Fault {
	var faults []memory.Fault
	for _, e := range entries {
		switch {
		case isUnread(e) && e.Path == "":
			faults = append(faults, memory.Fault{Path: path, Line: e.Line, Message: unreadPrefix + "the whole workspace counts as private"})
		case isUnread(e):
			faults = append(faults, memory.Fault{Path: path, Line: e.Line, Message: unreadPrefix + "all of " + e.Path + " counts as private"})
		case len(e.Doubtful) > 0:
			faults = append(faults, memory.Fault{Path: path, Line: e.Line, Message: doubtFault(e)})
		case e.MatchedID == "" && !e.Settled:
			faults = append(faults, memory.Fault{Path: path, Line: e.Line, Message: unmatchedPrefix + entryName(e)})
		}
	}
	return faults
}

// entryName returns how a message names an entry: by its quote, or by its id if it
// protects, because a quote repeats what is hidden.
func entryName(e memory.Entry) string {
	switch {
	case !isProtecting(e):
		return e.Quote
	case e.IDPrefix == "":
		return "it has no id"
	}
	return "id " + e.IDPrefix
}

func removeUnmatchedFaults(faults []memory.Fault) []memory.Fault {
	return slices.DeleteFunc(slices.Clone(faults), func(f memory.Fault) bool {
		return strings.HasPrefix(f.Message, unmatchedPrefix) || strings.HasPrefix(f.Message, doubtPrefix) || strings.HasPrefix(f.Message, unreadPrefix)
	})
}
