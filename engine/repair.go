package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/statefolder"
	"github.com/memory-tiered/memory/index"
)

// repairPause is the time between two repairs of one database. A disk that damages
// every new database must not be filled with copies.
const repairPause = time.Minute

// Repair builds the databases again that turned out to be damaged, or that somebody
// removed, and indexes their workspaces. It also opens the workspaces that could not be opened. Requests fail for the moment that this takes.
// It begins to write an index on a server whose writer has ended. It returns what a person should know. A running service calls it every second: it is
// cheap if nothing is to be done.
func (e *Engine) Repair(ctx context.Context) (notices []string, err error) {
	if e.options().ReadOnly {
		return nil, nil
	}
	for _, s := range e.sortedWorkspaces() {
		now := e.now()
		if s.isReader() {
			notice, takeErr := e.takeOver(ctx, s, now)
			notices, err = append(notices, notice...), errors.Join(err, takeErr)
			continue
		}
		if now.Sub(s.repairedAt) < repairPause && !errors.Is(s.openErr, index.ErrHeld) {
			continue
		}
		if s.openErr == nil {
			s.db.Renew(ctx)
		}
		if s.openErr != nil && s.previous == nil {
			err = errors.Join(err, e.openLater(ctx, s))
		}
		if !s.needsRepair() {
			continue
		}
		next, repairErr := e.repair(ctx, s, now)
		if err = errors.Join(err, repairErr); next != nil {
			notices = append(notices, next.db.Notices()...)
		}
	}
	return notices, err
}

// needsRepair reports whether the database must be opened again. A repair that failed
// leaves a workspace without a database.
func (s *workspaceState) needsRepair() bool {
	if s.openErr != nil {
		return s.previous != nil
	}
	return s.canWrite() && (s.db.Damage() != nil || s.db.IsLost())
}

// takeOver opens an index again whose writer has ended, to write it. It answers meanwhile.
func (e *Engine) takeOver(ctx context.Context, s *workspaceState, now time.Time) (notices []string, err error) {
	e.registryMu.Lock()
	defer e.registryMu.Unlock()
	if current, _ := e.lookup(s.Name); current != s || !s.db.IsFree(ctx) {
		return nil, nil
	}
	next, err := openWorkspace(ctx, s.WorkspaceConfig, e.options(), s)
	if err != nil {
		return nil, err
	}
	if e.setWorkspace(s.Name, next); !next.isReader() { // or another process was faster
		notices = append(next.db.Notices(), "this process writes to the index of "+s.Name+" now")
		_, err = next.ingest(ctx, now, nil, false, func(memory.Progress) {})
	}
	return notices, errors.Join(err, s.db.Close())
}

// openLater tries again to open a workspace. An error that it had before is not an error.
func (e *Engine) openLater(ctx context.Context, s *workspaceState) error {
	e.registryMu.Lock()
	defer e.registryMu.Unlock()
	if current, _ := e.lookup(s.Name); current != s {
		return nil
	}
	err := e.openAgain(ctx, s, s)
	if err != nil && err.Error() == s.openErr.Error() {
		return nil
	}
	return err
}

// repair opens the database again, which rebuilds it, and serves it with the folder
// and the pending uses of s.
func (e *Engine) repair(ctx context.Context, s *workspaceState, now time.Time) (*workspaceState, error) {
	e.repairMu.Lock()
	defer e.repairMu.Unlock()
	if current, err := e.lookup(s.Name); current != s {
		return current, err // another call has repaired it
	}
	ctx = context.WithoutCancel(ctx) // once begun, it is better finished
	previous := s
	if s.openErr != nil {
		previous = s.previous
	} else if err := e.closeForRepair(ctx, s, now); err != nil {
		return nil, err
	}
	next, err := openWorkspace(ctx, s.WorkspaceConfig, e.options(), previous)
	if err != nil {
		e.setWorkspace(s.Name, beingRepaired(previous, now, err))
		return nil, fmt.Errorf("repair the index of %s: %w", s.Name, err)
	}
	next.repairedAt, next.replaced = now, previous.replaced
	if e.setWorkspace(s.Name, next); next.isReader() {
		return next, nil
	}
	_, err = next.ingest(ctx, now, nil, false, func(memory.Progress) {})
	return next, err
}

// closeForRepair closes the database and leaves the folder open. What the open
// connections of a removed database still know goes into its backup.
func (e *Engine) closeForRepair(ctx context.Context, s *workspaceState, now time.Time) error {
	unlock, err := s.lockIngest(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	e.setWorkspace(s.Name, beingRepaired(s, now, nil))
	defer s.backups.Hold()()
	if s.db.Damage() == nil && !statefolder.DatabaseExists(s.DBPath) {
		_ = s.db.CheckedBackup(ctx, statefolder.BackupPath(s.DBPath)) // otherwise the last backup is used
	}
	_ = s.db.Close() // a damaged database may refuse; it is replaced
	return nil
}

// beingRepaired takes the place of a workspace without a database.
func beingRepaired(previous *workspaceState, now time.Time, cause error) *workspaceState {
	return &workspaceState{WorkspaceConfig: previous.WorkspaceConfig, previous: previous, repairedAt: now,
		openErr: memory.Unavailable(cause, "the index is being built again").WithHint("try again in a few seconds")}
}

// inherit takes over what does not depend on the database.
func (s *workspaceState) inherit(previous *workspaceState) {
	previous.mu.Lock()
	defer previous.mu.Unlock()
	s.uses, s.branch, s.opening = previous.uses, previous.branch, previous.opening
	s.health.watchMode = previous.health.watchMode
	if folder := previous.folder; folder != nil {
		s.folder = s.withIngester(folder.Workspace)
	}
}
