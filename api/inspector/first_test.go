package inspector_test

import (
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api/inspector"
)

// TestInspectorShowsTheUsersWorkspaceFirst: the memories of clients come before it by name.
func TestInspectorShowsTheUsersWorkspaceFirst(t *testing.T) {
	client, users, main := memory.WorkspaceInfo{Name: "claude-code-shop", Client: "claude-code"}, memory.WorkspaceInfo{Name: "notes"}, memory.WorkspaceInfo{Name: memory.DefaultWorkspace}
	for want, all := range map[string][]memory.WorkspaceInfo{
		"":                      nil,
		"claude-code-shop":      {client},
		"notes":                 {client, users},
		memory.DefaultWorkspace: {client, users, main},
	} {
		if got := inspector.FirstShown(all); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
