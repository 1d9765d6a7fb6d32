package engine_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
)

// snapshots carries out a request about snapshots.
func (w *world) snapshots(r memory.SnapshotRequest) memory.SnapshotAnswer {
	w.t.Helper()
	a, err := w.Snapshots(w.t.Context(), r)
	if err != nil {
		w.t.Fatalf("%+v: %v", r, err)
	}
	return a
}

func (w *world) newSnapshot() (id string) {
	w.t.Helper()
	return w.snapshots(memory.SnapshotRequest{Action: "create"}).Snapshots[0].ID
}

// causes lists the causes of the snapshots, newest first.
func (w *world) causes() (causes []string) {
	w.t.Helper()
	for _, each := range w.snapshots(memory.SnapshotRequest{Action: "list"}).Snapshots {
		causes = append(causes, each.Cause)
	}
	return causes
}

func (w *reopenable) snapshotPath(id string) string {
	return filepath.Join(filepath.Dir(w.db), "snapshots", id+".ndjson.gz")
}

// snapshotText returns the lines of all snapshots.
func (w *reopenable) snapshotText() string {
	w.t.Helper()
	files := must.Get(filepath.Glob(w.snapshotPath("*")))(w.t)
	var all strings.Builder
	for _, name := range files {
		f := must.Get(os.Open(name))(w.t)
		zip, err := gzip.NewReader(f)
		if err == nil {
			_, err = io.Copy(&all, zip)
		}
		must.Do(w.t, errors.Join(err, f.Close()))
	}
	return all.String()
}

// withLine returns a compressed snapshot whose lines have another value.
func (w *reopenable) withLine(src []byte, old, value string) []byte {
	w.t.Helper()
	var text, again bytes.Buffer
	zip, err := gzip.NewReader(bytes.NewReader(src))
	if err == nil {
		_, err = io.Copy(&text, zip)
	}
	out := gzip.NewWriter(&again)
	_, writeErr := io.WriteString(out, strings.Replace(text.String(), old, value, 1))
	if err := errors.Join(err, writeErr, out.Close()); err != nil || !strings.Contains(text.String(), old) {
		w.t.Fatalf("%s in %s: %v", old, text.String(), err)
	}
	return again.Bytes()
}

const (
	gate  = "The gate is locked at night"
	tower = "The tower has ninety steps"
	files = "- " + heron + "\n- " + owl + "\n- " + gate + "\n- " + tower + "\n"
)

func TestSnapshotBringsDecisionsBackAndUndoReversesThat(t *testing.T) {
	w := newReopenable(t, map[string]string{"MEMORY.md": files})
	w.decideAbout(memory.ActionPin, owl)
	w.decideAbout(memory.ActionForget, gate)
	want, file := w.all(), w.read("MEMORY.md")
	id := w.newSnapshot()
	w.decideAbout(memory.ActionUnpin, owl)
	w.decideAbout(memory.ActionRestore, gate)
	w.decideAbout(memory.ActionForget, heron)
	w.decideAbout(memory.ActionArchive, tower)
	after, changed := w.all(), w.read("MEMORY.md")

	preview := w.snapshots(memory.SnapshotRequest{Action: "restore", ID: id, Preview: true})
	if len(preview.Restored.Changed) != 4 || len(preview.Changes) != 4 || w.read("MEMORY.md") != changed {
		t.Errorf("the preview has %d memories; the file is\n%s", len(preview.Restored.Changed), w.read("MEMORY.md"))
	}
	for _, row := range preview.Changes {
		if row.ID == w.idOf(owl) && (row.Old["pinned"] != false || row.New["pinned"] != true) {
			t.Errorf("the preview says %v → %v", row.Old, row.New)
		}
	}
	for _, m := range preview.Restored.Changed {
		if m.ID == w.idOf(heron) && m.Text != "" {
			t.Errorf("the preview shows the forgotten text %q", m.Text)
		}
	}
	restored := w.snapshots(memory.SnapshotRequest{Action: "restore", ID: id})
	if got := w.all(); !reflect.DeepEqual(got, want) || w.read("MEMORY.md") != file {
		t.Errorf("the state is %+v, want %+v; the file is\n%s", got, want, w.read("MEMORY.md"))
	}
	if again := w.snapshots(memory.SnapshotRequest{Action: "restore", ID: id}); len(again.Restored.Changed) != 0 {
		t.Errorf("the second restore changes %+v", again.Restored.Changed)
	}
	audit, err := w.Audit(t.Context(), memory.AuditRequest{Action: "restore-snapshot"})
	if err != nil || audit.Total != 4 || audit.Audit[0].Batch != restored.Restored.Batch {
		t.Errorf("the audit has %+v, %v", audit, err)
	}
	w.decide(memory.DecideRequest{Action: memory.ActionUndo})
	if got := w.all(); !reflect.DeepEqual(got, after) || w.read("MEMORY.md") != changed {
		t.Errorf("after undo the state is %+v, want %+v; the file is\n%s", got, after, w.read("MEMORY.md"))
	}
}

