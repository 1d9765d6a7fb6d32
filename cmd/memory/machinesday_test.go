package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/team"
	"github.com/memory-tiered/memory/embed/static"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/engine/machines"
	"github.com/memory-tiered/memory/internal/property"
	"github.com/memory-tiered/memory/recall"
)

// machinesDay is what one person does in some days on several machines, whose notes git carries.
type machinesDay struct {
	*teamDay
	texts     map[*fact]string
	uses      map[*fact]int
	edited    map[*fact]bool
	pasted    map[*fact]bool
	destroyed map[*fact]bool    // one that was edited too may be a new text
	kept      map[string]string // old versions of logs by their names
}

// After some days on two or three machines nothing is lost and nothing comes back. All machines show
// the same, with the uses of all.
func TestDaysOfSeveralMachines(t *testing.T) {
	for _, program := range []string{"git", "sh", "memory"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	if testing.Short() {
		t.Skip("it runs git for minutes with the race detector")
	}
	run, counts := 0, map[string]int{}
	property.Check(t, func(rt *rapid.T) {
		run++
		seed := rapid.Uint64().Draw(rt, "seed")
		d := &machinesDay{teamDay: &teamDay{t: rt, rnd: rand.New(rand.NewPCG(seed, 1)), now: time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC),
			root: filepath.Join(t.TempDir(), fmt.Sprint(run))}, texts: map[*fact]string{}, uses: map[*fact]int{}, edited: map[*fact]bool{}, pasted: map[*fact]bool{}, destroyed: map[*fact]bool{}, kept: map[string]string{}}
		defer d.close()
		d.open(2 + d.rnd.IntN(2))
		for range 60 {
			d.now = d.now.Add(time.Duration(d.rnd.IntN(200)) * time.Minute)
			counts[d.step(d.clones[d.rnd.IntN(len(d.clones))])]++
		}
		d.check()
	})
	t.Log(counts)
	for _, name := range []string{"forget", "restore", "destroy", "paste", "use", "old version"} {
		if counts[name] == 0 {
			t.Errorf("no %s was tried: %v", name, counts)
		}
	}
}

func (d *machinesDay) open(machines int) {
	origin := filepath.Join(d.root, "origin")
	d.must(os.MkdirAll(origin, 0o700))
	d.git(origin, "init", "-q", "--bare", "-b", "main")
	for i := range machines {
		name := fmt.Sprint("machine", i)
		dir := filepath.Join(d.root, name)
		d.git(d.root, "clone", "-q", origin, dir)
		d.git(dir, "config", "user.name", name)
		d.git(dir, "config", "user.email", name+"@example.org")
		d.git(dir, "checkout", "-q", "-B", "main")
		c := &clone{Folder: team.Folder{Dir: filepath.Join(dir, "memory")}}
		d.clones = append(d.clones, c)
		if i == 0 {
			d.must(os.MkdirAll(c.Dir, 0o700))
			d.must(os.WriteFile(filepath.Join(dir, "MEMORY.md"), []byte("# Notes\n"), 0o600))
			d.commit(c, "start")
			d.git(dir, "push", "-q", "origin", "main")
		} else {
			d.git(dir, "pull", "-q", "origin", "main")
		}
		_, err := team.InstallDriver(d.t.Context(), dir, team.WorkspaceFiles)
		d.must(err)
		d.start(c)
	}
}

// start opens the engine of a machine.
func (d *machinesDay) start(c *clone) {
	dir := filepath.Dir(c.Dir)
	var err error
	c.Engine, err = engine.Open(d.t.Context(), onBackend(d.t, engine.Options{Embedder: static.New(), Recall: recall.Defaults(), Now: func() time.Time { return d.now },
		Workspaces: []engine.WorkspaceConfig{{Name: "main", Dir: dir, DBPath: filepath.Join(d.root, "state-"+filepath.Base(dir), "main.db"), Zone: time.UTC, Machines: true}}}))
	d.must(err)
	d.read(c)
}

// read indexes what is on the disk.
func (d *machinesDay) read(c *clone) {
	_, err := c.Index(d.t.Context(), memory.IndexRequest{Workspace: "main"}, nil)
	d.must(err)
}

// step does one thing on a machine.
func (d *machinesDay) step(c *clone) string {
	steps := []struct {
		name string
		do   func(*clone) string
	}{
		{"write", d.write}, {"write", d.write}, {"use", d.use}, {"use", d.use}, {"use", d.use}, {"forget", d.hide}, {"restore", d.restore}, {"destroy", d.destroy}, {"paste", d.paste}, {"pin", d.pin},
		{"edit", d.edit}, {"move", d.move}, {"sync", d.sync}, {"sync", d.sync}, {"sync", d.sync}, {"sweep", d.sweep}, {"restart", d.restart}, {"keep version", d.keepVersion}, {"old version", d.oldVersion},
	}
	for {
		s := steps[d.rnd.IntN(len(steps))]
		if done := s.do(c); done != "" {
			d.log = append(d.log, fmt.Sprintf("%s %s: %s %s", d.now.Format("02 15:04"), filepath.Base(filepath.Dir(c.Dir)), s.name, done))
			d.read(c)
			return s.name
		}
	}
}

