package identity_test

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/identity"
)

// line is a block from the view of the person who writes: key identifies the
// meaning.
type line struct {
	key     int
	text    string
	heading string
	blockID string
	user    string // whose the text is
}

type files map[string][]line

func (fs files) clone() files {
	out := files{}
	for path, lines := range fs {
		out[path] = slices.Clone(lines)
	}
	return out
}

// world is a workspace and its known memories, a minimal index.
type world struct {
	now     time.Time
	disk    files
	indexed files
	known   map[memory.ID]identity.KnownMemory
	idsAt   map[string][]memory.ID // path → the memory of each line, as indexed
	decided map[memory.ID]bool
	last    identity.Result
}

func newWorld() *world {
	return &world{now: time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC), disk: files{}, indexed: files{},
		known: map[memory.ID]identity.KnownMemory{}, idsAt: map[string][]memory.ID{}, decided: map[memory.ID]bool{}}
}

func fingerprint(text string) memory.Fingerprint { return sha256.Sum256([]byte(text)) }

// save indexes these files in one batch, or all changed files if there are
// none.
func (w *world) save(paths ...string) {
	w.now = w.now.Add(time.Minute)
	if len(paths) == 0 {
		for path := range w.allPaths() {
			if !slices.Equal(w.disk[path], w.indexed[path]) {
				paths = append(paths, path)
			}
		}
	}
	slices.Sort(paths)
	var fresh []identity.NewBlock
	for _, path := range paths {
		for i, l := range w.disk[path] {
			b := memory.Block{Text: l.text, Fingerprint: fingerprint(l.text), BlockID: l.blockID}
			if l.heading != "" {
				b.Heading = []string{l.heading}
			}
			fresh = append(fresh, identity.NewBlock{Path: path, Ordinal: i, User: l.user, Block: b})
		}
	}
	w.last = identity.Match(w.now, w.knownFor(paths, fresh), fresh)
	w.apply(paths, fresh)
}

func (w *world) allPaths() map[string]bool {
	all := map[string]bool{}
	for path := range w.disk {
		all[path] = true
	}
	for path := range w.indexed {
		all[path] = true
	}
	return all
}

// knownFor returns the known memories that Match needs.
func (w *world) knownFor(paths []string, fresh []identity.NewBlock) []identity.KnownMemory {
	fingerprints := map[memory.Fingerprint]bool{}
	for _, f := range fresh {
		fingerprints[f.Block.Fingerprint] = true
	}
	for _, k := range w.known {
		if slices.Contains(paths, k.Path) {
			fingerprints[k.Fingerprint] = true
			for _, p := range k.PastPlaces {
				fingerprints[p.Fingerprint] = true
			}
		}
	}
	var known []identity.KnownMemory
	for _, k := range w.known {
		inBatch := slices.Contains(paths, k.Path)
		recent := k.Missing && w.now.Sub(k.MissingSince) <= identity.TakeOverWindow
		if inBatch || recent || slices.ContainsFunc(k.PastFingerprints, func(f memory.Fingerprint) bool { return fingerprints[f] }) {
			k.OutsideBatch = !k.Missing && !inBatch
			k.HasDecision = w.decided[k.ID]
			known = append(known, k)
		}
	}
	return known
}

func (w *world) apply(paths []string, fresh []identity.NewBlock) {
	for _, t := range w.last.TakeOvers {
		e, y := w.known[t.Elder], w.known[t.Younger]
		if !slices.Contains(w.last.IDs, t.Elder) {
			e = w.leavePlace(e, y.Path, y.Fingerprint)
			e.Text, e.Fingerprint = y.Text, y.Fingerprint
			e.Path, e.Ordinal, e.Heading, e.User = y.Path, y.Ordinal, y.Heading, y.User
		}
		e.Missing = false
		w.known[t.Elder] = e
		delete(w.known, t.Younger)
		for _, ids := range w.idsAt {
			for i, id := range ids {
				if id == t.Younger {
					ids[i] = t.Elder
				}
			}
		}
	}
	for _, path := range paths {
		delete(w.idsAt, path)
		delete(w.indexed, path)
		if lines, exists := w.disk[path]; exists {
			w.indexed[path] = slices.Clone(lines)
		}
	}
	for i, f := range fresh {
		id := w.last.IDs[i]
		k, seen := w.known[id]
		if !seen {
			k = identity.KnownMemory{ID: id, FirstSeen: w.now}
		}
		if seen {
			k = w.leavePlace(k, f.Path, f.Block.Fingerprint)
		}
		k.Text, k.Fingerprint, k.Heading = f.Block.Text, f.Block.Fingerprint, f.Block.Heading
		k.Path, k.Ordinal, k.BlockID, k.User, k.Missing = f.Path, f.Ordinal, f.Block.BlockID, f.User, false
		if !slices.Contains(k.PastFingerprints, k.Fingerprint) {
			k.PastFingerprints = append(slices.Clone(k.PastFingerprints), k.Fingerprint)
		}
		w.known[id] = k
		w.idsAt[f.Path] = append(w.idsAt[f.Path], id)
	}
	for _, id := range w.last.Missing {
		k := w.known[id]
		k.Missing, k.MissingSince = true, w.now
		w.known[id] = k
	}
}

