package engine_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed/static"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/index/indextest"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/internal/property"
	"github.com/memory-tiered/memory/recall"
)

// damageable is a workspace whose database is opened, closed and damaged.
type damageable struct {
	*world
	time time.Time
	step time.Duration // that the clock advances at each look, some 15 times in a test
}

func newDamageable(t *testing.T, files map[string]string) *damageable {
	t.Helper()
	indextest.SQLiteOnly(t)
	d := &damageable{world: &world{t: t, dir: t.TempDir(), db: filepath.Join(t.TempDir(), "tiered.db")}, time: now.Add(-12 * time.Hour), step: 2 * time.Minute} // far from midnight: a use counts once a day
	for path, text := range files {
		d.write(path, text)
	}
	d.open()
	d.index()
	return d
}

func (d *damageable) open() {
	d.t.Helper()
	var err error
	d.Engine, err = engine.Open(d.t.Context(), onBackend(d.t, engine.Options{
		Workspaces: []engine.WorkspaceConfig{{Name: "main", Dir: d.dir, DBPath: d.db, Zone: time.UTC}},
		Embedder:   static.New(), Recall: recall.Defaults(), AutoRecall: true, NoInMemory: true,
		Now: func() time.Time { d.time = d.time.Add(d.step); return d.time },
	}))
	if err != nil {
		d.t.Fatal(err)
	}
}

func (d *damageable) closeNow() {
	d.t.Helper()
	must.Do(d.t, d.Close())
}

// uses returns the use count of the memory that a query finds first.
func (d *damageable) uses(query string) int {
	d.t.Helper()
	answer, err := d.Search(d.t.Context(), memory.SearchRequest{Query: query})
	if err != nil || len(answer.Hits) == 0 {
		d.t.Fatalf("search %q: %d hits, %v", query, len(answer.Hits), err)
	}
	return answer.Hits[0].UseCount
}

func (d *damageable) hasNotice(part string) bool {
	d.t.Helper()
	status := must.Get(d.Status(d.t.Context()))(d.t)
	return strings.Contains(strings.Join(status.Workspaces[0].Notices, "\n"), part)
}

func (d *damageable) removeDatabase() {
	d.t.Helper()
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(d.db + suffix); err != nil && !os.IsNotExist(err) {
			d.t.Fatal(err)
		}
	}
}

func TestRemovedDatabaseIsRebuilt(t *testing.T) {
	d := newDamageable(t, map[string]string{"MEMORY.md": "- the heron stands in the pond\n- the owl hunts at dusk in the old barn\n"})
	defer func() { d.closeNow() }()
	d.search("heron")
	must.Get(d.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionForget, Query: "owl", All: true}))(t)
	check := func(notice string) {
		t.Helper()
		if n := d.uses("heron"); n != 1 {
			t.Errorf("the heron has %d uses", n)
		}
		audit, err := d.Audit(t.Context(), memory.AuditRequest{})
		if err != nil || len(audit.Audit) == 0 {
			t.Errorf("audit: %+v, %v", audit, err)
		}
		if hits := d.search("owl barn"); len(hits) > 0 && strings.Contains(hits[0].Text, "owl") {
			t.Error("the forgotten memory is found")
		}
		if !d.hasNotice(notice) {
			t.Errorf("no notice of %q", notice)
		}
	}

	d.removeDatabase() // under the running engine, without a backup
	if notices, err := d.Repair(t.Context()); err != nil || len(notices) == 0 {
		t.Fatalf("%q, %v", notices, err)
	}
	check("the database was gone")

	must.Do(t, d.Backup(t.Context()))
	d.closeNow()
	d.removeDatabase() // while no engine runs
	d.open()
	d.index()
	check("the database was gone")
	if notices, err := d.Repair(t.Context()); err != nil || len(notices) != 0 {
		t.Errorf("repaired without need: %q, %v", notices, err)
	}
}

