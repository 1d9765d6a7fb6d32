package main

import (
	"errors"
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
	"github.com/memory-tiered/memory/index/indextest"
	"github.com/memory-tiered/memory/internal/property"
	"github.com/memory-tiered/memory/recall"
	"github.com/memory-tiered/memory/workspace"
)

// fact is a text of the team with one word that no other text has. Edits keep that word. One member
// edits and moves it, because two edits of a text are two texts.
type fact struct {
	word                                 string
	by                                   *clone
	accepted, deleted, forgotten, undone bool // in any clone
}

func (f *fact) String() string {
	return fmt.Sprintf("%s (accepted %v, deleted %v, forgotten %v, undone %v)", f.word, f.accepted, f.deleted, f.forgotten, f.undone)
}

// clone is a member of the team.
type clone struct {
	*engine.Engine
	team.Folder
	notes    string
	personal []string        // words of memories that are not shared
	pinned   map[string]bool // words of team memories
	hidden   map[string]bool // that this member alone forgot
}

// teamDay is what two members do in a day.
type teamDay struct {
	t         *rapid.T
	rnd       *rand.Rand
	now       time.Time
	root      string
	clones    []*clone
	facts     []*fact
	forgets   map[string]*fact // the proposals to forget, by branch
	proposals map[string]*fact // the proposals of texts
	log       []string
}

// After a day of two members nothing is lost that nobody deleted, and nothing comes back that one of
// them made the team forget. No file keeps a conflict mark, and the team gets no personal memory.
func TestADayOfTwoClones(t *testing.T) {
	for _, program := range []string{"git", "sh", "memory"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	if testing.Short() {
		t.Skip("it runs git for minutes with the race detector")
	}
	run, forgotten, pins := 0, 0, 0
	property.Check(t, func(rt *rapid.T) {
		run++
		seed := rapid.Uint64().Draw(rt, "seed")
		d := &teamDay{t: rt, rnd: rand.New(rand.NewPCG(seed, 1)), now: time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC),
			root: filepath.Join(t.TempDir(), fmt.Sprint(run)), forgets: map[string]*fact{}, proposals: map[string]*fact{}}
		defer d.close()
		d.open()
		for range 40 {
			d.now = d.now.Add(7 * time.Minute)
			d.step(d.clones[d.rnd.IntN(2)])
		}
		d.check()
		for _, f := range d.facts {
			if f.forgotten && !f.undone {
				forgotten++
			}
		}
		pins += len(d.clones[0].pinned) + len(d.clones[1].pinned)
	})
	t.Logf("%d texts were forgotten and %d pinned", forgotten, pins)
	if forgotten == 0 || pins == 0 {
		t.Errorf("%d texts were forgotten and %d pinned", forgotten, pins)
	}
}

func (d *teamDay) open() {
	origin := filepath.Join(d.root, "origin")
	d.must(os.MkdirAll(origin, 0o700))
	d.git(origin, "init", "-q", "--bare", "-b", "main")
	for i, name := range []string{"ada", "lena"} {
		dir := filepath.Join(d.root, name)
		d.git(d.root, "clone", "-q", origin, dir)
		d.git(dir, "config", "user.name", name)
		d.git(dir, "config", "user.email", name+"@example.org")
		d.git(dir, "checkout", "-q", "-B", "main")
		c := d.newClone(filepath.Join(dir, team.FolderName), filepath.Join(d.root, "state-"+name))
		d.clones = append(d.clones, c)
		if i == 0 {
			for _, topic := range topics {
				d.must(os.WriteFile(filepath.Join(c.Dir, topic), []byte("# "+topic+"\n\n"), 0o600))
			}
			d.commit(c, "start")
			d.git(dir, "push", "-q", "origin", "main")
		}
	}
}

// topics are the files of the team.
var topics = []string{"deploys.md", "ports.md"}

func (d *teamDay) newClone(dir, state string) *clone {
	_, err := team.InstallDriver(d.t.Context(), dir, team.AllMarkdown)
	d.must(err)
	c := &clone{Folder: team.Folder{Dir: dir, Env: func(string) string { return "" }}, notes: filepath.Join(state, "notes"), pinned: map[string]bool{}, hidden: map[string]bool{}}
	d.must(os.MkdirAll(c.notes, 0o700))
	c.Engine, err = engine.Open(d.t.Context(), onBackend(d.t, engine.Options{Embedder: static.New(), Recall: recall.Defaults(), Now: func() time.Time { return d.now }, Workspaces: []engine.WorkspaceConfig{
		{Name: "main", Dir: c.notes, DBPath: filepath.Join(state, "main.db"), Zone: time.UTC},
		{Name: "team", Dir: dir, DBPath: filepath.Join(state, "team.db"), Zone: time.UTC, Client: workspace.ClientTeam,
			Options: workspace.Options{ReadOnly: true, Globs: []workspace.Glob{{Pattern: memory.AllMarkdown, Tier: memory.TierWarm, Inject: true}}}},
	}}))
	d.must(err)
	d.index(c)
	return c
}

