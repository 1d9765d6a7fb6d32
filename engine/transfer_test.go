package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/internal/must"
)

// transferFiles has memories of every state that a file can declare.
var transferFiles = map[string]string{
	"MEMORY.md": "---\ntier: warm\nscope: work\n---\n# Editor\n\n- Prefers tabs over spaces in Go <!-- importance: 9 -->\n- The staging password rotates on the first Monday\n\n## Go\n\n- Runs the linter before every commit #tools\n",
	"memory/2026-11-02.md": "- The locker code is 4711 in the hall <!-- private -->\n- Ann drinks her tea strong and black <!-- user: telegram:77; trust: untrusted -->\n\n" +
		"| port | service |\n|---|---|\n| 5432 | postgres |\n\nDeploy like this:\n\n```sh\nmake deploy\n```\n\nA paragraph about the [[harbour]] and its cranes. ^cranes\n",
	"memory/topics/same.md": "- The same text twice in one file\n- Another text between the two\n- The same text twice in one file\n",
}

// newTransferWorld returns a workspace with pins, forgotten memories, versions and uses.
func newTransferWorld(t *testing.T) *world {
	w := newWorld(t, transferFiles)
	w.decideAbout(memory.ActionPin, "Prefers tabs over spaces in Go")
	w.decideAbout(memory.ActionForget, "The staging password rotates on the first Monday")
	w.decideAbout(memory.ActionPromote, "Another text between the two")
	old := must.Get(w.Store(t.Context(), memory.StoreRequest{Text: "The collector listens on port 9090"}))(t)
	must.Get(w.Store(t.Context(), memory.StoreRequest{Text: "The collector listens on port 9191 now", Replaces: string(old.Memory.ID)}))(t)
	w.search("which port does the collector listen on")
	return w
}

func (w *world) decideAbout(action memory.Action, text string) {
	w.t.Helper()
	for _, m := range w.all() {
		if m.Text == text {
			must.Get(w.Decide(w.t.Context(), memory.DecideRequest{Action: action, IDs: []string{string(m.ID)}}))(w.t)
			return
		}
	}
	w.t.Fatalf("there is no memory %q", text)
}

// all lists the memories, also the forgotten ones, without their lines.
func (w *world) all() (all []memory.Memory) {
	w.t.Helper()
	for _, forgotten := range []bool{false, true} {
		list := must.Get(w.List(w.t.Context(), memory.ListRequest{Filter: memory.Filter{Forgotten: forgotten}, Sort: "path"}))(w.t)
		all = append(all, list.Memories...)
	}
	for i := range all {
		all[i].LineStart, all[i].LineEnd = 0, 0
	}
	return all
}

func (w *world) export(r memory.ExportRequest) []byte {
	w.t.Helper()
	var out bytes.Buffer
	r.Out = &out
	must.Get(w.Export(w.t.Context(), r))(w.t)
	return out.Bytes()
}

func (w *world) importLines(lines []byte, r memory.ImportRequest) (memory.ImportAnswer, error) {
	r.In = bytes.NewReader(lines)
	return w.Import(w.t.Context(), r, nil)
}

func (w *world) mustImport(lines []byte, r memory.ImportRequest) memory.ImportAnswer {
	w.t.Helper()
	a := must.Get(w.importLines(lines, r))(w.t)
	return a
}

// rowsOf returns the rows of an export without the lines of the memories.
func rowsOf(t *testing.T, export []byte) map[memory.ID]memory.ExportRow {
	t.Helper()
	all := map[memory.ID]memory.ExportRow{}
	for line := range bytes.Lines(export) {
		var row memory.ExportRow
		must.Do(t, json.Unmarshal(line, &row))
		if row.N == 0 {
			continue
		}
		row.Memory.LineStart, row.Memory.LineEnd = 0, 0
		all[row.Memory.ID] = row
	}
	return all
}

func requireSameRows(t *testing.T, got, want map[memory.ID]memory.ExportRow) {
	t.Helper()
	if len(got) != len(want) || len(want) == 0 {
		t.Errorf("%d memories, want %d", len(got), len(want))
	}
	for id, row := range want {
		if !reflect.DeepEqual(got[id], row) {
			is, _ := json.Marshal(got[id])
			wanted, _ := json.Marshal(row)
			t.Fatalf("%s is\n%s\nwant\n%s", id.Short(), is, wanted)
		}
	}
}

