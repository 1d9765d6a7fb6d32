package engine

import (
	"context"

	"github.com/memory-tiered/memory"
)

// A run with fewer files to read or memories to index is not reported with answers.
// It ends within a fraction of a second, and until then the index answers as it was.
const (
	reportedFiles    = 100
	reportedMemories = 1000
)

// indexingNow returns how far the indexing is that makes answers incomplete: the first
// one of a folder, or a long one. It returns nil if there is none. A total of 0 means
// that the files are not counted yet.
func (s *workspaceState) indexingNow(ctx context.Context) *memory.Progress {
	h := s.currentHealth()
	if p := h.indexing; p != nil && p.Total >= reportedMemories || p != nil && p.Stage == "read" && p.Total >= reportedFiles {
		return p
	}
	if h.scannedAll || h.scanErr != nil || s.isDiskFull() {
		return nil
	}
	recorded, err := s.db.Meta(ctx, metaZone) // set at the end of the first scan of all files
	switch {
	case err != nil || recorded != "":
		return nil
	case h.indexing != nil:
		return h.indexing
	}
	return &memory.Progress{Stage: "read"}
}
