// Package engine holds the use cases, one method each. It composes the packages
// below it (workspace, ingest, index, recall, verify) for every workspace that is
// served. It starts no goroutine: package service runs it for years, the command
// line for one command. It takes the time from Options.Now and reads the system's
// clock only to measure durations.
package engine

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/capture"
	"github.com/memory-tiered/memory/decay"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/engine/ageing"
	"github.com/memory-tiered/memory/engine/derive"
	"github.com/memory-tiered/memory/engine/embedding"
	"github.com/memory-tiered/memory/engine/hooks"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/ingest"
	"github.com/memory-tiered/memory/internal/clients"
	"github.com/memory-tiered/memory/recall"
	"github.com/memory-tiered/memory/workspace"
)

// HostFinder returns the state folders of installations of OpenClaw.
type HostFinder interface {
	HostDirs() []string
}

// Options configures an engine, which reads no other configuration. Reload replaces
// all but those that keepFixed lists.
type Options struct {
	Version    string
	StateDir   string
	Workspaces []WorkspaceConfig
	Registry   Registry // stores the registered workspaces; nil: they cannot be changed
	Provider   string   // the name of the embedding provider, as status shows it
	Embedders  embedding.Embedders
	Embedder   embed.Embedder // the only embedder, where Embedders is nil
	Recall     recall.Settings
	AutoRecall bool
	Capture    CaptureOptions
	Language   LanguageModel
	Identities memory.Identities
	Scopes     memory.ScopeRules // the scopes of requests that name none
	Receipts   ReceiptOptions
	ContextTTL time.Duration
	Tiers      decay.Thresholds // when memories age; zero: the defaults
	Schedule   decay.Schedule   // when sweeps are due; zero: every 6 hours
	Grading    decay.Schedule   // when memories are graded; zero: only on request

	CompactUnused float64 // days after which a sweep archives a scene that nobody used, except its extract; 0: never

	Retention  time.Duration    // age at which a missing memory is purged; 0: never
	Now        func() time.Time // nil: time.Now
	EmbedWait  time.Duration    // how long Index waits for a server that embeds; 0: embedding.DefaultWait
	Hold       func() string    // of a service: returns why a model's work in the background has to wait; empty: it need not. nil: no service runs
	NoInMemory bool             // keep no terms and vectors in memory: slower, for small machines
	Server     string           // URL of a PostgreSQL database that has the indexes; empty: each has a file
	ReadOnly   bool             // answer from the index as it is and write nothing
	Extensions Extensions

	// Hosts finds the OpenClaw installations that use this engine. Verify looks there
	// too. nil: there are none.
	Hosts HostFinder

	ClientDirs map[string][]string         // the folders of agents' clients that keep memories of their own, by client
	ClientDir  func(clients.Client) string // the usual folder of a client; nil: there is none

	configured    embed.Embedder // what Embedders.Configured returned to Open
	configuredErr error          // why Embedders.Configured failed
}

// WorkspaceConfig is the configuration of one workspace.
type WorkspaceConfig struct {
	Name    string
	Dir     string
	DBPath  string
	Schema  string // of the index on a server; empty: a file beside DBPath names it
	Zone    *time.Location
	Options workspace.Options

	// DecisionsFile writes decisions to memory.DecisionsFile, so that no Markdown
	// file changes under an editor. Entries are read from both places.
	DecisionsFile bool
	Machines      bool   // share uses, tiers and forgotten texts by logs in the folder
	Client        string // whose own memory the folder is, such as claude-code, workspace.ClientDocuments or workspace.ClientTeam; empty: it is a person's
	Pushed        bool   // the documents may be put before a prompt
	Refused       error  // why the workspace must not be opened; nil: it may be
}

// native returns the client whose own memory the folder is; empty: it is that of persons.
func (c WorkspaceConfig) native() string {
	if c.Client == workspace.ClientTeam {
		return ""
	}
	return c.Client
}

// Registry stores the registered workspaces across restarts.
type Registry interface {
	// Add registers a folder, and adds patterns to a registered one. It derives an
	// empty name from the folder's. It returns the patterns that were not there. client
	// is the agent's client whose own memory the folder is; empty: it is a person's.
	Add(name, dir, client string, patterns []string) (config WorkspaceConfig, added []string, err error)
	// NewNative returns the folders of clients that were never registered.
	NewNative() ([]clients.Folder, error)
	Remove(name string) error
	Rename(from, to string) (WorkspaceConfig, error)
}

// Engine serves workspaces. It satisfies api.Backend.
type Engine struct {
	derive.Answers // names, relations, scenes and the profile

	current   atomic.Pointer[Options] // Reload replaces it
	started   time.Time
	daemon    func() *memory.DaemonStatus
	inspector func() (address string, err error) // nil: there is none

	readConfig ReadConfig
	hooks      *hooks.Hooks

	registryMu sync.Mutex // held while the set of workspaces or the options change

	repairMu   sync.Mutex // held during the repair of a database
	mu         sync.RWMutex
	workspaces map[string]*workspaceState
	changed    chan struct{} // closed and replaced when the set of workspaces changes
}

// Open opens the index of every workspace. A workspace that cannot be opened
// answers its requests with the error; the others are served.
func Open(ctx context.Context, o Options) (*Engine, error) {
	o.setDefaults()
	o.configured, o.configuredErr = o.Embedders.Configured(ctx)
	e := &Engine{started: o.Now(), workspaces: map[string]*workspaceState{}, changed: make(chan struct{})}
	e.Answers = e.listing
	e.current.Store(&o)
	sessions := ""
	if o.StateDir != "" && !o.ReadOnly {
		sessions = filepath.Join(o.StateDir, "hooks")
	}
	e.hooks = hooks.New(e, sessions, projectOf, e.clientFolders, e.Now)
	for _, config := range o.Workspaces {
		e.workspaces[config.Name] = openOrFail(ctx, config, o)
	}
	return e, ctx.Err()
}

