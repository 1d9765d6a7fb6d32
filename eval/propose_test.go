package eval_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/eval"
)

func TestProposalsAreSpreadOverTheMemories(t *testing.T) {
	var all []memory.Memory
	for i := range 20 {
		all = append(all, memory.Memory{ID: memory.ID(fmt.Sprintf("%08d", i)), Path: fmt.Sprintf("memory/%02d.md", i/5), LineStart: 3 + i%5,
			Text: fmt.Sprintf("The port of Subject%02d <is> open on weekdays", i)})
	}
	slices.Reverse(all)
	all = append(all, memory.Memory{Path: "a.md", LineStart: 1, Text: "too short"})
	got := eval.Propose(all, 4)
	var files []string
	for _, p := range got {
		files = append(files, p.Relevant[0].Path)
	}
	if want := []string{"memory/00.md", "memory/01.md", "memory/02.md", "memory/03.md"}; !slices.Equal(files, want) {
		t.Errorf("from %v, want %v", files, want)
	}
	if p := got[0]; p.Query != "port Subject02 open weekdays?" || p.Relevant[0].Line != 5 || p.Text != "The port of Subject02 <is> open on weekdays" {
		t.Errorf("got %+v", p)
	}
	if n := len(eval.Propose(all, 100)); n != 20 {
		t.Errorf("%d proposals of 20 memories", n)
	}
	task := []memory.Memory{{Path: "a.md", LineStart: 1, Text: "[x] Renew the passports of the children"}}
	if query := eval.Propose(task, 1)[0].Query; query != "Renew the passports children?" {
		t.Errorf("the draft of a task is %q", query)
	}
	numbers := []memory.Memory{{Path: "a.md", LineStart: 1, Text: "It costs 14,500 from 09:30 on."}}
	if query := eval.Propose(numbers, 1)[0].Query; query != "costs 14,500 from 09:30?" {
		t.Errorf("the draft with numbers is %q", query)
	}
	var file bytes.Buffer
	if err := eval.WriteProposals(&file, got); err != nil {
		t.Fatal(err)
	}
	golden, err := eval.ReadGolden(&file, time.UTC)
	if err != nil || len(golden) != 4 || golden[0].Category != eval.DraftCategory {
		t.Errorf("read back %+v, %v", golden, err)
	}
}
