package identity_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/identity"
)

const (
	tabs     = "Prefers tabs over spaces in Go and never aligns comments"
	tabsEdit = "Prefers tabs over spaces in Go and Rust and never aligns comments"
	rotate   = "The staging password rotates on the first Monday of every month"
	friday   = "Deploys go out on Fridays before noon unless Lena is away"
	coffee   = "Kit drinks coffee black"
	parrot   = "Ada keeps a grey parrot called Babbage"
)

func TestMatchFindsTheMemoryOfEachBlock(t *testing.T) {
	tests := []struct {
		name  string
		steps []step
		want  map[string]string // file → the memories of its lines after the last step
	}{
		{"nothing changed", []step{
			{"a.md": {tabs, rotate}},
			{"a.md": {tabs, rotate}},
		}, map[string]string{"a.md": "a0 a1"}},
		{"a copy is appended to two that follow each other", []step{
			{"a.md": {coffee, coffee}},
			{"a.md": {coffee, coffee, coffee}},
		}, map[string]string{"a.md": "a0 a1 new"}},
		{"a copy is added below two that follow each other, above another text", []step{
			{"a.md": {tabs, coffee, coffee, rotate}},
			{"a.md": {tabs, coffee, coffee, coffee, rotate}},
		}, map[string]string{"a.md": "a0 a1 a2 new a3"}},
		{"insertion at the top", []step{
			{"a.md": {tabs, rotate}},
			{"a.md": {coffee, tabs, rotate}},
		}, map[string]string{"a.md": "new a0 a1"}},
		{"reordering", []step{
			{"a.md": {tabs, rotate, friday}},
			{"a.md": {friday, tabs, rotate}},
		}, map[string]string{"a.md": "a2 a0 a1"}},
		{"a light edit in place", []step{
			{"a.md": {tabs, rotate}},
			{"a.md": {tabsEdit, rotate}},
		}, map[string]string{"a.md": "a0 a1"}},
		{"a light edit and a move within the file", []step{
			{"a.md": {tabs, rotate, friday}},
			{"a.md": {rotate, friday, tabsEdit}},
		}, map[string]string{"a.md": "a1 a2 a0"}},
		{"another text in its place", []step{
			{"a.md": {tabs, rotate}},
			{"a.md": {parrot, rotate}},
		}, map[string]string{"a.md": "new a1"}},
		{"a typo in a text of three words", []step{
			{"a.md": {"Prefers spaces always", rotate}},
			{"a.md": {"Prefers spacse always", rotate}},
		}, map[string]string{"a.md": "a0 a1"}},
		{"one word of two is another text", []step{
			{"a.md": {"port 5432", rotate}},
			{"a.md": {"port 6543", rotate}},
		}, map[string]string{"a.md": "new a1"}},
		{"half the words in common, in place: another text", []step{
			{"a.md": {rotate, "Backups run at two and go to the bucket", friday}},
			{"a.md": {rotate, "Backups run at four and land on tape in the cellar", friday}},
		}, map[string]string{"a.md": "a0 new a2"}},
		{"between the thresholds, in place", []step{
			{"a.md": {rotate, "Backups run at two and go to the bucket", friday}},
			{"a.md": {rotate, "Backups run at four and go on tape in the cellar", friday}},
		}, map[string]string{"a.md": "a0 a1 a2"}},
		{"between the thresholds, out of place", []step{
			{"a.md": {"# One", "Backups run at two and go to the bucket", rotate, friday}},
			{"a.md": {"# One", rotate, friday, "# Two", "Backups run at four and go on tape in the cellar"}},
		}, map[string]string{"a.md": "a1 a2 new"}},
		{"a move between files", []step{
			{"a.md": {tabs, rotate}, "b.md": {friday}},
			{"a.md": {rotate}, "b.md": {friday, tabs}},
		}, map[string]string{"a.md": "a1", "b.md": "b0 a0"}},
		{"a rename", []step{
			{"a.md": {tabs, rotate}},
			{"a.md": nil, "b.md": {tabs, rotate}},
		}, map[string]string{"b.md": "a0 a1"}},
		{"a rename with an edit", []step{
			{"a.md": {tabs, rotate}},
			{"a.md": nil, "b.md": {tabsEdit, rotate}},
		}, map[string]string{"b.md": "a0 a1"}},
		{"a line that moved with an edit, and a similar line in its old place", []step{
			{"a.md": {rotate, "Project twelve deploys on Friday at ten", friday}, "b.md": {parrot}},
			{"a.md": {rotate, "Project thirty deploys on Monday at ten", friday}, "b.md": {parrot, "Project twelve deploys on Friday at eleven"}},
		}, map[string]string{"a.md": "a0 new a2", "b.md": "b0 a1"}},
		{"deleted and added again", []step{
			{"a.md": {tabs, rotate}},
			{"a.md": {rotate}},
			{"a.md": {rotate, tabs}},
		}, map[string]string{"a.md": "a1 a0"}},
		{"deleted and added again in another file", []step{
			{"a.md": {tabs, rotate}},
			{"a.md": {rotate}},
			{"b.md": {tabs}},
		}, map[string]string{"a.md": "a1", "b.md": "a0"}},
		{"deleted, then another wording", []step{
			{"a.md": {tabs, rotate}},
			{"a.md": {rotate}},
			{"a.md": {tabsEdit, rotate}},
		}, map[string]string{"a.md": "new a1"}},
		{"a branch with another wording, and back", []step{
			{"a.md": {tabs, rotate}},
			{"a.md": {tabsEdit, friday}},
			{"a.md": {tabs, rotate}},
		}, map[string]string{"a.md": "a0 a1"}},
		{"a branch where a similar text matched, and back", []step{
			{"a.md": {tabs, "Prefers tabs over spaces in Go and always aligns comments"}},
			{"a.md": {"Prefers tabs over spaces in C and always aligns comments"}},
			{"a.md": {tabs, "Prefers tabs over spaces in Go and always aligns comments"}},
		}, map[string]string{"a.md": "a0 a1"}},
		{"the old wording added again beside the new one", []step{
			{"a.md": {tabs, rotate}},
			{"a.md": {tabsEdit, rotate}},
			{"a.md": {tabsEdit, rotate, tabs}},
		}, map[string]string{"a.md": "a0 a1 new"}},
		{"a split: the longer part inherits", []step{
			{"a.md": {rotate, "Lena signs off every release. Kit writes the notes and sends them to the whole team", friday}},
			{"a.md": {rotate, "Lena signs off every release.", "Kit writes the notes and sends them to the whole team", friday}},
		}, map[string]string{"a.md": "a0 new a1 a2"}},
		{"a split in three equal parts: one inherits", []step{
			{"a.md": {rotate, "one two three four five six seven eight nine ten eleven twelve", friday}},
			{"a.md": {rotate, "one two three four", "five six seven eight", "nine ten eleven twelve", friday}},
		}, map[string]string{"a.md": "a0 a1 new new a2"}},
		{"a merge: the longer part inherits", []step{
			{"a.md": {"Lena signs off every release.", "Kit writes the notes and sends them to the whole team", friday}},
			{"a.md": {"Lena signs off every release. Kit writes the notes and sends them to the whole team", friday}},
		}, map[string]string{"a.md": "a1 a2"}},
		{"equal texts under two headings, the first is deleted", []step{
			{"a.md": {"# Staging", "port 5432", "# Production", "port 5432"}},
			{"a.md": {"# Production", "port 5432"}},
		}, map[string]string{"a.md": "a1"}},
		{"equal texts under two headings that change places", []step{
			{"a.md": {"# Staging", "port 5432", "# Production", "port 5432"}},
			{"a.md": {"# Production", "port 5432", "# Staging", "port 5432"}},
		}, map[string]string{"a.md": "a1 a0"}},
		{"equal texts with different neighbours", []step{
			{"a.md": {tabs, "see above", rotate, "see above", friday}},
			{"a.md": {tabs, rotate, "see above", friday}},
		}, map[string]string{"a.md": "a0 a2 a3 a4"}},
		{"one of two equal texts is edited", []step{
			{"a.md": {tabs, "see the page above", rotate, "see the page above"}},
			{"a.md": {tabs, "see the page above", rotate, "see the page far above"}},
		}, map[string]string{"a.md": "a0 a1 a2 a3"}},
		{"a text edited to equal another text", []step{
			{"a.md": {"Backups run at two every night", rotate, "Backups run at four every night"}},
			{"a.md": {"Backups run at four every night", rotate, "Backups run at four every night"}},
		}, map[string]string{"a.md": "a0 a1 a2"}},
		{"the same ^id and no word in common", []step{
			{"a.md": {tabs + " ^style", rotate}},
			{"a.md": {parrot + " ^style", rotate}},
		}, map[string]string{"a.md": "a0 a1"}},
		{"a ^id moved to another line", []step{
			{"a.md": {tabs + " ^style", rotate}},
			{"a.md": {tabs, rotate + " ^style"}},
		}, map[string]string{"a.md": "a0 a1"}},
		{"a ^id moved to the remaining line", []step{
			{"a.md": {tabs + " ^style", rotate}},
			{"a.md": {rotate + " ^style"}},
		}, map[string]string{"a.md": "a1"}},
		{"a ^id in another file names another text", []step{
			{"a.md": {tabs + " ^1"}, "b.md": {rotate}},
			{"a.md": {coffee}, "b.md": {rotate, parrot + " ^1"}},
		}, map[string]string{"a.md": "new", "b.md": "b0 new"}},
		{"a move in two saves", []step{
			{"a.md": {tabs, rotate}, "b.md": {friday}},
			{"b.md": {friday, tabs}},
			{"a.md": {rotate}},
		}, map[string]string{"a.md": "a1", "b.md": "b0 a0"}},
		{"a move in two saves, the second of which changes both files", []step{
			{"a.md": {tabs, rotate}, "b.md": {friday}},
			{"b.md": {friday, tabs}},
			{"a.md": {rotate}, "b.md": {friday, tabs, coffee}},
		}, map[string]string{"a.md": "a1", "b.md": "b0 a0 new"}},
		{"a copy whose original is reworded in place", []step{
			{"a.md": {tabs, rotate}, "b.md": {friday}},
			{"b.md": {friday, tabs}},
			{"a.md": {tabsEdit, rotate}},
		}, map[string]string{"a.md": "a0 a1", "b.md": "b0 new"}},
		{"two files swap their lines", []step{
			{"a.md": {tabs, rotate}, "b.md": {friday, coffee}},
			{"a.md": {friday, coffee}, "b.md": {tabs, rotate}},
		}, map[string]string{"a.md": "b0 b1", "b.md": "a0 a1"}},
		{"two neighbours edited in one save", []step{
			{"a.md": {"The mail service listens on port 25 of host one", "The web service listens on port 80 of host one"}},
			{"a.md": {"The mail service listens on port 25 of host two", "The web service listens on port 80 of host two"}},
		}, map[string]string{"a.md": "a0 a1"}},
		{"a text without spaces between words", []step{
			{"a.md": {"開発環境のデータベースは毎晩二時にバックアップされる", rotate}},
			{"a.md": {"開発環境のデータベースは毎晩四時にバックアップされる", rotate}},
		}, map[string]string{"a.md": "a0 a1"}},
		{"two copies reworded on different branches, and back", []step{
			{"a.md": {tabs, coffee}, "b.md": {tabsEdit, friday}},
			{"a.md": {tabs, coffee}, "b.md": {tabs, friday}},
			{"a.md": {"Prefers tabs over spaces in C and never aligns comments", coffee}, "b.md": {tabs, friday}},
			{"a.md": {tabs, coffee}, "b.md": {tabsEdit, friday}},
		}, map[string]string{"a.md": "a0 a1", "b.md": "b0 b1"}},
		{"a copy deleted on one branch, the other merged on the other, and back", []step{
			{"a.md": {parrot}, "b.md": {parrot, friday, coffee}},
			{"a.md": {parrot}, "b.md": {parrot + " and a cat as well", friday, coffee}},
			{"a.md": {tabs}, "b.md": {parrot, friday, coffee}},
			{"a.md": {parrot}, "b.md": {parrot + " and a cat as well", friday, coffee}},
		}, map[string]string{"a.md": "a0", "b.md": "b0 b1 b2"}},
		{"a copy deleted, and the other in a renamed file, and back", []step{
			{"a.md": {tabs, coffee}, "b.md": {tabs}},
			{"a.md": {tabsEdit, coffee}, "b.md": {tabs}},
			{"a.md": nil, "c.md": {tabs, coffee}, "b.md": {rotate}},
			{"a.md": {tabsEdit, coffee}, "c.md": nil, "b.md": {tabs}},
		}, map[string]string{"a.md": "a0 a1", "b.md": "b0"}},
		{"a rename with an edit to one of two equal texts", []step{
			{"a.md": {rotate, tabs, coffee, tabs, friday}},
			{"a.md": nil, "b.md": {rotate, tabsEdit, coffee, tabs, friday}},
		}, map[string]string{"b.md": "a0 a1 a2 a3 a4"}},
		{"a copy of a past text of another memory", []step{
			{"a.md": {tabs, rotate}, "b.md": {friday}},
			{"a.md": {tabsEdit, rotate}, "b.md": {friday}},
			{"a.md": {rotate}, "b.md": {friday, tabs}},
			{"b.md": {friday, tabs}, "c.md": {tabs}},
		}, map[string]string{"a.md": "a1", "b.md": "b0 a0", "c.md": "new"}},
		{"a text that exists elsewhere is copied, not returned", []step{
			{"a.md": {tabs, rotate}, "b.md": {friday}},
			{"a.md": {tabsEdit, rotate}, "b.md": {friday}},
			{"a.md": {tabsEdit, rotate}, "b.md": {friday, tabs}},
			{"a.md": {rotate}, "b.md": {friday, tabs}},
			{"c.md": {tabs}},
		}, map[string]string{"a.md": "a1", "b.md": "b0 new", "c.md": "new"}},
		{"a branch with one copy less, and back", []step{
			{"a.md": {tabs}, "b.md": {tabs}},
			{"a.md": nil, "b.md": nil, "c.md": {tabs}},
			{"a.md": {tabs}, "b.md": {tabs}, "c.md": nil},
		}, map[string]string{"a.md": "a0", "b.md": "b0"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w, names := runSteps(t, tt.steps)
			for path, want := range tt.want {
				if got := w.namesAt(path, names); got != want {
					t.Errorf("%s holds %s, want %s", path, got, want)
				}
			}
		})
	}
}

