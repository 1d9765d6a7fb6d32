package ingest_test

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/property"
)

// longRun runs tests that take minutes, as make fuzz does.
var longRun = flag.Bool("long", false, "every history and many kills instead of a sample")

// TestMain lowers the number of random histories, because each has a real
// repository and database; -rapid.checks still overrides it.
func TestMain(m *testing.M) {
	if err := flag.Set("rapid.checks", "10"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	os.Exit(m.Run())
}

// history simulates a person with a repository of notes. The lines are in the
// files; history knows the meaning of each text.
type history struct {
	*world
	rnd            *rand.Rand
	meaning        map[string]int    // text → key of its meaning, for every wording ever used
	idOf           map[int]memory.ID // key → its memory
	pins           map[int]string    // key → its entry in MEMORY.md's front matter
	pinsAtLastScan map[int]string    // pins at the last scan
	stillPinned    map[int]bool      // keys still pinned: the entry was removed while the text was in another file
	ambiguous      map[int]bool      // keys with two texts, after a merge for instance
	log            []string
}

// TestHistoriesOverGit makes random edits, moves, renames, branches, merges,
// rebases, stashes, hints in any order and lost databases. Every text must keep
// its memory and its decisions, and no other text may get them. Reindexing
// everything must give the same result.
func TestHistoriesOverGit(t *testing.T) {
	needGit(t)
	root := t.TempDir()
	n := 0
	property.Check(t, func(t *rapid.T) {
		n++
		dir, state := filepath.Join(root, fmt.Sprint(n), "notes"), filepath.Join(root, fmt.Sprint(n), "state")
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		h := &history{world: openWorld(t, dir, state), rnd: rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)),
			meaning: map[string]int{}, idOf: map[int]memory.ID{}, pins: map[int]string{}, stillPinned: map[int]bool{}, ambiguous: map[int]bool{}}
		defer h.close()
		// Scans in slices, killed between two of them at random, give the same memories.
		if h.sliceSize = rapid.SampledFrom([]int{0, 1, 2, 3}).Draw(t, "slice size"); rapid.Bool().Draw(t, "killed") {
			h.interrupt = func() int { return 1 + h.rnd.IntN(4) }
		}
		h.git("init", "-q", "-b", "main")
		for range 6 {
			h.insert()
		}
		h.scanAndCheck()
		h.commit("start")
		h.git("branch", "other")
		steps := map[string]func(){"edit": h.edit, "checkout": h.checkout, "merge": h.merge, "stash": h.stash, "pin": h.pin, "lose": h.rebuildDatabase}
		names := append(slices.Sorted(maps.Keys(steps)), "edit", "edit", "edit", "checkout")
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			steps[rapid.SampledFrom(names).Draw(t, "step")]()
		}
		h.logf("reindex")
		before := h.allMemories()
		h.reindex()
		if after := h.allMemories(); !reflect.DeepEqual(before, after) {
			h.fail("reindexed:\n%+v\nstep by step:\n%+v", after, before)
		}
	})
}

func (h *history) logf(format string, args ...any) {
	h.log = append(h.log, fmt.Sprintf(format, args...))
}

func (h *history) fail(format string, args ...any) {
	h.t.Fatalf("%s\nafter:\n%s", fmt.Sprintf(format, args...), strings.Join(h.log, "\n"))
}

// allMemories returns all visible data of all memories.
func (h *history) allMemories() []memory.Memory {
	all := h.list(memory.Predicate{Missing: memory.Include})
	slices.SortFunc(all, func(a, b memory.Memory) int { return strings.Compare(string(a.ID), string(b.ID)) })
	return all
}

func (h *history) pickLine() (path string, texts []string, at int) {
	files := h.files()
	h.rnd.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
	for _, f := range files {
		if texts := h.lines(f); len(texts) > 0 {
			return f, texts, h.rnd.IntN(len(texts))
		}
	}
	h.insert()
	return h.pickLine()
}

func (h *history) insert() {
	text := h.words(6 + h.rnd.IntN(6))
	h.meaning[text] = len(h.meaning)
	path := []string{"MEMORY.md", "memory/a.md", "memory/b.md"}[h.rnd.IntN(3)]
	texts := h.lines(path)
	h.writeTexts(path, slices.Insert(texts, h.rnd.IntN(len(texts)+1), text))
	h.logf("insert %q into %s", text, path)
}

// edit makes a few changes to different lines and scans them: all at once, or
// each changed file by itself.
func (h *history) edit() {
	changed := map[string]bool{}
	touched := map[int]bool{}
	for range 1 + h.rnd.IntN(3) {
		path, texts, at := h.pickLine()
		text := texts[at]
		if touched[h.meaning[text]] {
			continue
		}
		touched[h.meaning[text]] = true
		changed[path] = true
		switch h.rnd.IntN(6) {
		case 0:
			h.logf("delete %q", text)
			h.writeTexts(path, slices.Delete(texts, at, at+1))
		case 1:
			words := strings.Fields(text)
			words[h.rnd.IntN(len(words))] = h.words(1)
			texts[at] = strings.Join(words, " ")
			h.meaning[texts[at]] = h.meaning[text]
			h.logf("edit %q to %q", text, texts[at])
			h.writeTexts(path, texts)
		case 2:
			to := []string{"MEMORY.md", "memory/a.md", "memory/b.md"}[h.rnd.IntN(3)]
			h.logf("move %q from %s to %s", text, path, to)
			h.writeTexts(path, slices.Delete(texts, at, at+1))
			h.writeTexts(to, append(h.lines(to), text))
			changed[to] = true
		case 3:
			h.logf("shuffle %s", path)
			h.rnd.Shuffle(len(texts), func(i, j int) { texts[i], texts[j] = texts[j], texts[i] })
			h.writeTexts(path, texts)
		case 4:
			if path == "MEMORY.md" {
				continue
			}
			to := "memory/" + h.words(1) + ".md"
			h.logf("rename %s to %s", path, to)
			h.must(os.Rename(filepath.Join(h.dir, path), filepath.Join(h.dir, to)))
			changed[to] = true
		default:
			h.insert()
		}
	}
	if h.rnd.IntN(2) == 0 {
		paths := slices.Sorted(maps.Keys(changed))
		h.rnd.Shuffle(len(paths), func(i, j int) { paths[i], paths[j] = paths[j], paths[i] })
		for _, p := range paths {
			h.logf("hint %s", p)
			h.scan(p)
		}
	}
	h.scanAndCheck()
}

