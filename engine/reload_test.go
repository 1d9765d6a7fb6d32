package engine_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/internal/must"
)

// reloadable is a world whose options a test can change.
func reloadable(t *testing.T) (*world, *engine.Options, *error) {
	var o engine.Options
	w := newWorldWith(t, map[string]string{"MEMORY.md": "- The ferry leaves at nine\n"}, func(configured *engine.Options) { o = *configured })
	var failure error
	w.SetReload(func(context.Context) (engine.Options, memory.ReloadAnswer, error) {
		next := engine.Options{Workspaces: o.Workspaces, Recall: o.Recall, AutoRecall: o.AutoRecall, ContextTTL: o.ContextTTL, NoInMemory: o.NoInMemory}
		return next, memory.ReloadAnswer{}, failure
	})
	return w, &o, &failure
}

func TestReloadAppliesOptionsAllOrNone(t *testing.T) {
	w, o, failure := reloadable(t)
	ctx := t.Context()
	recalled := func() string {
		answer := must.Get(w.Recall(ctx, memory.RecallRequest{Prompt: "When does the ferry leave?"}))(t)
		if answer.Skipped != nil {
			return *answer.Skipped
		}
		return ""
	}
	o.AutoRecall = false
	*failure = memory.Invalid("autoRecall", "not valid")
	if _, err := w.Reload(ctx); !errors.Is(err, memory.ErrInvalid) || recalled() != "" {
		t.Errorf("a configuration that is not valid is used: %v, skipped %q", err, recalled())
	}
	*failure = nil
	if _, err := w.Reload(ctx); err != nil || recalled() != memory.SkippedDisabled {
		t.Errorf("autoRecall is not in force: %v, skipped %q", err, recalled())
	}
	o.AutoRecall, o.Recall.MaxItems = true, 0
	if _, err := w.Reload(ctx); err != nil || recalled() != memory.SkippedDisabled {
		t.Errorf("injection.maxItems is not in force: %v, skipped %q", err, recalled())
	}
	if w.Opening("main") != 0 {
		t.Error("the workspace was opened again for settings that are not its own")
	}
}

func TestReloadFollowsTheWorkspaces(t *testing.T) {
	w, o, _ := reloadable(t)
	ctx := t.Context()
	first := o.Workspaces
	again := first[0]
	tokyo := must.Get(time.LoadLocation("Asia/Tokyo"))(t)
	again.Zone = tokyo
	o.Workspaces = []engine.WorkspaceConfig{again}
	if _, err := w.Reload(ctx); err != nil || w.Opening("main") != 1 {
		t.Fatalf("another time zone: %v, opened %d times", err, w.Opening("main"))
	}
	if status, _ := w.Status(ctx); status.Workspaces[0].Timezone != "Asia/Tokyo" {
		t.Errorf("the time zone is %s", status.Workspaces[0].Timezone)
	}
	o.Workspaces = nil
	must.Get(w.Reload(ctx))(t)
	if _, err := w.List(ctx, memory.ListRequest{}); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("a workspace that is no longer configured is served: %v", err)
	}
	again.DBPath = t.TempDir() // a folder is no database
	o.Workspaces = []engine.WorkspaceConfig{again}
	if answer, err := w.Reload(ctx); err != nil || len(answer.Problems) != 1 {
		t.Errorf("a workspace that cannot be opened is not reported: %v, %v", answer.Problems, err)
	}
	o.Workspaces = first
	if answer, err := w.Reload(ctx); err != nil || len(answer.Problems) != 0 {
		t.Fatalf("%v, %v", answer.Problems, err)
	}
	if list, err := w.List(ctx, memory.ListRequest{}); err != nil || list.Total != 1 {
		t.Errorf("the workspace is back with %d memories: %v", list.Total, err)
	}
}

// A request during a reload is answered, or told to try again.
func TestRequestsDuringReloads(t *testing.T) {
	w, o, _ := reloadable(t)
	ctx := t.Context()
	var done atomic.Bool
	var askers sync.WaitGroup
	for range 4 {
		askers.Go(func() {
			for !done.Load() {
				_, err := w.Search(ctx, memory.SearchRequest{Query: "ferry"})
				if err != nil && !errors.Is(err, memory.ErrUnavailable) {
					t.Errorf("a search during a reload: %v", err)
					return
				}
			}
		})
	}
	for i := range 30 {
		o.Recall.MaxItems = 1 + i
		if i%3 == 0 {
			o.NoInMemory = !o.NoInMemory
		}
		if answer, err := w.Reload(ctx); err != nil || len(answer.Problems) > 0 {
			t.Error(answer.Problems, err)
		}
	}
	done.Store(true)
	askers.Wait()
}
