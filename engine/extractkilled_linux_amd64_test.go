package engine_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/internal/property"
)

// It kills a process before each of the system calls by which an extraction changes files. Some
// are before the answer of the model, and some behind it, between the facts. The same request then stores what is
// missing, and no fact twice. No call is missing in the tokens of the day.
//
// It takes every seventh call, and with -long all.
func TestExtractKilledAtEveryCallLosesAndRepeatsNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	k := newKillTest(t, map[string]string{"MEMORY.md": "- " + heron + "\n"})
	talk := memory.CaptureRequest{Session: "s", Messages: said("My boat is called Frieda.", "I live in Bern. My cat has three legs.")}
	k.record(childRequest{Extract: &talk})
	step, sentAgain := inLongRun(7, 1), map[bool]int{}
	for i := property.Number(step); i < len(k.calls); i += step {
		root := k.copy(k.template)
		traceCalls(t, childCommand(root, k.request), root, fault{at: i + 1})
		w := killTest{world: world{t: t, dir: filepath.Join(root, "notes"), Engine: openAt(t, root)}}
		w.index()
		calls := func() int {
			audit := must.Get(w.Audit(context.Background(), memory.AuditRequest{Action: "model"}))(t)
			var batches []string
			for _, row := range audit.Audit {
				batches = append(batches, row.Batch)
			}
			slices.Sort(batches)
			return len(slices.Compact(batches))
		}
		first := calls()
		a, err := w.Extract(context.Background(), talk, nil)
		if err != nil {
			t.Fatalf("killed before call %d, %s: %v", i+1, k.calls[i], err)
		}
		sentAgain[a.Batches > 0]++
		text := filesBelow(t, root)["/notes/memory/extracted/"+now.UTC().Format("2006-01-02")+".md"]
		for _, fact := range []string{"My boat is called Frieda.", "I live in Bern.", "My cat has three legs."} {
			if strings.Count(text, fact) != 1 {
				t.Errorf("killed before call %d, %s: %d times %q", i+1, k.calls[i], strings.Count(text, fact), fact)
			}
		}
		preview := talk
		preview.Preview = true
		if left, err := w.Extract(context.Background(), preview, nil); err != nil || left.Batches != 0 || left.Left > 100_000-340*(first+a.Batches) {
			t.Errorf("killed before call %d, %s: %d calls, then %+v, %v", i+1, k.calls[i], first, left, err)
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
		must.Do(t, os.RemoveAll(root))
	}
	if sentAgain[true] == 0 {
		t.Errorf("no kill was before the end of the batch: %v", sentAgain)
	}
	t.Logf("%d system calls; the batch was sent again after %d kills, and not after %d", len(k.calls), sentAgain[true], sentAgain[false])
}