// TestZeroedPagesAreRepaired zeroes each page of a database. Every memory is found
// afterwards, with its uses, and without the help of a person.
func TestZeroedPagesAreRepaired(t *testing.T) {
	var text strings.Builder
	for i := range 14 {
		fmt.Fprintf(&text, "- %s %s\n", word(i), strings.Repeat("heron pond barn "+word(i)+" ", 1+i%9))
	}
	d := newDamageable(t, map[string]string{"MEMORY.md": text.String()})
	d.search(word(7))
	before := d.uses(word(7))
	must.Do(t, d.Backup(t.Context()))
	d.closeNow()
	intact := must.Get(os.ReadFile(d.db))(t)
	const page = 4096
	step := page * inLongRun(4, 1)
	var unnoticed []int
	for at := property.Number(step/page) * page; at < len(intact); at += step {
		damaged := bytes.Clone(intact)
		clear(damaged[at : at+page])
		if bytes.Equal(damaged, intact) {
			continue
		}
		d.removeDatabase()
		must.Do(t, os.WriteFile(d.db, damaged, 0o600))
		d.open()
		if _, err := d.Index(t.Context(), memory.IndexRequest{}, nil); err != nil {
			t.Errorf("page %d: index: %v", at/page+1, err)
		}
		_ = d.Check(t.Context()) // the engine notes what it finds
		if _, err := d.Repair(t.Context()); err != nil {
			t.Errorf("page %d: repair: %v", at/page+1, err)
		}
		if !d.hasNotice("damaged and has been set aside") {
			unnoticed = append(unnoticed, at/page+1)
		}
		for i := range 14 {
			answer, err := d.Search(t.Context(), memory.SearchRequest{Query: word(i)})
			if err != nil || len(answer.Hits) == 0 || !strings.HasPrefix(answer.Hits[0].Text, word(i)) {
				t.Errorf("page %d: %s is not found: %v", at/page+1, word(i), err)
			} else if n := answer.Hits[0].UseCount; i == 7 && n != before {
				t.Errorf("page %d: %d uses, want %d", at/page+1, n, before)
			}
		}
		d.closeNow()
		for _, aside := range d.setAside() {
			_ = os.Remove(aside)
		}
	}
	if len(unnoticed) > 1 { // one page is free, so nothing is damaged
		t.Errorf("of %d pages, damage is not found in %v", len(intact)/page, unnoticed)
	}
}

// word returns a word of its own for each number.
func word(i int) string {
	return string([]byte{'q', byte('a' + i%7), 'x', byte('b' + i/7), 'z', byte('c' + i%11)})
}

func (d *damageable) setAside() []string {
	files, _ := filepath.Glob(d.db + ".corrupt-*")
	return files
}

func TestDamageSeenBeforeAStopIsRepairedByTheNextStart(t *testing.T) {
	d := newDamageable(t, map[string]string{"MEMORY.md": "- the heron stands in the pond\n"})
	d.search("heron")
	d.closeNow()
	d.flip("heron stands", "heron stunds")
	d.open()
	if err := d.Check(t.Context()); err == nil {
		t.Fatal("the flipped bit is not found")
	}
	d.closeNow()
	d.open()
	d.index()
	if n := d.uses("heron"); n != 0 { // no backup was made before the damage
		t.Errorf("%d uses", n)
	}
	if len(d.setAside()) != 1 || !d.hasNotice("damaged and has been set aside") {
		t.Errorf("set aside: %q", d.setAside())
	}
	d.closeNow()
}

// flip replaces bytes of the database that have the same length.
func (d *damageable) flip(old, flipped string) {
	d.t.Helper()
	src, err := os.ReadFile(d.db)
	if err != nil || !bytes.Contains(src, []byte(old)) {
		d.t.Fatalf("%q is not in the database: %v", old, err)
	}
	must.Do(d.t, os.WriteFile(d.db, bytes.ReplaceAll(src, []byte(old), []byte(flipped)), 0o600))
}

func TestForcedIndexRepairsFlippedBits(t *testing.T) {
	d := newDamageable(t, map[string]string{"MEMORY.md": "- the heron stands in the pond\n- the owl hunts at dusk\n"})
	d.search("heron")
	must.Do(t, d.Backup(t.Context()))
	d.closeNow()
	d.flip("heron stands", "heron stunds")
	d.open()
	defer d.closeNow()
	must.Get(d.Index(t.Context(), memory.IndexRequest{Force: true}, nil))(t)
	if n := d.uses("heron"); n != 1 {
		t.Errorf("%d uses; the backup has one", n)
	}
	if hits := d.search("heron"); len(hits) == 0 || hits[0].Text != "the heron stands in the pond" {
		t.Errorf("%+v", hits)
	}
	if !d.hasNotice("damaged and has been set aside") {
		t.Error("status does not say so")
	}
}

// A workspace that could not be opened at the start is opened when its cause is gone.
func TestWorkspaceIsOpenedLater(t *testing.T) {
	dir, db := t.TempDir(), filepath.Join(t.TempDir(), "tiered.db")
	must.Do(t, errors.Join(os.WriteFile(filepath.Join(dir, "MEMORY.md"), []byte("- "+heron+"\n"), 0o644), os.Mkdir(db, 0o700)))
	now := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	e := must.Get(engine.Open(t.Context(), onBackend(t, engine.Options{Now: func() time.Time { return now },
		Workspaces: []engine.WorkspaceConfig{{Name: "main", Dir: dir, DBPath: db, Zone: time.UTC}}})))(t)
	defer e.Close()
	for range 2 {
		now = now.Add(time.Minute)
		if _, err := e.Repair(t.Context()); err != nil {
			t.Errorf("the same error is reported again: %v", err)
		}
	}
	must.Do(t, os.Remove(db))
	now = now.Add(time.Minute)
	must.Get(e.Repair(t.Context()))(t)
	must.Get(e.Index(t.Context(), memory.IndexRequest{}, nil))(t)
	if list, err := e.List(t.Context(), memory.ListRequest{}); err != nil || list.Total != 1 {
		t.Errorf("%d memories, %v", list.Total, err)
	}
}