func TestSnapshotBringsGradesBack(t *testing.T) {
	w := newReopenable(t, map[string]string{"MEMORY.md": "- Important: " + gate + "\n- " + owl + "\n"})
	want := w.all()
	must.Get(w.Grade(t.Context(), memory.GradeRequest{Fields: memory.GradeFields}))(t)
	graded := w.all()
	list := w.snapshots(memory.SnapshotRequest{Action: "list"}).Snapshots
	if len(list) != 1 || list[0].Cause != "before grade" {
		t.Fatalf("snapshots: %+v", list)
	}
	w.snapshots(memory.SnapshotRequest{Action: "restore", ID: "last"})
	if got := w.all(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	w.decide(memory.DecideRequest{Action: memory.ActionUndo})
	if got := w.all(); !reflect.DeepEqual(got, graded) {
		t.Errorf("after undo: %+v, want %+v", got, graded)
	}
}

// A copy that the snapshot does not know keeps its text forgotten. So does a text of which
// only a copy that is gone had the line.
func TestSnapshotAndForgottenCopies(t *testing.T) {
	w := newReopenable(t, map[string]string{"MEMORY.md": "- " + gate + "\n", "memory/a.md": "- " + owl + "\n- " + tower + "\n"})
	shown := w.newSnapshot()
	w.write("memory/b.md", "- "+gate+"\n")
	w.index()
	for _, m := range w.all() {
		if m.Path == "memory/b.md" {
			w.decide(decideRequest(memory.ActionForget, m.ID))
		}
	}
	w.snapshots(memory.SnapshotRequest{Action: "restore", ID: shown})
	for _, m := range w.all() {
		if m.Text == gate && !m.Forgotten {
			t.Errorf("%s shows what %s forgets", m.Path, "memory/b.md")
		}
	}
	hidden := w.newSnapshot()
	w.decide(memory.DecideRequest{Action: memory.ActionUndo})
	w.decideAbout(memory.ActionPin, gate)
	must.Do(t, os.Remove(filepath.Join(w.dir, "memory/b.md")))
	w.index()
	w.snapshots(memory.SnapshotRequest{Action: "restore", ID: hidden})
	if m := w.find(gate); !m.Forgotten || m.Pinned || !strings.Contains(w.read("MEMORY.md"), "forgotten") {
		t.Errorf("%+v in\n%s", m, w.read("MEMORY.md"))
	}
}

// The database is lost, and a line with it. What the snapshot knows of the others is restored.
func TestSnapshotOutlivesTheDatabase(t *testing.T) {
	w := newReopenable(t, map[string]string{"MEMORY.md": files})
	w.decideAbout(memory.ActionPin, owl)
	gone, id := w.idOf(tower), w.newSnapshot()
	must.Do(t, w.Close())
	left := must.Get(filepath.Glob(filepath.Join(filepath.Dir(w.db), "tiered*")))(t)
	for _, name := range left {
		must.Do(t, os.Remove(name))
	}
	w.write("MEMORY.md", "- "+heron+"\n- "+owl+"\n- "+gate+"\n- A text that is new\n")
	w.open()
	w.decideAbout(memory.ActionPin, "A text that is new")
	a := w.snapshots(memory.SnapshotRequest{Action: "restore", ID: id})
	if u := a.Restored.Unchanged; len(u) != 1 || u[0].ID != gone || u[0].Reason == "" {
		t.Errorf("gone: %+v", u)
	}
	if len(a.Restored.Changed) != 1 || !w.find(owl).Pinned || !w.find("A text that is new").Pinned || w.find(heron).Pinned {
		t.Errorf("restored: %+v", a.Restored.Changed)
	}
}

func TestDestroyCleansSnapshots(t *testing.T) {
	w := newReopenable(t, map[string]string{"MEMORY.md": files, "memory/a.md": "- " + vault + " #zyzzyva\n"})
	id := w.idOf(vault)
	w.decide(decideRequest(memory.ActionPin, id))
	must.Do(t, w.Supersede(t.Context(), w.idOf(gate), id))
	w.decideAbout(memory.ActionPin, gate) // the audit of another memory names it too
	snapshot, print := w.newSnapshot(), w.snapshotText()
	traces := []string{string(id), string(id.Linked()), id.InFile(), "zyzzyva"}
	for _, trace := range traces[:2] {
		if !strings.Contains(print, trace) {
			t.Errorf("the snapshot has no %s, so that the test checks nothing", trace)
		}
	}
	w.StopAfter(func(step string) error {
		if step == "sweep" {
			return errStopped
		}
		return nil
	})
	if _, err := w.Decide(t.Context(), destroyRequest(id)); !errors.Is(err, errStopped) {
		t.Fatal(err)
	}
	if status, err := w.Status(t.Context()); err != nil || !strings.Contains(fmt.Sprint(status.Workspaces[0].Faults), "snapshots/"+snapshot) {
		t.Errorf("status does not report the snapshot: %v, %v", status.Workspaces[0].Faults, err)
	}
	must.Do(t, w.Close())
	leftover := filepath.Join(filepath.Dir(w.db), "snapshots", ".x.ndjson.gz.memory-1")
	must.Do(t, os.WriteFile(leftover, []byte(id), 0o600))
	w.open()
	for _, trace := range traces {
		if strings.Contains(w.snapshotText(), trace) {
			t.Errorf("a snapshot still has %s:\n%s", trace, w.snapshotText())
		}
	}
	if _, err := os.Stat(leftover); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what a crash left is there: %v", err)
	}
	if status, err := w.Status(t.Context()); err != nil || len(status.Workspaces[0].Faults) > 0 {
		t.Errorf("%v, %v", status.Workspaces[0].Faults, err)
	}
	w.decideAbout(memory.ActionUnpin, gate)
	if a := w.snapshots(memory.SnapshotRequest{Action: "restore", ID: snapshot}); len(a.Restored.Changed) != 1 || len(a.Restored.Unchanged) != 0 || !w.find(gate).Pinned {
		t.Errorf("%+v", a.Restored)
	}
}

