package engine_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
)

// It kills the start that writes a pending decision before each of its system calls, and
// starts again. The decision holds at any moment, and is in its file in the end.
func TestPendingDecisionKilledAtEveryCallIsWritten(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	t.Parallel()
	k := newKillTest(t, map[string]string{"MEMORY.md": "- " + heron + "\n- " + owl + "\n"})
	file := filepath.Join(k.dir, "MEMORY.md")
	must.Do(t, os.Chmod(file, 0o444))
	k.decide(decideRequest(memory.ActionForget, k.idOf(owl)))
	must.Do(t, os.Chmod(file, 0o644))
	k.record(childRequest{})
	if k.before.Memories != k.after.Memories {
		t.Fatalf("the decision did not hold before: %+v, then %+v", k.before, k.after)
	}
	k.killAtEveryCall()
}
