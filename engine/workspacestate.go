package engine

import (
	"context"
	"errors"
	"sync"
	"syscall"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/engine/ageing"
	"github.com/memory-tiered/memory/engine/capturing"
	"github.com/memory-tiered/memory/engine/commands"
	"github.com/memory-tiered/memory/engine/doctor"
	"github.com/memory-tiered/memory/engine/embedding"
	"github.com/memory-tiered/memory/engine/extracting"
	"github.com/memory-tiered/memory/engine/githistory"
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/engine/machines"
	"github.com/memory-tiered/memory/engine/plan"
	"github.com/memory-tiered/memory/engine/receipts"
	"github.com/memory-tiered/memory/engine/snapshot"
	"github.com/memory-tiered/memory/engine/statefolder"
	"github.com/memory-tiered/memory/engine/store"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/ingest"
	"github.com/memory-tiered/memory/internal/folder"
	"github.com/memory-tiered/memory/workspace"
)

// workspaceState is one workspace being served: its folder, its index and its
// recallers.
type workspaceState struct {
	WorkspaceConfig
	extensions Extensions
	openErr    error           // why it cannot be served; only the next two fields may be set then
	previous   *workspaceState // the state before a repair that is not complete
	repairedAt time.Time       // when the database was last repaired, or could not be opened
	unwritable error           // why nothing can be written; the index still answers

	rooms

	opening int // counts how often Reload has opened the workspace again

	turns *ingest.Turns // to ingest

	mu      sync.Mutex
	folder  *workspaceFolder // nil until it was opened once
	health  health
	counted countedFiles

	sweepMu   sync.Mutex              // held during a sweep
	stateDir  string                  // empty: none
	afterStep func(step string) error // nil, or a test that stops destroy after a step
}

// workspaceFolder is a workspace's open folder with its ingester.
type workspaceFolder struct {
	*workspace.Workspace
	ingester *ingest.Ingester
}

// health is what Status reports of a workspace besides its index.
type health struct {
	watchMode  func() string
	behind     int
	indexing   *memory.Progress // of the running ingest
	scannedAll bool             // all files have been scanned since the start
	scannedAt  time.Time        // when files were last scanned
	scanErr    error            // why the last scan failed
}

// openWorkspace opens a workspace, and opens it read-only where the disk is full, or another
// process writes to its index. It continues the work of a previous state of the workspace, which may be nil.
func openWorkspace(ctx context.Context, config WorkspaceConfig, o Options, previous *workspaceState) (*workspaceState, error) {
	if config.Refused != nil {
		return nil, config.Refused
	}
	s, err := tryOpenWorkspace(ctx, config, o, previous)
	if err == nil || o.ReadOnly || !errors.Is(err, syscall.ENOSPC) && !errors.Is(err, index.ErrHeld) {
		return s, err
	}
	o.ReadOnly = true
	opened, readErr := tryOpenWorkspace(ctx, config, o, previous)
	if readErr != nil {
		return nil, err
	}
	opened.unwritable = err
	opened.models.StopEmbedding()
	return opened, nil
}

// openOrFail opens a workspace. One that cannot be opened answers with the error.
func openOrFail(ctx context.Context, config WorkspaceConfig, o Options) *workspaceState {
	s, err := openWorkspace(ctx, config, o, nil)
	if err != nil {
		s = &workspaceState{WorkspaceConfig: config, openErr: err, repairedAt: o.Now()}
	}
	return s
}

// canWrite reports whether the index can be written now.
func (s *workspaceState) canWrite() bool { return s.unwritable == nil }

// isReader reports whether another process writes to the index.
func (s *workspaceState) isReader() bool { return errors.Is(s.unwritable, index.ErrHeld) }

func tryOpenWorkspace(ctx context.Context, config WorkspaceConfig, o Options, previous *workspaceState) (_ *workspaceState, err error) {
	now := o.Now().UTC()
	db, err := index.Open(ctx, config.DBPath, index.Options{ReadOnly: o.ReadOnly, NoInMemory: o.NoInMemory, Server: o.Server, Schema: config.Schema, Backup: statefolder.BackupPath(config.DBPath), Now: now, Fingerprint: chunker.Fingerprint})
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, db.Close())
		}
	}()
	s := &workspaceState{WorkspaceConfig: config, extensions: o.Extensions, turns: ingest.NewTurns(), stateDir: o.StateDir}
	s.connect(db, o, previous)
	if err := s.models.SelectModel(ctx, o.Embedders, o.configured, o.configuredErr, o.ReadOnly); err != nil {
		return nil, err
	}
	if o.ReadOnly {
		return s, nil
	}
	_ = statefolder.RemoveTemporary(config.DBPath) // destroy and doctor find a file that stays
	if owner, known := folder.Owner(config.DBPath); !known || owner.Path != folder.RealPath(config.Dir) {
		s.noteFolder()
	}
	s.backups.AdoptRecent(ctx, now)
	if err := errors.Join(ageing.LookAtClock(ctx, s.db, now), doctor.KeepOpening(ctx, s.db, now)); err != nil {
		return nil, err
	}
	return s, s.plans.ResumeIntents(ctx, now, true)
}

