package engine_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/index/indextest"
)

// checkCounts compares the counts of an engine, which follow each change, with a count of
// the rows of its database.
func checkCounts(e *engine.Engine, dbPath string) error {
	got, err := e.Stats(context.Background(), memory.StatsRequest{Workspace: "main"})
	if err != nil {
		return err
	}
	db, err := index.Open(context.Background(), dbPath, index.Options{ReadOnly: true, Server: indextest.Server()})
	if err != nil {
		return err
	}
	defer db.Close()
	want, err := db.Stats(context.Background(), index.Counted{})
	if err != nil {
		return err
	}
	counted := func(s memory.Stats) []any {
		return []any{s.Total, s.Tiers, s.Types, s.Forgotten, s.Pinned, s.Missing, s.Files}
	}
	if !reflect.DeepEqual(counted(got), counted(want)) {
		return fmt.Errorf("counts\n%+v, in the database\n%+v", counted(got), counted(want))
	}
	return nil
}

func TestCountsFollowEveryCommand(t *testing.T) {
	c := newCaptureWorld(t, map[string]string{
		"MEMORY.md":            "- Deploys go out on Fridays <!-- scope: work; category: decision -->\n- Ada has the key\n- The old mill is for sale\n",
		"memory/2026-11-18.md": "- The ferry leaves at nine\n",
	})
	decide := func(action memory.Action, text string) func() error {
		return func() error {
			_, err := c.Decide(t.Context(), memory.DecideRequest{Action: action, IDs: []string{string(c.idOf(text))}, Confirm: action == memory.ActionDestroy})
			return err
		}
	}
	index := func() error { c.index(); return nil }
	for _, step := range []struct {
		name string
		do   func() error
	}{
		{"nothing", index},
		{"store", func() error {
			_, err := c.Store(t.Context(), memory.StoreRequest{Text: "The harbour opens in May"})
			return err
		}},
		{"capture", func() error { c.tell("s", "1", "I prefer tabs over spaces in Go."); return nil }},
		{"use", func() error { c.use("s", "When does the ferry leave?"); return c.FlushUses(t.Context()) }},
		{"pin", decide(memory.ActionPin, "Ada has the key")},
		{"forget", decide(memory.ActionForget, "The ferry leaves at nine")},
		{"restore", decide(memory.ActionRestore, "The ferry leaves at nine")},
		{"undo", func() error { c.undo(1); return nil }},
		{"restore again", decide(memory.ActionRestore, "The ferry leaves at nine")},
		{"edit", func() error { c.write("memory/2026-11-18.md", "- The ferry leaves at ten\n"); c.index(); return nil }},
		{"age", func() error {
			c.at = c.at.AddDate(0, 2, 0)
			_, err := c.Decay(t.Context(), memory.DecayRequest{})
			return err
		}},
		{"destroy", decide(memory.ActionDestroy, "The old mill is for sale")},
		{"remove a file", func() error { err := os.Remove(filepath.Join(c.dir, "memory/2026-11-18.md")); c.index(); return err }},
		{"rebuild", func() error { _, err := c.Index(t.Context(), memory.IndexRequest{Force: true}, nil); return err }},
	} {
		if err := step.do(); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		if err := checkCounts(c.Engine, c.db); err != nil {
			t.Errorf("after %s: %v", step.name, err)
		}
	}
}
