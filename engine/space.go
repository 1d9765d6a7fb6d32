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

// space is one workspace being served: its folder, its index, and what finds
// memories in it.
type space struct {
	WorkspaceConfig
	failed error // why it cannot be served; nothing else is set then
	frozen error // why nothing can be written: it is served as it stands

	db       *index.DB
	uses     *uses
	settings recall.Settings

	serves   atomic.Pointer[serving]
	swapping sync.RWMutex // held while another model begins to serve
	embedded pace         // of who embeds what was indexed

	changes  sync.Mutex // held by who goes on with a change of model
	changing pace
	reached  int64 // how far it has come

	head      string        // git's branch before the last look; of who ingests
	ingesting chan struct{} // holds one token: one ingest at a time, and a caller can give up waiting

	mu     sync.Mutex
	disk   *disk // nil until the folder was there once
	health health
	tails  []*workspace.LateAppends // of files replaced a moment ago
	next   embed.Embedder           // what the model is being changed to; nil: nothing

	copying sync.Mutex              // whoever writes the backup
	between func(step string) error // nil; a test stops a destroying there
}

// BackupEvery is how often a running service copies an index that changes: what
// a copy is for, use counts and the audit, is worth little work more often.
const BackupEvery = 6 * time.Hour

// disk is a workspace's folder, and what brings the index in step with it.
type disk struct {
	*workspace.Workspace
	ingester *ingest.Ingester
}

// health is what Status tells of a workspace beyond its index.
type health struct {
	watch      func() string
	behind     int
	indexed    bool      // a whole look at the disk has been done since the start
	looked     time.Time // when the disk was last looked at
	backedUp   int64     // the revision that the last backup holds
	unread     error
	unembedded error
	unfinished error // why a destroying that was cut short is not finished
	unwanted   error // why the embedder that the configuration names cannot be had
	unchanged  error // why a change of model does not go on
}

// openSpace opens a workspace. With a full disk it is served as it stands.
func openSpace(ctx context.Context, f WorkspaceConfig, o Options) (*space, error) {
	s, err := openToWrite(ctx, f, o)
	if err == nil || o.ReadOnly || !errors.Is(err, syscall.ENOSPC) {
		return s, err
	}
	o.ReadOnly = true
	frozen, readErr := openToWrite(ctx, f, o)
	if readErr != nil {
		return nil, err
	}
	frozen.frozen = err
	return frozen, nil
}

// isFrozen says that nothing can be written for now.
func (s *space) isFrozen() bool { return s.frozen != nil }

func openToWrite(ctx context.Context, f WorkspaceConfig, o Options) (_ *space, err error) {
	now := o.Now().UTC()
	db, err := index.Open(ctx, f.DBPath, index.Options{ReadOnly: o.ReadOnly, NoInMemory: o.NoInMemory, Backup: backupOf(f.DBPath), Now: now})
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, db.Close())
		}
	}()
	s := &space{WorkspaceConfig: f, db: db, uses: newUses(), settings: o.Recall, ingesting: make(chan struct{}, 1)}
	s.settings.Zone = f.Zone
	if err := s.chooseModel(ctx, o.Embedders, o.wanted, o.unwanted, o.ReadOnly); err != nil {
		return nil, err
	}
	if o.ReadOnly {
		return s, nil
	}
	_ = s.removeTemps() // they are only in the way; failing to remove them is no failure
	s.firstBackup(ctx, now, BackupEvery)
	if err := s.keepNotices(ctx, now); err != nil {
		return nil, err
	}
	return s, s.resume(ctx, now, true)
}

// onDisk opens the folder where it is there. What was indexed is served without
// it; once open, the folder may vanish and come back.
func (s *space) onDisk() (*disk, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.disk == nil {
		folder, err := workspace.Open(s.Dir, s.Options)
		s.health.unread = err
		if err != nil {
			return nil, err
		}
		if !s.Options.ReadOnly {
			// What a crash left behind is only in the way; failing to remove it is no failure.
			_ = folder.CleanUp(context.Background())
		}
		s.disk = &disk{folder, ingest.New(branchIndex{s.db, s}, folder, ingest.Options{Zone: s.Zone})}
	}
	return s.disk, nil
}

// after says that a step of a destroying is done.
func (s *space) after(step string) error {
	if s.between == nil {
		return nil
	}
	return s.between(step)
}

func (s *space) note(change func(*health)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&s.health)
}

func (s *space) look() health {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.health
}

func (s *space) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.disk != nil {
		return errors.Join(s.disk.Close(), s.db.Close())
	}
	return s.db.Close()
}

// lock waits for the ingest that is running, if one is.
func (s *space) lock(ctx context.Context) (unlock func(), err error) {
	if s.frozen != nil {
		return nil, s.frozen
	}
	select {
	case s.ingesting <- struct{}{}:
		return func() { <-s.ingesting }, nil
	case <-ctx.Done():
		return nil, memory.Unavailable(ctx.Err(), "the index is busy").WithHint("try again in a moment")
	}
}

// embedPending embeds what has no vector yet, in small steps, so that a reader
// sees each as it comes and a step that fails loses little. It gives up after a
// while where it is told to: what is left is embedded later.
func (s *space) embedPending(ctx context.Context, within time.Duration, progress func(memory.Progress)) (done int, err error) {
	e := s.serves.Load().Embedder
	if _, gone := e.(absent); gone || e.Dim() == 0 || s.isFrozen() {
		return 0, nil
	}
	defer func() { s.note(func(h *health) { h.unembedded = err }) }()
	total, err := s.pending(ctx, e)
	if err != nil || total == 0 {
		return 0, err
	}
	if within > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, within, memory.Unavailable(nil, "embedding goes on later"))
		defer cancel()
	}
	for ctx.Err() == nil {
		n, err := s.embedStep(ctx, e)
		if n == 0 || err != nil {
			return done, err
		}
		done += n
		progress(memory.Progress{Stage: "embed", Done: done, Total: max(total, done)})
	}
	return done, context.Cause(ctx)
}

// pending counts what the embedder is to make vectors of.
func (s *space) pending(ctx context.Context, e embed.Embedder) (int, error) {
	if e.Remote() {
		return s.db.PendingPublicCount(ctx, e.Model())
	}
	return s.db.PendingCount(ctx, e.Model())
}

func (s *space) embedStep(ctx context.Context, e embed.Embedder) (int, error) {
	begin := time.Now()
	pending := s.db.Pending
	if e.Remote() {
		pending = s.db.PendingPublic // private texts never leave this machine
	}
	s.mu.Lock()
	size := s.embedded.size()
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
	s.embedded.took(time.Since(begin))
	s.mu.Unlock()
	return len(keys), err
}

// now is the request's clock: the fixed time that all of its work uses.
func (e *Engine) now() time.Time { return e.o.Now().UTC().Truncate(time.Millisecond) }
