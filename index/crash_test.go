package index_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/index/indextest"
	"github.com/memory-tiered/memory/internal/must"
)

// crashPath is the environment variable that makes the test binary run as the child
// process to kill. It contains the path of the database.
const crashPath = "INDEX_TEST_CRASH_PATH"

// TestCrashChild is not a test. It applies batches until it is killed, and prints the
// number of each applied batch.
func TestCrashChild(t *testing.T) {
	path := os.Getenv(crashPath)
	if path == "" {
		t.Skip("runs as a child of TestAppliedBatchesSurviveAKill")
	}
	db := must.Get(indextest.TryOpen(t, path, index.Options{}))(t)
	for n := 0; ; n++ {
		b := file(fmt.Sprintf("f%d.md", n), batchLines(n)...)
		must.Do(t, db.Apply(t.Context(), noon, b))
		fmt.Printf("done %d\n", n)
	}
}

func batchLines(n int) (lines []string) {
	for i := range 40 {
		lines = append(lines, fmt.Sprintf("batch %d has line %d", n, i))
	}
	return lines
}

// TestAppliedBatchesSurviveAKill kills a writing process. Every batch that it printed
// is complete, and the last batch is complete or absent.
func TestAppliedBatchesSurviveAKill(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	indextest.OnEachBackend(t, testKills)
}

func testKills(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tiered.db")
	for round := range 3 {
		done := killAfter(t, path, 5+7*round)
		db := open(t, path, index.Options{})
		if len(db.Notices()) > 0 {
			t.Errorf("round %d: %q", round, db.Notices())
		}
		files, err := db.Files(t.Context())
		if err != nil || len(files) <= done {
			t.Fatalf("round %d: %d files, %d batches were applied, %v", round, len(files), done, err)
		}
		for n := range files {
			page, total, err := db.List(t.Context(), memory.Predicate{Path: fmt.Sprintf("f%d.md", n)}, "", 0, 0)
			if err != nil || total != 40 || page[39].Text != batchLines(n)[39] {
				t.Errorf("round %d: batch %d has %d memories, %v", round, n, total, err)
			}
		}
		if found := search(t, db, query("batch"), memory.Predicate{}); len(found) != 10 {
			t.Errorf("round %d: %q", round, found)
		}
		if err := db.CheckWords(); err != nil {
			t.Errorf("round %d: %v", round, err)
		}
		closeNow(t, db)
	}
}

// killAfter starts a child and kills it after it has applied a number of batches. It
// returns the number of the last applied batch.
func killAfter(t *testing.T, path string, batches int) (last int) {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^TestCrashChild$", "-test.v")
	child.Env = append(slices.Clone(os.Environ()), crashPath+"="+path)
	out := must.Get(child.StdoutPipe())(t)
	must.Do(t, child.Start())
	lines := bufio.NewScanner(out)
	for count := 0; lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "done ") {
			_, _ = fmt.Sscanf(lines.Text(), "done %d", &last)
			if count++; count == batches {
				_ = child.Process.Kill()
			}
		}
	}
	_ = child.Wait()
	return last
}