// noteFolder notes whose memories the database has. After a full disk, the next start
// tries again.
func (s *workspaceState) noteFolder() {
	_ = folder.SetOwner(s.DBPath, folder.Identify(s.Dir))
}

// openFolder returns the workspace's folder, which it opens at the first call. It
// fails while the folder has never been there; later the folder may vanish and come
// back.
func (s *workspaceState) openFolder() (*workspaceFolder, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.folder == nil {
		folder, err := workspace.Open(s.Dir, s.Options)
		s.health.scanErr = err
		if err != nil {
			return nil, err
		}
		if !s.Options.ReadOnly {
			// Removes what a crash left behind. A file that stays is harmless.
			_ = folder.CleanUp(context.Background())
		}
		s.folder = s.withIngester(folder)
	}
	return s.folder, nil
}

// Folder returns the workspace's folder without its ingester.
func (s *workspaceState) Folder() (*workspace.Workspace, error) {
	folder, err := s.openFolder()
	if err != nil {
		return nil, err
	}
	return folder.Workspace, nil
}

// withIngester returns a folder with an ingester that writes into the index.
func (s *workspaceState) withIngester(folder *workspace.Workspace) *workspaceFolder {
	return &workspaceFolder{folder, ingest.New(scannedIndex{s.db, s}, folder,
		ingest.Options{Zone: s.Zone, Entities: s.extensions.Entities, OfClient: s.native() != "", Documents: s.Options.Documents, Extract: s.extensions.Extract, Pause: s.turns.Pause})}
}

// StepDone is called after each step of destroy.
func (s *workspaceState) StepDone(step string) error {
	if s.afterStep == nil {
		return nil
	}
	return s.afterStep(step)
}

func (s *workspaceState) updateHealth(change func(*health)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&s.health)
}

func (s *workspaceState) currentHealth() health {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.health
}

func (s *workspaceState) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.folder != nil {
		return errors.Join(s.folder.Close(), s.db.Close())
	}
	return s.db.Close()
}

// zone returns the workspace's time zone, whose days a use is counted in.
func (s *workspaceState) zone() *time.Location {
	if s.Zone == nil {
		return time.UTC
	}
	return s.Zone
}

// rooms are the parts of a workspace that has an index. Each is a subpackage with one idea.
// Those that write are guarded by the turn to ingest.
type rooms struct {
	db       *index.DB
	uses     *receipts.Buffer
	models   *embedding.Models
	dates    *githistory.Dates
	branch   githistory.Branch // guarded by the turn to ingest
	backups  *statefolder.Backups
	saved    *snapshot.Store
	replaced *workspace.ReplacedFiles
	machines *machines.Logs // nil: they are not shared

	relations store.Finder
	points    *commands.Points
	selection lookup.Selector

	plans    *plan.Executor
	commands commands.Commands
	store    store.Writer
	capture  capturing.Keeper
	extract  *extracting.Extractor
	inPlace  commands.InPlace
}

// connect makes the rooms of a workspace. They continue the work of a previous state of the
// workspace, which may be nil.
func (s *workspaceState) connect(db *index.DB, o Options, previous *workspaceState) {
	s.db, s.uses = db, receipts.NewBuffer()
	s.dates, s.branch = githistory.NewDates(s.Dir, db, s.readFile), githistory.NewBranch(s.Dir)
	s.backups = statefolder.NewBackups(db, s.DBPath)
	s.saved = &snapshot.Store{Dir: statefolder.Snapshots(s.DBPath), Name: s.Name, Folder: s.Dir, DB: db, Zone: s.zone(), Version: o.Version}
	s.replaced = &workspace.ReplacedFiles{}
	if previous != nil {
		s.inherit(previous)
	}
	if s.Machines && s.Client == "" && !s.Options.ReadOnly {
		s.machines = &machines.Logs{DB: db, Dir: s.Dir, Zone: s.zone(), Now: o.Now}
		s.machines.SetLimits(o.Tiers)
	}
	s.models = embedding.New(db, o.Recall, s.Zone)
	s.relations = store.Finder{DB: db, Models: s.models, Deduplicator: o.Extensions.Deduplicator}
	s.selection = lookup.Selector{DB: db, Models: s.models, Zone: s.Zone}
	s.points = commands.NewPoints(db, s.zone())
	s.connectWriters()
}

// connectWriters makes the rooms that write Markdown.
func (s *workspaceState) connectWriters() {
	s.plans = &plan.Executor{DB: s.db, Zone: s.zone(), Name: s.Name, Dir: s.Dir, ReadOnly: s.Options.ReadOnly, InDecisionsFile: s.DecisionsFile, Host: s}
	s.commands = commands.Commands{Executor: s.plans, Uses: s.uses}
	s.store = store.Writer{Executor: s.plans, Models: s.models, Relations: s.relations}
	s.capture, s.extract = capturing.Keeper{Writer: s.store}, &extracting.Extractor{Writer: s.store}
	s.inPlace = commands.InPlace{Commands: s.commands, Client: s.native(), Options: s.Options, Removals: s.DBPath + ".taken-out"}
}
