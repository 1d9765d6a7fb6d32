package engine

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/ingest"
	"github.com/memory-tiered/memory/recall"
	"github.com/memory-tiered/memory/workspace"
)

// workspaceState is one workspace being served: its folder, its index, and what finds
// memories in it.
type workspaceState struct {
	WorkspaceConfig
	openErr  error // why it cannot be served; nothing else is set then
	diskFull error // why nothing can be written: it is served as it stands

	db       *index.DB
	uses     *useBuffer
	settings recall.Settings

	serving      atomic.Pointer[servingModel]
	swapMu       sync.RWMutex // held while another model begins to serve
	embedBatches batchSizer   // of who embeds what was indexed

	changeMu      sync.Mutex // held by who goes on with a change of model
	changeBatches batchSizer
	stagedUpTo    int64 // how far it has come

	head        string        // git's branch before the last look; of who ingests
	ingestToken chan struct{} // holds one token: one ingest at a time, and a caller can give up waiting

	mu        sync.Mutex
	folder    *workspaceFolder // nil until the folder was there once
	health    health
	appends   []*workspace.LateAppends // of files replaced a moment ago
	nextModel embed.Embedder           // what the model is being changed to; nil: nothing

	backupMu  sync.Mutex              // whoever writes the backup
	afterStep func(step string) error // nil; a test stops a destroying there
}

// BackupEvery is how often a running service copies an index that changes: what
// a copy is for, use counts and the audit, is worth little work more often.
const BackupEvery = 6 * time.Hour

// workspaceFolder is a workspace's folder, and what brings the index in step with it.
type workspaceFolder struct {
	*workspace.Workspace
	ingester *ingest.Ingester
}

// health is what Status tells of a workspace beyond its index.
type health struct {
	watchMode      func() string
	behind         int
	scannedAll     bool      // a whole look at the disk has been done since the start
	scannedAt      time.Time // when the disk was last looked at
	backupRevision int64     // the revision that the last backup holds
	folderErr      error
	embedErr       error
	destroyErr     error // why a destroying that was cut short is not finished
	embedderErr    error // why the embedder that the configuration names cannot be had
	modelChangeErr error // why a change of model does not go on
}

// openWorkspace opens a workspace. With a full disk it is served as it stands.
func openWorkspace(ctx context.Context, f WorkspaceConfig, o Options) (*workspaceState, error) {
	s, err := tryOpenWorkspace(ctx, f, o)
	if err == nil || o.ReadOnly || !errors.Is(err, syscall.ENOSPC) {
		return s, err
	}
	o.ReadOnly = true
	frozen, readErr := tryOpenWorkspace(ctx, f, o)
	if readErr != nil {
		return nil, err
	}
	frozen.diskFull = err
	return frozen, nil
}

// isDiskFull says that nothing can be written for now.
func (s *workspaceState) isDiskFull() bool { return s.diskFull != nil }

func tryOpenWorkspace(ctx context.Context, f WorkspaceConfig, o Options) (_ *workspaceState, err error) {
	now := o.Now().UTC()
	db, err := index.Open(ctx, f.DBPath, index.Options{ReadOnly: o.ReadOnly, NoInMemory: o.NoInMemory, Backup: backupPath(f.DBPath), Now: now})
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, db.Close())
		}
	}()
	s := &workspaceState{WorkspaceConfig: f, db: db, uses: newUseBuffer(), settings: o.Recall, ingestToken: make(chan struct{}, 1)}
	s.settings.Zone = f.Zone
	if err := s.selectModel(ctx, o.Embedders, o.configured, o.configuredErr, o.ReadOnly); err != nil {
		return nil, err
	}
	if o.ReadOnly {
		return s, nil
	}
	_ = s.removeTempFiles() // they are only in the way; failing to remove them is no failure
	s.adoptRecentBackup(ctx, now, BackupEvery)
	if err := s.persistNotices(ctx, now); err != nil {
		return nil, err
	}
	return s, s.resumeIntents(ctx, now, true)
}