func (d *machinesDay) write(c *clone) string {
	text, word := d.newText()
	d.facts = append(d.facts, &fact{word: word, by: c})
	d.texts[d.facts[len(d.facts)-1]] = text
	d.append(filepath.Join(c.Dir, word+".md"), text)
	return word
}

// memories lists the memories that a machine shows, or those that it hides.
func (d *machinesDay) memories(c *clone, forgotten bool) []memory.Memory {
	listed, err := c.List(d.t.Context(), memory.ListRequest{Workspace: "main", Limit: new(1000), Filter: memory.Filter{Forgotten: forgotten}})
	d.must(err)
	return slices.DeleteFunc(slices.Clone(listed.Memories), func(m memory.Memory) bool { return m.Forgotten != forgotten || m.Missing })
}

func (d *machinesDay) any(c *clone, forgotten bool) (*fact, memory.Memory) {
	all := d.memories(c, forgotten)
	if len(all) == 0 {
		return nil, memory.Memory{}
	}
	m := all[d.rnd.IntN(len(all))]
	return d.factIn(m.Text), m
}

func (d *machinesDay) decide(c *clone, action memory.Action, id memory.ID) {
	_, err := c.Decide(d.t.Context(), memory.DecideRequest{Workspace: "main", Action: action, IDs: []string{string(id)}, Confirm: action == memory.ActionDestroy})
	d.must(err)
}

func (d *machinesDay) use(c *clone) string {
	f, m := d.any(c, false)
	if f == nil {
		return ""
	}
	answer, err := c.Search(d.t.Context(), memory.SearchRequest{Workspace: "main", Query: m.Text, Limit: new(1), Record: true, Session: fmt.Sprint("s", len(d.log)), For: memory.AudienceModel})
	d.must(err)
	if len(answer.Hits) != 1 || d.factIn(answer.Hits[0].Text) != f {
		return ""
	}
	d.must(c.Delivered(d.t.Context(), "main", answer.Receipt))
	d.must(c.FlushUses(d.t.Context()))
	d.uses[f]++
	return f.word
}

func (d *machinesDay) hide(c *clone) string {
	f, m := d.any(c, false)
	if f == nil {
		return ""
	}
	d.decide(c, memory.ActionForget, m.ID)
	f.forgotten = true
	return f.word
}

func (d *machinesDay) restore(c *clone) string {
	f, m := d.any(c, true)
	if f == nil {
		return ""
	}
	d.decide(c, memory.ActionRestore, m.ID)
	f.undone = true
	return f.word
}

func (d *machinesDay) destroy(c *clone) string {
	f, m := d.any(c, d.rnd.IntN(2) == 0)
	if f == nil || d.rnd.IntN(2) > 0 {
		return ""
	}
	d.decide(c, memory.ActionDestroy, m.ID)
	d.destroyed[f] = true
	return f.word
}

// paste writes a text again that was forgotten or destroyed on any machine.
func (d *machinesDay) paste(c *clone) string {
	for _, f := range d.facts {
		if (f.forgotten && d.rnd.IntN(6) == 0 || d.destroyed[f]) && !d.edited[f] && !d.pasted[f] {
			d.pasted[f] = true
			d.append(filepath.Join(c.Dir, "again-"+f.word+".md"), d.texts[f])
			return f.word
		}
	}
	return ""
}

func (d *machinesDay) pin(c *clone) string {
	f, m := d.any(c, false)
	if f == nil || m.Pinned {
		return ""
	}
	d.decide(c, memory.ActionPin, m.ID)
	return f.word
}

// ownFile returns a file that this machine wrote. It alone edits and moves it, because two edits of a
// text are two texts.
func (d *machinesDay) ownFile(c *clone) (path, text string, f *fact) {
	for _, path := range d.files(c, "*.md") {
		text, err := os.ReadFile(path)
		d.must(err)
		if f = d.factIn(filepath.Base(path)); f != nil && f.by == c && !d.pasted[f] && strings.Contains(string(text), "- "+f.word) && d.rnd.IntN(3) == 0 {
			return path, string(text), f
		}
	}
	return "", "", nil
}

func (d *machinesDay) files(c *clone, pattern string) (found []string) {
	for _, folder := range []string{".", "moved", ".machines"} {
		some, err := filepath.Glob(filepath.Join(c.Dir, folder, pattern))
		d.must(err)
		found = append(found, some...)
	}
	return found
}

