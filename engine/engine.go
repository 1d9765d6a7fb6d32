// Package engine is the use cases, one method each. It composes the rooms below
// (workspace, ingest, index, recall) for every workspace that is served, and
// starts no goroutine: package service runs it for years, the command line for
// one command.
package engine

import (
	"context"
	"errors"
	"sort"
	"sync"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/recall"
	"github.com/memory-tiered/memory/workspace"
)

// Options is what an engine needs to know. Nothing is read from elsewhere.
type Options struct {
	Version    string
	StateDir   string
	Workspaces []WorkspaceConfig
	Registry   Registry // where registered workspaces are kept; nil: they cannot be changed
	Provider   string   // the embedding provider's name, for people
	Embedders  Embedders
	Embedder   embed.Embedder // the only one, where Embedders is nil
	Recall     recall.Settings
	AutoRecall bool
	Receipts   ReceiptOptions
	ContextTTL time.Duration
	Retention  time.Duration    // after which a missing memory is purged; 0: never
	Now        func() time.Time // nil: time.Now
	NoInMemory bool             // keep no words and vectors in memory: slower, for small machines
	ReadOnly   bool             // answer from the index as it stands, and write nothing

	configured    embed.Embedder // as Embedders has it while a workspace is opened
	configuredErr error          // why there is none
}

// WorkspaceConfig is a workspace as the configuration has it.
type WorkspaceConfig struct {
	Name    string
	Dir     string
	DBPath  string
	Zone    *time.Location
	Options workspace.Options

	// DecisionsFile keeps what is decided in memory.DecisionsFile, so that no
	// Markdown file changes under an editor. Both places are read.
	DecisionsFile bool
}

// Registry keeps which workspaces there are, across restarts.
type Registry interface {
	Add(name, dir string) (WorkspaceConfig, error) // an empty name is made from the folder's
	Remove(name string) error
	Rename(from, to string) (WorkspaceConfig, error)
}

// Engine serves workspaces. It satisfies the socket protocol's backend.
type Engine struct {
	o       Options
	started time.Time
	daemon  func() *memory.DaemonStatus

	mu         sync.RWMutex
	workspaces map[string]*workspaceState
	changed    chan struct{} // closed and replaced when the set of workspaces changes
}

// Open opens the index of every workspace. One that cannot be opened does not
// keep the others from being served: its error is what its requests answer.
func Open(ctx context.Context, o Options) (*Engine, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Embedders == nil {
		o.Embedders = fixedEmbedder{o.Embedder}
	}
	o.configured, o.configuredErr = o.Embedders.Configured(ctx)
	e := &Engine{o: o, started: o.Now(), workspaces: map[string]*workspaceState{}, changed: make(chan struct{})}
	for _, f := range o.Workspaces {
		s, err := openWorkspace(ctx, f, o)
		if err != nil {
			s = &workspaceState{WorkspaceConfig: f, openErr: err}
		}
		e.workspaces[f.Name] = s
	}
	return e, ctx.Err()
}

// Close writes what is still to be recorded and closes every index.
func (e *Engine) Close() error {
	var errs []error
	for _, s := range e.sortedWorkspaces() {
		if s.openErr == nil {
			errs = append(errs, s.finishAppends(), s.flush(context.Background(), e.o.Receipts.Keep), s.close())
		}
	}
	return errors.Join(errs...)
}

// lookup finds a workspace by its registered name. No name means main, or the
// only one there is.
func (e *Engine) lookup(name string) (*workspaceState, error) {
	e.mu.RLock()
	s, ok := e.workspaces[name]
	if name == "" {
		name = memory.DefaultWorkspace
		if s, ok = e.workspaces[name]; !ok && len(e.workspaces) == 1 {
			for _, s = range e.workspaces {
				ok = true
			}
		}
	}
	e.mu.RUnlock()
	if !ok {
		return nil, &memory.Error{Kind: memory.ErrNotFound, Field: "workspace",
			Message: "no workspace is named " + name,
			Hint:    "memory workspace list shows those there are; memory workspace add DIR registers one"}
	}
	return s, s.openErr
}

func (e *Engine) sortedWorkspaces() []*workspaceState {
	e.mu.RLock()
	defer e.mu.RUnlock()
	spaces := make([]*workspaceState, 0, len(e.workspaces))
	for _, s := range e.workspaces {
		spaces = append(spaces, s)
	}
	sort.Slice(spaces, func(i, j int) bool { return spaces[i].Name < spaces[j].Name })
	return spaces
}

// ServedWorkspaces names the workspaces being served now, and gives a channel that is
// closed when that changes: package service starts and stops a watcher each.
func (e *Engine) ServedWorkspaces() (names []string, changed <-chan struct{}) {
	for _, s := range e.sortedWorkspaces() {
		if s.openErr == nil {
			names = append(names, s.Name)
		}
	}
	e.mu.RLock()
	defer e.mu.RUnlock()
	return names, e.changed
}

// SetDaemonStatus tells Status what daemon this engine runs in.
func (e *Engine) SetDaemonStatus(daemon func() *memory.DaemonStatus) { e.daemon = daemon }

func (e *Engine) refuseWhenReadOnly() error {
	if !e.o.ReadOnly {
		return nil
	}
	return memory.Unavailable(nil, "another memory command is writing to this index").
		WithHint("try again in a moment, or keep the daemon running: memory serve")
}
