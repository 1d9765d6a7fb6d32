package engine

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/engine/erasure"
	"github.com/memory-tiered/memory/engine/store"
	"github.com/memory-tiered/memory/verify"
)

// witness returns what looks into every place that may have a text of a workspace.
func (e *Engine) witness(s *workspaceState, progress func(memory.Progress)) erasure.Witness {
	return erasure.Witness{Version: e.options().Version, Workspace: s.Name, Dir: s.Dir, Captured: filepath.Join(s.Dir, filepath.FromSlash(store.CapturedFolder)),
		StateDir: e.options().StateDir, DB: s.db, HostDirs: e.hostDirs(), ClientDirs: e.options().ClientDirs,
		Models: []embed.Embedder{s.models.Embedder(), s.models.KeptEmbedder()},
		Files: func(ctx context.Context, texts *verify.Matcher) (memory.VerifyAnswer, error) {
			return e.scanFiles(ctx, s, texts, progress)
		}}
}

// verifyReceipt looks again at the places of a receipt. The answer counts those that still
// have a text.
func (e *Engine) verifyReceipt(ctx context.Context, s *workspaceState, src json.RawMessage, progress func(memory.Progress)) (a memory.VerifyAnswer, err error) {
	r, err := erasure.Parse(src)
	if err == nil {
		r, err = e.witness(s, progress).LookAgain(ctx, e.now(), r)
	}
	if err != nil {
		return a, err
	}
	a.Found = r.Residual
	a.Receipt, err = json.Marshal(r)
	return a, err
}

// beginReceipt adds a new receipt to the preview of a destroy.
func (e *Engine) beginReceipt(ctx context.Context, s *workspaceState, a *memory.DecideAnswer, texts []string, progress func(memory.Progress)) error {
	r, err := e.witness(s, progress).Begin(ctx, e.now(), memory.IDsOf(a.Changed), texts)
	if err == nil {
		a.Receipt, err = json.Marshal(r)
	}
	return err
}

// lookAfter looks for what a destroy has left, and completes its receipt if there is one.
func (e *Engine) lookAfter(ctx context.Context, s *workspaceState, a *memory.DecideAnswer, r erasure.Receipt, texts []string, progress func(memory.Progress)) error {
	a.Scan = new(memory.VerifyAnswer)
	var err, marshalErr error
	if r.Format == "" {
		*a.Scan, err = e.scanFiles(ctx, s, verify.NewMatcher(texts...), progress)
		return err
	}
	r, *a.Scan, err = e.witness(s, progress).Complete(ctx, e.now(), r, verify.NewMatcher(texts...))
	a.Receipt, marshalErr = json.Marshal(r)
	return errors.Join(err, marshalErr)
}
