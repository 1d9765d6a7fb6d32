package inspector

import (
	"slices"

	"github.com/memory-tiered/memory"
)

// FirstShown returns the workspace that the pages show first: the default one, or another one
// of the user's before those of clients.
func FirstShown(all []memory.WorkspaceInfo) string {
	isDefault := func(w memory.WorkspaceInfo) bool { return w.Name == memory.DefaultWorkspace }
	isUsers := func(w memory.WorkspaceInfo) bool { return w.Client == "" }
	for _, fits := range []func(memory.WorkspaceInfo) bool{isDefault, isUsers} {
		if i := slices.IndexFunc(all, fits); i >= 0 {
			return all[i].Name
		}
	}
	if len(all) > 0 {
		return all[0].Name
	}
	return ""
}
