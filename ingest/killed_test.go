package ingest_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/internal/property"
)

// killedDir is the environment variable that makes the test binary the process to be
// killed. It contains the folder with the notes and the state.
const killedDir = "INGEST_TEST_KILLED_DIR"

// killedSlice is the size of the first slice. Slices grow to 8 times this size.
const killedSlice = 10

// TestIndexingChild is the process to be killed: it indexes notes for the first time,
// and prints a line before the first transaction and after each.
func TestIndexingChild(t *testing.T) {
	dir := os.Getenv(killedDir)
	if dir == "" {
		t.Skip("runs as a child of the test below")
	}
	w := openKilled(t, dir)
	w.applied = func(memory.Batch) { fmt.Println("applied") }
	fmt.Println("begin")
	w.scan()
	w.close()
}

func openKilled(t *testing.T, dir string) *world {
	w := openWorld(t, filepath.Join(dir, "notes"), filepath.Join(dir, "state"))
	w.sliceSize = killedSlice
	return w
}

// It kills a process with SIGKILL at random moments of a first index. Before the next
// scan, and after it, no forgotten or private text is visible. After it, every memory is
// there, with the id and the state that an index without a kill gives.
//
// There are thirty kills with -long, and fewer without it.
func TestFirstIndexKilledAtRandomMomentsIsCompleted(t *testing.T) {
	kills := 3
	switch {
	case *longRun:
		kills = 30
	case testing.Short():
		kills = 2
	}
	seed := uint64(property.Number(1_000_000))
	rnd := rand.New(rand.NewPCG(seed, 9))
	notes := t.TempDir()
	writeNotesToKill(t, notes)
	whole, transactions := t.TempDir(), 0
	must.Do(t, os.CopyFS(whole, os.DirFS(notes)))
	w := openKilled(t, whole)
	w.applied = func(memory.Batch) { transactions++ }
	w.scan()
	want := describe(w)
	w.close()
	partly := 0
	for range kills {
		dir := t.TempDir()
		must.Do(t, os.CopyFS(dir, os.DirFS(notes)))
		at := 1 + rnd.IntN(transactions-1)
		killIndexing(t, dir, at, rnd)
		w := openKilled(t, dir)
		what := fmt.Sprintf("seed %d, killed after %d of %d transactions", seed, at, transactions)
		before := describe(w)
		if n := len(before); n > 0 && n < len(want) {
			partly++
		}
		for id, m := range before {
			if want[id] != m {
				t.Errorf("%s: before the next scan a memory is %q, want %q", what, m, want[id])
			}
		}
		w.scan()
		after := describe(w)
		for id, m := range want {
			if after[id] != m {
				t.Errorf("%s: %s is %q, want %q", what, id, after[id], m)
			}
		}
		if len(after) != len(want) {
			t.Errorf("%s: %d memories, want %d", what, len(after), len(want))
		}
		w.close()
		must.Do(t, os.RemoveAll(dir))
	}
	t.Logf("%d kills, %d of them with a part of the memories indexed", kills, partly)
	if *longRun && 3*partly < kills { // a few may all come too early or too late
		t.Errorf("only %d of %d kills interrupted an index", partly, kills)
	}
}

// writeNotesToKill writes notes with decisions and private memories in several places.
func writeNotesToKill(t *testing.T, dir string) {
	w := &world{t: t, dir: filepath.Join(dir, "notes")}
	w.write("memory/large.md", slices.Concat(manyBullets("large", 300), []string{"- large, twice", "- large, twice"})...)
	for i := range 20 {
		lines := manyBullets(fmt.Sprintf("topic %d", i), 10)
		lines = append(lines, fmt.Sprintf("- the code of safe %d is %d <!-- private -->", i, 1000+i), "- large, twice")
		w.write(fmt.Sprintf("memory/topic-%02d.md", i), lines...)
	}
	w.write("memory/hidden.md", "---", "private: true", "---", "- nobody else reads this")
	w.write("MEMORY.md", "---", "memories:",
		`  - {id: "", quote: "large bullet number 299", forgotten: true}`,
		`  - {id: "", quote: "large bullet number 7", pinned: true}`,
		`  - {id: "", quote: "topic 3 bullet number 4", forgotten: true}`,
		`  - {id: "", quote: "topic 0 bullet number 9", forgotten: true}`, "---", "- "+tabs)
}

// killIndexing starts a process that indexes. It kills the process after a number of
// transactions, and after a random part of the time that these took on average.
func killIndexing(t *testing.T, dir string, transactions int, rnd *rand.Rand) {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^TestIndexingChild$")
	child.Env = append(os.Environ(), killedDir+"="+dir)
	out, err := child.StdoutPipe()
	if err == nil {
		err = child.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	start, seen := time.Now(), 0
	for lines := bufio.NewScanner(out); seen < transactions && lines.Scan(); {
		switch lines.Text() {
		case "begin":
			start = time.Now()
		case "applied":
			seen++
		}
	}
	time.Sleep(time.Duration(rnd.Int64N(int64(time.Since(start))/int64(seen+1) + 1)))
	_ = child.Process.Kill()
	_ = child.Wait()
}

// describe returns the text and the state of every memory by its id.
func describe(w *world) map[memory.ID]string {
	all := map[memory.ID]string{}
	for _, m := range w.list(memory.Predicate{Missing: memory.Include}) {
		all[m.ID] = fmt.Sprintf("%s:%d %s, pinned %v, forgotten %v, private %v, missing %v", m.Path, m.LineStart, m.Text, m.Pinned, m.Forgotten, m.Private, m.Missing)
	}
	return all
}
