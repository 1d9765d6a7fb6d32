package index_test

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/index/indextest"
	"github.com/memory-tiered/memory/internal/must"
)

// nextVersions are two scripts after the present version, each with two statements.
func nextVersions(text string) fstest.MapFS {
	next := index.SchemaVersion + 1
	return fstest.MapFS{
		"schema/" + index.Migration(next):   {Data: []byte("ALTER TABLE memories ADD COLUMN nest TEXT; UPDATE memories SET nest = '" + text + "'")},
		"schema/" + index.Migration(next+1): {Data: []byte("CREATE TABLE nests (nest TEXT) STRICT; INSERT INTO nests SELECT nest FROM memories")},
	}
}

func TestDatabaseOfAnEarlierReleaseIsCopiedAndMigrated(t *testing.T) {
	indextest.SQLiteOnly(t)
	const heron, secret = "the heron stands in the pond", "the vault code is four seven one one"
	path := filepath.Join(t.TempDir(), "tiered.db")
	db := open(t, path, index.Options{})
	apply(t, db, noon, file("MEMORY.md", heron, secret))
	update(t, db, noon, func(tx *index.Tx) error { return tx.ForgetText(id(secret)) })
	must.Do(t, db.Migrate(nextVersions("reed"), index.SchemaVersion+2, noon))
	nests, err := db.Column("SELECT nest FROM nests")
	if err != nil || strings.Join(nests, " ") != "reed reed" || version(t, db) != index.SchemaVersion+2 {
		t.Errorf("nests %q, version %d, %v", nests, version(t, db), err)
	}
	if got := search(t, db, query("heron"), memory.Predicate{}); len(got) != 1 || !isForgotten(t, db, secret) {
		t.Errorf("found %q, forgotten %v", got, isForgotten(t, db, secret))
	}
	if notices := strings.Join(db.Notices(), " "); !strings.Contains(notices, "is a copy of the old one") {
		t.Error(notices)
	}
	closeNow(t, db)
	if _, err := index.Open(t.Context(), path, index.Options{}); !errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("the earlier release opens the newer database: %v", err)
	}
	copies, _ := filepath.Glob(path + ".version-*")
	if len(copies) != 1 {
		t.Fatalf("copies %q", copies)
	}
	old := open(t, copies[0], index.Options{})
	if m := one(t, old, id(heron)); m.Text != heron || version(t, old) != index.SchemaVersion {
		t.Errorf("the copy has version %d and %+v", version(t, old), m)
	}
}

func TestFailedMigrationChangesNothing(t *testing.T) {
	indextest.SQLiteOnly(t)
	path := filepath.Join(t.TempDir(), "tiered.db")
	db := open(t, path, index.Options{})
	apply(t, db, noon, file("MEMORY.md", "the heron stands in the pond"))
	scripts := nextVersions("reed")
	scripts["schema/"+index.Migration(index.SchemaVersion+2)] = &fstest.MapFile{Data: []byte("UPDATE memories SET text = ''; UPDATE no_table SET x = 1")}
	if err := db.Migrate(scripts, index.SchemaVersion+2, noon); err == nil {
		t.Error("it succeeded")
	}
	if _, err := db.Column("SELECT nest FROM memories"); err == nil || version(t, db) != index.SchemaVersion {
		t.Errorf("version %d, %v", version(t, db), err)
	}
	if got := search(t, db, query("heron"), memory.Predicate{}); len(got) != 1 {
		t.Errorf("found %q", got)
	}
}

func version(t *testing.T, db *index.DB) int {
	t.Helper()
	found := must.Get(db.Column("PRAGMA user_version"))(t)
	n := must.Get(strconv.Atoi(found[0]))(t)
	return n
}

// migratedPath is the environment variable that makes the test binary migrate a database until
// it is killed.
const migratedPath = "INDEX_TEST_MIGRATED_PATH"

// TestMigratingChild is not a test.
func TestMigratingChild(t *testing.T) {
	path := os.Getenv(migratedPath)
	if path == "" {
		t.Skip("runs as a child of TestKilledMigrationGoesOn")
	}
	db := open(t, path, index.Options{})
	_, _ = os.Stdout.WriteString("begins\n")
	must.Do(t, db.Migrate(nextVersions("reed"), index.SchemaVersion+2, noon))
	_, _ = os.Stdout.WriteString("ends\n")
}

// TestKilledMigrationGoesOn kills a migration at moments of its whole time, and migrates again.
func TestKilledMigrationGoesOn(t *testing.T) {
	indextest.SQLiteOnly(t)
	if testing.Short() {
		t.Skip("starts processes")
	}
	template := filepath.Join(t.TempDir(), "tiered.db")
	db := open(t, template, index.Options{})
	for n := range 20 {
		apply(t, db, noon, file(fmt.Sprintf("f%d.md", n), batchLines(n)...))
	}
	closeNow(t, db)
	interrupted := 0
	for moment := range 5 {
		path := filepath.Join(t.TempDir(), "tiered.db")
		must.Do(t, os.CopyFS(filepath.Dir(path), os.DirFS(filepath.Dir(template))))
		child := exec.Command(os.Args[0], "-test.run=^TestMigratingChild$")
		child.Env = append(os.Environ(), migratedPath+"="+path)
		out, err := child.StdoutPipe()
		if err == nil {
			err = child.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		begun := make([]byte, len("begins\n"))
		_, _ = out.Read(begun)
		time.Sleep(time.Duration(moment*moment) * 8 * time.Millisecond)
		_ = child.Process.Kill()
		if err := child.Wait(); err != nil {
			interrupted++
		}
		checkMigrated(t, path)
	}
	t.Logf("%d of 5 migrations were interrupted", interrupted)
}

// checkMigrated checks a database that a kill left, and migrates it if it is the old one.
func checkMigrated(t *testing.T, path string) {
	t.Helper()
	if valueIn(t, path, "PRAGMA integrity_check") != "ok" {
		t.Fatal("the database is damaged")
	}
	if valueIn(t, path, "PRAGMA user_version") == fmt.Sprint(index.SchemaVersion) {
		db := open(t, path, index.Options{})
		if err := db.Migrate(nextVersions("reed"), index.SchemaVersion+2, noon); err != nil || len(db.Notices()) != 1 {
			t.Fatalf("%v, notices %q", err, db.Notices())
		}
		closeNow(t, db)
	}
	if got := valueIn(t, path, "SELECT count(*) FROM nests WHERE nest = 'reed'"); got != "800" {
		t.Errorf("%s nests", got)
	}
	if rest, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".*")); len(rest) > 0 {
		t.Errorf("left over: %q", rest)
	}
}

// valueIn returns the one value of a query on a file.
func valueIn(t *testing.T, path, query string) (value string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err == nil {
		err = errors.Join(db.QueryRow(query).Scan(&value), db.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	return value
}