func TestExportAndImportIntoAnEmptyWorkspace(t *testing.T) {
	from := newTransferWorld(t)
	export := from.export(memory.ExportRequest{WithText: true})
	if again := from.export(memory.ExportRequest{WithText: true}); !bytes.Equal(export, again) {
		t.Error("two exports of the same state differ")
	}
	to := newWorld(t, nil)
	if a := to.mustImport(export, memory.ImportRequest{DryRun: true}); a.Added == 0 || len(to.all()) > 0 {
		t.Errorf("a dry run counts %+v, and the workspace has %d memories", a, len(to.all()))
	}
	a := to.mustImport(export, memory.ImportRequest{})
	if a.Added != len(from.all()) || a.Updated+a.Unchanged+a.NoText+a.Destroyed+len(a.Failed) > 0 {
		t.Errorf("imported %+v", a)
	}
	requireSameRows(t, rowsOf(t, to.export(memory.ExportRequest{WithText: true})), rowsOf(t, export))
	if again := to.mustImport(export, memory.ImportRequest{}); again.Unchanged != a.Added || again.Added+again.Updated > 0 {
		t.Errorf("imported again %+v", again)
	}
	hits := to.search("staging password")
	if slices.ContainsFunc(hits, func(h memory.Hit) bool { return strings.Contains(h.Text, "password") }) {
		t.Error("the forgotten memory is found")
	}
}

func TestRedactedExportAndTheSameFiles(t *testing.T) {
	from := newTransferWorld(t)
	export := from.export(memory.ExportRequest{})
	for _, text := range []string{"tabs", "password", "Editor", "harbour", "locker", "make deploy"} {
		if bytes.Contains(export, []byte(text)) {
			t.Errorf("an export without texts contains %q", text)
		}
	}
	files := map[string]string{}
	for _, m := range from.all() {
		files[m.Path] = from.read(m.Path)
	}
	to := newWorldWith(t, files, func(o *engine.Options) { // a machine on which everything is new
		o.Now = func() time.Time { return now.Add(time.Hour) }
		o.Workspaces[0].Zone = time.FixedZone("JST", 9*60*60)
	})
	to.mustImport(export, memory.ImportRequest{})
	requireSameRows(t, rowsOf(t, to.export(memory.ExportRequest{WithText: true})), rowsOf(t, from.export(memory.ExportRequest{WithText: true})))
	for path, text := range files {
		if to.read(path) != text {
			t.Errorf("%s changed to\n%s", path, to.read(path))
		}
	}
	empty := newWorld(t, nil)
	if a := empty.mustImport(export, memory.ImportRequest{}); a.NoText != len(from.all()) || a.Added > 0 {
		t.Errorf("without files: %+v", a)
	}
}

func TestForgottenAndDestroyedTextsDoNotComeBack(t *testing.T) {
	from := newTransferWorld(t)
	before := from.export(memory.ExportRequest{WithText: true})
	gone := "Runs the linter before every commit"
	destroy := func(w *world) {
		for _, m := range w.all() {
			if m.Text == gone {
				must.Get(w.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionDestroy, IDs: []string{string(m.ID)}, Confirm: true}))(t)
			}
		}
	}
	destroy(from)
	if a := from.mustImport(before, memory.ImportRequest{}); a.Destroyed != 1 || a.Added != 0 {
		t.Errorf("imported over a destroyed memory: %+v", a)
	}
	to := newWorld(t, nil)
	to.mustImport(from.export(memory.ExportRequest{WithText: true}), memory.ImportRequest{})
	if a := to.mustImport(before, memory.ImportRequest{}); a.Destroyed != 1 || a.Added != 0 {
		t.Errorf("imported an older export where the text was destroyed: %+v", a)
	}
	for _, w := range []*world{from, to} {
		if slices.ContainsFunc(w.all(), func(m memory.Memory) bool { return m.Text == gone }) {
			t.Error("the destroyed text is back")
		}
	}
	to.write("memory/later.md", "- The staging password rotates on the first Monday\n")
	to.index()
	for _, m := range to.all() {
		if m.Path == "memory/later.md" && !m.Forgotten {
			t.Error("a later copy of a forgotten text is not forgotten")
		}
	}
}

