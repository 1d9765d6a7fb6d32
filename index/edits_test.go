package index_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
)

const said = "The staging password rotates on the first Monday"

// deciding is a batch of one file that holds a text and a line about it.
func deciding(path, text string, d memory.Declared) memory.Batch {
	b := file(path, text)
	b.Files[0].Entries = []memory.Entry{{IDPrefix: id(text).InFile(), Quote: text, Declared: d, MatchedID: id(text), Line: 3}}
	return b
}

func actions(t *testing.T, db *index.DB) (list []string) {
	t.Helper()
	a, err := db.Audit(t.Context(), memory.AuditRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for i := len(a.Audit) - 1; i >= 0; i-- {
		list = append(list, a.Audit[i].Source+" "+a.Audit[i].Action)
	}
	return list
}

func TestALineWrittenByHandIsADecision(t *testing.T) {
	db := fresh(t)
	apply(t, db, noon, file("MEMORY.md", said))
	apply(t, db, noon.Add(time.Minute), deciding("MEMORY.md", said, memory.Declared{Pinned: yes()}))
	apply(t, db, noon.Add(2*time.Minute), deciding("MEMORY.md", said, memory.Declared{Forgotten: yes()}))
	if m := one(t, db, id(said)); !m.Forgotten || m.Pinned {
		t.Errorf("%+v", m)
	}
	// The same text, elsewhere, under another id, is forgotten as well.
	copied := file("memory/x.md", said)
	copied.Placements[0].ID = memory.NewID(fingerprint(said), 1)
	apply(t, db, noon.Add(3*time.Minute), copied)
	if m := one(t, db, copied.Placements[0].ID); !m.Forgotten {
		t.Error("the copy is not forgotten")
	}
	apply(t, db, noon.Add(4*time.Minute), file("MEMORY.md", said))
	for _, id := range []memory.ID{id(said), copied.Placements[0].ID} {
		if m := one(t, db, id); m.Forgotten {
			t.Errorf("%s is still forgotten", id)
		}
	}
	want := "file pin,file forget,file unpin,file restore,file restore"
	if got := strings.Join(actions(t, db), ","); got != want {
		t.Errorf("audited %s, want %s", got, want)
	}
}

func TestAForgettingIsNotTakenBackByAnAccident(t *testing.T) {
	elsewhere := join(file("MEMORY.md"), file("memory/x.md", said))
	branch := file("MEMORY.md", said)
	branch.Branch = "refs/heads/other"
	tests := []struct {
		name string
		then memory.Batch
	}{
		{"the file is gone", memory.Batch{Removed: []string{"MEMORY.md"}, Missing: []memory.ID{id(said)}, Branch: "refs/heads/main"}},
		{"the memory moved and left its line", elsewhere},
		{"another branch lacks it", branch},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			db := fresh(t)
			first := deciding("MEMORY.md", said, memory.Declared{Forgotten: yes(), Pinned: yes()})
			first.Branch = "refs/heads/main"
			apply(t, db, noon, first)
			if tt.then.Branch == "" {
				tt.then.Branch = "refs/heads/main"
			}
			apply(t, db, noon.Add(time.Minute), tt.then)
			if m := one(t, db, id(said)); !m.Forgotten {
				t.Errorf("%+v", m)
			}
			if m := one(t, db, id(said)); tt.name == "another branch lacks it" && m.Pinned {
				t.Error("a pin follows the branch")
			}
		})
	}
}

func TestOnlyOneOfTheCopiesIsForgotten(t *testing.T) {
	db := fresh(t)
	other := file("memory/x.md", said)
	other.Placements[0].ID = memory.NewID(fingerprint(said), 1)
	apply(t, db, noon, join(deciding("MEMORY.md", said, memory.Declared{Forgotten: yes(), Only: true}), other))
	if one(t, db, other.Placements[0].ID).Forgotten || !one(t, db, id(said)).Forgotten {
		t.Error("only the one was meant")
	}
}

// What is forgotten outlives the database and the Markdown that said so.
func TestTheMarksOutliveTheDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tiered.db")
	db := open(t, path, index.Options{})
	apply(t, db, noon, deciding("MEMORY.md", said, memory.Declared{Forgotten: yes()}))
	closeNow(t, db)
	mirror, err := os.ReadFile(strings.TrimSuffix(path, ".db") + ".forgotten")
	if err != nil || strings.Contains(string(mirror), "staging") {
		t.Fatalf("%s, %v", mirror, err)
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		_ = os.Remove(path + suffix) // some are not there
	}
	db = open(t, path, index.Options{})
	apply(t, db, noon, file("MEMORY.md", said))
	if !one(t, db, id(said)).Forgotten {
		t.Error("the text is back")
	}
	covered, err := db.ForgottenTexts(t.Context())
	if err != nil || !covered.Contains(fingerprint(said), said, nil) || covered.Contains(fingerprint("other"), "other", nil) {
		t.Errorf("covered: %v", err)
	}
	update(t, db, noon, func(tx *index.Tx) error { return tx.RestoreText(id(said)) })
	if one(t, db, id(said)).Forgotten {
		t.Error("it cannot be restored")
	}
}

// A restored memory stays so when its older wording comes back.
func TestRestoringLiftsFormerTextsToo(t *testing.T) {
	db := fresh(t)
	apply(t, db, noon, deciding("MEMORY.md", said, memory.Declared{Forgotten: yes()}))
	const now = "The staging password rotates on the second Monday"
	edited := deciding("MEMORY.md", now, memory.Declared{Forgotten: yes()})
	edited.Placements[0].ID, edited.Files[0].Entries[0].MatchedID = id(said), id(said)
	apply(t, db, noon, edited)
	plain := file("MEMORY.md", now)
	plain.Placements[0].ID = id(said)
	apply(t, db, noon, plain)
	again := file("memory/x.md", said)
	again.Placements[0].ID = memory.NewID(fingerprint(said), 1)
	apply(t, db, noon, again)
	if one(t, db, again.Placements[0].ID).Forgotten {
		t.Error("the former text is still marked")
	}
}