func (d *teamDay) close() {
	for _, c := range d.clones {
		d.must(c.Engine.Close())
	}
}

// step does one thing in a clone.
func (d *teamDay) step(c *clone) {
	steps := []struct {
		name string
		do   func(*clone) string
	}{
		{"store", d.store}, {"store", d.store}, {"share", d.share}, {"keep", d.keep}, {"forget", d.forget}, {"forget", d.forget}, {"merge", d.merge}, {"merge", d.merge}, {"merge", d.merge}, {"merge", d.merge},
		{"pin", d.pin}, {"hide", d.hide}, {"undo", d.undo}, {"edit", d.edit}, {"move", d.move}, {"delete", d.remove}, {"pull", d.pull}, {"pull", d.pull},
	}
	for done := ""; done == ""; { // until one has something to do
		s := steps[d.rnd.IntN(len(steps))]
		if done = s.do(c); done != "" {
			d.log = append(d.log, fmt.Sprintf("%s: %s %s", filepath.Base(filepath.Dir(c.Dir)), s.name, done))
		}
	}
	d.index(c)
}

// newText returns a text of words that are in no other one. The first one names it.
func (d *teamDay) newText() (text, word string) {
	var words []string
	for range 9 {
		var w strings.Builder
		for range 4 {
			w.WriteByte("bcdfghklmnprstvz"[d.rnd.IntN(16)])
			w.WriteByte("aeiou"[d.rnd.IntN(5)])
		}
		words = append(words, w.String())
	}
	return strings.Join(words, " "), words[0]
}

func (d *teamDay) store(c *clone) string {
	text, word := d.newText()
	d.propose(c, text, word)
	return word
}

// share proposes a new memory of the person.
func (d *teamDay) share(c *clone) string {
	text, word := d.newText()
	d.append(filepath.Join(c.notes, "MEMORY.md"), text)
	d.index(c)
	d.propose(c, text, word)
	return word
}

// keep makes a memory of the person that is not shared.
func (d *teamDay) keep(c *clone) string {
	text, word := d.newText()
	d.append(filepath.Join(c.notes, "MEMORY.md"), text)
	c.personal = append(c.personal, word)
	return word
}

func (d *teamDay) propose(c *clone, text, word string) {
	topic := strings.TrimSuffix(topics[d.rnd.IntN(len(topics))], ".md")
	p, err := c.Add(d.t.Context(), topic, text)
	d.must(err)
	f := &fact{word: word, by: d.clones[d.rnd.IntN(2)]}
	d.facts = append(d.facts, f)
	d.proposals[p.Branch] = f
}

// forget proposes that the team forgets a memory.
func (d *teamDay) forget(c *clone) string {
	f, m := d.anyMemory(c)
	if f == nil {
		return ""
	}
	p, err := c.Folder.Forget(d.t.Context(), m, d.now)
	if errors.Is(err, memory.ErrConflict) {
		return ""
	}
	d.must(err)
	d.forgets[p.Branch] = f
	return f.word
}

// merge accepts a proposal.
func (d *teamDay) merge(c *clone) string {
	status, err := c.Folder.Status(d.t.Context())
	d.must(err)
	if len(status.Proposals) == 0 {
		return ""
	}
	p := status.Proposals[d.rnd.IntN(len(status.Proposals))]
	d.mergeOrResolve(c, "merge", "-q", "--no-edit", p.Branch)
	if f := d.forgets[p.Branch]; f != nil {
		f.forgotten = true
		return "forget " + f.word
	}
	d.proposals[p.Branch].accepted = true
	return d.proposals[p.Branch].word
}

func (d *teamDay) pin(c *clone) string {
	f, m := d.anyMemory(c)
	if f == nil {
		return ""
	}
	d.decide(c, memory.ActionPin, m.ID)
	c.pinned[f.word] = true
	return f.word
}

// hide forgets a memory of the team for one member.
func (d *teamDay) hide(c *clone) string {
	f, m := d.anyMemory(c)
	if f == nil || c.pinned[f.word] {
		return ""
	}
	d.decide(c, memory.ActionForget, m.ID)
	c.hidden[f.word] = true
	return f.word
}

