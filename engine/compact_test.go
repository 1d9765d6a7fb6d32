package engine_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/decay"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/recall"
)

// newCompactWorld serves files with a compactor; nil is the default. Daily notes of long
// ago are COLD.
func newCompactWorld(t *testing.T, compactor decay.MemoryCompactor, files map[string]string) *world {
	t.Helper()
	w := &world{t: t, dir: t.TempDir()}
	for path, text := range files {
		w.write(path, text)
	}
	e := must.Get(engine.Open(t.Context(), onBackend(t, engine.Options{
		Workspaces: []engine.WorkspaceConfig{{Name: "main", Dir: w.dir, DBPath: t.TempDir() + "/tiered.db", Zone: time.UTC}},
		Embedder:   embed.None{}, Recall: recall.Defaults(), Now: func() time.Time { return now }, Extensions: engine.Extensions{Compactor: compactor},
	})))(t)
	w.Engine = e
	t.Cleanup(func() { _ = e.Close() })
	w.index()
	must.Get(w.Decay(t.Context(), memory.DecayRequest{}))(t)
	return w
}

// tiers returns the tier of each memory, by the beginning of its text.
func (w *world) tiers() map[string]memory.Tier {
	w.t.Helper()
	list := must.Get(w.List(w.t.Context(), memory.ListRequest{}))(w.t)
	found := map[string]memory.Tier{}
	for _, m := range list.Memories {
		found[m.Path+" "+m.Text] = m.Tier
	}
	return found
}

const (
	warmOffice = "MEMORY.md The office in Berlin opens at eight in the morning"
	coldOffice = "memory/2026-03-01.md The office in Berlin really opens at eight in the morning"
	coldFloor  = "memory/2026-03-01.md The office in Berlin opens at nine in the morning"
	firstCart  = "memory/2026-03-02.md The blue cart stands behind the old boat house"
	secondCart = "memory/2026-03-03.md The blue cart stands behind the old boat house."
	workCart   = "memory/2026-03-04.md The blue cart really stands behind the old boat house"
)

func textAfterPath(s string) string { return s[strings.Index(s, " ")+1:] }

func compactFiles() map[string]string {
	line := func(s string) string { return "- " + textAfterPath(s) + "\n" }
	return map[string]string{
		"MEMORY.md":            line(warmOffice),
		"memory/2026-03-01.md": line(coldOffice) + line(coldFloor),
		"memory/2026-03-02.md": line(firstCart),
		"memory/2026-03-03.md": line(secondCart),
		"memory/2026-03-04.md": "---\nscope: work\n---\n" + line(workCart),
	}
}

func TestCompactArchivesColdMemoriesThatRepeatAnotherOne(t *testing.T) {
	w := newCompactWorld(t, nil, compactFiles())
	before := w.tiers()
	preview, err := w.Decay(t.Context(), memory.DecayRequest{Compact: true, Preview: true})
	if err != nil || preview.Total != 2 || !preview.Preview {
		t.Fatalf("preview: %+v, %v", preview, err)
	}
	if got := w.tiers(); got[coldOffice] != memory.TierCold {
		t.Errorf("the preview archived: %v", got)
	}
	a, err := w.Decay(t.Context(), memory.DecayRequest{Compact: true})
	if err != nil || a.Total != 2 || a.Batch == "" {
		t.Fatalf("%+v, %v", a, err)
	}
	for _, m := range a.Moves {
		if m.From != memory.TierCold || m.To != memory.TierArchive || m.By == "" || m.Reason != m.By.Short()+" says the same" {
			t.Errorf("move %+v", m)
		}
	}
	after := w.tiers()
	for text, want := range map[string]memory.Tier{warmOffice: memory.TierWarm, coldOffice: memory.TierArchive, coldFloor: memory.TierCold, workCart: memory.TierCold} {
		if after[text] != want {
			t.Errorf("%q is %s, want %s", text, after[text], want)
		}
	}
	if carts := []memory.Tier{after[firstCart], after[secondCart]}; !slices.Contains(carts, memory.TierCold) || !slices.Contains(carts, memory.TierArchive) {
		t.Errorf("the two carts are %v", carts)
	}
	if again, err := w.Decay(t.Context(), memory.DecayRequest{Compact: true}); err != nil || again.Total != 0 {
		t.Errorf("again: %+v, %v", again, err)
	}
	must.Get(w.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionUndo}))(t)
	for text, tier := range w.tiers() {
		if before[text] != tier {
			t.Errorf("after undo %q is %s, and was %s", text, tier, before[text])
		}
	}
}

