package engine_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed/static"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/engine/machines"
	"github.com/memory-tiered/memory/recall"
)

// machine is one of the machines of a person.
type machine struct {
	world
	state string
	clock *time.Time // of all machines
}

func newMachine(t *testing.T, clock *time.Time, files map[string]string) *machine {
	t.Helper()
	m := &machine{world: world{t: t, dir: t.TempDir()}, state: t.TempDir(), clock: clock}
	for path, text := range files {
		m.write(path, text)
	}
	m.open()
	t.Cleanup(func() { m.must(m.Close()) })
	return m
}

func (m *machine) open() {
	m.t.Helper()
	var err error
	m.Engine, err = engine.Open(m.t.Context(), onBackend(m.t, engine.Options{Embedder: static.New(), Recall: recall.Defaults(), Now: func() time.Time { return *m.clock },
		Workspaces: []engine.WorkspaceConfig{{Name: "main", Dir: m.dir, DBPath: filepath.Join(m.state, "tiered.db"), Zone: time.FixedZone("Tokyo", 9*3600), Machines: true}}}))
	m.must(err)
	m.index()
}

func (m *machine) must(err error) {
	if err != nil {
		m.t.Helper()
		m.t.Fatal(err)
	}
}

// carry copies the logs of one machine to another, which reads them.
func (m *machine) carry(to *machine) {
	m.t.Helper()
	m.index()
	for name, text := range m.logs() {
		to.write(machines.Folder+"/"+name, text)
	}
	to.index()
}

func (m *machine) logs() map[string]string {
	logs := map[string]string{}
	files, _ := filepath.Glob(filepath.Join(m.dir, machines.Folder, "*.jsonl"))
	for _, f := range files {
		logs[filepath.Base(f)] = m.read(machines.Folder + "/" + filepath.Base(f))
	}
	return logs
}

// ownLog returns the only log, and its name.
func (m *machine) ownLog() (name, text string) {
	m.t.Helper()
	logs := m.logs()
	if len(logs) != 1 {
		m.t.Fatalf("%d logs", len(logs))
	}
	for name, text = range logs {
	}
	return machines.Folder + "/" + name, text
}

func (m *machine) request(session, query string) {
	m.t.Helper()
	answer, err := m.Search(m.t.Context(), memory.SearchRequest{Query: query, Limit: new(1), Record: true, Session: session, For: memory.AudienceModel})
	m.must(err)
	if len(answer.Hits) != 1 || !strings.Contains(answer.Hits[0].Text, query) {
		m.t.Fatalf("%q finds %+v", query, answer.Hits)
	}
	m.must(m.Delivered(m.t.Context(), "", answer.Receipt))
	m.must(m.FlushUses(m.t.Context()))
}

func (m *machine) act(action memory.Action, query string) memory.DecideAnswer {
	m.t.Helper()
	for _, found := range m.all() {
		if strings.Contains(found.Text, query) {
			a, err := m.Decide(m.t.Context(), memory.DecideRequest{Action: action, IDs: []string{string(found.ID)}, Confirm: action == memory.ActionDestroy})
			m.must(err)
			return a
		}
	}
	m.t.Fatalf("no memory %q to %s", query, action)
	return memory.DecideAnswer{}
}

func (m *machine) all() []memory.Memory {
	m.t.Helper()
	shown, err := m.List(m.t.Context(), memory.ListRequest{Limit: new(1000)})
	m.must(err)
	forgotten, err := m.List(m.t.Context(), memory.ListRequest{Limit: new(1000), Filter: memory.Filter{Forgotten: true}})
	m.must(err)
	return slices.Concat(shown.Memories, forgotten.Memories)
}

// shows reports whether a model may get a memory with a text.
func (m *machine) shows(text string) bool {
	m.t.Helper()
	listed, err := m.List(m.t.Context(), memory.ListRequest{Limit: new(1000), For: memory.AudienceModel})
	m.must(err)
	return slices.ContainsFunc(listed.Memories, func(m memory.Memory) bool { return strings.Contains(m.Text, text) })
}

func (m *machine) tier(text string) (memory.Tier, int) {
	for _, found := range m.all() {
		if strings.Contains(found.Text, text) {
			return found.Tier, found.UseCount
		}
	}
	return "", 0
}

func (m *machine) sweep() {
	m.t.Helper()
	_, err := m.Decay(m.t.Context(), memory.DecayRequest{})
	m.must(err)
}

const birdFile, birdText = "memory/2026-11-20.md", "The heron nests behind the mill pond each spring"

