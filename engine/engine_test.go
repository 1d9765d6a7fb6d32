package engine_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/embed/static"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/index/indextest"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/recall"
)

var now = time.Date(2026, 11, 20, 23, 30, 0, 0, time.UTC)

// world is an engine over one indexed workspace.
type world struct {
	*engine.Engine
	t   *testing.T
	dir string
	db  string // its database; empty where no test needs it
}

func newWorld(t *testing.T, files map[string]string) *world {
	t.Helper()
	embedder := static.New()
	return newWorldEmbedding(t, embedder, files)
}

func newWorldEmbedding(t *testing.T, embedder embed.Embedder, files map[string]string) *world {
	t.Helper()
	w := &world{t: t, dir: t.TempDir()}
	for path, text := range files {
		w.write(path, text)
	}
	zone := must.Get(time.LoadLocation("Asia/Tokyo"))(t)
	w.Engine = must.Get(engine.Open(t.Context(), onBackend(t, engine.Options{
		Workspaces: []engine.WorkspaceConfig{{Name: "main", Dir: w.dir, DBPath: filepath.Join(t.TempDir(), "tiered.db"), Zone: zone}},
		Embedder:   embedder, Recall: recall.Defaults(), AutoRecall: true, ContextTTL: time.Hour, Retention: 90 * 24 * time.Hour,
		Now: func() time.Time { return now },
	})))(t)
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	w.index()
	return w
}

func (w *world) write(path, text string) {
	w.t.Helper()
	file := filepath.Join(w.dir, path)
	must.Do(w.t, os.MkdirAll(filepath.Dir(file), 0o755))
	must.Do(w.t, os.WriteFile(file, []byte(text), 0o644))
}

func (w *world) read(path string) string {
	src := must.Get(os.ReadFile(filepath.Join(w.dir, path)))(w.t)
	return string(src)
}

func (w *world) index() memory.IndexAnswer {
	w.t.Helper()
	answer := must.Get(w.Index(w.t.Context(), memory.IndexRequest{}, nil))(w.t)
	return answer
}

func (w *world) search(query string) []memory.Hit {
	w.t.Helper()
	answer := must.Get(w.Search(w.t.Context(), memory.SearchRequest{Query: query, Record: true, Session: "s"}))(w.t)
	must.Do(w.t, w.Delivered(w.t.Context(), "", answer.Receipt))
	return answer.Hits
}

func TestStoreWritesTodaysNoteInTheWorkspacesZone(t *testing.T) {
	w := newWorld(t, map[string]string{"MEMORY.md": "- the heron stands in the pond\n"})
	tests := []struct{ name, text, want string }{
		{"plain", "The owl hunts at dusk", "- The owl hunts at dusk\n"},
		{"thematic break", "--- and more of it", "- \\--- and more of it\n"},
		{"several lines", "First line\n\nsecond paragraph", "- First line\n\n  second paragraph\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			answer := must.Get(w.Store(t.Context(), memory.StoreRequest{Text: tt.text}))(t)
			if answer.Memory.Text != tt.text || answer.Duplicate || answer.Memory.Path != "memory/2026-11-21.md" {
				t.Errorf("stored %+v", answer.Memory)
			}
			again, err := w.Store(t.Context(), memory.StoreRequest{Text: " " + tt.text + "\n"})
			if err != nil || !again.Duplicate || again.Memory.ID != answer.Memory.ID || *again.Similarity != 1 {
				t.Errorf("stored again: %+v, %v", again, err)
			}
		})
	}
	if n := strings.Count(w.read("memory/2026-11-21.md"), "- "); n < 3 {
		t.Errorf("the note is\n%s", w.read("memory/2026-11-21.md"))
	}
}

func TestStoreAvoidsANoteWithAnOpenFence(t *testing.T) {
	const open = "- a draft\n\n```sh\necho still typing\n"
	w := newWorld(t, map[string]string{"memory/2026-11-21.md": open})
	answer := must.Get(w.Store(t.Context(), memory.StoreRequest{Text: "The owl hunts at dusk"}))(t)
	if answer.Memory.Path != "memory/2026-11-21-2.md" || w.read("memory/2026-11-21.md") != open {
		t.Errorf("stored in %s; the draft is now\n%s", answer.Memory.Path, w.read("memory/2026-11-21.md"))
	}
}

func TestStoreRefusesTextsOutsideTheLimits(t *testing.T) {
	w := newWorld(t, nil)
	for _, text := range []string{"", "short", strings.Repeat("x", 10_001)} {
		if _, err := w.Store(t.Context(), memory.StoreRequest{Text: text}); !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("%d characters: %v", len(text), err)
		}
	}
}

const decided = `---
memories:
  - {id: "000000000000", quote: "The wifi password is on the", forgotten: 2026-11-19}
---
- The wifi password is on the fridge door
- The heron stands in the pond
- The safe opens with 4711 <!-- private -->
`

func TestForgottenAndPrivateTextStaysOutOfPrompts(t *testing.T) {
	w := newWorld(t, map[string]string{"MEMORY.md": decided})
	for _, h := range w.search("wifi password fridge") {
		if strings.Contains(h.Text, "wifi") {
			t.Errorf("search found %q", h.Text)
		}
	}
	answer := must.Get(w.Recall(t.Context(), memory.RecallRequest{Prompt: "what is the wifi password, and how does the safe open?"}))(t)
	if strings.Contains(answer.Context, "fridge") || strings.Contains(answer.Context, "4711") {
		t.Errorf("recall injects %s", answer.Context)
	}
	files := must.Get(w.Files(t.Context(), memory.FilesRequest{}))(t)
	content := files.Files[0].Content
	if strings.Contains(content, "fridge") || strings.Contains(content, "4711") || !strings.Contains(content, "heron") || files.Files[0].Redacted != 2 {
		t.Errorf("%d memories were redacted:\n%s", files.Files[0].Redacted, content)
	}
	if !files.Files[1].Missing {
		t.Error("USER.md does not exist and is not reported as missing")
	}
}