func TestBulkCommandsMakeASnapshotFirst(t *testing.T) {
	var many strings.Builder
	for n := range 12 {
		fmt.Fprintf(&many, "- Harbour number %d has a crane\n", n)
	}
	var ids []string
	w := newReopenable(t, map[string]string{"MEMORY.md": files, "memory/a.md": many.String()})
	for _, m := range w.all() {
		if m.Path == "memory/a.md" {
			ids = append(ids, string(m.ID))
		}
	}
	at := now
	c := memory.CaptureRequest{Command: uuid.NewString(), Folder: w.dir, Session: "s", Messages: said("I always write tests before the code.")}
	for _, tt := range []struct {
		name string
		want string // the cause of the new snapshot; empty: none is made
		run  func() error
	}{
		{"one id", "", func() error { w.decideAbout(memory.ActionPin, owl); return nil }},
		{"ten ids", "", func() error {
			w.decide(memory.DecideRequest{Action: memory.ActionPin, IDs: ids[:10]})
			return nil
		}},
		{"twelve ids", "before demote", func() error { w.decide(memory.DecideRequest{Action: memory.ActionDemote, IDs: ids}); return nil }},
		{"undo of them", "before undo", func() error { w.decide(memory.DecideRequest{Action: memory.ActionUndo}); return nil }},
		{"a filter", "before forget", func() error {
			w.decide(memory.DecideRequest{Action: memory.ActionForget, Filter: &memory.Filter{Path: "MEMORY.md"}})
			return nil
		}},
		{"a preview", "", func() error {
			w.decide(memory.DecideRequest{Action: memory.ActionPin, Filter: &memory.Filter{Path: "memory/**"}, Preview: true})
			return nil
		}},
		{"destroy", "before destroy", func() error {
			w.decide(memory.DecideRequest{Action: memory.ActionDestroy, Filter: &memory.Filter{Path: "MEMORY.md", Forgotten: true}, Confirm: true})
			return nil
		}},
		{"grade", "before grade", func() error { _, err := w.Grade(t.Context(), memory.GradeRequest{}); return err }},
		{"import", "before import", func() error {
			w.mustImport(w.export(memory.ExportRequest{WithText: true}), memory.ImportRequest{})
			return nil
		}},
		{"capture of a conversation", "before capture", func() error { _, err := w.Capture(t.Context(), c); return err }},
		{"another one of the same command", "", func() error {
			c.Session, c.Messages = "t", said("I never eat fish on Fridays.")
			_, err := w.Capture(t.Context(), c)
			return err
		}},
		{"restore", "before restore-snapshot", func() error {
			list := w.snapshots(memory.SnapshotRequest{Action: "list"}).Snapshots
			w.snapshots(memory.SnapshotRequest{Action: "restore", ID: list[len(list)-1].ID})
			w.decide(memory.DecideRequest{Action: memory.ActionArchive, IDs: ids})
			w.snapshots(memory.SnapshotRequest{Action: "restore", ID: list[0].ID})
			return nil
		}},
	} {
		before := len(w.causes())
		now = now.Add(time.Minute)
		if err := tt.run(); err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		switch causes := w.causes(); {
		case tt.want == "" && len(causes) != before:
			t.Errorf("%s made a snapshot %q", tt.name, causes[0])
		case tt.want != "" && (len(causes) <= before && before < 10 || causes[0] != tt.want):
			t.Errorf("%s made %q, want %q", tt.name, causes, tt.want)
		}
	}
	now = at
}

