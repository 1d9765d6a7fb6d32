// Package recall answers a question with memories: it parses what was asked,
// gathers candidates from the lanes, merges and scores them, keeps what is
// worth a place, and renders the block that goes before a model.
//
// A question walks through one file a step: gate.go, parse.go, cues.go (with
// time.go and relation.go for the times that it names), event.go, lanes.go,
// candidates.go, fuse.go, score.go, order.go, diversity.go, eligible.go, pack.go,
// render.go. The ranking that fuse.go goes by unless told otherwise is rank.go,
// over the table of signals.go.
//
// The package reads through [Source] alone, keeps no state between questions,
// writes nothing, and takes the time it is asked at as a parameter.
package recall

import (
	"context"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
)

// Source is what recall reads: lanes that yield ids, and the one view of what is
// visible, which alone yields text.
type Source interface {
	// Search finds the k memories that match the query's terms best together
	// with what stands round them, best first, and, where they are asked for, the
	// k nearest to its vector as well. It says how each of them stands to the query.
	Search(ctx context.Context, q memory.Query, p memory.Predicate, k int, nearest bool) (memory.SearchResult, error)
	// SearchText finds the k memories that match the query's terms best, best first.
	SearchText(ctx context.Context, q memory.Query, p memory.Predicate, k int) ([]memory.Candidate, error)
	// SearchVector finds the k memories nearest to the query's vector, best first.
	SearchVector(ctx context.Context, q memory.Query, p memory.Predicate, k int) ([]memory.Candidate, error)
	// Visible gives those of the memories that the predicate lets through.
	Visible(ctx context.Context, ids []memory.ID, p memory.Predicate) ([]memory.Memory, error)
	// Speakers gives the first names, in lower case, of those who speak in the
	// workspace.
	Speakers(ctx context.Context) ([]string, error)
}

// Recaller answers questions. It is safe for concurrent use where its source
// and embedder are.
type Recaller struct {
	src Source
	emb embed.Embedder
	set Settings
}

// New makes a recaller over settings that [Settings.Validate] has passed. A nil
// embedder means keyword search alone.
func New(src Source, e embed.Embedder, s Settings) *Recaller {
	return &Recaller{src: src, emb: e, set: s}
}

// Settings gives what the recaller was made with.
func (r *Recaller) Settings() Settings { return r.set }