// setDefaults sets the options that the caller left out.
func (o *Options) setDefaults() {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.EmbedWait == 0 {
		o.EmbedWait = embedding.DefaultWait
	}
	decayDefaults(o)
	o.Extensions = o.Extensions.withDefaults()
	if o.Embedders == nil {
		o.Embedders = embedding.Fixed{Embedder: o.Embedder}
	}
}

// options returns the options that are in force now. One request may see those before
// and after a reload.
func (e *Engine) options() Options { return *e.current.Load() }

// Close writes the pending uses and receipts and closes every index.
func (e *Engine) Close() error {
	errs := []error{e.CaptureTurns(context.Background())}
	for _, s := range e.sortedWorkspaces() {
		if s.openErr == nil {
			errs = append(errs, s.replaced.Finish(e.options().Now()), s.flush(context.Background(), e.options().Receipts.Keep), s.close())
		} else if s.previous != nil {
			errs = append(errs, s.previous.replaced.Finish(e.options().Now()), s.previous.close())
		}
	}
	return errors.Join(errs...)
}

// lookup finds a workspace by its registered name. An empty name means main, or the
// only one of a person that is registered.
func (e *Engine) lookup(name string) (*workspaceState, error) {
	e.mu.RLock()
	s, ok := e.workspaces[name]
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(e.workspaces)), func(name string) bool { return e.workspaces[name].Client != "" })
	if name == "" {
		name = memory.DefaultWorkspace
		if s, ok = e.workspaces[name]; !ok && len(names) == 1 {
			s, ok = e.workspaces[names[0]]
		} else if !ok && len(names) > 1 {
			name = ""
		}
	}
	e.mu.RUnlock()
	if !ok && name == "" {
		return nil, memory.Invalid("workspace", "there are several workspaces: name one of %s", strings.Join(names, ", ")).
			WithHint("a request names its workspace by the registered name; a workspace with the name main is the default")
	}
	if !ok {
		return nil, &memory.Error{Kind: memory.ErrNotFound, Field: "workspace",
			Message: "no workspace is named " + name,
			Hint:    "memory workspace list lists the registered ones; memory workspace add DIR registers another"}
	}
	return s, s.openErr
}

// CheckReady returns an error that matches [index.ErrNotReady] if a workspace that was
// opened read-only has no index that can be read yet.
func (e *Engine) CheckReady(workspace string) error {
	if _, err := e.lookup(workspace); errors.Is(err, index.ErrNotReady) {
		return err
	}
	return nil
}

func (e *Engine) sortedWorkspaces() []*workspaceState {
	e.mu.RLock()
	defer e.mu.RUnlock()
	return slices.SortedFunc(maps.Values(e.workspaces), func(a, b *workspaceState) int { return cmp.Compare(a.Name, b.Name) })
}

// openWorkspaces returns the workspaces that have an open index.
func (e *Engine) openWorkspaces() []*workspaceState {
	return slices.DeleteFunc(e.sortedWorkspaces(), func(s *workspaceState) bool { return s.openErr != nil })
}

// writableWorkspaces returns the workspaces whose index can be written.
func (e *Engine) writableWorkspaces() []*workspaceState {
	return slices.DeleteFunc(e.openWorkspaces(), func(s *workspaceState) bool { return !s.canWrite() || e.options().ReadOnly })
}

// each calls do with each workspace, also after an error, and returns all errors.
func each(all []*workspaceState, do func(*workspaceState) error) error {
	var errs []error
	for _, s := range all {
		errs = append(errs, do(s))
	}
	return errors.Join(errs...)
}

// ServedWorkspaces returns the names of the workspaces being served, and a channel
// that is closed when they change. Package service runs a watcher for each.
func (e *Engine) ServedWorkspaces() (names []string, changed <-chan struct{}) {
	e.mu.RLock()
	changed = e.changed // before the names, so that no change is missed
	e.mu.RUnlock()
	for _, s := range e.openWorkspaces() {
		names = append(names, s.Name)
	}
	return names, changed
}

// SetDaemonStatus sets the function from which Status gets the service's status.
func (e *Engine) SetDaemonStatus(daemon func() *memory.DaemonStatus) { e.daemon = daemon }

// SetInspector sets the function with which OpenInspector opens the pages.
func (e *Engine) SetInspector(open func() (address string, err error)) { e.inspector = open }

// Now returns the time by the engine's clock.
func (e *Engine) Now() time.Time { return e.options().Now() }

// now returns the time of a request. All work of one request uses the same.
func (e *Engine) now() time.Time { return e.options().Now().UTC().Truncate(time.Millisecond) }

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

	// Extract returns the text of documents that are PDF or HTML. By default, they are left out.
	Extract func(ctx context.Context, kind string, src []byte) (pages []string, err error)
}

// withDefaults returns the extensions with a default for each that is not set.
func (x Extensions) withDefaults() Extensions {
	if x.Entities == nil {
		x.Entities = ingest.LinksAndTags{}
	}
	if x.Compactor == nil {
		x.Compactor = ageing.NearDuplicates{}
	}
	if x.Deduplicator == nil {
		x.Deduplicator = capture.Similarity{}
	}
	return x
}
