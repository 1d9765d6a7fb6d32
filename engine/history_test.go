package engine_test

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed/none"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/recall"
)

// longRun asks for what takes minutes: make fuzz does.
var longRun = flag.Bool("long", false, "every step and thousands of rounds instead of a choice of them")

// TestMain runs fewer histories than rapid would by itself, as each has a real
// database and perhaps a real repository; -rapid.checks runs as many as it says.
func TestMain(m *testing.M) {
	if err := flag.Set("rapid.checks", "10"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	os.Exit(m.Run())
}

// history is a person at work on a folder of memories, who knows what each line
// means and what was decided about it, and holds the product to that.
type history struct {
	*engine.Engine
	t         *rapid.T
	rnd       *rand.Rand
	dir, home string // the workspace, and where the database lies
	clock     time.Time

	pages    map[string]*page
	facts    map[int]*fact
	holders  map[string][]int  // text → meanings that ever said it
	owners   map[string]int    // first 12 digits of an id → the meaning that had it
	marked   map[string]bool   // texts that are forgotten in every copy
	ever     map[int]*stateSet // family → what was ever decided about one of it
	fragile  map[int]bool      // families that the next change makes loose
	busy     map[int]bool      // families that this save has changed
	changed  map[string]bool   // files that this save has changed
	renamed  map[string]bool   // names that files of this save had or got
	removed  []item            // to be added again
	lastHead string
	log      []string
	tally    *tally
}

// tally counts what a campaign has seen.
type tally struct{ histories, steps, looks, memories, kept, loose, lost, jumps int }

func (n *tally) String() string {
	return fmt.Sprintf("%d histories, %d steps, %d looks, %d times a memory was found with its id, %d times with its state "+
		"(%d times among copies that no text tells apart), states lost %d, jumps %d",
		n.histories, n.steps, n.looks, n.memories, n.kept, n.loose, n.lost, n.jumps)
}

// TestHistories: over everything that a person does to Markdown without git,
// with decisions, lost databases and restarts between any two steps.
func TestHistories(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine and many steps: nothing for the race detector")
	}
	campaign(t, 2, 20, func(h *history) map[string]func() {
		return h.ownSteps()
	})
}

// TestHistoriesOverGit: the same in a real repository, with branches, merges,
// rebases, stashes and reverts.
func TestHistoriesOverGit(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine and many steps: nothing for the race detector")
	}
	needGit(t)
	campaign(t, 1, 12, func(h *history) map[string]func() {
		h.git("init", "-q", "-b", "main")
		h.git("config", "core.autocrlf", "false")
		h.commit()
		for _, branch := range []string{"other", "topic"} {
			h.git("branch", branch)
		}
		steps := h.ownSteps()
		maps.Copy(steps, h.gitSteps())
		return steps
	})
}

// campaign runs as many histories as rapid is told to, so many times.
func campaign(t *testing.T, times, most int, begin func(*history) map[string]func()) {
	n := &tally{}
	root := t.TempDir()
	defer func() { t.Log(n) }()
	for range times {
		rapid.Check(t, func(rt *rapid.T) {
			n.histories++
			h := newHistory(rt, filepath.Join(root, fmt.Sprint(n.histories)), n)
			defer h.close()
			for range 8 {
				h.insert()
			}
			h.look()
			steps := begin(h)
			for range 3 {
				h.decide()
			}
			names := slices.Sorted(maps.Keys(steps))
			for range rapid.IntRange(most/3, most).Draw(rt, "steps") {
				name := rapid.SampledFrom(names).Draw(rt, "step")
				n.steps++
				steps[name]()
			}
		})
		if t.Failed() {
			return
		}
	}
}

func newHistory(t *rapid.T, root string, n *tally) *history {
	h := &history{t: t, rnd: rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)), tally: n,
		dir: filepath.Join(root, "notes"), home: filepath.Join(root, "state"), clock: now,
		pages: map[string]*page{}, facts: map[int]*fact{}, holders: map[string][]int{}, owners: map[string]int{},
		marked: map[string]bool{}, ever: map[int]*stateSet{}, fragile: map[int]bool{}, busy: map[int]bool{}, changed: map[string]bool{}, renamed: map[string]bool{}}
	h.must(os.MkdirAll(h.dir, 0o755))
	h.open()
	return h
}

func (h *history) open() {
	h.must(os.MkdirAll(h.home, 0o755))
	e, err := engine.Open(context.Background(), engine.Options{
		Workspaces: []engine.WorkspaceConfig{{Name: "main", Dir: h.dir, DBPath: filepath.Join(h.home, "tiered.db"), Zone: time.UTC}},
		Embedder:   none.New(), Recall: recall.Defaults(), AutoRecall: true, ContextTTL: time.Hour,
		Now: func() time.Time { return h.clock },
	})
	h.must(err)
	h.Engine = e
}

func (h *history) close() {
	h.must(h.Close())
	_ = os.RemoveAll(filepath.Dir(h.dir)) // the test's folder goes anyway; this keeps thousands of them from piling up
}

func (h *history) must(err error) {
	h.t.Helper()
	if err != nil {
		h.fail("%v", err)
	}
}

func (h *history) note(format string, args ...any) {
	h.log = append(h.log, fmt.Sprintf(format, args...))
}

func (h *history) fail(format string, args ...any) {
	h.t.Helper()
	h.t.Fatalf("%s\nafter:\n%s", fmt.Sprintf(format, args...), strings.Join(h.log, "\n"))
}

// ownSteps are the steps that need no git. Saves are the most of them.
func (h *history) ownSteps() map[string]func() {
	return map[string]func(){"save": h.save, "save again": h.save, "save more": h.save, "save most": h.save,
		"move in two saves": h.moveInTwoSaves, "decide": h.decide, "decide again": h.decide, "decide more": h.decide, "edit lines": h.editLines,
		"lose the database": h.lose, "restart": h.restart, "rebuild": h.rebuild}
}

// save makes a few changes, saves, and looks: at everything, or at each changed
// file by itself first, in any order.
func (h *history) save() {
	edits := []func(){h.insert, h.insert, h.insertOnTop, h.edit, h.edit, h.edit, h.typo, h.takeBack, h.takeBack, h.move, h.move, h.deleteOne, h.addAgain,
		h.copyOne, h.variant, h.shuffle, h.rename, h.renameAndEdit, h.retitle, h.rewrite, h.oldWording, h.split, h.join,
		h.lineEnds, h.frontMatter, h.removeFile}
	for range 1 + h.rnd.IntN(4) {
		edits[h.rnd.IntN(len(edits))]()
	}
	if h.rnd.IntN(2) == 0 {
		paths := slices.Sorted(maps.Keys(h.changed))
		h.rnd.Shuffle(len(paths), func(i, j int) { paths[i], paths[j] = paths[j], paths[i] })
		for _, p := range paths {
			h.note("hint %s", p)
			h.tick()
			h.must(h.IngestChanges(context.Background(), "main", []string{p}))
		}
	}
	h.look()
}

// restart closes and opens the same database, perhaps after something changed.
func (h *history) restart() {
	h.note("restart")
	h.must(h.Close())
	if h.rnd.IntN(2) == 0 {
		h.edit()
	}
	h.open()
	h.look()
}

// rebuild makes anew all that is derived: nothing comes out differently.
func (h *history) rebuild() {
	h.note("index by force")
	h.tick()
	_, err := h.Index(context.Background(), memory.IndexRequest{Force: true}, nil)
	h.must(err)
	h.look()
}

func (h *history) tick() { h.clock = h.clock.Add(time.Minute) }
