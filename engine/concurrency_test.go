package engine_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
)

// concurrentCallers decide about memories of one file while others append to it.
type concurrentCallers struct {
	*reopenable
	rounds            int // decisions, and appended lines, of each caller
	decided, appended atomic.Int64
	refused           atomic.Int64
}

const callers = 4 // each decides about its own memories, so that its last decision is known

// With -long there are ten thousand decisions, a thousand to each file: a file does
// not grow without end.
func TestConcurrentDecisionsAndAppendsAreNotLost(t *testing.T) {
	rounds, each := 1, 16
	switch {
	case *longRun:
		rounds, each = 10, 125
	case testing.Short(): // with the race detector
		each = 12
	}
	decided, appended, refused := 0, 0, 0
	for range rounds {
		w := runConcurrentCallers(t, each)
		decided, appended, refused = decided+int(w.decided.Load()), appended+int(w.appended.Load()), refused+int(w.refused.Load())
	}
	t.Logf("%d decisions and %d appended lines, none lost; %d decisions were refused because the file changed", decided, appended, refused)
}

func runConcurrentCallers(t *testing.T, each int) *concurrentCallers {
	const memories = 6 // of each caller
	var text strings.Builder
	for caller := range callers {
		for i := range memories {
			fmt.Fprintf(&text, "- caller %d has memory number %d in the crowded file\n", caller, i)
		}
	}
	w := &concurrentCallers{reopenable: newReopenable(t, map[string]string{"MEMORY.md": text.String()}), rounds: each}
	ids := map[string]memory.ID{}
	for caller := range callers {
		for i := range memories {
			text := fmt.Sprintf("caller %d has memory number %d in the crowded file", caller, i)
			ids[text] = w.idOf(text)
		}
	}
	want := make([]map[string]memory.Memory, callers)
	var group, draining sync.WaitGroup
	done := make(chan struct{})
	draining.Go(func() { w.drainUntil(done) })
	for caller := range callers {
		want[caller] = map[string]memory.Memory{}
		group.Go(func() { w.decideAll(caller, memories, ids, want[caller]) })
		group.Go(func() { w.appendAll(caller) })
	}
	group.Wait()
	close(done)
	draining.Wait()
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	w.open()
	for _, decided := range want {
		for text, m := range decided {
			if got := w.find(text); got.ID != m.ID || got.Pinned != m.Pinned || got.Forgotten != m.Forgotten || got.Tier != m.Tier {
				t.Errorf("%q is pinned %v, forgotten %v, %s; decided: %v, %v, %s", text, got.Pinned, got.Forgotten, got.Tier,
					m.Pinned, m.Forgotten, m.Tier)
			}
		}
	}
	src := w.read("MEMORY.md")
	for caller := range callers {
		for i := range each {
			if line := appendedLine(caller, i); strings.Count(src, line) != 1 {
				t.Errorf("%q is in the file %d times", line, strings.Count(src, line))
			}
		}
	}
	return w
}

// decideAll decides about the caller's memories in turn. A refused decision must
// change nothing.
func (w *concurrentCallers) decideAll(caller, memories int, ids map[string]memory.ID, want map[string]memory.Memory) {
	actions := []memory.Action{memory.ActionPin, memory.ActionForget, memory.ActionUnpin, memory.ActionRestore, memory.ActionArchive, memory.ActionPromote}
	for i := range w.rounds {
		text := fmt.Sprintf("caller %d has memory number %d in the crowded file", caller, i%memories)
		a, err := w.Decide(w.t.Context(), decideRequest(actions[i/memories%len(actions)], ids[text]))
		switch {
		case err == nil && len(a.Changed) > 0:
			want[text] = a.Changed[0]
		case errors.Is(err, memory.ErrConflict):
			w.refused.Add(1)
		case err != nil:
			w.t.Error(err)
		}
		w.decided.Add(1)
	}
}

func appendedLine(caller, i int) string {
	return fmt.Sprintf("- line %d of somebody who appends as number %d\n", i, caller)
}

// appendAll appends as shells do: it opens the file and writes a moment later. It
// keeps pace with the decisions.
func (w *concurrentCallers) appendAll(caller int) {
	for i := range w.rounds {
		for w.appended.Load() > w.decided.Load() {
			time.Sleep(time.Millisecond)
		}
		f, err := os.OpenFile(filepath.Join(w.dir, "MEMORY.md"), os.O_APPEND|os.O_WRONLY, 0)
		if err == nil {
			time.Sleep(time.Duration(i%3) * time.Millisecond)
			_, err = fmt.Fprint(f, appendedLine(caller, i))
			err = errors.Join(err, f.Close())
		}
		if err != nil {
			w.t.Error(err)
		}
		w.appended.Add(1)
	}
}

// drainUntil drains late appends as a running service does.
func (w *concurrentCallers) drainUntil(done chan struct{}) {
	for {
		select {
		case <-done:
			if err := w.DrainAppends(w.t.Context()); err != nil {
				w.t.Error(err)
			}
			return
		case <-time.After(100 * time.Millisecond):
			if err := w.DrainAppends(w.t.Context()); err != nil {
				w.t.Error(err)
			}
		}
	}
}

// Another program keeps rewriting the whole file. The decision is in the last
// version, or it is a conflict and nothing changed. The file always has one of the
// other program's texts, plus the entry at most.
func TestDecisionOnAFileBeingRewrittenHoldsOrConflicts(t *testing.T) {
	const text = "- " + heron + "\n- " + owl + "\n"
	w := newReopenable(t, map[string]string{"MEMORY.md": text})
	id := w.idOf(owl)
	conflicts := 0
	for i := 0; i < 20 || conflicts == 0 && i < 2000; i++ { // a single processor seldom runs both at once
		w.write("MEMORY.md", text)
		w.index()
		ctx, stop := context.WithCancel(t.Context())
		var writer sync.WaitGroup
		writer.Go(func() { w.keepRewriting(ctx, text) })
		_, err := w.Decide(t.Context(), decideRequest(memory.ActionPin, id))
		stop()
		writer.Wait()
		switch {
		case errors.Is(err, memory.ErrConflict):
			conflicts++
			if !strings.Contains(err.Error(), "MEMORY.md changed meanwhile") {
				t.Errorf("round %d: %v", i, err)
			}
		case err != nil:
			t.Errorf("round %d: %v", i, err)
		}
		w.index()
		got := w.read("MEMORY.md")
		if line := strings.Contains(got, "pinned: true"); !strings.HasSuffix(got, text+"- a line more\n") && !strings.HasSuffix(got, text) || line != w.find(owl).Pinned {
			t.Errorf("round %d: pinned is %v, %v, and the file is\n%s", i, w.find(owl).Pinned, err, got)
		}
	}
	if conflicts == 0 {
		t.Error("the other program never wrote during a decision")
	}
}

// keepRewriting replaces the file by one of two texts in turn, through a rename as
// careful editors do.
func (w *world) keepRewriting(ctx context.Context, text string) {
	name := filepath.Join(w.dir, "MEMORY.md")
	for i := 0; ctx.Err() == nil; i++ {
		next := text
		if i%2 == 0 {
			next += "- a line more\n"
		}
		err := os.WriteFile(name+".new", []byte(next), 0o644)
		if err == nil {
			err = os.Rename(name+".new", name)
		}
		if err != nil {
			w.t.Error(err)
		}
	}
}
