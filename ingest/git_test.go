package ingest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
)

// writeServices fills a repository with n files of one pattern, each with a
// line that all of them share. With whole, the files have a few memories more.
func (w *world) writeServices(n int, whole bool) {
	for i := range n {
		lines := []string{fmt.Sprintf("# Service %d", i),
			fmt.Sprintf("- Service %d listens on port %d of the host named after river %d", i, 4000+i, i%7),
			"- Restart it with the usual command"}
		if whole {
			lines = append(lines, fmt.Sprintf("- The owner of service %d is on call every week %d of the quarter", i, i%13),
				"", fmt.Sprintf("1. stop service %d", i), "2. copy its data", "3. start it again")
		}
		w.write(fmt.Sprintf("memory/topic-%03d.md", i), lines...)
	}
}

func TestSwitchingBranchesKeepsEveryID(t *testing.T) {
	needGit(t)
	w := newWorld(t)
	w.git("init", "-q", "-b", "main")
	w.writeServices(300, false)
	w.commit("main")
	w.scan()
	before := w.idsByLine()
	w.git("checkout", "-q", "-b", "other")
	for i := range 300 {
		switch name := fmt.Sprintf("memory/topic-%03d.md", i); i % 3 {
		case 0:
			w.git("mv", name, fmt.Sprintf("memory/moved-%03d.md", i))
		case 1:
			w.write(name, fmt.Sprintf("# Service %d", i),
				fmt.Sprintf("- Service %d now listens on port %d of the host named after river %d", i, 4000+i, i%7),
				"- Restart it with the usual command")
		default:
			w.git("rm", "-q", name)
		}
	}
	w.commit("other")
	a := w.scan()
	if a.Moved != 200 || a.Edited != 100 || a.Missing != 200 {
		t.Errorf("the branch: %+v", a)
	}
	w.git("checkout", "-q", "main")
	w.scan()
	sameIDs(t, "back on main", w.idsByLine(), before)
	w.loseDatabase()
	w.scan()
	sameIDs(t, "with a new database", w.idsByLine(), before)
}

// idsByLine returns the memory of every line.
func (w *world) idsByLine() map[string]memory.ID {
	w.t.Helper()
	out := map[string]memory.ID{}
	for _, m := range w.list(memory.Predicate{}) {
		out[fmt.Sprintf("%s:%d %s", m.Path, m.LineStart, m.Text)] = m.ID
	}
	return out
}

func TestRenameWithAnEditKeepsEveryID(t *testing.T) {
	needGit(t)
	w := newWorld(t)
	w.git("init", "-q", "-b", "main")
	w.writeServices(20, true)
	w.commit("start")
	w.scan()
	before := w.ids()
	w.git("mv", "memory/topic-007.md", "memory/seven.md")
	w.write("memory/seven.md", "# Service 7", "- Service 7 now listens on port 4007 of the host named after river 0",
		"- The owner of service 7 is on call every week 7 of the quarter", "- Restart it with the usual command",
		"", "1. stop service 7", "2. copy its data to the vault", "3. start it again")
	if a := w.scan("memory/seven.md"); a.Edited != 2 || a.Moved != 2 || a.Added+a.Missing != 0 {
		t.Errorf("got %+v", a)
	}
	after := w.ids()
	for was, is := range map[string]string{
		"Service 7 listens on port 4007 of the host named after river 0": "Service 7 now listens on port 4007 of the host named after river 0",
		"1. stop service 7\n2. copy its data\n3. start it again":         "1. stop service 7\n2. copy its data to the vault\n3. start it again",
	} {
		if before[was] == "" || after[is] != before[was] {
			t.Errorf("%q was %s and is %s", was, before[was], after[is])
		}
		delete(before, was)
	}
	sameIDs(t, "the other lines", after, before)
}

func TestMoveInTwoSavesKeepsTheID(t *testing.T) {
	w := newWorld(t)
	w.write("MEMORY.md", "- "+tabs, "- "+rotate)
	w.write("memory/go.md", "- "+friday)
	w.scan()
	before := w.ids()
	w.write("memory/go.md", "- "+friday, "- "+tabs)
	w.scan("memory/go.md")
	w.write("MEMORY.md", "- "+rotate)
	if a := w.scan("MEMORY.md"); a.Moved != 1 || a.Missing != 0 {
		t.Errorf("got %+v", a)
	}
	sameIDs(t, "moved", w.ids(), before)
	if all := w.list(memory.Predicate{Missing: memory.Include}); len(all) != 3 {
		t.Errorf("the memory of the copy was not removed: %d memories", len(all))
	}
}

func TestMergesRebasesAndStashesKeepIDs(t *testing.T) {
	needGit(t)
	w := newWorld(t)
	w.git("init", "-q", "-b", "main")
	w.write("MEMORY.md", "- "+tabs, "", "- "+rotate, "", "- "+friday)
	w.commit("start")
	w.scan()
	before := w.ids()
	w.git("checkout", "-q", "-b", "topic")
	w.write("MEMORY.md", "- "+tabsEdit, "", "- "+rotate, "", "- "+friday)
	w.commit("topic")
	w.scan()
	w.git("checkout", "-q", "main")
	w.scan()
	w.write("MEMORY.md", "- "+tabs, "", "- "+rotate, "", "- "+friday, "", "- "+parrot)
	w.commit("main")
	w.scan()
	before[parrot] = w.ids()[parrot]
	merged := map[string]memory.ID{tabsEdit: before[tabs], rotate: before[rotate], friday: before[friday], parrot: before[parrot]}

	w.git("merge", "-q", "--no-edit", "topic")
	w.scan()
	sameIDs(t, "merged", w.ids(), merged)
	w.git("reset", "-q", "--hard", "HEAD~1")
	w.scan()
	sameIDs(t, "before the merge", w.ids(), before)
	w.git("checkout", "-q", "topic")
	w.scan()
	w.git("rebase", "-q", "main")
	w.scan()
	sameIDs(t, "rebased", w.ids(), merged)

	w.write("MEMORY.md", "- "+tabsEdit, "", "- "+strings.Replace(rotate, "first", "second", 1), "", "- "+parrot)
	w.scan()
	w.git("stash", "-q")
	w.scan()
	sameIDs(t, "stashed", w.ids(), merged)
	w.git("stash", "pop", "-q")
	w.scan()
	if got := w.ids()[strings.Replace(rotate, "first", "second", 1)]; got != before[rotate] {
		t.Errorf("after stash pop: %s, was %s", got, before[rotate])
	}
}