// undo takes a line out that forgets a memory of the team.
func (d *teamDay) undo(c *clone) string {
	if d.rnd.IntN(3) > 0 {
		return ""
	}
	for _, topic := range topics {
		for _, line := range d.lines(c, topic) {
			if f := d.factIn(line); f != nil && strings.HasPrefix(line, "  - {id") && strings.Contains(line, "forgotten") {
				d.replace(c, topic, line, "")
				f.undone = true
				return f.word
			}
		}
	}
	return ""
}

func (d *teamDay) edit(c *clone) string {
	topic, line, f := d.anyLine(c)
	if f == nil || f.by != c {
		return ""
	}
	_, word := d.newText()
	d.replace(c, topic, line, line[:strings.LastIndexByte(line, ' ')+1]+word)
	return f.word
}

func (d *teamDay) move(c *clone) string {
	topic, line, f := d.anyLine(c)
	if f == nil || f.by != c {
		return ""
	}
	to := topics[1-slices.Index(topics, topic)]
	d.append(filepath.Join(c.Dir, to), strings.TrimPrefix(line, "- "))
	d.replace(c, topic, line, "")
	return f.word + " to " + to
}

func (d *teamDay) remove(c *clone) string {
	topic, line, f := d.anyLine(c)
	if f == nil || d.rnd.IntN(2) == 0 {
		return ""
	}
	d.replace(c, topic, line, "")
	f.deleted = true
	return f.word
}

func (d *teamDay) pull(c *clone) string {
	d.mergeOrResolve(c, "pull", "-q", "--no-rebase", "--no-edit", "origin", "main")
	d.git(c.Dir, "push", "-q", "origin", "main")
	return "and push"
}

// mergeOrResolve merges, and keeps the lines of both sides where they conflict.
func (d *teamDay) mergeOrResolve(c *clone, args ...string) {
	_, err := d.tryGit(c.Dir, args...)
	for _, topic := range topics {
		var kept []string
		for _, line := range d.lines(c, topic) {
			isMark := strings.HasPrefix(line, "<<<<<<<") || strings.HasPrefix(line, "=======") || strings.HasPrefix(line, ">>>>>>>")
			if isMark && err == nil {
				d.fatalf("git %v merges %s with a conflict mark:\n%s", args, topic, d.read(c, topic))
			}
			if !isMark {
				kept = append(kept, line)
			}
		}
		if err != nil {
			d.must(os.WriteFile(filepath.Join(c.Dir, topic), []byte(strings.Join(kept, "\n")), 0o600))
		}
	}
	if err != nil {
		d.commit(c, "both")
	}
}

// check synchronises the clones, and compares both, and a new one, with the model.
func (d *teamDay) check() {
	for _, c := range append(d.clones, d.clones[0]) {
		d.pull(c)
		d.index(c)
	}
	dir := filepath.Join(d.root, "new")
	d.git(d.root, "clone", "-q", filepath.Join(d.root, "origin"), dir)
	d.clones = append(d.clones, d.newClone(filepath.Join(dir, team.FolderName), filepath.Join(d.root, "state-new")))
	texts := d.read(d.clones[0], topics[0]) + d.read(d.clones[0], topics[1])
	history := d.git(d.clones[0].Dir, "log", "--all", "-p") + d.git(d.clones[1].Dir, "log", "--all", "-p")
	for i, c := range d.clones {
		if d.read(c, topics[0])+d.read(c, topics[1]) != texts || strings.Contains(texts, "<<<<<<<") {
			d.fatalf("clone %d has other texts, or a conflict:\n%s", i, d.read(c, topics[0])+d.read(c, topics[1]))
		}
		for _, word := range c.personal {
			if strings.Contains(history, word) {
				d.fatalf("the repository has the personal memory %s", word)
			}
		}
		shown := map[string]memory.Memory{}
		for _, m := range d.memories(c) {
			if f := d.factIn(m.Text); f != nil && !shown[f.word].Pinned {
				shown[f.word] = m
			}
		}
		for _, f := range d.facts {
			m, isShown := shown[f.word]
			switch {
			case isShown && (!f.accepted || c.hidden[f.word] || f.forgotten && !f.undone):
				d.fatalf("clone %d shows %v: %q in\n%s", i, f, m.Text, texts)
			case f.accepted && !f.deleted && !strings.Contains(texts, "- "+f.word):
				d.fatalf("%v is lost:\n%s", f, texts)
			case f.accepted && !f.deleted && !f.forgotten && !c.hidden[f.word] && !isShown && i < 2:
				d.fatalf("clone %d does not show %v:\n%s", i, f, texts)
			case isShown && c.pinned[f.word] && !f.deleted && !f.forgotten && !m.Pinned:
				d.fatalf("clone %d has lost the pin of %v", i, f)
			}
		}
	}
}

