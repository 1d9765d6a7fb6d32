package ingest_test

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/identity"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/ingest"
	"github.com/memory-tiered/memory/internal/property"
)

// forgetfulStore knows no hash of a block, so that no block is settled.
type forgetfulStore struct{ *index.DB }

func (s forgetfulStore) Blocks(ctx context.Context, path string) ([]identity.IndexedBlock, error) {
	blocks, err := s.DB.Blocks(ctx, path)
	for i := range blocks {
		blocks[i].Hash = 0
	}
	return blocks, err
}

// TestSettledBlocksChangeNothing makes random edits of files with many copies of few texts.
// Two databases follow them: one whose runs match every block, and one whose runs do not
// match settled ones. All their rows are the same after each run.
func TestSettledBlocksChangeNothing(t *testing.T) {
	root, n, settled, moved := t.TempDir(), 0, 0, 0
	property.Check(t, func(t *rapid.T) {
		n++
		dir := filepath.Join(root, fmt.Sprint(n))
		if err := os.MkdirAll(filepath.Join(dir, "notes", "memory"), 0o755); err != nil {
			t.Fatal(err)
		}
		w, every := openWorld(t, filepath.Join(dir, "notes"), filepath.Join(dir, "state")), openWorld(t, filepath.Join(dir, "notes"), filepath.Join(dir, "every"))
		defer w.close()
		defer every.close()
		w.must(w.db.Load(context.Background()))
		e := &editor{world: w, rnd: rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)), files: map[string][]string{}}
		w.sliceSize = rapid.SampledFrom([]int{0, 3}).Draw(t, "slice size")
		w.applied = func(b memory.Batch) {
			for _, s := range b.Shifts {
				settled += s.To - s.From
				if s.Blocks != 0 || s.Bytes != 0 {
					moved++
				}
			}
		}
		for range 120 {
			e.addLine()
		}
		for range rapid.IntRange(1, 15).Draw(t, "runs") {
			for range 1 + e.rnd.IntN(3) {
				e.edit()
			}
			var paths []string
			if e.rnd.IntN(3) == 0 {
				paths = []string{e.path()}
			}
			got, err := w.tryIndex(false, paths...)
			w.must(err)
			every.now = w.now
			want, err := ingest.New(forgetfulStore{every.db}, every.source, ingest.Options{SliceSize: w.sliceSize}).Ingest(context.Background(), every.now, paths, false, nil)
			w.must(err)
			if !reflect.DeepEqual(got, want) {
				e.fail("the run answers %+v, want %+v", got, want)
			}
			e.compare(every)
		}
	})
	if settled < 50*n || moved < n {
		t.Errorf("%d blocks were settled and %d runs moved in %d histories", settled, moved, n)
	}
}

// editor edits the lines of a few files at random.
type editor struct {
	*world
	rnd   *rand.Rand
	files map[string][]string // the bodies
	heads map[string][]string // the lines of their front matter
	log   []string
}

func (e *editor) fail(format string, args ...any) {
	e.t.Fatalf("%s\nafter:\n%s", fmt.Sprintf(format, args...), strings.Join(e.log, "\n"))
}

func (e *editor) path() string { return e.one("MEMORY.md", "memory/a.md", "memory/2026-11-19.md") }

func (e *editor) one(of ...string) string { return of[e.rnd.IntN(len(of))] }

// line returns a line of the kinds that depend on others: copies, speakers, labels, users.
func (e *editor) line() string {
	subject, place := e.one("heron", "owl", "finch", "crane", "swift", "gull", "wren", "dove", "robin", "lark"), e.one("barn", "mill", "harbour", "attic", "tower", "garden", "chapel", "bridge")
	text := fmt.Sprintf("the %s nests in the old %s beside the river", subject, place)
	switch e.rnd.IntN(16) {
	case 0:
		return "# " + subject
	case 1:
		return ""
	case 2:
		return "- Ada: " + text
	case 3:
		return "- " + text + " ^" + subject
	case 4:
		return "- " + text + " <!-- user: " + e.one("lena", "otto") + " -->"
	case 5:
		return "- " + text + " <!-- tier: cold -->"
	case 6:
		return "- " + text + " [[" + place + "]] #" + subject
	case 7, 8, 9:
		return "- " + text + fmt.Sprintf(" since %d", 1900+e.rnd.IntN(100))
	case 10:
		return text
	}
	return "- " + text
}

func (e *editor) addLine() {
	path := e.path()
	lines := e.files[path]
	e.set(path, slices.Insert(slices.Clone(lines), e.rnd.IntN(len(lines)+1), e.line()))
}

// set writes a file.
func (e *editor) set(path string, body []string) {
	e.files[path] = body
	lines := body
	if head := e.heads[path]; len(head) > 0 {
		lines = slices.Concat([]string{"---"}, head, []string{"---"}, body)
	}
	e.write(path, append([]string{}, lines...)...)
	e.log = append(e.log, fmt.Sprintf("%s:\n%s\n", path, strings.Join(lines, "\n")))
}

