package notation_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/recall/notation"
)

func ExampleNames() {
	for _, name := range notation.Names("Dead letter queue (DLQ, failed messages): empty it on Mondays") {
		fmt.Println(strings.Join(name, " "))
	}
	// Output:
	// dead letter queue
	// dlq
	// failed message
}

func TestASentenceHasNoTopicNames(t *testing.T) {
	for _, text := range []string{"Call Ann. Then: write it down", "The meeting is at 14:30", "see https://example.org", "Notes: nothing", "no colon here"} {
		if names := notation.Names(text); len(names) != 0 {
			t.Errorf("%q names %q", text, names)
		}
	}
}

func TestRowNames(t *testing.T) {
	var names []string
	for _, words := range notation.RowNames("| Item | Price |\n|---|---|\n| Washing machine, white | 529 |\n| 2024-03-11 | 3 |\n| the | 4 |\n| Sofas | 1 |") {
		names = append(names, strings.Join(words, " "))
	}
	if got := strings.Join(names, ", "); got != "washing machine, sofa" {
		t.Errorf("%s", got)
	}
	if names := notation.RowNames("Sofa: 529 | 3"); names != nil {
		t.Errorf("a text without a table names %q", names)
	}
}

func TestHasCell(t *testing.T) {
	const table = "Servers:\n\n| Host | Port | Use |\n|---|---|---|\n| Orion | 5433 | database |\n| Lyra | | queue, for mails |\n| Vega | 7000 | yes |"
	for ask, want := range map[string]bool{
		"port database":      true,
		"port orion":         true,
		"host queue":         true,
		"port queue":         false, // the cell is empty
		"database":           false,
		"port":               false,
		"port host":          false, // names of columns alone
		"user database":      false,
		"port 7000 use":      false, // a number names nothing
		"database port user": true,
	} {
		asked := strings.Fields(ask)
		isNamed := func(words []string) bool {
			return !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(asked, w) })
		}
		if got := notation.HasCell(table, isNamed); got != want {
			t.Errorf("%q: %v", ask, got)
		}
	}
}