func (d *machinesDay) edit(c *clone) string {
	path, text, f := d.ownFile(c)
	if f == nil {
		return ""
	}
	_, word := d.newText()
	d.must(os.WriteFile(path, []byte(text[:strings.LastIndexByte(text, ' ')+1]+word+"\n"), 0o600))
	d.edited[f] = true
	return f.word
}

func (d *machinesDay) move(c *clone) string {
	path, _, f := d.ownFile(c)
	if f == nil || filepath.Dir(path) != c.Dir {
		return ""
	}
	d.must(os.MkdirAll(filepath.Join(c.Dir, "moved"), 0o700))
	d.must(os.Rename(path, filepath.Join(c.Dir, "moved", filepath.Base(path))))
	return f.word
}

func (d *machinesDay) sweep(c *clone) string {
	_, err := c.Decay(d.t.Context(), memory.DecayRequest{Workspace: "main"})
	d.must(err)
	return "of the tiers"
}

func (d *machinesDay) restart(c *clone) string {
	d.must(c.Engine.Close())
	d.start(c)
	return "of the engine"
}

func (d *machinesDay) sync(c *clone) string {
	d.read(c)
	d.commit(c, "notes")
	if _, err := d.tryGit(c.Dir, "pull", "-q", "--no-rebase", "--no-edit", "origin", "main"); err != nil {
		d.keepBoth(c)
		d.commit(c, "both")
	}
	d.git(c.Dir, "push", "-q", "origin", "main")
	return "by git"
}

// keepBoth keeps the lines of both sides where they conflict. Nobody resolves a log.
func (d *machinesDay) keepBoth(c *clone) {
	for _, path := range d.files(c, "*.md") {
		text, err := os.ReadFile(path)
		d.must(err)
		var kept []string
		for _, line := range strings.Split(string(text), "\n") {
			if !strings.HasPrefix(line, "<<<<<<<") && !strings.HasPrefix(line, "=======") && !strings.HasPrefix(line, ">>>>>>>") {
				kept = append(kept, line)
			}
		}
		d.must(os.WriteFile(path, []byte(strings.Join(kept, "\n")), 0o600))
	}
}

func (d *machinesDay) keepVersion(c *clone) string {
	for _, path := range d.files(c, "*.jsonl") {
		if text, err := os.ReadFile(path); err == nil && d.kept[filepath.Base(path)] == "" {
			d.kept[filepath.Base(path)] = string(text)
			return filepath.Base(path)
		}
	}
	return ""
}

// oldVersion writes an old version of a log, or a copy under another name.
func (d *machinesDay) oldVersion(c *clone) string {
	for name, text := range d.kept { // of two or three, so that their order matters little
		delete(d.kept, name)
		if d.rnd.IntN(2) == 0 {
			name = "copy-" + name
		}
		d.must(os.WriteFile(filepath.Join(filepath.Dir(c.Dir), machines.Folder, name), []byte(text), 0o600))
		return name
	}
	return ""
}

// check synchronises the machines, and compares them with the model and each other.
func (d *machinesDay) check() {
	for range 3 {
		for _, c := range d.clones {
			d.sync(c)
			d.read(c)
		}
	}
	texts := ""
	for _, path := range d.files(d.clones[0], "*.md") {
		text, err := os.ReadFile(path)
		d.must(err)
		texts += path + "\n" + string(text)
	}
	for i, c := range d.clones {
		shown, uses := map[*fact]bool{}, map[*fact]int{}
		for _, m := range d.memories(c, false) {
			f := d.factIn(m.Text)
			shown[f] = true
			uses[f] += m.UseCount
		}
		for _, f := range d.facts {
			isHidden, isDestroyed := f.forgotten && !f.undone, d.destroyed[f] && !d.edited[f]
			switch {
			case shown[f] && (isHidden || isDestroyed && !f.undone):
				d.fatalf("machine %d shows %v, destroyed %v:\n%s", i, f, isDestroyed, texts)
			case !d.destroyed[f] && !strings.Contains(texts, "- "+f.word):
				d.fatalf("%v is lost:\n%s", f, texts)
			case !f.forgotten && !d.destroyed[f] && !shown[f]:
				d.fatalf("machine %d does not show %v:\n%s", i, f, texts)
			case shown[f] && (uses[f] < d.uses[f] || !d.edited[f] && uses[f] != d.uses[f]) && !d.destroyed[f]:
				d.fatalf("machine %d has %d uses of %v and not %d", i, uses[f], f, d.uses[f])
			}
		}
		for _, f := range d.facts {
			if i > 0 && !d.destroyed[f] && shown[f] != d.isShown(d.clones[0], f) {
				d.fatalf("machine %d shows %v: %v, the first one not so:\n%s", i, f, shown[f], texts)
			}
		}
	}
}

func (d *machinesDay) isShown(c *clone, f *fact) bool {
	return slices.ContainsFunc(d.memories(c, false), func(m memory.Memory) bool { return d.factIn(m.Text) == f })
}
