package engine_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
)

// foundIn lists the routes, and the base names of the files, in which verify finds
// a text.
func (w *world) foundIn(r memory.VerifyRequest) (places []string) {
	w.t.Helper()
	answer := must.Get(w.Verify(w.t.Context(), r, nil))(w.t)
	for _, c := range answer.Checked {
		if c.Found {
			places = append(places, c.Route+filepath.Base(c.File))
		}
	}
	if answer.Found != len(places) {
		w.t.Errorf("%d places are found, and the answer counts %d", len(places), answer.Found)
	}
	return places
}

func TestVerifyFindsAForgottenTextInFilesOnly(t *testing.T) {
	w := newReopenable(t, map[string]string{"MEMORY.md": "- " + heron + "\n- " + vault + "\n"})
	id := w.idOf(vault)
	if before := w.foundIn(memory.VerifyRequest{Text: vault}); !slices.Contains(before, "search --lane text.") {
		t.Errorf("before it is forgotten: %q", before)
	}
	w.decide(decideRequest(memory.ActionForget, id))
	for _, r := range []memory.VerifyRequest{{Text: vault}, {ID: string(id)}, {ID: string(id)[:8], Workspace: "main"}} {
		for _, place := range w.foundIn(r) {
			if place != "MEMORY.md" && !strings.HasPrefix(place, "tiered.db") {
				t.Errorf("%+v: found in %s", r, place)
			}
		}
	}
	if places := w.foundIn(memory.VerifyRequest{Text: vault}); !slices.Contains(places, "MEMORY.md") || len(places) < 2 {
		t.Errorf("found in %q, want MEMORY.md and the database", places)
	}
	w.decide(destroyRequest(id))
	if places := w.foundIn(memory.VerifyRequest{Text: vault}); len(places) > 0 {
		t.Errorf("destroyed, and found in %q", places)
	}
}

func TestVerifyReadsOpenDatabasesOnce(t *testing.T) {
	w := newReopenable(t, map[string]string{"MEMORY.md": "- " + heron + "\n"})
	progress := 0
	answer := must.Get(w.Verify(t.Context(), memory.VerifyRequest{Text: heron}, func(p memory.Progress) { progress = p.Done }))(t)
	files := map[string]int{}
	for _, c := range answer.Checked {
		if c.File != "" {
			files[c.File]++
		}
	}
	if files[w.db] != 1 || files[w.db+"-wal"] != 1 || files[filepath.Join(w.dir, "MEMORY.md")] != 1 {
		t.Errorf("files read: %v", files)
	}
	if progress != len(files) {
		t.Errorf("progress ends at %d of %d files", progress, len(files))
	}
}

func TestVerifyRefusesARequestWithoutOneText(t *testing.T) {
	w := newReopenable(t, map[string]string{"MEMORY.md": "- " + heron + "\n- " + vault + "\n"})
	id := w.idOf(vault)
	tests := []struct {
		name    string
		request memory.VerifyRequest
		want    error
		message string
	}{
		{"nothing", memory.VerifyRequest{}, memory.ErrInvalid, "no text to look for"},
		{"blank text", memory.VerifyRequest{Text: " \n"}, memory.ErrInvalid, "no text to look for"},
		{"text and id", memory.VerifyRequest{Text: heron, ID: string(id)}, memory.ErrInvalid, "not both"},
		{"no id", memory.VerifyRequest{ID: "heron"}, memory.ErrInvalid, "Invalid memory ID format"},
		{"unknown id", memory.VerifyRequest{ID: "ffffffff"}, memory.ErrNotFound, "Memory not found: ffffffff"},
		{"unknown workspace", memory.VerifyRequest{Text: heron, Workspace: "other"}, memory.ErrNotFound, "other"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := w.Verify(t.Context(), tt.request, nil); !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.message) {
				t.Errorf("error %v, want %v with %q", err, tt.want, tt.message)
			}
		})
	}
	w.decide(destroyRequest(id))
	_, err := w.Verify(t.Context(), memory.VerifyRequest{ID: string(id)}, nil)
	var known *memory.Error
	if !errors.As(err, &known) || !errors.Is(err, memory.ErrNotFound) || !strings.Contains(known.Hint, "destroyed on 2026-11-20 23:30") {
		t.Errorf("id of a destroyed memory: %v, hint %+v", err, known)
	}
}