func TestImportIntoAWorkspaceWithFiles(t *testing.T) {
	export := newTransferWorld(t).export(memory.ExportRequest{WithText: true})
	mine := "- A note of mine about the ferry\n"
	tests := []struct {
		name     string
		request  memory.ImportRequest
		path     string
		contains string
	}{
		{"beside", memory.ImportRequest{}, "memory/imported/MEMORY-2.md", "Prefers tabs"},
		{"appended", memory.ImportRequest{Append: true}, "MEMORY.md", mine},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, map[string]string{"MEMORY.md": mine})
			w.mustImport(export, tt.request)
			if !strings.Contains(w.read(tt.path), tt.contains) || !strings.Contains(w.read(tt.path), "Prefers tabs") || !strings.Contains(w.read("MEMORY.md"), mine) {
				t.Errorf("%s is\n%s", tt.path, w.read(tt.path))
			}
			for _, m := range w.all() {
				if strings.HasPrefix(m.Text, "Prefers tabs") && (!m.Pinned || m.Scope != "work" || m.Tier != memory.TierWarm || m.Importance != 0.9) {
					t.Errorf("the state is %+v", m)
				}
			}
		})
	}
}

func TestDedupe(t *testing.T) {
	from := newTransferWorld(t)
	export := from.export(memory.ExportRequest{WithText: true})
	n := len(from.all())
	if a := from.mustImport(export, memory.ImportRequest{Dedupe: memory.DedupeID}); a.Unchanged != n {
		t.Errorf("id: %+v", a)
	}
	if a := from.mustImport(export, memory.ImportRequest{Dedupe: memory.DedupeNone}); a.Added != n || len(from.all()) != 2*n {
		t.Errorf("none: %+v, and %d memories", a, len(from.all()))
	}
	for _, m := range from.all() {
		if strings.HasPrefix(m.Text, "The locker code") && !m.Private || strings.HasPrefix(m.Text, "The staging password") && !m.Forgotten || strings.HasPrefix(m.Text, "Ann drinks") && m.User == "" {
			t.Errorf("a copy lost its protection: %+v", m)
		}
	}
}

func TestDamagedExportsChangeNothing(t *testing.T) {
	export := newTransferWorld(t).export(memory.ExportRequest{WithText: true})
	lines := bytes.SplitAfter(bytes.TrimSuffix(export, []byte("\n")), []byte("\n"))
	lines[len(lines)-1] = append(lines[len(lines)-1], '\n')
	swap := func(of ...int) []byte {
		var out []byte
		for _, i := range of {
			out = append(out, lines[i]...)
		}
		return out
	}
	all := func(change func([]int) []int) []byte {
		order := make([]int, len(lines))
		for i := range order {
			order[i] = i
		}
		return swap(change(order)...)
	}
	tests := []struct {
		name string
		in   []byte
		want string
	}{
		{"empty", nil, "its last line is missing"},
		{"torn", export[:len(export)-len(export)/3], "it is cut off"},
		{"without the last line", all(func(o []int) []int { return o[:len(o)-1] }), "its last line is missing"},
		{"reordered", all(func(o []int) []int { o[2], o[3] = o[3], o[2]; return o }), "line 3: it has the number 3"},
		{"doubled", all(func(o []int) []int { return slices.Insert(o, 3, 2) }), "is on line 3 already"},
		{"missing line", all(func(o []int) []int { return slices.Delete(o, 3, 4) }), "line 4: it has the number 4"},
		{"more behind", append(bytes.Clone(export), lines[2]...), "there is a line behind the last one"},
		{"foreign", []byte("# Notes\n\n- one\n"), "line 1: it is no header"},
		{"foreign line", bytes.Replace(export, lines[2], []byte("[1]\n"), 1), "line 3: it is no memory"},
		{"newer format", bytes.Replace(export, []byte("memory-export/1"), []byte("memory-export/9"), 1), "the format is"},
		{"changed state", bytes.Replace(export, []byte(`"pinned":1`), []byte(`"pinned":0`), 1), "the SHA-256 does not fit"},
		{"changed text", bytes.Replace(export, []byte("tabs over spaces"), []byte("spaces over tabs"), 1), "the fingerprint does not fit"},
	}
	w := newWorld(t, nil)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := w.importLines(tt.in, memory.ImportRequest{})
			if !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("the error is %v, want %q", err, tt.want)
			}
			if found, _ := os.ReadDir(w.dir); len(found) > 0 || len(w.all()) > 0 {
				t.Errorf("the workspace has %v", found)
			}
		})
	}
}