func TestBulkCommandIsRefusedWithoutASnapshot(t *testing.T) {
	w := newReopenable(t, map[string]string{"MEMORY.md": files})
	folder := filepath.Join(filepath.Dir(w.db), "snapshots")
	must.Do(t, os.WriteFile(folder, nil, 0o600))
	before := w.all()
	every := memory.DecideRequest{Action: memory.ActionForget, Filter: &memory.Filter{Path: "MEMORY.md"}}
	_, err := w.Decide(t.Context(), every)
	if detail := (*memory.Error)(nil); !errors.As(err, &detail) || detail.Kind != memory.ErrUnavailable || !strings.Contains(detail.Hint, "nothing was changed") {
		t.Errorf("error %v", err)
	}
	every.Action, every.Confirm = memory.ActionDestroy, true
	if _, err := w.Decide(t.Context(), every); !errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("destroy: %v", err)
	}
	if w.read("MEMORY.md") != files || !reflect.DeepEqual(w.all(), before) {
		t.Errorf("the file is\n%s", w.read("MEMORY.md"))
	}
	w.decideAbout(memory.ActionForget, owl) // needs no snapshot
}

func TestDailySnapshotsAreKeptForDaysAndWeeks(t *testing.T) {
	w := newReopenable(t, map[string]string{"MEMORY.md": files})
	defer func(at time.Time) { now = at }(now)
	byHand := w.newSnapshot()
	for range 60 * 24 { // hours
		now = now.Add(time.Hour)
		if now.Hour() == 5 {
			w.write("MEMORY.md", files+"- It is "+now.Format(time.RFC1123)+"\n")
			w.index()
		}
		must.Do(t, w.SnapshotDue(t.Context()))
	}
	if a, err := w.Receipts(t.Context(), memory.ReceiptsRequest{Kind: memory.ReceiptSnapshot, Limit: 100}); err != nil || len(a.Receipts) < 25 || a.Receipts[0].Action != "daily" || a.Receipts[0].Counts["memories"] == 0 {
		t.Errorf("receipts of a month: %d, %+v, %v", len(a.Receipts), a.Receipts[:min(1, len(a.Receipts))], err)
	}
	var days []string
	for _, each := range w.snapshots(memory.SnapshotRequest{Action: "list"}).Snapshots {
		if each.Cause == "daily" {
			days = append(days, each.CreatedAt.Format("Mon 01-02"))
		} else if each.ID != byHand {
			t.Errorf("%+v", each)
		}
	}
	want := []string{"Tue 01-19", "Mon 01-18", "Sun 01-17", "Sat 01-16", "Fri 01-15", "Thu 01-14", "Wed 01-13", "Sun 01-10", "Sun 01-03"}
	if !reflect.DeepEqual(days, want) {
		t.Errorf("kept: %q, want %q", days, want)
	}
	idle := now
	for range 20 * 24 { // nothing changes
		now = now.Add(time.Hour)
		must.Do(t, w.SnapshotDue(t.Context()))
	}
	if last := w.snapshots(memory.SnapshotRequest{Action: "list"}).Snapshots[0]; last.CreatedAt.Sub(idle) > 24*time.Hour {
		t.Errorf("nothing changes, and there is a snapshot of %s", last.CreatedAt)
	}
}