func TestUsesCountOncePerSessionAndDay(t *testing.T) {
	w := newWorld(t, map[string]string{"MEMORY.md": "- the heron stands in the pond\n"})
	for searched, want := range []int{0, 1, 1} {
		if uses := w.search("heron")[0].UseCount; uses != want {
			t.Errorf("after %d searches in one session and day: %d uses, want %d", searched, uses, want)
		}
		must.Do(t, w.FlushUses(t.Context()))
	}
}

func TestPendingUsesCountLikeWrittenOnes(t *testing.T) {
	w := newWorld(t, map[string]string{"MEMORY.md": "- the heron stands in the pond\n- the owl hunts\n"})
	use := func(sessions ...string) {
		for _, session := range sessions {
			answer := must.Get(w.Search(t.Context(), memory.SearchRequest{Query: "heron", Limit: new(1), Record: true, Session: session}))(t)
			must.Do(t, w.Delivered(t.Context(), "", answer.Receipt))
		}
	}
	read := func() memory.Memory {
		answer := must.Get(w.Search(t.Context(), memory.SearchRequest{Query: "heron"}))(t)
		return answer.Hits[0].Memory
	}
	for _, round := range []struct {
		sessions []string
		uses     int
	}{{[]string{"a", "a", "b"}, 2}, {[]string{"c", "d", "c", "d"}, 4}} {
		use(round.sessions...)
		pending := read()
		must.Do(t, w.FlushUses(t.Context()))
		if written := read(); pending.UseCount != round.uses || !reflect.DeepEqual(pending, written) {
			t.Errorf("after %v, pending uses give\n%+v\nand written ones\n%+v", round.sessions, pending, written)
		}
	}
}

func TestTimesWithoutAZoneUseTheWorkspacesZone(t *testing.T) {
	w := newWorld(t, map[string]string{"memory/2026-11-20.md": "- the heron stands in the pond\n", "memory/2026-11-21.md": "- the owl hunts\n"})
	for since, want := range map[string]int{"2026-11-20": 2, "2026-11-21": 1, "2026-11-20T15:00:00Z": 1, "2026-11-20T15:00:01Z": 0, "2026-11-22": 0} {
		list, err := w.List(t.Context(), memory.ListRequest{Filter: memory.Filter{Since: since}})
		if err != nil || list.Total != want {
			t.Errorf("since %s: %d (%v), want %d", since, list.Total, err, want)
		}
	}
	if _, err := w.List(t.Context(), memory.ListRequest{Filter: memory.Filter{Until: "soon"}}); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("until soon: %v", err)
	}
}

func TestContextExpires(t *testing.T) {
	w := newWorld(t, nil)
	must.Get(w.SetContext(t.Context(), memory.ContextRequest{Text: "Migrating billing"}))(t)
	answer, err := w.Recall(t.Context(), memory.RecallRequest{Prompt: "hello"})
	if err != nil || !strings.Contains(answer.Context, "Migrating billing") || answer.Skipped == nil {
		t.Errorf("trivial prompt: %+v, %v", answer, err)
	}
	if answer, err = w.Recall(t.Context(), memory.RecallRequest{Prompt: " \n"}); err != nil || !strings.Contains(answer.Context, "Migrating billing") {
		t.Errorf("empty prompt: %+v, %v", answer, err)
	}
	saved := now
	defer func() { now = saved }()
	now = now.Add(time.Hour)
	if answer, err = w.Recall(t.Context(), memory.RecallRequest{Prompt: "hello"}); err != nil || answer.Context != "" {
		t.Errorf("an hour later: %+v, %v", answer, err)
	}
}

func TestCancelledIndexStops(t *testing.T) {
	w := newWorld(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.Index(ctx, memory.IndexRequest{}, nil); err == nil {
		t.Error("Index succeeds after its context was cancelled")
	}
}

func TestMissingMemoriesArePurgedAfterRetention(t *testing.T) {
	w := newWorld(t, map[string]string{"MEMORY.md": "- the heron stands in the pond\n- the owl hunts at dusk\n"})
	w.write("MEMORY.md", "- the owl hunts at dusk\n")
	w.index()
	missing := func() int {
		list := must.Get(w.List(t.Context(), memory.ListRequest{Missing: true}))(t)
		return list.Total
	}
	saved := now
	defer func() { now = saved }()
	for _, tt := range []struct {
		after time.Duration
		want  int
	}{{0, 1}, {89 * 24 * time.Hour, 1}, {91 * 24 * time.Hour, 0}} {
		now = saved.Add(tt.after)
		must.Do(t, w.PurgeMissing(t.Context()))
		if got := missing(); got != tt.want {
			t.Errorf("%v after the text was removed: %d missing, want %d", tt.after, got, tt.want)
		}
	}
}

// onBackend makes an engine use the backend of the tests.
func onBackend(t testing.TB, o engine.Options) engine.Options {
	var paths []string
	for _, w := range o.Workspaces {
		paths = append(paths, w.DBPath)
	}
	o.Server = indextest.OnServer(t, paths...)
	return o
}
