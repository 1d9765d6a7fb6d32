package main

import (
	"context"
	"errors"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
)

// everywhere is the backend of a command line that names no workspace. A memory that its
// workspace does not have may be one of an agent's client.
type everywhere struct {
	api.Backend
	folder string // where an agent works: its questions go to the memories of clients too; empty: no agent asks
}

func (b everywhere) Show(ctx context.Context, r memory.ShowRequest) (memory.ShowAnswer, error) {
	answer, err := b.Backend.Show(ctx, r)
	if errors.Is(err, memory.ErrNotFound) {
		r.Workspace = ""
		return b.Backend.Show(ctx, r)
	}
	return answer, err
}

func (b everywhere) Decide(ctx context.Context, r memory.DecideRequest) (memory.DecideAnswer, error) {
	answer, err := b.Backend.Decide(ctx, r)
	if errors.Is(err, memory.ErrNotFound) && len(r.IDs) == 1 {
		r.Workspace = ""
		return b.Backend.Decide(ctx, r)
	}
	return answer, err
}

func (b everywhere) Recall(ctx context.Context, r memory.RecallRequest) (memory.RecallAnswer, error) {
	if b.folder != "" {
		r.Workspace, r.Folder = "", b.folder
	}
	return b.Backend.Recall(ctx, r)
}

func (b everywhere) Search(ctx context.Context, r memory.SearchRequest) (memory.SearchAnswer, error) {
	if b.folder != "" {
		r.Workspace, r.Folder = "", b.folder
	}
	return b.Backend.Search(ctx, r)
}
