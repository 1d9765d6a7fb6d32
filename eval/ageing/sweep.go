package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall"
)

// measureSweep measures the first sweep of an index in which every memory is due, and
// a store that runs beside it again and again.
func measureSweep(ctx context.Context, out io.Writer, memories int) error {
	start := time.Date(2026, 6, 1, 8, 0, 0, 0, time.UTC)
	w, err := newWorld(ctx, start, recall.Defaults())
	if err != nil {
		return err
	}
	defer func() { _ = w.Close() }() // a folder that stays is harmless
	const perNote = 500
	for first := 0; first < memories; first += perNote {
		w.now = start.AddDate(0, 0, -10-first/perNote)
		lines := make([]string, min(perNote, memories-first))
		for j := range lines {
			lines[j] = factNumber(first + j).text
		}
		if err := w.write(dailyNote(w.now), lines...); err != nil {
			return err
		}
	}
	w.now = start
	if err := w.index(ctx); err != nil {
		return err
	}
	if err := w.Load(ctx, ""); err != nil {
		return err
	}
	alone, err := storeTimes(ctx, w, "alone", func(n int) bool { return n == 20 })
	if err != nil {
		return err
	}
	var beside []time.Duration
	var sweep memory.DecayAnswer
	var took time.Duration
	done := make(chan struct{})
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() (err error) {
		defer close(done)
		began := time.Now()
		sweep, err = w.Decay(ctx, memory.DecayRequest{})
		took = time.Since(began)
		return err
	})
	group.Go(func() (err error) {
		beside, err = storeTimes(ctx, w, "beside", func(int) bool {
			select {
			case <-done:
				return true
			default:
				return false
			}
		})
		return err
	})
	if err := group.Wait(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "sweep of %d memories: %d moves in %.1f s\nstore alone: median %s, longest %s\nstore beside the sweep (%d of them): median %s, longest %s\n",
		memories, sweep.Total, took.Seconds(), median(alone), slices.Max(alone), len(beside), median(beside), slices.Max(beside))
	return err
}

// storeTimes stores texts until enough reports true, and returns how long each took.
func storeTimes(ctx context.Context, w *world, name string, enough func(n int) bool) (took []time.Duration, err error) {
	for n := 0; n == 0 || !enough(n); n++ {
		began := time.Now()
		if _, err := w.Store(ctx, memory.StoreRequest{Text: fmt.Sprintf("The %s measurement wrote its line number %d", name, n)}); err != nil {
			return nil, err
		}
		took = append(took, time.Since(began).Round(100*time.Microsecond))
	}
	return took, nil
}

func median(times []time.Duration) time.Duration {
	times = slices.Clone(times)
	slices.Sort(times)
	return times[len(times)/2]
}