func TestAnInterruptedImportContinues(t *testing.T) {
	files := map[string]string{}
	for i := range 9 {
		var text strings.Builder
		for n := range 150 {
			fmt.Fprintf(&text, "- The crate number %d of row %d is blue\n", n, i)
		}
		files[fmt.Sprintf("memory/row%d.md", i)] = text.String()
	}
	from := newWorld(t, files)
	export := from.export(memory.ExportRequest{WithText: true})
	to := newWorld(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := to.Import(ctx, memory.ImportRequest{In: bytes.NewReader(export)}, func(p memory.Progress) {
		if p.Stage == "write" {
			cancel()
		}
	})
	if err == nil || len(to.all()) == 0 || len(to.all()) == len(from.all()) {
		t.Fatalf("the import was not interrupted: %v, %d memories", err, len(to.all()))
	}
	to.mustImport(export, memory.ImportRequest{})
	requireSameRows(t, rowsOf(t, to.export(memory.ExportRequest{WithText: true})), rowsOf(t, export))
	if found, _ := filepath.Glob(filepath.Join(to.dir, "memory", "*-2.md")); len(found) > 0 {
		t.Errorf("files were written twice: %v", found)
	}
}

func TestExportFilters(t *testing.T) {
	w := newTransferWorld(t)
	for name, tt := range map[string]struct {
		request memory.ExportRequest
		want    func(memory.Memory) bool
	}{
		"pinned":    {memory.ExportRequest{Pinned: true}, func(m memory.Memory) bool { return m.Pinned }},
		"forgotten": {memory.ExportRequest{Filter: memory.Filter{Forgotten: true}}, func(m memory.Memory) bool { return m.Forgotten }},
		"path":      {memory.ExportRequest{Filter: memory.Filter{Path: "memory/**"}}, func(m memory.Memory) bool { return strings.HasPrefix(m.Path, "memory/") }},
	} {
		t.Run(name, func(t *testing.T) {
			rows := rowsOf(t, w.export(tt.request))
			want := 0
			for _, m := range w.all() {
				if tt.want(m) {
					want++
					if _, ok := rows[m.ID]; !ok {
						t.Errorf("%q is missing", m.Text)
					}
				}
			}
			if len(rows) != want || want == 0 {
				t.Errorf("%d memories, want %d", len(rows), want)
			}
		})
	}
}

func TestExportAndImportAreForTheOwner(t *testing.T) {
	w := newTransferWorld(t)
	if _, err := w.Export(t.Context(), memory.ExportRequest{For: memory.AudienceModel, Out: io.Discard}); !errors.Is(err, memory.ErrForbidden) {
		t.Errorf("an export for a model: %v", err)
	}
	if _, err := w.Import(t.Context(), memory.ImportRequest{For: memory.AudienceModel, In: strings.NewReader("")}, nil); !errors.Is(err, memory.ErrForbidden) {
		t.Errorf("an import for a model: %v", err)
	}
}

func TestEveryOperationLeavesAReceipt(t *testing.T) {
	w := newTransferWorld(t)
	w.mustImport(w.export(memory.ExportRequest{Filter: memory.Filter{Scope: "work"}}), memory.ImportRequest{})
	must.Get(w.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionPin, Filter: &memory.Filter{Path: "MEMORY.md"}}))(t)
	must.Get(w.Decay(t.Context(), memory.DecayRequest{}))(t)
	for kind, counts := range map[string]string{memory.ReceiptStore: "stored", memory.ReceiptDecide: "changed", memory.ReceiptSweep: "moved", memory.ReceiptExport: "exported", memory.ReceiptImport: "unchanged"} {
		found, err := w.Receipts(t.Context(), memory.ReceiptsRequest{Kind: kind})
		if err != nil || len(found.Receipts) == 0 {
			t.Errorf("%s: %d receipts, %v", kind, len(found.Receipts), err)
			continue
		}
		if _, counted := found.Receipts[0].Counts[counts]; !counted {
			t.Errorf("%s counts %v, and not %s", kind, found.Receipts[0].Counts, counts)
		}
		if filter := found.Receipts[0].Filters.Memories; kind == memory.ReceiptExport && filter.Scope != "work" || kind == memory.ReceiptDecide && filter.Path != "MEMORY.md" {
			t.Errorf("the receipt of %s has the filter %+v", kind, filter)
		}
		raw, _ := json.Marshal(found)
		for _, text := range []string{"password", "collector", "tabs"} {
			if bytes.Contains(raw, []byte(text)) {
				t.Errorf("a receipt of %s contains %q", kind, text)
			}
		}
	}
}