func TestDamagedAndForeignSnapshots(t *testing.T) {
	w := newReopenable(t, map[string]string{"MEMORY.md": files})
	w.decideAbout(memory.ActionPin, owl)
	good := w.newSnapshot()
	text := must.Get(os.ReadFile(w.snapshotPath(good)))(t)
	changed := append([]byte(nil), text...)
	changed[len(changed)/2] ^= 1
	for id, damaged := range map[string][]byte{"20200101-000000": text[:len(text)-9], "20200102-000000": changed, "20200103-000000": []byte("junk"), "20200104-000000": nil,
		"20200105-000000": text[:len(text)/2], "20200106-000000": w.withLine(text, `"pinned":true`, `"pinned":false`)} {
		must.Do(t, os.WriteFile(w.snapshotPath(id), damaged, 0o600))
		_, err := w.Snapshots(t.Context(), memory.SnapshotRequest{Action: "restore", ID: id})
		if detail := (*memory.Error)(nil); !errors.As(err, &detail) || detail.Kind != memory.ErrInvalid || !strings.Contains(detail.Hint, "remove "+id) {
			t.Errorf("%s: %v", id, err)
		}
	}
	list := w.snapshots(memory.SnapshotRequest{Action: "list"}).Snapshots
	if len(list) != 7 || list[len(list)-1].Damaged == "" {
		t.Errorf("%+v", list)
	}
	w.snapshots(memory.SnapshotRequest{Action: "remove", ID: "20200103"})
	w.decideAbout(memory.ActionUnpin, owl)
	w.snapshots(memory.SnapshotRequest{Action: "restore", ID: good})
	if !w.find(owl).Pinned {
		t.Error("the good snapshot is not restored beside damaged ones")
	}
	if a := w.decide(destroyRequest(w.idOf(tower))); !strings.Contains(strings.Join(a.Notices, "\n"), "was a damaged snapshot") || len(w.causes()) != 1 {
		t.Errorf("%q; left: %q", a.Notices, w.causes())
	}

	other := newReopenable(t, map[string]string{"MEMORY.md": "- Something else stands here\n"})
	other.newSnapshot()
	must.Do(t, os.WriteFile(other.snapshotPath(good), text, 0o600))
	if _, err := other.Snapshots(t.Context(), memory.SnapshotRequest{Action: "restore", ID: good}); !errors.Is(err, memory.ErrInvalid) && !errors.Is(err, memory.ErrConflict) {
		t.Errorf("a snapshot of another workspace: %v", err)
	}
}

func TestSnapshotRequestsThatAreRefused(t *testing.T) {
	w := newReopenable(t, map[string]string{"MEMORY.md": files})
	now = now.Add(time.Second)
	defer func() { now = now.Add(-time.Second) }()
	w.newSnapshot()
	w.newSnapshot()
	for _, r := range []memory.SnapshotRequest{{}, {Action: "burn"}, {Action: "list", Tag: "x"}, {Action: "create", Tag: strings.Repeat("x", 61)},
		{Action: "remove", ID: "2", Preview: true}, {Action: "remove"}, {Action: "restore", ID: "2"}} {
		if _, err := w.Snapshots(t.Context(), r); !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("%+v: %v", r, err)
		}
	}
	if _, err := w.Snapshots(t.Context(), memory.SnapshotRequest{Action: "remove", ID: "../tiered"}); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("%v", err)
	}
}