func (h *history) commitAll() {
	h.git("add", "-A")
	h.git("commit", "-q", "--allow-empty", "-m", "more")
}

// tryGit runs a git command that may stop at a conflict.
func (h *history) tryGit(args ...string) bool {
	c := exec.Command("git", append([]string{"-c", "user.name=Lena", "-c", "user.email=lena@example.org", "-c", "core.editor=true"}, args...)...)
	c.Dir = h.dir
	return c.Run() == nil
}

func (h *history) checkout() {
	h.commitAll()
	h.logf("check out the other branch")
	if !h.tryGit("checkout", "-q", "@{-1}") {
		h.git("checkout", "-q", "other")
	}
	h.readPins()
	h.scanAndCheck()
}

// merge merges the other branch or rebases onto it. After a conflict it scans
// the markers and aborts.
func (h *history) merge() {
	h.commitAll()
	verb := []string{"merge", "rebase"}[h.rnd.IntN(2)]
	from := "other"
	if !h.tryGit("symbolic-ref", "-q", "HEAD") || h.branch() == "other" {
		from = "main"
	}
	h.logf("%s %s", verb, from)
	if !h.tryGit(verb, "-q", from) {
		h.logf("conflict: scan it and abort")
		h.scan()
		for text := range h.ids() {
			if _, copied := strings.CutSuffix(text, " (2)"); copied {
				h.ambiguous[h.meaning[strings.TrimSuffix(text, " (2)")]] = true
			}
		}
		h.git(verb, "--abort")
	}
	h.readPins()
	h.scanAndCheck()
}

func (h *history) branch() string {
	out, err := os.ReadFile(filepath.Join(h.dir, ".git", "HEAD"))
	h.must(err)
	return filepath.Base(strings.TrimSpace(string(out)))
}

func (h *history) stash() {
	h.git("add", "-A")
	h.logf("stash, and pop")
	h.git("stash", "-q")
	h.readPins()
	h.scanAndCheck()
	if !h.tryGit("stash", "pop", "-q") {
		h.git("reset", "-q", "--hard")
		h.tryGit("stash", "drop", "-q")
	}
	h.readPins()
	h.scanAndCheck()
}

// pin adds an entry about a memory to MEMORY.md, or removes one.
func (h *history) pin() {
	_, texts, at := h.pickLine()
	key := h.meaning[texts[at]]
	if h.ambiguous[key] {
		return
	}
	if _, pinned := h.pins[key]; pinned {
		delete(h.pins, key)
		h.logf("unpin %q", texts[at])
	} else {
		h.pins[key] = fmt.Sprintf("  - {id: %q, quote: %q, pinned: true}", h.idOf[key].InFile(), quote(texts[at]))
		h.logf("pin %q", texts[at])
	}
	h.writeTexts("MEMORY.md", h.lines("MEMORY.md"))
	h.scanAndCheck()
}

// readPins reads the pins in MEMORY.md after git wrote it.
func (h *history) readPins() {
	src, err := os.ReadFile(filepath.Join(h.dir, "MEMORY.md"))
	if err != nil && !os.IsNotExist(err) {
		h.must(err)
	}
	h.pins = map[int]string{}
	for line := range strings.Lines(string(src)) {
		if !strings.Contains(line, "pinned: true") {
			continue
		}
		for key, id := range h.idOf {
			if strings.Contains(line, string(id.InFile())) {
				h.pins[key] = strings.TrimSuffix(line, "\n")
			}
		}
		for text, key := range h.meaning { // a new database has no id of a text that is on another branch
			if h.idOf[key] == "" && strings.Contains(line, fmt.Sprintf("quote: %q", quote(text))) {
				h.pins[key] = strings.TrimSuffix(line, "\n")
			}
		}
	}
}

// rebuildDatabase deletes the database. A text that was edited since it was new
// gets another id, unless it is pinned. Decisions in files remain.
func (h *history) rebuildDatabase() {
	h.logf("delete the database")
	h.loseDatabase()
	h.idOf, h.pinsAtLastScan, h.stillPinned = map[int]memory.ID{}, nil, map[int]bool{}
	wordings := map[int]int{}
	for _, key := range h.meaning {
		if wordings[key]++; wordings[key] > 1 {
			h.ambiguous[key] = true
		}
	}
	h.scanAndCheck()
	for _, m := range h.list(memory.Predicate{}) {
		key := h.meaning[m.Text]
		if line, pinned := h.pins[key]; pinned && (!m.Pinned || !strings.Contains(line, string(m.ID.InFile()))) {
			h.fail("line %d (%q) is pinned as%s, and is %s, pinned %v", key, m.Text, line, m.ID, m.Pinned)
		}
	}
}