func birdNotes() map[string]string {
	return map[string]string{birdFile: "# Birds\n- " + birdText + "\n"}
}

func TestUsesOnOneMachineKeepAMemoryOnTheOther(t *testing.T) {
	clock := now
	laptop, desktop := newMachine(t, &clock, birdNotes()), newMachine(t, &clock, birdNotes())
	for day := range 6 {
		clock = now.AddDate(0, 0, day)
		laptop.request(fmt.Sprint("session ", day), "heron")
		if day < 3 {
			laptop.carry(desktop)
		}
		laptop.sweep()
		desktop.sweep()
		if tier, uses := desktop.tier("heron"); tier != memory.TierHot || day < 3 && uses != day+1 {
			t.Errorf("day %d: %s with %d uses", day, tier, uses)
		}
	}
	clock = now.AddDate(0, 0, 8)
	desktop.sweep()
	if tier, _ := desktop.tier("heron"); tier != memory.TierCold {
		t.Fatalf("unused on this machine: %s", tier)
	}
	desktop.carry(laptop)
	laptop.sweep()
	laptop.carry(desktop)
	for range 2 { // again, as another order of files would
		desktop.carry(laptop)
		laptop.carry(desktop)
	}
	for name, m := range map[string]*machine{"laptop": laptop, "desktop": desktop} {
		if tier, uses := m.tier("heron"); tier != memory.TierHot || uses != 6 {
			t.Errorf("%s: %s with %d uses", name, tier, uses)
		}
	}
	clock = now.AddDate(0, 0, 12)
	laptop.sweep()
	clock = clock.Add(time.Hour)
	laptop.carry(desktop)
	for name, m := range map[string]*machine{"laptop": laptop, "desktop": desktop} {
		if tier, _ := m.tier("heron"); tier != memory.TierCold {
			t.Errorf("%s: %s", name, tier)
		}
	}
	for day := 12; day < 14; day++ {
		clock = now.AddDate(0, 0, day).Add(2 * time.Hour)
		laptop.request(fmt.Sprint("a", day), "heron")
		desktop.request(fmt.Sprint("b", day), "heron")
	}
	laptop.carry(desktop)
	desktop.carry(laptop)
	for name, m := range map[string]*machine{"laptop": laptop, "desktop": desktop} {
		if m.sweep(); true {
			if tier, uses := m.tier("heron"); tier != memory.TierWarm || uses != 10 {
				t.Errorf("%s: %s with %d uses", name, tier, uses)
			}
		}
	}
	for path, text := range laptop.logs() {
		if strings.Contains(text, "heron") || strings.Contains(text, "session ") {
			t.Errorf("%s has a text or a session:\n%s", path, text)
		}
	}
}

// A text that was edited before the other machine saw it has another id there.
func TestUsesFindAMemoryByItsText(t *testing.T) {
	clock := now
	laptop := newMachine(t, &clock, map[string]string{birdFile: "- The heron nests behind the pond each spring\n"})
	laptop.write(birdFile, "- "+birdText+"\n")
	laptop.index()
	desktop := newMachine(t, &clock, map[string]string{birdFile: "- " + birdText + "\n"})
	if laptop.all()[0].ID == desktop.all()[0].ID {
		t.Fatal("the ids are equal")
	}
	laptop.request("s", "heron")
	laptop.carry(desktop)
	if _, uses := desktop.tier("heron"); uses != 1 {
		t.Errorf("%d uses", uses)
	}
}

func TestADestroyedTextIsHiddenOnTheOtherMachine(t *testing.T) {
	clock := now
	laptop, desktop := newMachine(t, &clock, birdNotes()), newMachine(t, &clock, birdNotes())
	laptop.act(memory.ActionDestroy, "heron")
	laptop.carry(desktop)
	if desktop.shows("heron") || !strings.Contains(desktop.read(birdFile), birdText) {
		t.Errorf("the text is shown, or gone from the file:\n%s", desktop.read(birdFile))
	}
	if notices := desktop.notices(); !strings.Contains(notices, "another of your machines destroyed 1 of the texts") {
		t.Errorf("status: %s", notices)
	}
	desktop.write("memory/copy.md", "- **"+birdText+"**!\n")
	desktop.write("MEMORY.md", "- See the note\n  <!-- tags: "+birdText+" -->\n")
	desktop.index()
	if desktop.shows("heron") {
		t.Error("a copy is shown")
	}
	third := newMachine(t, &clock, nil)
	laptop.carry(third)
	third.write(birdFile, birdNotes()[birdFile]) // the text comes after the mark
	third.index()
	if third.shows("heron") {
		t.Error("a text that comes later is shown")
	}
	desktop.act(memory.ActionRestore, "heron")
	desktop.carry(laptop)
	laptop.write("MEMORY.md", "- "+birdText+"\n")
	laptop.index()
	laptop.carry(desktop)
	if !desktop.shows("heron") || laptop.shows("heron") {
		t.Errorf("restored here: %v; it came back where it was destroyed: %v", desktop.shows("heron"), laptop.shows("heron"))
	}
	third.act(memory.ActionDestroy, "heron")
	if notices := third.notices(); strings.Contains(notices, "of your machines destroyed") {
		t.Errorf("status: %s", notices)
	}
}

