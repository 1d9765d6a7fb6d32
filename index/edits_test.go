package index_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/index/indextest"
)

const password = "The staging password rotates on the first Monday"

// fileWithEntry returns a batch of one file with a text and an entry about it.
func fileWithEntry(path, text string, d memory.Declared) memory.Batch {
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

// TestEditOfATextIsAudited edits a text and puts it back. The hashes are keyed, and equal for equal texts.
func TestEditOfATextIsAudited(t *testing.T) {
	db := fresh(t)
	edited := file("MEMORY.md", "The staging password rotates on the second Monday")
	edited.Placements[0].ID = id(password)
	apply(t, db, noon, file("MEMORY.md", password))
	apply(t, db, noon.Add(time.Minute), edited)
	apply(t, db, noon.Add(2*time.Minute), file("MEMORY.md", password))
	a, err := db.Audit(t.Context(), memory.AuditRequest{Action: memory.AuditEdit, Source: "file"})
	if err != nil || len(a.Audit) != 2 {
		t.Fatalf("%+v, %v", a, err)
	}
	back, first := a.Audit[0], a.Audit[1]
	before, after := first.Old["text_hash"], first.New["text_hash"]
	if before == after || back.Old["text_hash"] != after || back.New["text_hash"] != before {
		t.Errorf("%+v, then %+v", first, back)
	}
	if plain := fingerprint(password).String(); before == plain || len(fmt.Sprint(before)) != len(plain) {
		t.Errorf("the hash %v has no key", before)
	}
}

func TestEditOfFrontMatterIsADecision(t *testing.T) {
	db := fresh(t)
	apply(t, db, noon, file("MEMORY.md", password))
	apply(t, db, noon.Add(time.Minute), fileWithEntry("MEMORY.md", password, memory.Declared{Pinned: yes()}))
	apply(t, db, noon.Add(2*time.Minute), fileWithEntry("MEMORY.md", password, memory.Declared{Forgotten: yes()}))
	if m := one(t, db, id(password)); !m.Forgotten || m.Pinned {
		t.Errorf("%+v", m)
	}
	// A copy of the text in another file is forgotten too.
	copied := file("memory/x.md", password)
	copied.Placements[0].ID = memory.NewID(fingerprint(password), 1)
	apply(t, db, noon.Add(3*time.Minute), copied)
	if m := one(t, db, copied.Placements[0].ID); !m.Forgotten {
		t.Error("the copy is not forgotten")
	}
	apply(t, db, noon.Add(4*time.Minute), file("MEMORY.md", password))
	for _, id := range []memory.ID{id(password), copied.Placements[0].ID} {
		if m := one(t, db, id); m.Forgotten {
			t.Errorf("%s is still forgotten", id)
		}
	}
	want := "file pin,file forget,file unpin,file restore,file restore"
	if got := strings.Join(actions(t, db), ","); got != want {
		t.Errorf("the audit has %s, want %s", got, want)
	}
}

func TestForgottenMemoryIsNotRestoredByAccident(t *testing.T) {
	moved := join(file("MEMORY.md"), file("memory/x.md", password))
	branch := file("MEMORY.md", password)
	branch.Branch = "refs/heads/other"
	tests := []struct {
		name string
		next memory.Batch
	}{
		{"the file was deleted", memory.Batch{Removed: []string{"MEMORY.md"}, Missing: []memory.ID{id(password)}, Branch: "refs/heads/main"}},
		{"the memory moved and the entry was removed", moved},
		{"another branch has no entry", branch},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			db := fresh(t)
			first := fileWithEntry("MEMORY.md", password, memory.Declared{Forgotten: yes(), Pinned: yes()})
			first.Branch = "refs/heads/main"
			apply(t, db, noon, first)
			if tt.next.Branch == "" {
				tt.next.Branch = "refs/heads/main"
			}
			apply(t, db, noon.Add(time.Minute), tt.next)
			if m := one(t, db, id(password)); !m.Forgotten {
				t.Errorf("%+v", m)
			}
			if m := one(t, db, id(password)); tt.name == "another branch has no entry" && m.Pinned {
				t.Error("the pin does not follow the branch")
			}
		})
	}
}

func TestEntryWithOnlyForgetsOneCopy(t *testing.T) {
	db := fresh(t)
	other := file("memory/x.md", password)
	other.Placements[0].ID = memory.NewID(fingerprint(password), 1)
	apply(t, db, noon, join(fileWithEntry("MEMORY.md", password, memory.Declared{Forgotten: yes(), Only: true}), other))
	if one(t, db, other.Placements[0].ID).Forgotten || !one(t, db, id(password)).Forgotten {
		t.Error("the entry must forget one copy, and only that")
	}
}

// A forgotten text stays forgotten without the database and without the entry.
func TestForgottenTextStaysForgottenWithoutTheDatabase(t *testing.T) {
	indextest.SQLiteOnly(t)
	path := filepath.Join(t.TempDir(), "tiered.db")
	db := open(t, path, index.Options{})
	apply(t, db, noon, fileWithEntry("MEMORY.md", password, memory.Declared{Forgotten: yes()}))
	closeNow(t, db)
	marks, err := os.ReadFile(strings.TrimSuffix(path, ".db") + ".forgotten")
	if err != nil || strings.Contains(string(marks), "staging") {
		t.Fatalf("%s, %v", marks, err)
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		_ = os.Remove(path + suffix) // not all exist
	}
	db = open(t, path, index.Options{})
	apply(t, db, noon, file("MEMORY.md", password))
	if !one(t, db, id(password)).Forgotten {
		t.Error("the text is remembered again")
	}
	forgotten, err := db.ForgottenTexts(t.Context())
	if err != nil || !forgotten.Contains(fingerprint(password), password, nil) || forgotten.Contains(fingerprint("other"), "other", nil) {
		t.Errorf("ForgottenTexts contains the wrong texts, %v", err)
	}
	update(t, db, noon, func(tx *index.Tx) error { return tx.RestoreText(id(password)) })
	if one(t, db, id(password)).Forgotten {
		t.Error("RestoreText did not restore it")
	}
}

// A restored memory stays restored if its former text returns.
func TestRestoreCoversFormerTexts(t *testing.T) {
	db := fresh(t)
	apply(t, db, noon, fileWithEntry("MEMORY.md", password, memory.Declared{Forgotten: yes()}))
	const edit = "The staging password rotates on the second Monday"
	edited := fileWithEntry("MEMORY.md", edit, memory.Declared{Forgotten: yes()})
	edited.Placements[0].ID, edited.Files[0].Entries[0].MatchedID = id(password), id(password)
	apply(t, db, noon, edited)
	plain := file("MEMORY.md", edit)
	plain.Placements[0].ID = id(password)
	apply(t, db, noon, plain)
	again := file("memory/x.md", password)
	again.Placements[0].ID = memory.NewID(fingerprint(password), 1)
	apply(t, db, noon, again)
	if one(t, db, again.Placements[0].ID).Forgotten {
		t.Error("the former text is still forgotten")
	}
}
