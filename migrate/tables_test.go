package migrate_test

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/migrate"
)

// The tables of other systems, as far as they are read.
const (
	observations = `CREATE TABLE observations (id INTEGER PRIMARY KEY AUTOINCREMENT, ts TEXT NOT NULL, kind TEXT, summary TEXT, summary_en TEXT, lang TEXT, tool_name TEXT, detail_json TEXT);
		INSERT INTO observations(ts, kind, summary, detail_json) VALUES
		('2026-04-18T08:00:00Z', 'fact', 'The mill burned in 1911', '{"importance": {"score": 0.9, "label": "must_remember"}, "scope": "town"}'),
		('2026-04-18T08:00:01.123456', 'tool', 'web_fetch answered 404', '{}'),
		('2026-04-18T08:00:02Z', 'conversation.user', 'I prefer tea', 'no json'),
		('2026-04-18T08:00:03Z', 'conversation.assistant', 'You like tea', NULL);`
	cells = `CREATE TABLE mem_cells (id INTEGER PRIMARY KEY, scene TEXT NOT NULL, cell_type TEXT NOT NULL, salience REAL, content TEXT NOT NULL, tags TEXT, embedding BLOB, created_at TEXT, owner_id TEXT, visibility TEXT);
		INSERT INTO mem_cells VALUES (1, 'home', 'preference', 0.8, 'Tea over coffee', '["drinks"]', x'00', '2026-04-18T08:00:00', 'Lena', 'private'),
		(2, '自宅 café', 'exchange', 0.5, 'Talked about tea', '[]', NULL, '2026-04-18T08:00:00', 'lena', 'shared');`
	titled = `CREATE TABLE memories (id TEXT PRIMARY KEY, content TEXT NOT NULL, title TEXT NOT NULL, memory_type TEXT NOT NULL, priority TEXT NOT NULL, tags TEXT, embedding BLOB, created_at TEXT);
		INSERT INTO memories VALUES ('u1', 'opens at 7', 'The baker', 'fact', '"high"', '["town"]', NULL, '2026-04-18T08:00:00+00:00'),
		('u2', 'The mill burned in 1911', 'The mill', 'discovery', '"low"', '[]', NULL, '2026-04-18T08:00:00+00:00');`
	documents = `CREATE TABLE content (hash TEXT PRIMARY KEY, doc TEXT NOT NULL, created_at TEXT);
		CREATE TABLE documents (id INTEGER PRIMARY KEY, collection TEXT, path TEXT, title TEXT, hash TEXT, active INTEGER, created_at TEXT);
		INSERT INTO content VALUES ('h1', '# Notes' || char(10) || '- Tea' || char(10), ''), ('h2', 'old', '');
		INSERT INTO documents VALUES (1, 'notes', 'a/tea.md', 'Tea', 'h1', 1, '2025-03-01T07:08:09.000Z'), (2, 'notes', 'old.md', 'Old', 'h2', 0, '');`
)

// database makes a SQLite database in write-ahead mode, which another connection holds
// open while it is read.
func database(t *testing.T, statements string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "other.sqlite")
	db, err := sql.Open("sqlite", path)
	if err == nil {
		_, err = db.Exec("PRAGMA journal_mode = WAL; " + statements)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return path
}

func readDatabase(t *testing.T, system, path string) (migrate.Content, error) {
	t.Helper()
	copied := must.Get(migrate.CopyDatabase(path, t.TempDir()))(t)
	db := must.Get(index.OpenForeign(copied))(t)
	defer func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}()
	return migrate.ReadDatabase(context.Background(), system, path, db, now, func(int) {})
}

func TestDatabasesAreRead(t *testing.T) {
	const at = " created=2026-04-18T08:00:00Z"
	for name, c := range map[string]struct {
		system, statements string
		want               []string
	}{
		"openclaw-mem": {migrate.OpenClawMem, observations, []string{
			"observation 1  The mill burned in 1911 category=fact scope=town importance=0.9 label=must_remember" + at,
			"observation 2  web_fetch answered 404 trust=untrusted tags=tool created=2026-04-18T08:00:01Z",
			"observation 3  I prefer tea tags=conversation-user created=2026-04-18T08:00:02Z",
			"observation 4  You like tea trust=untrusted tags=conversation-assistant created=2026-04-18T08:00:03Z",
		}},
		"oc-memory in Python": {migrate.OCMemory, cells, []string{
			"cell 1  Tea over coffee category=preference user=lena importance=0.8 tags=drinks,home" + at,
			"cell 2  Talked about tea importance=0.5 tags=exchange,自宅-café" + at,
		}},
		"oc-memory in Rust": {migrate.OCMemory, titled, []string{
			"u1  The baker: opens at 7 category=fact importance=1 tags=town" + at,
			"u2  The mill burned in 1911 category=fact importance=0.4" + at,
		}},
	} {
		path := database(t, c.statements)
		before := filesBeside(t, path)
		content, err := readDatabase(t, c.system, path)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var got []string
		for _, e := range content.Entries {
			got = append(got, describe(e))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", name, got, c.want)
		}
		if after := filesBeside(t, path); after != before {
			t.Errorf("%s: reading changed the files beside the database", name)
		}
	}
}

