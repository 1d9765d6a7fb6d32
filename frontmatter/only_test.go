package frontmatter_test

import (
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter"
)

// A forgetting that is about one memory alone says so on its line, in whatever
// order a person writes the words, and two lines limit it only if both do.
func TestOnlyStandsBesideWhatItLimits(t *testing.T) {
	tests := []struct {
		name, lines     string
		forgotten, only bool
	}{
		{"after", `{id: "9c01aa7e44f1", quote: "a b", forgotten: true, only: true}`, true, true},
		{"before", `{id: "9c01aa7e44f1", quote: "a b", only: yes, forgotten: 2026-11-20}`, true, true},
		{"without", `{id: "9c01aa7e44f1", quote: "a b", forgotten: true}`, true, false},
		{"alone", `{id: "9c01aa7e44f1", quote: "a b", only: true}`, false, true},
		{"one of two", `{id: "9c01aa7e44f1", quote: "a b", forgotten: true}` + "\n  - " +
			`{id: "9c01aa7e44f1", quote: "a b", forgotten: true, only: true}`, true, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := frontmatter.Parse([]byte("---\nmemories:\n  - "+tt.lines+"\n---\n- a b\n"), time.UTC)
			if len(m.Entries) != 1 {
				t.Fatalf("%+v", m)
			}
			d := m.Entries[0].Declared
			if got := d.Forgotten != nil && *d.Forgotten; got != tt.forgotten || d.Only != tt.only {
				t.Errorf("forgotten %v, only %v", got, d.Only)
			}
		})
	}
}

func TestOnlyIsWritten(t *testing.T) {
	yes := true
	out, err := frontmatter.Set([]byte("- a b\n"), time.UTC, []frontmatter.Change{{ID: memory.NewID(memory.Fingerprint{1}, 0), Quote: "a b",
		Declared: memory.Declared{Forgotten: &yes, Only: true}}})
	if err != nil || !strings.Contains(string(out), `quote: "a b", forgotten: true, only: true}`) {
		t.Errorf("%s, %v", out, err)
	}
}
