package engine_test

import (
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
)

// After a loss of power, the files may be newer than the index. The next start then
// knows of the decision only if its record was synced before the first file changed.
func TestDecisionIsOnTheDiskBeforeTheFirstFileChanges(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	for _, action := range []memory.Action{memory.ActionForget, memory.ActionPin, memory.ActionDestroy} {
		k := newKillTest(t, map[string]string{"MEMORY.md": "- " + heron + "\n- " + owl + "\n", "memory/a.md": "- " + owl + "\n"})
		request := memory.DecideRequest{Action: action, IDs: []string{string(k.idOf(owl))}}
		if action == memory.ActionDestroy {
			request = destroyRequest(k.idOf(owl))
		}
		k.recordDecision(request)
		written, synced, renamed := false, false, false
		for _, c := range k.calls {
			isLog := strings.HasSuffix(c.path, ".db-wal")
			switch {
			case isLog && c.name == "write":
				written, synced = true, false
			case isLog && c.name == "sync":
				synced = true
			case c.name == "rename" && strings.Contains(c.path, ".memory-tiered-"):
				renamed = true
			}
			if renamed {
				break
			}
		}
		if !written || !synced || !renamed {
			t.Errorf("%s: the log is written: %v, and synced: %v, when a file changes (%v)", action, written, synced, renamed)
		}
	}
}
