package engine

import (
	"context"
	"errors"

	"github.com/memory-tiered/memory"
)

// AddNative registers the folders of memories that agents' clients have made since the last
// call, and returns their workspaces.
func (e *Engine) AddNative(ctx context.Context) (added []memory.WorkspaceInfo, err error) {
	if e.options().Registry == nil || e.options().ReadOnly {
		return nil, nil
	}
	found, err := e.options().Registry.NewNative()
	for _, f := range found {
		info, addErr := e.AddWorkspace(ctx, memory.WorkspaceRequest{Path: f.Path, Client: f.Client})
		if err = errors.Join(err, addErr); addErr == nil {
			added = append(added, info)
		}
	}
	return added, err
}