// leavePlace notes the place of a memory that gets another file or text.
func (w *world) leavePlace(k identity.KnownMemory, path string, text memory.Fingerprint) identity.KnownMemory {
	if k.Path == path && k.Fingerprint == text {
		return k
	}
	left := slices.DeleteFunc(slices.Clone(k.PastPlaces), func(p identity.PastPlace) bool {
		return p.Path == k.Path && p.Fingerprint == k.Fingerprint
	})
	k.PastPlaces = append(left, identity.PastPlace{Path: k.Path, Fingerprint: k.Fingerprint, Ordinal: k.Ordinal, LeftAt: w.now})
	return k
}

// namesAt returns the names of the memories of a file's lines.
func (w *world) namesAt(path string, names map[memory.ID]string) string {
	var out []string
	for _, id := range w.idsAt[path] {
		name, known := names[id]
		if !known {
			name = "new"
		}
		out = append(out, name)
	}
	return strings.Join(out, " ")
}

// check checks invariants that hold after any edit.
func (w *world) check() error {
	seen := map[memory.ID]string{}
	for _, path := range slices.Sorted(maps.Keys(w.idsAt)) {
		for i, id := range w.idsAt[path] {
			place := fmt.Sprintf("%s:%d", path, i)
			if other, twice := seen[id]; twice {
				return fmt.Errorf("memory %s is at %s and at %s", id.Short(), other, place)
			}
			seen[id] = place
			if k := w.known[id]; k.Missing || k.Text != w.indexed[path][i].text {
				return fmt.Errorf("memory %s at %s is known as %q (missing %v), the file has %q",
					id.Short(), place, k.Text, k.Missing, w.indexed[path][i].text)
			}
		}
	}
	for id, k := range w.known {
		if _, exists := seen[id]; !exists && !k.Missing {
			return fmt.Errorf("memory %s (%q) is in no file and not missing", id.Short(), k.Text)
		}
	}
	return nil
}

// parseLines makes one line of each string: "# Heading" begins a section, a
// trailing ^id identifies the line.
func wordList(lines ...string) []line {
	var out []line
	heading := ""
	for _, s := range lines {
		if h, ok := strings.CutPrefix(s, "# "); ok {
			heading = h
			continue
		}
		l := line{text: s, heading: heading}
		if t, id, ok := strings.Cut(s, " ^"); ok {
			l.text, l.blockID = t, id
		}
		out = append(out, l)
	}
	return out
}

// step is one save of some files; nil removes a file.
type step map[string][]string

// nameMemories names every memory after the first step by its file and its
// number in it, as in a0.
func (w *world) nameMemories() map[memory.ID]string {
	names := map[memory.ID]string{}
	for path, ids := range w.idsAt {
		for i, id := range ids {
			names[id] = fmt.Sprintf("%s%d", strings.TrimSuffix(path, ".md"), i)
		}
	}
	return names
}

func (w *world) applyStep(s step) {
	for path, lines := range s {
		if lines == nil {
			delete(w.disk, path)
			continue
		}
		w.disk[path] = wordList(lines...)
	}
	w.save(slices.Collect(maps.Keys(s))...)
}

func runSteps(t *testing.T, steps []step) (*world, map[memory.ID]string) {
	t.Helper()
	w := newWorld()
	var names map[memory.ID]string
	for i, s := range steps {
		w.applyStep(s)
		if err := w.check(); err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
		if i == 0 {
			names = w.nameMemories()
		}
	}
	return w, names
}
