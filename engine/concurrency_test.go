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

// crowd is several callers who decide about memories of one file while others
// append to it.
type crowd struct {
	*reopenable
	each              int // decisions of a caller, lines of one who appends
	decided, appended atomic.Int64
	refused           atomic.Int64
}

const callers = 4 // each has memories of its own, so that what comes last is known

// Neither decisions nor what others append to the same file are lost. With -long
// they are ten thousand, a thousand to each file, as a file does not grow without
// end in an hour.
func TestDecisionsAndAppendsToOneFile(t *testing.T) {
	rounds, each := 1, 30
	if *longRun {
		rounds, each = 10, 125
	}
	decided, appended, refused := 0, 0, 0
	for range rounds {
		w := crowdAtWork(t, each)
		decided, appended, refused = decided+int(w.decided.Load()), appended+int(w.appended.Load()), refused+int(w.refused.Load())
	}
	t.Logf("%d decisions and %d appended lines, none lost; %d decisions gave up on a file that changed", decided, appended, refused)
}

func crowdAtWork(t *testing.T, each int) *crowd {
	const memories = 6 // of each caller
	var text strings.Builder
	for caller := range callers {
		for i := range memories {
			fmt.Fprintf(&text, "- caller %d has memory number %d in the crowded file\n", caller, i)
		}
	}
	w := &crowd{reopenable: newReopenable(t, map[string]string{"MEMORY.md": text.String()}), each: each}
	ids := map[string]memory.ID{}
	for caller := range callers {
		for i := range memories {
			said := fmt.Sprintf("caller %d has memory number %d in the crowded file", caller, i)
			ids[said] = w.id(said)
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
		for said, m := range decided {
			if is := w.state(said); is.ID != m.ID || is.Pinned != m.Pinned || is.Forgotten != m.Forgotten || is.Tier != m.Tier {
				t.Errorf("%q is pinned %v, forgotten %v, %s, and was decided to be %v, %v, %s", said, is.Pinned, is.Forgotten, is.Tier,
					m.Pinned, m.Forgotten, m.Tier)
			}
		}
	}
	src := w.read("MEMORY.md")
	for caller := range callers {
		for i := range each {
			if line := appendedLine(caller, i); strings.Count(src, line) != 1 {
				t.Errorf("%q is there %d times", line, strings.Count(src, line))
			}
		}
	}
	return w
}

// decideAll decides about the caller's memories in turn. What is refused must
// have changed nothing.
func (w *crowd) decideAll(caller, memories int, ids map[string]memory.ID, want map[string]memory.Memory) {
	actions := []memory.Action{memory.ActionPin, memory.ActionForget, memory.ActionUnpin, memory.ActionRestore, memory.ActionArchive, memory.ActionPromote}
	for i := range w.each {
		said := fmt.Sprintf("caller %d has memory number %d in the crowded file", caller, i%memories)
		a, err := w.Decide(w.t.Context(), about(actions[i/memories%len(actions)], ids[said]))
		switch {
		case err == nil && len(a.Changed) > 0:
			want[said] = a.Changed[0]
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

// appendAll appends as shells do: the file is opened, and a moment later written
// to. It keeps pace with the decisions.
func (w *crowd) appendAll(caller int) {
	for i := range w.each {
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

// drainUntil looks after replaced files as a running service does.
func (w *crowd) drainUntil(done chan struct{}) {
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

// A file that another program keeps rewriting whole: the decision is in what is
// there in the end, or it is a conflict and nothing was decided; the file is
// always one of the other program's, at most with the line.
func TestAFileThatChangesUnderTheCommand(t *testing.T) {
	const text = "- " + heron + "\n- " + owl + "\n"
	w := newReopenable(t, map[string]string{"MEMORY.md": text})
	id := w.id(owl)
	conflicts := 0
	for i := range 20 {
		w.write("MEMORY.md", text)
		w.index()
		ctx, stop := context.WithCancel(t.Context())
		var writer sync.WaitGroup
		writer.Go(func() { w.keepRewriting(ctx, text) })
		_, err := w.Decide(t.Context(), about(memory.ActionPin, id))
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
		is := w.read("MEMORY.md")
		if line := strings.Contains(is, "pinned: true"); !strings.HasSuffix(is, text+"- a line more\n") && !strings.HasSuffix(is, text) || line != w.state(owl).Pinned {
			t.Errorf("round %d: pinned is %v, %v, and the file is\n%s", i, w.state(owl).Pinned, err, is)
		}
	}
	if conflicts == 0 {
		t.Error("nothing ever came in between")
	}
}

// keepRewriting replaces the file as careful editors do, by one of two.
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
