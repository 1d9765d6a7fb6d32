package engine

import (
	"github.com/memory-tiered/memory/capture"
	"github.com/memory-tiered/memory/decay"
	"github.com/memory-tiered/memory/engine/compaction"
	"github.com/memory-tiered/memory/ingest"
)

// Extensions replace parts of the engine. A program that embeds the engine sets them;
// nil selects the default. They do not change while the engine runs.
type Extensions struct {
	// Entities finds what a memory is about. The default takes [[links]] and #tags. After
	// a change, Index with Force reads all memories again.
	Entities ingest.EntityExtractor

	// Compactor finds COLD memories that another text makes superfluous. The default
	// keeps one of several that say the same.
	Compactor decay.MemoryCompactor

	// Deduplicator compares a new text with the memories that are like it. The default is
	// capture.Similarity.
	Deduplicator capture.SemanticDeduplicator
}

// withDefaults returns the extensions with a default for each that is not set.
func (x Extensions) withDefaults() Extensions {
	if x.Entities == nil {
		x.Entities = ingest.LinksAndTags{}
	}
	if x.Compactor == nil {
		x.Compactor = compaction.NearDuplicates{}
	}
	if x.Deduplicator == nil {
		x.Deduplicator = capture.Similarity{}
	}
	return x
}
