package engine

import (
	"context"
	"crypto/sha256"
	"errors"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/redact"
	"github.com/memory-tiered/memory/recall"
)

// bootstrapFiles are the files that hosts usually inject whole.
var bootstrapFiles = []string{"MEMORY.md", "USER.md"}

// Files returns files as a host may inject them. They are without the memories
// that may not be injected, such as forgotten and private ones, and without the
// entries about memories.
func (e *Engine) Files(ctx context.Context, r memory.FilesRequest) (memory.FilesAnswer, error) {
	s, who, err := e.ask(r.Workspace, r.Sender, memory.AudienceModel)
	if err != nil {
		return memory.FilesAnswer{}, err
	}
	paths := r.Paths
	if len(paths) == 0 {
		paths = bootstrapFiles
	}
	files, err := e.filesOf(ctx, s, who, e.options().Scopes.ScopeOf(r.Scope, r.Agent, r.Sender), paths)
	return memory.FilesAnswer{Files: files}, err
}

// filesOf returns files of a workspace as a view shows them in a scope. It indexes what has
// changed in them first.
func (e *Engine) filesOf(ctx context.Context, s *workspaceState, who memory.View, scope memory.Scope, paths []string) (files []memory.ServedFile, err error) {
	folder, err := s.openFolder()
	if err != nil {
		return nil, err
	}
	now := e.now()
	if err := e.refreshFiles(ctx, s, folder, now, paths); err != nil {
		return nil, err
	}
	who = recall.Pushed(who, now)
	who.Scope = scope
	hidden, err := s.db.Redactions(ctx, who, paths)
	if err != nil {
		return nil, err
	}
	hashes, err := s.db.Hashes(ctx, paths)
	if err != nil {
		return nil, err
	}
	server := redact.Files{Folder: folder.Workspace, Zone: s.Zone, View: who, Redactions: hidden, Hashes: hashes, AllScanned: s.currentHealth().scannedAll}
	for _, path := range paths {
		file, err := server.Serve(path)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

// refreshWait limits how long a request for files waits for a running ingest. A host
// asks within the time budget of a prompt.
const refreshWait = 400 * time.Millisecond

// refreshFiles indexes the files that have changed since they were indexed. The
// identity of an edited text, and so whether it is forgotten, is known only then.
// Where the index is busy for longer, the files stay as they were indexed.
func (e *Engine) refreshFiles(ctx context.Context, s *workspaceState, folder *workspaceFolder, now time.Time, paths []string) error {
	if e.refuseWhenReadOnly() != nil {
		return nil
	}
	changed, err := s.changedSinceIndexed(ctx, folder, paths)
	if err != nil || len(changed) == 0 && s.currentHealth().behind == 0 {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, refreshWait)
	defer cancel()
	unlock, err := s.lockIngest(limited)
	if err != nil {
		return ctx.Err() // the index is busy or its disk is full
	}
	defer unlock()
	if changed, err = s.changedSinceIndexed(ctx, folder, paths); err != nil || len(changed) == 0 || !s.currentHealth().scannedAll {
		return err
	}
	_, err = s.ingestLocked(ctx, now, changed, false, func(memory.Progress) {})
	if errors.Is(err, memory.ErrUnavailable) {
		return nil // the disk is full: the files stay as they were indexed
	}
	return err
}

// changedSinceIndexed returns those of the paths whose bytes are not the indexed ones.
func (s *workspaceState) changedSinceIndexed(ctx context.Context, folder *workspaceFolder, paths []string) (changed []string, err error) {
	hashes, err := s.db.Hashes(ctx, paths)
	for _, path := range paths {
		if !folder.Indexable(path) {
			continue
		}
		if src, _, err := folder.Read(path); err == nil && hashes[path] != sha256.Sum256(src) {
			changed = append(changed, path)
		}
	}
	return changed, err
}
