package engine_test

import (
	"context"
	"errors"
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
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/index/indextest"
	"github.com/memory-tiered/memory/internal/property"
	"github.com/memory-tiered/memory/recall"
)

// longRun runs tests that take minutes, as make fuzz does.
var longRun = flag.Bool("long", false, "every step and thousands of rounds instead of a choice of them")

// inLongRun returns how often a test repeats itself, and how often with -long.
func inLongRun(usual, long int) int {
	if *longRun {
		return long
	}
	return usual
}

// TestMain lowers rapid's number of histories, because each has a real database and
// perhaps a repository. -rapid.checks overrides it.
func TestMain(m *testing.M) {
	if err := flag.Set("rapid.checks", "10"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	os.Exit(m.Run())
}

// history is a person who works on a folder of memories, with a model of what each
// line is and what was decided about it. It checks the product against that model.
type history struct {
	*engine.Engine
	t             *rapid.T
	rnd           *rand.Rand
	dir, stateDir string // the workspace, and the folder of the database
	clock         time.Time

	pages           map[string]*page
	facts           map[int]*fact
	keysByText      map[string][]int  // text → facts that ever had it
	keyByID         map[string]int    // first 12 digits of an id → the fact that had it
	forgottenTexts  map[string]bool   // texts that are forgotten in every copy
	everDecided     map[int]*stateSet // family → every decision ever made about a member
	ambiguous       map[int]bool      // families that the next change makes indistinct
	changedFamilies map[int]bool      // families that this save has changed
	changedFiles    map[string]bool   // files that this save has changed
	renamedFiles    map[string]bool   // old and new names of files that this save renamed
	deletedItems    []item            // to be added again
	lastHead        string
	log             []string
	tally           *tally
}

// tally counts what a campaign has checked.
type tally struct{ histories, steps, scans, memories, statesKept, indistinct, withheld, lost, jumps int }

func (n *tally) String() string {
	return fmt.Sprintf("%d histories, %d steps, %d looks, %d times a memory was found with its id, %d times with its state "+
		"(%d times among copies that no text tells apart, %d times in doubt), states lost %d, jumps %d",
		n.histories, n.steps, n.scans, n.memories, n.statesKept, n.indistinct, n.withheld, n.lost, n.jumps)
}

// TestHistories checks that ids and decisions survive everything that a person does
// to Markdown without git. Decisions, lost databases and restarts happen between
// any two steps.
func TestHistories(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine and many steps: useless for the race detector")
	}
	campaign(t, 1, 20, func(h *history) map[string]func() {
		return h.ownSteps()
	})
}

// TestHistoriesOverGit checks the same in a real repository, with branches, merges,
// rebases, stashes and reverts.
func TestHistoriesOverGit(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine and many steps: useless for the race detector")
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

// campaign runs as many histories as rapid asks for, this many times.
func campaign(t *testing.T, times, most int, begin func(*history) map[string]func()) {
	n := &tally{}
	root := t.TempDir()
	defer func() { t.Log(n) }()
	for range times {
		property.Check(t, func(rt *rapid.T) {
			n.histories++
			h := newHistory(rt, filepath.Join(root, fmt.Sprint(n.histories)), n)
			defer h.closeAndRemove()
			for range 8 {
				h.insert()
			}
			h.indexAndCheck()
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
		dir: filepath.Join(root, "notes"), stateDir: filepath.Join(root, "state"), clock: now,
		pages: map[string]*page{}, facts: map[int]*fact{}, keysByText: map[string][]int{}, keyByID: map[string]int{},
		forgottenTexts: map[string]bool{}, everDecided: map[int]*stateSet{}, ambiguous: map[int]bool{}, changedFamilies: map[int]bool{}, changedFiles: map[string]bool{}, renamedFiles: map[string]bool{}}
	h.must(os.MkdirAll(h.dir, 0o755))
	h.open()
	return h
}

func (h *history) open() {
	h.must(os.MkdirAll(h.stateDir, 0o755))
	e, err := engine.Open(context.Background(), engine.Options{
		Workspaces: []engine.WorkspaceConfig{{Name: "main", Dir: h.dir, DBPath: filepath.Join(h.stateDir, "tiered.db"), Zone: time.UTC}},
		Embedder:   embed.None{}, Recall: recall.Defaults(), AutoRecall: true, ContextTTL: time.Hour,
		Now: func() time.Time { return h.clock }, Server: indextest.Server(),
	})
	h.must(err)
	h.Engine = e
}

func (h *history) closeAndRemove() {
	h.must(errors.Join(h.Close(), indextest.DropSchema(filepath.Join(h.stateDir, "tiered.db"))))
	_ = os.RemoveAll(filepath.Dir(h.dir)) // the test removes its folder anyway; this keeps thousands of folders from piling up
}

func (h *history) must(err error) {
	h.t.Helper()
	if err != nil {
		h.fail("%v", err)
	}
}

func (h *history) logStep(format string, args ...any) {
	h.log = append(h.log, fmt.Sprintf(format, args...))
}

func (h *history) fail(format string, args ...any) {
	h.t.Helper()
	h.t.Fatalf("%s\nafter:\n%s", fmt.Sprintf(format, args...), strings.Join(h.log, "\n"))
}

// ownSteps returns the steps that need no git. Most of them are saves.
func (h *history) ownSteps() map[string]func() {
	return map[string]func(){"save": h.save, "save again": h.save, "save more": h.save, "save most": h.save,
		"move in two saves": h.moveInTwoSaves, "decide": h.decide, "decide again": h.decide, "decide more": h.decide, "edit lines": h.editLines,
		"lose the database": h.loseDatabase, "restart": h.restart, "rebuild": h.rebuild}
}

// save makes a few changes, saves them and indexes: everything, or first each
// changed file by itself in random order.
func (h *history) save() {
	edits := []func(){h.insert, h.insert, h.insertOnTop, h.edit, h.edit, h.edit, h.typo, h.restoreWording, h.restoreWording, h.move, h.move, h.deleteOne, h.addAgain,
		h.copyOne, h.variant, h.shuffle, h.rename, h.renameAndEdit, h.retitle, h.rewrite, h.oldWording, h.split, h.join,
		h.lineEnds, h.frontMatter, h.removeFile}
	for range 1 + h.rnd.IntN(4) {
		edits[h.rnd.IntN(len(edits))]()
	}
	if h.rnd.IntN(2) == 0 {
		paths := slices.Sorted(maps.Keys(h.changedFiles))
		h.rnd.Shuffle(len(paths), func(i, j int) { paths[i], paths[j] = paths[j], paths[i] })
		for _, p := range paths {
			h.logStep("ingest %s", p)
			h.tick()
			_, err := h.IngestChanges(context.Background(), "main", []string{p})
			h.must(err)
		}
	}
	h.indexAndCheck()
}

// restart closes and opens the same database, perhaps after an edit.
func (h *history) restart() {
	h.logStep("restart")
	h.must(h.Close())
	if h.rnd.IntN(2) == 0 {
		h.edit()
	}
	h.open()
	h.indexAndCheck()
}

// rebuild indexes with force, which must change nothing.
func (h *history) rebuild() {
	h.logStep("index with force")
	h.tick()
	_, err := h.Index(context.Background(), memory.IndexRequest{Force: true}, nil)
	h.must(err)
	h.indexAndCheck()
}

func (h *history) tick() { h.clock = h.clock.Add(time.Minute) }