func (m *machine) notices() string {
	m.t.Helper()
	s, err := m.Status(m.t.Context())
	m.must(err)
	return strings.Join(s.Workspaces[0].Notices, "\n")
}

func (m *machine) faults() string {
	m.t.Helper()
	var all []string
	for _, f := range m.index().Faults {
		all = append(all, fmt.Sprintf("%s:%d: %s", f.Path, f.Line, f.Message))
	}
	return strings.Join(all, "\n")
}

// The line that forgets is lost with its file, so that only the logs have the mark.
func TestARestoreTravels(t *testing.T) {
	clock := now
	laptop, desktop := newMachine(t, &clock, birdNotes()), newMachine(t, &clock, nil)
	laptop.act(memory.ActionForget, "heron")
	laptop.carry(desktop)
	old := laptop.logs()
	desktop.write(birdFile, birdNotes()[birdFile])
	desktop.index()
	if desktop.shows("heron") {
		t.Fatal("the forgotten text is shown")
	}
	laptop.act(memory.ActionRestore, "heron")
	laptop.carry(desktop)
	for name, text := range old { // an old version comes back, under another name too
		desktop.write(machines.Folder+"/"+name, text)
		desktop.write(machines.Folder+"/conflict-"+name, text)
	}
	desktop.index()
	if !desktop.shows("heron") {
		t.Error("the restored text is hidden")
	}
	laptop.act(memory.ActionForget, "heron") // in the same millisecond
	laptop.carry(desktop)
	if desktop.shows("heron") {
		t.Error("the text that was forgotten again is shown")
	}
}

func TestALogCannotShowWhatThisMachineHides(t *testing.T) {
	clock := now
	laptop, desktop := newMachine(t, &clock, birdNotes()), newMachine(t, &clock, birdNotes())
	laptop.act(memory.ActionForget, "heron")
	desktop.act(memory.ActionForget, "heron")
	laptop.act(memory.ActionRestore, "heron")
	laptop.carry(desktop)
	if desktop.shows("heron") {
		t.Error("a log shows what this machine forgot")
	}
}

// A damaged line may be one that forgets, so the restored texts of its file stay hidden.
func TestDamagedLinesHide(t *testing.T) {
	clock := now
	laptop := newMachine(t, &clock, birdNotes())
	laptop.act(memory.ActionForget, "heron")
	laptop.act(memory.ActionRestore, "heron")
	name, text := laptop.ownLog()
	lines := strings.SplitAfter(text, "\n")
	var forget string
	for _, line := range lines {
		if strings.Contains(line, `"mark"`) && forget == "" {
			forget = line[:strings.Index(line, `"at"`)] + `"kind":1,"at":1}` + "\n"
		}
	}
	for what, tt := range map[string]struct {
		text  string
		line  int
		shows bool
	}{
		"whole":        {text, 0, true},
		"torn":         {text + `{"mark":"12`, 0, true},
		"damaged":      {lines[0] + forget + "{\"ma\x00rk\"\n" + strings.Join(lines[1:], ""), 3, false},
		"unknown key":  {lines[0] + forget + strings.Join(lines[1:], "") + `{"show":"everything","at":1}` + "\n", len(lines) + 1, false},
		"restored":     {lines[0] + forget + strings.Join(lines[1:], ""), 0, true},
		"conflict":     {lines[0] + "<<<<<<< ours\n" + forget + strings.Join(lines[1:], ""), 2, false},
		"future":       {lines[0] + forget + `{"text":"0123456789abcdef","session":"0123456789abcdef","day":"2027-11-20","kind":1,"at":1800000000000}` + "\n", 3, false},
		"a huge line":  {lines[0] + forget + `{"mark":"` + strings.Repeat("ab", 1<<20) + "\"}\n", 3, false},
		"other header": {"{}\n" + text, 1, true},
	} {
		t.Run(what, func(t *testing.T) {
			desktop := newMachine(t, &clock, birdNotes())
			desktop.write(name, tt.text)
			faults := desktop.faults()
			if got := desktop.shows("heron"); got != tt.shows {
				t.Errorf("shown: %v", got)
			}
			if (tt.line == 0) != (faults == "") || tt.line > 0 && !strings.Contains(faults, fmt.Sprintf("%s:%d: ", name, tt.line)) {
				t.Errorf("faults: %s", faults)
			}
		})
	}
}