func TestResultListsChangesInInputOrder(t *testing.T) {
	w, _ := runSteps(t, []step{
		{"a.md": {tabs, rotate, friday, coffee}, "b.md": {parrot}},
		{"a.md": {tabs, rotate, friday}, "b.md": {parrot}},
		{"a.md": {tabsEdit, friday, coffee, "Something new for once"}, "b.md": {parrot, rotate}},
	})
	want := []memory.Change{memory.Edited, memory.Unchanged, memory.Returned, memory.Added, memory.Unchanged, memory.Moved}
	if !slices.Equal(w.last.Changes, want) || len(w.last.Missing) != 0 {
		t.Errorf("got %v, missing %v; want %v", w.last.Changes, w.last.Missing, want)
	}
}

func TestResultListsMissingMemories(t *testing.T) {
	w, names := runSteps(t, []step{{"a.md": {tabs, rotate}, "b.md": {friday}}, {"a.md": {rotate}, "b.md": nil}})
	var gone []string
	for _, id := range w.last.Missing {
		gone = append(gone, names[id])
	}
	slices.Sort(gone)
	if got := strings.Join(gone, " "); got != "a0 b0" {
		t.Errorf("missing: %s", got)
	}
}

func TestDecidedOrOldCopyIsNotTakenOver(t *testing.T) {
	for name, spoil := range map[string]func(*world){
		"decided": func(w *world) { w.decided[w.idsAt["b.md"][0]] = true },
		"too old": func(w *world) { w.now = w.now.Add(10 * time.Minute) },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			w.applyStep(step{"a.md": {tabs, rotate}})
			w.applyStep(step{"b.md": {tabs}})
			copied := w.idsAt["b.md"][0]
			spoil(w)
			w.applyStep(step{"a.md": {rotate}})
			if len(w.last.TakeOvers) != 0 || w.idsAt["b.md"][0] != copied || len(w.last.Missing) != 1 {
				t.Errorf("got %+v", w.last)
			}
		})
	}
}

