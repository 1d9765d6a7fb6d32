package index_test

import (
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
)

func TestRedactionsHideWhatMayNotBeInjected(t *testing.T) {
	yes := func() *bool { b := true; return &b }
	tests := []struct {
		name  string
		entry memory.Declared
		by    memory.ID // supersedes it
		want  bool
	}{
		{"plain", memory.Declared{}, "", false},
		{"forgotten", memory.Declared{Forgotten: yes()}, "", true},
		{"private", memory.Declared{Private: yes()}, "", true},
		{"quarantined", memory.Declared{Trust: memory.TrustQuarantined}, "", true},
		{"superseded", memory.Declared{}, "another", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			db := fresh(t)
			apply(t, db, noon, fileWithEntry("MEMORY.md", password, tt.entry))
			update(t, db, noon, func(tx *index.Tx) error { return tx.Supersede(id(password), tt.by) })
			block := memory.Block{Text: password, Fingerprint: fingerprint(password), Heading: one(t, db, id(password)).Heading}
			redactions, err := db.Redactions(t.Context(), pushed(memory.View{}), []string{"MEMORY.md"})
			if err != nil || redactions.Hides("MEMORY.md", 0, block) != tt.want {
				t.Errorf("in its indexed place: %v, want %v (%v)", !tt.want, tt.want, err)
			}
			if redactions.Hides("memory/new.md", 3, block) != tt.want {
				t.Errorf("in a place that is not indexed: want %v", tt.want)
			}
		})
	}
}
