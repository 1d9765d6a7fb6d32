// Package recall answers a question with memories. It parses the question,
// gathers candidates from the lanes, and scores them. It keeps those worth a
// place, and renders the block that goes before a model.
//
// Each step of the pipeline has a file, in this order: query.go, subject.go,
// lanes.go, candidates.go, fuse.go, score.go, order.go. A prompt goes on with
// triggers.go, eligible.go, cut.go, diversity.go, newer.go, sessions.go and pack.go.
//
// The packages below recall each know one thing, and none of them knows candidates.
// question reads what a question asks for, and dates the times in it. notation reads what the
// author wrote about a memory. ranking has the signals and their weights, and block writes the
// text that goes before a model.
//
// The package reads through [Source] alone, keeps no state between questions,
// writes nothing, and takes the time of the question as a parameter.
package recall

import (
	"context"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
)

// Source is what recall reads from. The lanes return ids; AppendVisible alone returns
// text, so that no hidden text can leak through a lane.
type Source interface {
	// Search returns the signals of the k memories whose terms, together with
	// their neighbours', match the query best, best first. If nearest is set, it
	// also returns the k memories nearest to the query's vector, and their signals.
	Search(ctx context.Context, q memory.Query, p memory.Predicate, k int, nearest bool) (memory.SearchResult, error)
	// AppendVisible appends those of the memories that the predicate accepts.
	AppendVisible(ctx context.Context, to []memory.Memory, ids []memory.ID, p memory.Predicate) ([]memory.Memory, error)
	// List returns a page of the memories that the predicate accepts, and their number.
	List(ctx context.Context, p memory.Predicate, sort string, limit, offset int) ([]memory.Memory, int, error)
	// IDPrefixes returns the shortest prefix of each id, of at least
	// memory.MinIDPrefix digits, that names no other memory of the users. nil means every
	// memory of the workspace.
	IDPrefixes(ctx context.Context, ids []memory.ID, v memory.View) (map[memory.ID]string, error)
	// Speakers returns the first names, in lower case, of the people who speak in those
	// memories that exist for a predicate.
	Speakers(ctx context.Context, p memory.Predicate) ([]string, error)
	// Triggers returns the phrases of the memories that the predicate accepts and that have
	// any.
	Triggers(ctx context.Context, p memory.Predicate) (map[memory.ID][]string, error)
	// Feedback returns the verdicts of people about memories, oldest first.
	Feedback(ctx context.Context) ([]memory.Feedback, error)
}

// Recaller answers questions. It is safe for concurrent use if its source and
// its embedder are.
type Recaller struct {
	src Source
	emb embed.Embedder
	set Settings
}

// New returns a Recaller. The settings must have passed [Settings.Validate]. With
// a nil embedder only the keyword lane serves.
func New(src Source, e embed.Embedder, s Settings) *Recaller {
	return &Recaller{src: src, emb: e, set: s}
}

// With returns a recaller that answers from another source in the same way.
func (r *Recaller) With(src Source) *Recaller { return New(src, r.emb, r.set) }

// Settings returns the settings given to [New].
func (r *Recaller) Settings() Settings { return r.set }
