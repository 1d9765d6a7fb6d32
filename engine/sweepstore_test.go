package engine_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/embed/static"
	"github.com/memory-tiered/memory/engine"
)

// slowEmbedder calls before for each text that it embeds.
type slowEmbedder struct {
	embed.Embedder
	before func()
}

func (e slowEmbedder) Embed(ctx context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	e.before()
	return e.Embedder.Embed(ctx, kind, texts)
}

// A store writes in several transactions. No slice of a sweep comes between them, so it
// waits for one slice only.
func TestNoSliceOfASweepInterruptsAStore(t *testing.T) {
	embedder := static.New()
	var between atomic.Int64
	slices, inStore := 0, false
	var c *captureWorld
	cold := func() int64 {
		list, err := c.List(t.Context(), memory.ListRequest{Limit: new(1)})
		if err != nil {
			t.Error(err)
		}
		return int64(list.Tiers[memory.TierCold])
	}
	c = newCaptureWorld(t, map[string]string{"memory/2026-01-05.md": notes(3000)}, func(o *engine.Options) {
		o.Embedder = slowEmbedder{embedder, func() {
			if !inStore {
				return
			}
			before := cold() // a sweep that ignores the store runs on meanwhile
			time.Sleep(200 * time.Millisecond)
			between.Add(cold() - before)
		}}
	})
	stored := make(chan error, 1)
	c.StopAfter(func(step string) error {
		if step != "slice" {
			return nil
		}
		slices++
		if slices == 2 {
			inStore = true
			go func() {
				_, err := c.Store(t.Context(), memory.StoreRequest{Text: "a text that is stored beside the sweep"})
				stored <- err
			}()
		}
		return nil
	})
	if a, err := c.Decay(t.Context(), memory.DecayRequest{}); err != nil || a.Total != 3000 {
		t.Fatalf("%d moves, %v", a.Total, err)
	}
	if err := <-stored; err != nil {
		t.Fatal(err)
	}
	if n := between.Load(); n > 0 {
		t.Errorf("%d memories were moved while the store was writing", n)
	}
}