func TestCopyWithAnotherPastTextIsNotTakenOver(t *testing.T) {
	w := newWorld()
	w.applyStep(step{"a.md": {tabs, rotate}})
	w.applyStep(step{"b.md": {tabsEdit}})
	w.applyStep(step{"b.md": {tabs}})
	other := w.idsAt["b.md"][0]
	w.applyStep(step{"a.md": {rotate}})
	if len(w.last.TakeOvers) != 0 || w.idsAt["b.md"][0] != other {
		t.Errorf("the copy was taken over: %+v", w.last)
	}
}

func TestCopyOfALongerTextIsNotAnEditOfItsPart(t *testing.T) {
	longer := rotate + ", and " + tabs
	w, names := runSteps(t, []step{
		{"a.md": {longer}, "b.md": {friday, tabs, coffee}},
		{"b.md": {friday, longer, coffee}},
	})
	if got := w.namesAt("b.md", names); got != "b0 new b2" {
		t.Errorf("the memories of b.md: %s", got)
	}
}

func TestNewBlocksGetFreeIDs(t *testing.T) {
	f := fingerprint(tabs)
	block := memory.Block{Text: tabs, Fingerprint: f}
	fresh := []identity.NewBlock{{Path: "b.md", Block: block}, {Path: "a.md", Block: block}, {Path: "a.md", Ordinal: 1, Block: block}}
	known := []identity.KnownMemory{{ID: memory.NewID(f, 1), Fingerprint: fingerprint(rotate), PastFingerprints: []memory.Fingerprint{f, fingerprint(rotate)},
		Text: rotate, Path: "c.md", OutsideBatch: true}}
	t.Run("by path and ordinal, skipping taken ids", func(t *testing.T) {
		got := identity.Match(time.Now(), known, fresh).IDs
		if want := []memory.ID{memory.NewID(f, 3), memory.NewID(f, 0), memory.NewID(f, 2)}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
	t.Run("the preferred id, if it is free", func(t *testing.T) {
		preferring := slices.Clone(fresh)
		preferring[0].PreferredID, preferring[1].PreferredID = memory.NewID(f, 0), memory.NewID(f, 1)
		got := identity.Match(time.Now(), known, preferring).IDs
		if want := []memory.ID{memory.NewID(f, 0), memory.NewID(f, 2), memory.NewID(f, 3)}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}