func (e *editor) edit() {
	path := e.path()
	body := slices.Clone(e.files[path])
	if len(body) < 2 {
		e.addLine()
		return
	}
	at, other := e.rnd.IntN(len(body)), e.rnd.IntN(len(body))
	switch e.rnd.IntN(12) {
	case 0, 1:
		e.addLine()
		return
	case 2:
		body = slices.Delete(body, at, at+1)
	case 3:
		body[at] = strings.Replace(body[at], e.one("old", "nests", "river"), e.one("grey", "sleeps", "canal"), 1)
	case 4:
		body[at], body[other] = body[other], body[at]
	case 5:
		body = slices.Insert(body, other, body[at])
	case 6: // a run of lines moves to another file
		to, end := e.path(), min(len(body), at+1+e.rnd.IntN(4))
		if to != path {
			moved := slices.Clone(body[at:end])
			if e.rnd.IntN(2) == 0 {
				body = slices.Delete(body, at, end)
			}
			e.set(to, append(slices.Clone(e.files[to]), moved...))
		}
	case 7:
		body = slices.Insert(body, at, "")
	case 8:
		body = body[:at]
	default:
		e.editHead(path)
	}
	e.set(path, body)
}

// editHead adds a line to the front matter of a file, or removes all.
func (e *editor) editHead(path string) {
	if e.heads == nil {
		e.heads = map[string][]string{}
	}
	all := e.list(memory.Predicate{Missing: memory.Include})
	if len(all) == 0 || e.rnd.IntN(6) == 0 {
		e.heads[path] = nil
		return
	}
	m := all[e.rnd.IntN(len(all))]
	words := e.one("pinned: true", "forgotten: 2026-11-20", "private: true", "tier: hot")
	line := entry(m, words)
	if e.rnd.IntN(3) == 0 {
		line = fmt.Sprintf("  - {id: \"\", quote: %q, %s}", quote(m.Text), words)
	}
	if head := e.heads[path]; slices.Contains(head, "memories:") {
		e.heads[path] = append(slices.Clone(head), line)
		return
	}
	head := []string{"memories:", line}
	if e.rnd.IntN(3) == 0 {
		head = append([]string{e.one("topic: birds", "scope: work", "aliases: [birds]", "created: 2026-11-01", "user: otto")}, head...)
	}
	e.heads[path] = head
}

// tables are all rows that a run writes, without what is random in each database: the keys
// of marks, the numbers of chunks and transactions.
var tables = []string{"places", "memories", "entries", "past_fingerprints", "past_places",
	"(SELECT path, hash, stamp = 'partial', declared, defaults, faults FROM files)",
	"(SELECT memory_id, n, text, context, parts, fingerprint, speech, speaker, topic FROM chunks)",
	"(SELECT at, action, memory_id, source, json_remove(old, '$.text_hash'), json_remove(new, '$.text_hash') FROM memory_audit)"}

// compare compares the rows of two databases, and the index in memory with the tables.
func (e *editor) compare(with *world) {
	own, err := sql.Open("sqlite", e.db.Path())
	e.must(err)
	defer func() { _ = own.Close() }()
	other, err := sql.Open("sqlite", with.db.Path())
	e.must(err)
	defer func() { _ = other.Close() }()
	for _, table := range tables {
		if got, want := rowsOf(e.t, own, table), rowsOf(e.t, other, table); !reflect.DeepEqual(got, want) {
			isIn := func(list []string) func(string) bool {
				return func(row string) bool { return slices.Contains(list, row) }
			}
			e.fail("rows of %s\n got %q\nwant %q", table, slices.DeleteFunc(slices.Clone(got), isIn(want)), slices.DeleteFunc(slices.Clone(want), isIn(got)))
		}
	}
	var ids []memory.ID
	for _, m := range e.list(memory.Predicate{}) {
		ids = append(ids, m.ID)
	}
	everything := memory.Predicate{Archive: true, Forgotten: memory.Include}
	got, err := e.db.Visible(context.Background(), ids, everything)
	e.must(err)
	for i := range got {
		got[i].Sketch = 0 // the tables have none
	}
	want, err := with.db.Visible(context.Background(), ids, everything)
	e.must(err)
	if !reflect.DeepEqual(got, want) {
		e.fail("the index in memory has\n%+v\nwant\n%+v", got, want)
	}
}

func rowsOf(t testingT, conn *sql.DB, table string) (rows []string) {
	found, err := conn.Query("SELECT * FROM " + table)
	if err != nil {
		t.Fatalf("%v", err)
	}
	defer func() { _ = found.Close() }()
	columns, _ := found.Columns()
	for found.Next() {
		values, to := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			to[i] = &values[i]
		}
		if err := found.Scan(to...); err != nil {
			t.Fatalf("%v", err)
		}
		rows = append(rows, fmt.Sprintf("%q", values))
	}
	if err := found.Err(); err != nil {
		t.Fatalf("%v", err)
	}
	slices.Sort(rows)
	return rows
}
