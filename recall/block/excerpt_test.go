package block_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall/block"
)

// longTexts returns memories of more than 4,000 bytes each.
func longTexts() (table, code, list, paragraph string) {
	table, code = "| part | number |\n|---|---|\n", "```sh\n"
	for i := range 250 {
		table += fmt.Sprintf("| part %d | PN-%d |\n", i, i*37)
		code += fmt.Sprintf("echo step %d of the build\n", i)
		list += fmt.Sprintf("%d. Rope, tide and lamp number %d\n", i+1, i)
		paragraph += fmt.Sprintf("The harbour has a lamp number %d. ", i)
	}
	return table + "| impeller | PN-IMP-9 |", code + "./flash-firmware --board heron7\n```", list + "251. Close the seacock with a quarter turn", paragraph + "The chandler opens at nine. " + paragraph
}

func TestLongTextIsInjectedAsAnExcerpt(t *testing.T) {
	table, code, list, paragraph := longTexts()
	for _, tt := range []struct {
		name, text string
		terms      []string
		lines      int
		want       string
	}{
		{"the row of a table, with its head", table, []string{"impeller", "number"}, 253,
			"- [fact 3f8a, excerpt] | part | number |\n  |---|---|\n  …\n  | part 248 | PN-9176 |\n  | part 249 | PN-9213 |\n  | impeller | PN-IMP-9 |\n  — Parts, memory/a.md:258-260 (90%)\n"},
		{"an identifier", table, []string{"pn-imp-9"}, 253,
			"- [fact 3f8a, excerpt] | part | number |\n  |---|---|\n  …\n  | part 248 | PN-9176 |\n  | part 249 | PN-9213 |\n  | impeller | PN-IMP-9 |\n  — Parts, memory/a.md:258-260 (90%)\n"},
		{"a line of code, in its fence", code, []string{"flash", "firmware"}, 253,
			"- [fact 3f8a, excerpt] ```sh\n  …\n  echo step 248 of the build\n  echo step 249 of the build\n  ./flash-firmware --board heron7\n  ```\n  — Parts, memory/a.md:257-259 (90%)\n"},
		{"a step of a list", list, []string{"closing", "seacocks"}, 251,
			"- [fact 3f8a, excerpt] …\n  249. Rope, tide and lamp number 248\n  250. Rope, tide and lamp number 249\n  251. Close the seacock with a quarter turn\n  — Parts, memory/a.md:256-258 (90%)\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := excerptEntry(tt.text, tt.lines, tt.terms)
			if !block.NewBudget(1000, nil).Fits(&e) {
				t.Fatal("it does not fit")
			}
			got := block.Render(nil, []*block.Entry{&e}, 1000)
			if !strings.Contains(got, tt.want) {
				t.Errorf("got %s\nwant %s", got, tt.want)
			}
		})
	}
	e := excerptEntry(paragraph, 1, []string{"chandler", "opens"})
	if !block.NewBudget(1000, nil).Fits(&e) {
		t.Fatal("a paragraph does not fit")
	}
	got := block.Render(nil, []*block.Entry{&e}, 1000)
	if len(got) > 2000 || !strings.Contains(got, "The chandler opens at nine.") || !strings.Contains(got, "memory/a.md:8 ") {
		t.Errorf("a paragraph: %s", got)
	}
}

func excerptEntry(text string, lines int, terms []string) block.Entry {
	m := memory.Memory{Text: text, Category: memory.CategoryFact, Path: "memory/a.md", LineStart: 8, LineEnd: 7 + lines, Heading: []string{"Parts"}}
	return block.Entry{Memory: &m, Similarity: 0.9, IDPrefix: "3f8a", Terms: terms}
}

func TestExcerptNeedsSpace(t *testing.T) {
	table, _, _, _ := longTexts()
	for tokens, want := range map[int]bool{1: false, 30: false, 100: true, 500: true} {
		e := excerptEntry(table, 253, []string{"impeller"})
		if got := block.NewBudget(tokens, nil).Fits(&e); got != want {
			t.Errorf("%d tokens: %t", tokens, got)
		} else if got && len(block.Render(nil, []*block.Entry{&e}, tokens)) > 4*tokens {
			t.Errorf("%d tokens: the block is larger", tokens)
		}
	}
	half := excerptEntry(strings.Repeat("tide ", 500), 1, nil) // more than half of the block
	b := block.NewBudget(1000, nil)
	for b.Fits(&half) {
	}
	if got := block.Render(nil, []*block.Entry{&half}, 0); strings.Contains(got, "excerpt") {
		t.Errorf("a text that fits into an empty block: %s", got)
	}
}

func TestLongContextLeavesSpaceForMemories(t *testing.T) {
	current := &memory.Context{Text: strings.Repeat("Migrating the <billing> database. ", 300)}
	e := excerptEntry("The event bus is NATS.", 1, nil)
	if !block.NewBudget(1000, current).Fits(&e) {
		t.Fatal("no space is left for a memory")
	}
	got := block.Render(current, []*block.Entry{&e}, 1000)
	if len(got) > 4000 || len(got) < 3000 || !strings.Contains(got, "NATS") || !strings.Contains(got, " …</current-context>") {
		t.Errorf("%d bytes: …%s", len(got), got[max(0, len(got)-300):])
	}
	if !block.CutsContext(current, 1000) || block.CutsContext(current, 10_000) || block.CutsContext(nil, 1000) {
		t.Error("which contexts are cut")
	}
	if got := block.Render(current, nil, 5); got != "" {
		t.Errorf("without space: %q", got)
	}
}

func TestHugeBudgetDoesNotOverflow(t *testing.T) {
	e := excerptEntry("The event bus is NATS.", 1, nil)
	if !block.NewBudget(1<<62, nil).Fits(&e) {
		t.Error("no space in the largest block")
	}
}