func TestACopiedStateFolderGetsANameOfItsOwn(t *testing.T) {
	clock := now
	laptop := newMachine(t, &clock, birdNotes())
	laptop.request("before", "heron")
	laptop.index()
	name, _ := laptop.ownLog()
	laptop.must(laptop.Close())
	copied := newMachine(t, &clock, nil)
	copied.must(copied.Close())
	for from, to := range map[string]string{laptop.dir: copied.dir, laptop.state: copied.state} {
		copied.must(os.RemoveAll(to))
		copied.must(os.CopyFS(to, os.DirFS(from)))
	}
	laptop.open()
	copied.open()
	laptop.request("laptop", "heron")
	copied.request("copy", "heron")
	copied.request("copy 2", "heron")
	laptop.carry(copied)
	copied.carry(laptop)
	laptop.carry(copied)
	copied.carry(laptop)
	for _, m := range []*machine{laptop, copied} {
		if _, uses := m.tier("heron"); uses != 4 {
			t.Errorf("%d uses, want 4", uses)
		}
	}
	if n := len(laptop.logs()); n < 2 || n > 3 {
		t.Errorf("%d logs, the first of them %s", n, name)
	}
}

// The day of the time zone begins before that of UTC, so that old uses leave the index before.
func TestAMachineKeepsItsNameAsUsesGrowOld(t *testing.T) {
	clock := now
	laptop := newMachine(t, &clock, birdNotes())
	laptop.request("first", "heron")
	laptop.index()
	name, _ := laptop.ownLog()
	for day := 57; day < 63; day++ {
		for _, hour := range []int{0, 14, 16} {
			clock = time.Date(2026, 11, 20+day, hour, 0, 0, 0, time.UTC)
			laptop.request(fmt.Sprint(day, hour), "heron")
			laptop.index()
		}
	}
	if now, text := laptop.ownLog(); now != name || strings.Count(text, `"session"`) != 18 {
		t.Errorf("%s is now %s:\n%s", name, now, text)
	}
}

// A time far ahead would outlast every later decision here, or overflow.
func TestATimeFarAheadIsNoObstacle(t *testing.T) {
	clock := now
	laptop, desktop := newMachine(t, &clock, birdNotes()), newMachine(t, &clock, birdNotes())
	laptop.act(memory.ActionForget, "heron")
	name, text := laptop.ownLog()
	for _, at := range []int64{now.AddDate(1, 0, 0).UnixMilli(), now.AddDate(99, 0, 0).UnixMilli(), 1 << 52, math.MaxInt64} {
		desktop.write(name, regexp.MustCompile(`"at":\d+`).ReplaceAllString(text, fmt.Sprint(`"at":`, at)))
		desktop.index()
		for range 2 {
			if desktop.act(memory.ActionForget, "heron"); desktop.shows("heron") {
				t.Errorf("at %d: shown", at)
			}
			if desktop.act(memory.ActionRestore, "heron"); !desktop.shows("heron") {
				t.Errorf("at %d: hidden", at)
			}
		}
	}
}

func TestTornAndLostLogsAreWrittenAgain(t *testing.T) {
	clock := now
	laptop := newMachine(t, &clock, birdNotes())
	laptop.request("s", "heron")
	laptop.index()
	name, whole := laptop.ownLog()
	for what, damage := range map[string]func() error{
		"torn": func() error {
			return os.WriteFile(filepath.Join(laptop.dir, name), []byte(whole[:len(whole)-9]), 0o600)
		},
		"empty": func() error { return os.WriteFile(filepath.Join(laptop.dir, name), nil, 0o600) },
		"lost":  func() error { return os.Remove(filepath.Join(laptop.dir, name)) },
		"marks": func() error {
			return os.WriteFile(filepath.Join(laptop.dir, name), []byte(whole+"<<<<<<< HEAD\n"), 0o600)
		},
	} {
		laptop.must(damage())
		laptop.index()
		if _, text := laptop.ownLog(); text != whole {
			t.Errorf("%s: %s", what, text)
		}
	}
}
