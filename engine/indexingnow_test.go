package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
)

// newUnscanned returns an engine that has not read its files.
func newUnscanned(t *testing.T, files map[string]string) *reopenable {
	t.Helper()
	w := &reopenable{world: world{t: t, dir: t.TempDir(), db: filepath.Join(t.TempDir(), "tiered.db")}, zone: time.UTC}
	for path, text := range files {
		w.write(path, text)
	}
	w.openUnscanned()
	t.Cleanup(func() { _ = w.Close() })
	return w
}

// indexingOf returns what recall, search, list, stats and status report of indexing.
func (w *reopenable) indexingOf() map[string]*memory.Progress {
	w.t.Helper()
	ctx, zero := w.t.Context(), 0
	recalled, err1 := w.Recall(ctx, memory.RecallRequest{Prompt: "Where does the heron live?"})
	searched, err2 := w.Search(ctx, memory.SearchRequest{Query: "heron"})
	listed, err3 := w.List(ctx, memory.ListRequest{Limit: &zero})
	stats, err4 := w.Stats(ctx, memory.StatsRequest{})
	status, err5 := w.Status(ctx)
	for _, err := range []error{err1, err2, err3, err4, err5} {
		if err != nil {
			w.t.Fatal(err)
		}
	}
	return map[string]*memory.Progress{"recall": recalled.Indexing, "search": searched.Indexing, "list": listed.Indexing,
		"stats": stats.Indexing, "status": status.Workspaces[0].Indexing}
}

// TestAnswersReportTheFirstIndex asks before, while and after a folder is indexed, and
// after a small edit.
func TestAnswersReportTheFirstIndex(t *testing.T) {
	files := map[string]string{"MEMORY.md": "- " + heron + "\n"}
	for i := range 120 {
		files[fmt.Sprintf("memory/n%d.md", i)] = strings.Repeat(fmt.Sprintf("- a line about boat %d\n", i), 10)
	}
	w := newUnscanned(t, files)
	time.Sleep(100 * time.Millisecond) // a file that changed just before it was read is read again
	for name, p := range w.indexingOf() {
		if p == nil || p.Total != 0 {
			t.Errorf("%s before the first index: %+v", name, p)
		}
	}
	stages := map[string]bool{}
	_, err := w.Index(t.Context(), memory.IndexRequest{}, func(now memory.Progress) {
		if stages[now.Stage] || now.Stage == "embed" {
			return
		}
		stages[now.Stage] = true
		for name, p := range w.indexingOf() {
			if p == nil || *p != now {
				t.Errorf("%s while indexing: %+v, want %+v", name, p, now)
			}
		}
	})
	if err != nil || !stages["read"] || !stages["index"] {
		t.Fatalf("index: %v, stages %v", err, stages)
	}
	for name, p := range w.indexingOf() {
		if p != nil {
			t.Errorf("%s after the first index: %+v", name, p)
		}
	}
	must.Do(t, w.Close())
	w.openUnscanned()
	w.write("memory/n1.md", "- a line about another boat\n")
	must.Get(w.Index(t.Context(), memory.IndexRequest{}, func(memory.Progress) {
		for name, p := range w.indexingOf() {
			if p != nil && name != "status" {
				t.Errorf("%s while one file is indexed: %+v", name, p)
			}
		}
	}))(t)
}

// TestAFolderThatIsGoneIsNotBeingIndexed needs an answer without the note.
func TestAFolderThatIsGoneIsNotBeingIndexed(t *testing.T) {
	w := newUnscanned(t, nil)
	must.Do(t, os.Remove(w.dir))
	if _, err := w.Index(t.Context(), memory.IndexRequest{}, nil); err == nil {
		t.Fatal("indexed a folder that is not there")
	}
	for name, p := range w.indexingOf() {
		if p != nil {
			t.Errorf("%s: %+v", name, p)
		}
	}
}
