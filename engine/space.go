package engine

import (
	"context"
	"errors"
	"sync"
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
	Folder
	failed error // why it cannot be served; nothing else is set then
	frozen error // why nothing can be written: it is served as it stands

	db       *index.DB
	recaller *recall.Recaller
	chooser  *recall.Recaller // for decisions: by what a memory says itself, whatever stands beside it
	uses     *uses

	head      string        // git's branch before the last look; of who ingests
	ingesting chan struct{} // holds one token: one ingest at a time, and a caller can give up waiting

	mu     sync.Mutex
	disk   *disk // nil until the folder was there once
	health health
	tails  []*workspace.Tail // of files replaced a moment ago

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
}

// openSpace opens a workspace. With a full disk it is served as it stands.
func openSpace(ctx context.Context, f Folder, o Options) (*space, error) {
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

func openToWrite(ctx context.Context, f Folder, o Options) (_ *space, err error) {
	now := o.Now().UTC()
	db, err := index.Open(ctx, f.DBPath, index.Options{ReadOnly: o.ReadOnly, Backup: backupOf(f.DBPath), Now: now})
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, db.Close())
		}
	}()
	if !o.ReadOnly {
		if err := db.SetModel(ctx, o.Embedder.Model(), o.Embedder.Dim()); err != nil {
			return nil, err
		}
	}
	s := &space{Folder: f, db: db, uses: newUses(), ingesting: make(chan struct{}, 1)}
	settings := o.Recall
	settings.Zone = f.Zone
	s.recaller = recall.New(overlay{db, s.uses}, o.Embedder, settings)
	settings.Fusion = recall.FusionWeighted
	s.chooser = recall.New(overlay{db, s.uses}, o.Embedder, settings)
	if o.ReadOnly {
		return s, nil
	}
	_ = s.removeTemps() // they are only in the way; failing to remove them is no failure
	s.firstBackup(ctx, now, BackupEvery)
	if err := s.keepNotices(ctx, now); err != nil {
		return nil, err
	}
	return s, s.resume(ctx, now)
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
		s.disk = &disk{folder, ingest.New(branched{s.db, s}, folder, ingest.Options{Zone: s.Zone})}
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
// sees each as it comes and a step that fails loses little.
func (s *space) embedPending(ctx context.Context, e embed.Embedder, progress func(memory.Progress)) (done int, err error) {
	defer func() { s.note(func(h *health) { h.unembedded = err }) }()
	if e.Dim() == 0 || s.isFrozen() {
		return 0, nil
	}
	total, err := s.db.PendingCount(ctx, e.Model())
	if err != nil {
		return 0, err
	}
	for ctx.Err() == nil {
		n, err := s.embedStep(ctx, e)
		if n == 0 || err != nil {
			return done, err
		}
		done += n
		progress(memory.Progress{Stage: "embed", Done: done, Total: max(total, done)})
	}
	return done, ctx.Err()
}

// embedBatch is how many chunks are embedded in one step: small enough that a
// transaction stays under some 50 ms, large enough that its cost is shared.
const embedBatch = 256

func (s *space) embedStep(ctx context.Context, e embed.Embedder) (int, error) {
	pending := s.db.Pending
	if e.Remote() {
		pending = s.db.PendingPublic // private texts never leave this machine
	}
	due, err := pending(ctx, e.Model(), embedBatch)
	if err != nil || len(due) == 0 {
		return 0, err
	}
	texts, keys := make([]string, len(due)), make([]memory.Fingerprint, len(due))
	for i, p := range due {
		texts[i], keys[i] = p.Text, p.Fingerprint
	}
	vectors, err := e.Embed(ctx, embed.Passage, texts)
	if err == nil {
		err = embed.Check(vectors, len(texts), e.Dim())
	}
	if err != nil {
		return 0, memory.Unavailable(err, "embed %d texts", len(texts))
	}
	byKey := make(map[memory.Fingerprint][]float32, len(keys))
	for i, k := range keys {
		byKey[k] = vectors[i]
	}
	return len(keys), s.db.PutPending(ctx, e.Model(), byKey)
}

// now is the request's clock: the fixed time that all of its work uses.
func (e *Engine) now() time.Time { return e.o.Now().UTC().Truncate(time.Millisecond) }
