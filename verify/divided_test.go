package verify_test

import (
	"bytes"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // writes the databases

	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/verify"
)

// sentences returns a text of so many bytes that no other has.
func sentences(bytes int) string {
	var b strings.Builder
	for i := 0; b.Len() < bytes; i++ {
		fmt.Fprintf(&b, "Zephyrine %d sails past the quay at dawn with %d sacks of barley and \"nobody\" counts them. ", i, i*7)
	}
	return b.String()[:bytes-1] + "x"
}

// database writes a database in a new folder.
type database struct {
	*sql.DB
	t   *testing.T
	dir string
}

func newDatabase(t *testing.T, pragmas ...string) database {
	t.Helper()
	d := database{t: t, dir: t.TempDir()}
	var err error
	if d.DB, err = sql.Open("sqlite", filepath.Join(d.dir, "other.db")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	d.SetMaxOpenConns(1)
	for _, pragma := range append(pragmas, "secure_delete = off", "synchronous = off") {
		d.run("PRAGMA " + pragma)
	}
	d.run("CREATE TABLE t(a TEXT, b TEXT, c INTEGER)")
	return d
}

func (d database) run(query string, args ...any) {
	d.t.Helper()
	if _, err := d.Exec(query, args...); err != nil {
		d.t.Fatalf("%s: %v", query, err)
	}
}

// fill adds rows around others, so that their pages lie in several places.
func (d database) fill() {
	for i := range 8 {
		d.run("INSERT INTO t VALUES (?, ?, ?)", strings.Repeat("chaff ", 90*i+1), strings.Repeat("straw ", 700*(i%3)), i)
	}
}

// insertDeleted inserts a row and deletes it again. Another one is deleted before, so that its
// free page lists those of the row.
func (d database) insertDeleted(before, text string) {
	d.run("CREATE TABLE u(a TEXT, b TEXT)")
	const long = 1 << 17
	d.run("INSERT INTO t VALUES ('', ?, 0)", strings.Repeat("c", long))
	d.run("INSERT INTO u VALUES (?, ?)", before, text)
	d.fill()
	d.run("DELETE FROM t WHERE length(b) = ?", long)
	d.run("DELETE FROM u WHERE rowid > 0")
}

// copied returns a folder with the files of the database as they are now, other than some.
func (d database) copied(without ...string) string {
	d.t.Helper()
	files := must.Get(os.ReadDir(d.dir))(d.t)
	to := d.t.TempDir()
	for _, f := range files {
		src, err := os.ReadFile(filepath.Join(d.dir, f.Name()))
		if err == nil && !strings.Contains(strings.Join(without, " "), filepath.Ext(f.Name())) {
			err = os.WriteFile(filepath.Join(to, f.Name()), src, 0o600)
		}
		if err != nil {
			d.t.Fatal(err)
		}
	}
	return to
}

// isIn reports whether files of a folder have a text, as two kinds of search find it.
func isIn(t *testing.T, dir, text string) bool {
	t.Helper()
	var found []bool
	for _, wanted := range []*verify.Matcher{verify.NewMatcher("an other text", text), hashesOf(t, "an other text", text)} {
		answer := must.Get(verify.Files{StateDir: dir, Database: filepath.Join(dir, "none", "tiered.db")}.Find(t.Context(), wanted))(t)
		for _, c := range answer.Checked {
			if c.Note != "" && !strings.Contains(c.Note, "no such file") {
				t.Errorf("%s: %s", c.File, c.Note)
			}
		}
		found = append(found, answer.Found > 0)
	}
	if found[0] != found[1] {
		t.Errorf("found by the text: %v, by its hash: %v", found[0], found[1])
	}
	return found[0]
}

// TestTextsAreFoundInDatabasesThatDivideThem cuts rows into pages at several places. A row is in
// use, was deleted, or is only in the log or the journal.
func TestTextsAreFoundInDatabasesThatDivideThem(t *testing.T) {
	for _, size := range []int{512, 4096, 65536} {
		pageSize := fmt.Sprint("page_size = ", size)
		for _, length := range []int{200, size - 40, min(3*size+17, size+5000)} {
			if length > 1<<14 {
				continue // it takes seconds
			}
			for _, before := range []int{0, size - 150} {
				text, other := sentences(length), strings.Repeat("y", before)
				ways := map[string]func() string{
					"in use": func() string {
						d := newDatabase(t, pageSize)
						d.fill()
						d.run("INSERT INTO t VALUES (?, ?, 7)", other, text)
						d.fill()
						return d.copied()
					},
					"deleted": func() string {
						d := newDatabase(t, pageSize)
						d.insertDeleted(other, text)
						return d.copied()
					},
					"moved by auto_vacuum": func() string {
						d := newDatabase(t, pageSize, "auto_vacuum = full")
						d.fill()
						d.run("INSERT INTO t VALUES (?, ?, 7)", other, text)
						d.run("DELETE FROM t WHERE c < 7")
						return d.copied()
					},
					"in the log": func() string {
						d := newDatabase(t, pageSize, "journal_mode = wal", "wal_autocheckpoint = 0")
						d.fill()
						d.run("INSERT INTO t VALUES (?, ?, 7)", other, text)
						d.fill()
						return d.copied(".db", ".db-shm")
					},
					"deleted in the log": func() string {
						d := newDatabase(t, pageSize, "journal_mode = wal", "wal_autocheckpoint = 0")
						d.insertDeleted(other, text)
						return d.copied(".db", ".db-shm")
					},
					"deleted, with an empty log": func() string {
						d := newDatabase(t, pageSize, "journal_mode = wal", "wal_autocheckpoint = 0")
						d.insertDeleted(other, text)
						d.run("PRAGMA wal_checkpoint(truncate)")
						return d.copied()
					},
					"in the journal": func() string {
						d := newDatabase(t, pageSize, "journal_mode = delete", "cache_size = 1", "cache_spill = on")
						d.fill()
						d.run("INSERT INTO t VALUES (?, ?, 7)", other, text)
						d.fill()
						d.run("BEGIN")
						d.run("UPDATE t SET a = 'new', b = zeroblob(length(b))")
						for range 6 {
							d.fill() // so that the cache does not hold what is written
						}
						dir := d.copied(".db")
						must.Get(os.Stat(filepath.Join(dir, "other.db-journal")))(t)
						d.run("ROLLBACK")
						return dir
					},
				}
				for way, write := range ways {
					t.Run(fmt.Sprint(way, size, length, before), func(t *testing.T) {
						dir := write()
						if !isIn(t, dir, text) {
							t.Error("not found")
						}
						if before == 0 && isIn(t, dir, strings.Replace(text, "barley", "barlex", 1)) {
							t.Error("found a text that is not there")
						}
					})
				}
			}
		}
	}
}

// TestDamagedDatabasesAreSearched: a header that was overwritten, and a file that was cut off.
func TestDamagedDatabasesAreSearched(t *testing.T) {
	text := sentences(9000)
	d := newDatabase(t)
	d.run("INSERT INTO t VALUES ('', ?, 7)", text)
	d.fill()
	for name, change := range map[string]func([]byte) []byte{
		"header": func(src []byte) []byte { return append(bytes.Repeat([]byte{0}, 100), src[100:]...) },
		"size":   func(src []byte) []byte { src[16], src[17] = 0x33, 0x33; return src },
		"end":    func(src []byte) []byte { return src[:len(src)-1000] },
	} {
		dir := d.copied()
		path := filepath.Join(dir, "other.db")
		src, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(path, change(src), 0o600)
		}
		if err != nil || !isIn(t, dir, text) {
			t.Errorf("%s: not found, %v", name, err)
		}
	}
}
