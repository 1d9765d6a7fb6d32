package ingest_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/ingest"
	"github.com/memory-tiered/memory/workspace"
)

// TestDocumentsAreExtractedAgainOnlyWhenNeeded: to extract a PDF takes a process. One with a new
// time and the same bytes is not extracted again, unless that failed before.
func TestDocumentsAreExtractedAgainOnlyWhenNeeded(t *testing.T) {
	w := newWorld(t)
	w.configure(workspace.Options{Documents: true, ReadOnly: true, Globs: []workspace.Glob{{Pattern: "**", Tier: memory.TierWarm}}})
	file := filepath.Join(w.dir, "pump.pdf")
	var failure error
	calls := 0
	in := ingest.New(w.db, w.folder, ingest.Options{Documents: true, Extract: func(context.Context, string, []byte) ([]string, error) {
		calls++
		return []string{"The pump starts at 42 mm."}, failure
	}})
	scan := func(wantCalls, wantFaults int) {
		t.Helper()
		w.now = w.now.Add(time.Minute)
		w.must(os.Chtimes(file, w.now, w.now))
		_, err := in.Ingest(t.Context(), w.now, nil, false, nil)
		w.must(err)
		files, err := w.db.Files(t.Context())
		w.must(err)
		if calls != wantCalls || len(files) != 1 || len(files[0].Faults) != wantFaults {
			t.Errorf("%d calls, want %d; files %+v, want %d faults", calls, wantCalls, files, wantFaults)
		}
	}
	w.must(os.WriteFile(file, []byte("%PDF-1.7"), 0o600))
	scan(1, 0)
	scan(1, 0)
	w.must(os.WriteFile(file, []byte("%PDF-1.7 edited"), 0o600))
	failure = errors.New("it is damaged")
	scan(2, 1)
	scan(3, 1)
	failure = nil
	scan(4, 0)
	scan(4, 0)
}

// A reader that could not be started says nothing about the file, which is read again at the
// next scan although it is the same.
func TestDocumentIsReadAgainWhenItsReaderCouldNotBeStarted(t *testing.T) {
	for _, isKnown := range []bool{false, true} {
		w := newWorld(t)
		w.configure(workspace.Options{Documents: true, ReadOnly: true, Globs: []workspace.Glob{{Pattern: "**", Tier: memory.TierWarm}}})
		text, failure := "The pump starts at 42 mm.", error(nil)
		in := ingest.New(w.db, w.folder, ingest.Options{Documents: true, Extract: func(context.Context, string, []byte) ([]string, error) {
			return []string{text}, failure
		}})
		scan := func(wantFaults int, wantText string) {
			t.Helper()
			w.now = w.now.Add(time.Minute)
			_, err := in.Ingest(t.Context(), w.now, nil, false, nil)
			w.must(err)
			files, err := w.db.Files(t.Context())
			w.must(err)
			list, _, err := w.db.List(t.Context(), memory.Predicate{}, "path", 0, 0)
			w.must(err)
			if len(files) != 1 || len(files[0].Faults) != wantFaults || len(list) > 0 != (wantText != "") || len(list) > 0 && list[0].Text != wantText {
				t.Errorf("known %v: files %+v, want %d faults; memories %v, want %q", isKnown, files, wantFaults, list, wantText)
			}
		}
		write := func(text string) { w.must(os.WriteFile(filepath.Join(w.dir, "pump.pdf"), []byte(text), 0o600)) }
		write("%PDF-1.7")
		before := ""
		if isKnown {
			before = text
			scan(0, before)
			write("%PDF-1.7 edited")
		}
		failure = memory.Unavailable(errors.New("too many processes"), "this file cannot be read now")
		scan(1, before)
		scan(1, before)
		text, failure = "The pump starts at 43 mm.", nil
		scan(0, text)
	}
}