// compactorFunc is a compactor for tests.
type compactorFunc func([]memory.Memory) []decay.Compaction

func (f compactorFunc) Compact(_ context.Context, memories []memory.Memory) ([]decay.Compaction, error) {
	return f(memories), nil
}

// idIn returns the id of the memory in a path.
func idIn(memories []memory.Memory, path string) memory.ID {
	for _, m := range memories {
		if m.Path == path {
			return m.ID
		}
	}
	return "none"
}

func TestCompactorMayReplaceColdMemoriesOnly(t *testing.T) {
	for name, compact := range map[string]compactorFunc{
		"a WARM memory": func(list []memory.Memory) []decay.Compaction {
			return []decay.Compaction{{Keep: idIn(list, "memory/2026-03-02.md"), Replaced: []memory.ID{idIn(list, "MEMORY.md")}}}
		},
		"an unknown memory": func(list []memory.Memory) []decay.Compaction {
			return []decay.Compaction{{Text: "a text that is long enough", Replaced: []memory.ID{"4711"}}}
		},
		"both of a pair": func(list []memory.Memory) []decay.Compaction {
			first, second := idIn(list, "memory/2026-03-02.md"), idIn(list, "memory/2026-03-03.md")
			return []decay.Compaction{{Keep: first, Replaced: []memory.ID{second}}, {Keep: second, Replaced: []memory.ID{first}}}
		},
		"for nothing": func(list []memory.Memory) []decay.Compaction {
			return []decay.Compaction{{Replaced: []memory.ID{idIn(list, "memory/2026-03-02.md")}}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			files := compactFiles()
			delete(files, "memory/2026-03-04.md")
			w := newCompactWorld(t, compact, files)
			before := w.tiers()
			if a, err := w.Decay(t.Context(), memory.DecayRequest{Compact: true}); err == nil {
				t.Errorf("it is carried out: %+v", a)
			}
			for text, tier := range w.tiers() {
				if before[text] != tier {
					t.Errorf("%q became %s", text, tier)
				}
			}
		})
	}
}

func TestSummaryIsNoMoreTrustedThanItsParts(t *testing.T) {
	const summary = "the carts and the office are as they were in March"
	files := map[string]string{"memory/2026-03-01.md": "---\nscope: work\n---\n- The boat house has a red door\n- The blue cart is rented <!-- trust: untrusted -->\n- The safe is in the cellar <!-- private -->\n"}
	w := newCompactWorld(t, compactorFunc(func(list []memory.Memory) []decay.Compaction {
		c := decay.Compaction{Text: summary}
		for _, m := range list {
			if m.Private {
				t.Errorf("the compactor gets %q", m.Text)
			}
			c.Replaced = append(c.Replaced, m.ID)
		}
		return []decay.Compaction{c}
	}), files)
	must.Get(w.Decay(t.Context(), memory.DecayRequest{Compact: true}))(t)
	list, err := w.List(t.Context(), memory.ListRequest{Filter: memory.Filter{Path: "memory/captured/*"}})
	if err != nil || len(list.Memories) != 1 {
		t.Fatalf("%+v, %v", list.Memories, err)
	}
	if m := list.Memories[0]; m.Text != summary || m.Trust != memory.TrustUntrusted || m.Scope != "work" || m.Tier != memory.TierCold || m.Source != memory.SourceTool || m.CreatedAt.Format(time.DateOnly) != "2026-03-01" {
		t.Errorf("%+v", m)
	}
	file := files["memory/2026-03-01.md"]
	w.write("memory/2026-03-01.md", strings.Replace(file, "rented", "sold", 1))
	w.index()
	if w.visible(summary) {
		t.Error("the summary of an edited memory is shown")
	}
	w.write("memory/2026-03-01.md", file)
	w.index()
	if !w.visible(summary) {
		t.Error("the summary does not come back")
	}
	must.Get(w.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionUndo}))(t)
	if after := w.tiers(); len(after) != 3 || after["memory/2026-03-01.md The boat house has a red door"] != memory.TierCold {
		t.Errorf("after undo: %v", after)
	}
}

func TestCompactTakesNoTime(t *testing.T) {
	w := newCompactWorld(t, nil, compactFiles())
	if _, err := w.Decay(t.Context(), memory.DecayRequest{Compact: true, Preview: true, AsOf: "2099-01-01"}); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("with as_of: %v", err)
	}
	if _, err := w.Decay(t.Context(), memory.DecayRequest{Compact: true, Release: true}); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("with release: %v", err)
	}
}