// filesBeside returns the bytes of all files in the folder of a file.
func filesBeside(t *testing.T, path string) (all string) {
	t.Helper()
	names := must.Get(filepath.Glob(filepath.Join(filepath.Dir(path), "*")))(t)
	for _, name := range names {
		src := must.Get(os.ReadFile(name))(t)
		all += name + "\n" + string(src)
	}
	return all
}

// TestMemoriesKeepTheirDay shows that every reader puts a memory below its day.
func TestMemoriesKeepTheirDay(t *testing.T) {
	for _, c := range [][2]string{{migrate.LanceDB, ""}, {migrate.OpenClawMem, observations}, {migrate.OCMemory, cells}, {migrate.OCMemory, titled}} {
		system, statements := c[0], c[1]
		content := migrate.Content{Entries: []migrate.Entry{{Ref: "1", Text: "Tea", Declared: memory.Declared{Created: time.Date(2026, 4, 18, 8, 0, 0, 0, time.UTC)}}}}
		if statements != "" {
			var err error
			if content, err = readDatabase(t, system, database(t, statements)); err != nil {
				t.Fatal(err)
			}
		}
		content.Entries = append(content.Entries, migrate.Entry{Ref: "undated", Text: "Undated"})
		rows, _ := export(t, content)
		for _, row := range rows {
			if strings.ContainsAny(row.Memory.Path, "0123456789") {
				t.Errorf("%s is dated", row.Memory.Path)
			}
			if dated := slices.Contains(row.Memory.Heading, "2026-04-18"); dated == (*row.Memory.Text == "Undated") {
				t.Errorf("%s: %q is below %q", system, *row.Memory.Text, row.Memory.Heading)
			}
		}
	}
}

func TestDocumentsOfDatabasesAreRead(t *testing.T) {
	for name, c := range map[string]struct {
		system, statements, path, text, note string
	}{
		"clawmem": {migrate.ClawMem, documents, "notes/a/tea.md", "# Notes\n- Tea\n", "1 documents that ClawMem marks as inactive"},
	} {
		content, err := readDatabase(t, c.system, database(t, c.statements))
		if err != nil || len(content.Documents) != 1 {
			t.Errorf("%s: %+v, %v", name, content, err)
			continue
		}
		d := content.Documents[0]
		if d.Path != c.path || string(d.Text) != c.text {
			t.Errorf("%s: %s: %q", name, d.Path, d.Text)
		}
		if d.Time.Unix() != 1740812889 {
			t.Errorf("%s is from %v", name, d.Time)
		}
		if !strings.HasPrefix(strings.Join(content.Notes, "\n"), c.note) {
			t.Errorf("%s: notes: %q", name, content.Notes)
		}
	}
}

func TestUnknownDatabasesAreAnError(t *testing.T) {
	other := database(t, "CREATE TABLE x (y)")
	text := filepath.Join(t.TempDir(), "text")
	must.Do(t, os.WriteFile(text, []byte(strings.Repeat("no database ", 1000)), 0o600))
	for _, path := range []string{other, text} {
		_, err := readDatabase(t, migrate.OCMemory, path)
		detail := (*memory.Error)(nil)
		if !errors.As(err, &detail) || !errors.Is(err, memory.ErrInvalid) || !strings.Contains(detail.Hint, "--ndjson") {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestAFolderOfMarkdownIsRead(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"MEMORY.md": "- Tea\n", "memory/2025-03-01.md": "- Coffee\n", "memory/.dreams/x.md": "- Dream\n", "other.txt": "x"} {
		path := filepath.Join(dir, name)
		must.Do(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)))
	}
	content, err := migrate.ReadFolder(context.Background(), dir, func(int) {})
	if err != nil || len(content.Documents) != 2 {
		t.Errorf("%+v, %v", content, err)
	}
}

// TestADeadTransactionIsRolledBack reads a copy of a database whose program died while a
// transaction was on the disk in part.
func TestADeadTransactionIsRolledBack(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "live.sqlite")
	db := must.Get(sql.Open("sqlite", path))(t)
	defer func() { _ = db.Close() }()
	db.SetMaxOpenConns(1)
	for _, statement := range []string{
		"CREATE TABLE mem_cells (id INTEGER PRIMARY KEY, cell_type TEXT, salience REAL, content TEXT)",
		`INSERT INTO mem_cells(cell_type, salience, content) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 300)
			SELECT 'fact', 0.5, 'committed '||i||hex(zeroblob(200)) FROM n`,
		"PRAGMA cache_size = 2", "BEGIN IMMEDIATE", "UPDATE mem_cells SET content = 'never committed '||id||hex(zeroblob(200))",
	} {
		must.Get(db.Exec(statement))(t)
	}
	copied := must.Get(migrate.CopyDatabase(path, t.TempDir()))(t)
	if raw, err := os.ReadFile(copied); err != nil || !strings.Contains(string(raw), "never committed") {
		t.Fatalf("no page of the transaction is on the disk, %v", err)
	}
	other := must.Get(index.OpenForeign(copied))(t)
	defer func() { _ = other.Close() }()
	c, err := migrate.ReadDatabase(context.Background(), migrate.OCMemory, path, other, now, func(int) {})
	if err != nil || len(c.Entries) != 300 {
		t.Fatalf("%d entries, %v", len(c.Entries), err)
	}
	for _, e := range c.Entries {
		if !strings.HasPrefix(e.Text, "committed ") {
			t.Fatalf("%.30s comes over", e.Text)
		}
	}
}