func (d *teamDay) memories(c *clone) []memory.Memory {
	listed, err := c.List(d.t.Context(), memory.ListRequest{Workspace: "team", Limit: new(1000)})
	d.must(err)
	return slices.DeleteFunc(slices.Clone(listed.Memories), func(m memory.Memory) bool { return m.Forgotten || m.Missing })
}

func (d *teamDay) anyMemory(c *clone) (*fact, memory.Memory) {
	all := d.memories(c)
	if len(all) == 0 {
		return nil, memory.Memory{}
	}
	m := all[d.rnd.IntN(len(all))]
	return d.factIn(m.Text), m
}

// anyLine returns a line with a fact.
func (d *teamDay) anyLine(c *clone) (topic, line string, f *fact) {
	topic = topics[d.rnd.IntN(len(topics))]
	lines := slices.DeleteFunc(d.lines(c, topic), func(line string) bool { return !strings.HasPrefix(line, "- ") })
	if len(lines) == 0 {
		return topic, "", nil
	}
	line = lines[d.rnd.IntN(len(lines))]
	return topic, line, d.factIn(line)
}

func (d *teamDay) factIn(text string) *fact {
	for _, f := range d.facts {
		if strings.Contains(text, f.word) {
			return f
		}
	}
	return nil
}

func (d *teamDay) decide(c *clone, action memory.Action, id memory.ID) {
	_, err := c.Decide(d.t.Context(), memory.DecideRequest{Workspace: "team", Action: action, IDs: []string{string(id)}})
	d.must(err)
}

func (d *teamDay) index(c *clone) {
	for _, name := range []string{"main", "team"} {
		_, err := c.Index(d.t.Context(), memory.IndexRequest{Workspace: name}, nil)
		d.must(err)
	}
}

// replace replaces the first line that is equal, and commits the file. An empty line goes.
func (d *teamDay) replace(c *clone, topic, line, with string) {
	if with != "" {
		with += "\n"
	}
	text := strings.Replace(d.read(c, topic), line+"\n", with, 1)
	d.must(os.WriteFile(filepath.Join(c.Dir, topic), []byte(text), 0o600))
	d.commit(c, "by hand")
}

func (d *teamDay) append(file, text string) {
	before, err := os.ReadFile(file)
	if !os.IsNotExist(err) {
		d.must(err)
	}
	d.must(os.WriteFile(file, append(before, "- "+text+"\n"...), 0o600))
}

func (d *teamDay) lines(c *clone, topic string) []string {
	return strings.Split(d.read(c, topic), "\n")
}

func (d *teamDay) read(c *clone, topic string) string {
	text, err := os.ReadFile(filepath.Join(c.Dir, topic))
	if !os.IsNotExist(err) {
		d.must(err)
	}
	return string(text)
}

func (d *teamDay) commit(c *clone, message string) {
	d.git(c.Dir, "add", "-A", ".")
	d.git(c.Dir, "commit", "-q", "--allow-empty", "-m", message)
}

func (d *teamDay) git(dir string, args ...string) string {
	out, err := d.tryGit(dir, args...)
	if err != nil {
		d.fatalf("git %v: %v\n%s", args, err, out)
	}
	return out
}

func (d *teamDay) tryGit(dir string, args ...string) (string, error) {
	command := exec.Command("git", args...)
	command.Dir = dir
	at := d.now.Format(time.RFC3339)
	command.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_DATE="+at, "GIT_COMMITTER_DATE="+at)
	out, err := command.CombinedOutput()
	return string(out), err
}

func (d *teamDay) must(err error) {
	if err != nil {
		d.t.Helper()
		d.fatalf("%v", err)
	}
}

func (d *teamDay) fatalf(format string, args ...any) {
	d.t.Helper()
	d.t.Fatalf(format+"\n%s", append(args, strings.Join(d.log, "\n"))...)
}

// onBackend makes an engine use the backend of the tests.
func onBackend(t indextest.Cleaner, o engine.Options) engine.Options {
	var paths []string
	for _, w := range o.Workspaces {
		paths = append(paths, w.DBPath)
	}
	o.Server = indextest.OnServer(t, paths...)
	return o
}
