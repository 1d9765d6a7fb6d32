package engine

import (
	"context"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/capture"
	"github.com/memory-tiered/memory/engine/capturing"
)

// CaptureOptions configures what is kept of conversations.
type CaptureOptions struct {
	Off      bool
	Settings capture.Settings
}

// Capture keeps what is worth keeping of a conversation. A message is examined once
// in its session, however often the host sends it.
func (e *Engine) Capture(ctx context.Context, r memory.CaptureRequest) (memory.CaptureAnswer, error) {
	start := time.Now()
	s, err := e.lookupFor(r.Workspace, r.Folder)
	if err == nil && !r.Preview {
		err = e.refuseWhenReadOnly()
	}
	if err == nil && !r.Preview {
		err = s.refuseReadOnlyFiles()
	}
	if err == nil {
		err = capturing.Validate(r)
	}
	if err != nil {
		return memory.CaptureAnswer{}, err
	}
	if e.options().Capture.Off && !r.Preview {
		return capturing.Disabled(r), nil
	}
	by := e.authorOf(r.Sender, memory.AudienceModel, e.options().Scopes.ScopeOf("", r.Agent, r.Sender))
	q := capturing.Request{CaptureRequest: r, Author: by, FromOwner: e.isOwner(r.Sender), Settings: e.options().Capture.Settings,
		Receipts: e.options().Receipts, Now: e.now(), Took: func() float64 { return millisecondsSince(start) }}
	if !r.Preview {
		unlock, err := s.lockIngest(ctx)
		if err != nil {
			return memory.CaptureAnswer{}, err
		}
		defer unlock()
		if r.Command != "" && r.Folder != "" { // of capture --from, which reads many conversations
			if err := s.saved.Once(ctx, q.Now, "before capture", r.Command); err != nil {
				return memory.CaptureAnswer{}, err
			}
		}
	}
	return s.capture.Capture(ctx, q)
}