// openFolder opens the folder where it is there. What was indexed is served without
// it; once open, the folder may vanish and come back.
func (s *workspaceState) openFolder() (*workspaceFolder, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.folder == nil {
		folder, err := workspace.Open(s.Dir, s.Options)
		s.health.folderErr = err
		if err != nil {
			return nil, err
		}
		if !s.Options.ReadOnly {
			// What a crash left behind is only in the way; failing to remove it is no failure.
			_ = folder.CleanUp(context.Background())
		}
		s.folder = &workspaceFolder{folder, ingest.New(branchIndex{s.db, s}, folder, ingest.Options{Zone: s.Zone})}
	}
	return s.folder, nil
}

// stepDone says that a step of a destroying is done.
func (s *workspaceState) stepDone(step string) error {
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

// lockIngest waits for the ingest that is running, if one is.
func (s *workspaceState) lockIngest(ctx context.Context) (unlock func(), err error) {
	if s.diskFull != nil {
		return nil, s.diskFull
	}
	select {
	case s.ingestToken <- struct{}{}:
		return func() { <-s.ingestToken }, nil
	case <-ctx.Done():
		return nil, memory.Unavailable(ctx.Err(), "the index is busy").WithHint("try again in a moment")
	}
}

// embedPending embeds what has no vector yet, in small steps, so that a reader
// sees each as it comes and a step that fails loses little. It gives up after a
// while where it is told to: what is left is embedded later.
func (s *workspaceState) embedPending(ctx context.Context, within time.Duration, progress func(memory.Progress)) (done int, err error) {
	e := s.serving.Load().Embedder
	if _, gone := e.(unavailable); gone || e.Dim() == 0 || s.isDiskFull() {
		return 0, nil
	}
	defer func() { s.updateHealth(func(h *health) { h.embedErr = err }) }()
	total, err := s.pendingCount(ctx, e)
	if err != nil || total == 0 {
		return 0, err
	}
	if within > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, within, memory.Unavailable(nil, "embedding goes on later"))
		defer cancel()
	}
	for ctx.Err() == nil {
		n, err := s.embedBatch(ctx, e)
		if n == 0 || err != nil {
			return done, err
		}
		done += n
		progress(memory.Progress{Stage: "embed", Done: done, Total: max(total, done)})
	}
	return done, context.Cause(ctx)
}

// pendingCount counts what the embedder is to make vectors of.
func (s *workspaceState) pendingCount(ctx context.Context, e embed.Embedder) (int, error) {
	if e.Remote() {
		return s.db.PendingPublicCount(ctx, e.Model())
	}
	return s.db.PendingCount(ctx, e.Model())
}

func (s *workspaceState) embedBatch(ctx context.Context, e embed.Embedder) (int, error) {
	begin := time.Now()
	pending := s.db.Pending
	if e.Remote() {
		pending = s.db.PendingPublic // private texts never leave this machine
	}
	s.mu.Lock()
	size := s.embedBatches.size()
	s.mu.Unlock()
	due, err := pending(ctx, e.Model(), size)
	if err != nil || len(due) == 0 {
		return 0, err
	}
	texts, keys := make([]string, len(due)), make([]memory.Fingerprint, len(due))
	for i, p := range due {
		texts[i], keys[i] = p.Text, p.Fingerprint
	}
	made, err := embedTexts(ctx, e, texts, keys)
	if err != nil {
		return 0, err
	}
	err = s.db.PutPending(ctx, e.Model(), made)
	s.mu.Lock()
	s.embedBatches.adjust(time.Since(begin))
	s.mu.Unlock()
	return len(keys), err
}

// now is the request's clock: the fixed time that all of its work uses.
func (e *Engine) now() time.Time { return e.o.Now().UTC().Truncate(time.Millisecond) }
