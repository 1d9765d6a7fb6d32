package service

import (
	"context"
	"maps"
	"slices"
	"sync"
)

// unindexed lists the workspaces with changes that could not be indexed, for example
// because the disk was full. No event reports these changes again.
type unindexed struct {
	mu      sync.Mutex
	due     map[string]bool
	reasons map[string]string // that were reported; removed when everything is indexed
}

// add adds a workspace, and reports whether the reason is another one than the last time.
func (u *unindexed) add(workspace string, reason error) (isNew bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.due == nil {
		u.due, u.reasons = map[string]bool{}, map[string]string{}
	}
	isNew = u.reasons[workspace] != reason.Error()
	u.due[workspace], u.reasons[workspace] = true, reason.Error()
	return isNew
}

// take removes and returns the workspaces of the list.
func (u *unindexed) take() []string {
	u.mu.Lock()
	defer u.mu.Unlock()
	names := slices.Sorted(maps.Keys(u.due))
	clear(u.due)
	return names
}

// forget removes the reason of a workspace that is indexed again.
func (u *unindexed) forget(workspace string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.reasons, workspace)
}

// indexAgain indexes the workspaces whose last changes could not be indexed.
func (s *service) indexAgain(ctx context.Context) {
	for _, name := range s.unindexed.take() {
		if _, err := s.changed(ctx, name, nil, "changes could not be indexed"); err != nil {
			return // the service stops
		}
	}
}
