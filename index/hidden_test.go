package index_test

import (
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
)

func TestHidden(t *testing.T) {
	yes := func() *bool { b := true; return &b }
	tests := []struct {
		name string
		said memory.Declared
		by   memory.ID // what supersedes it
		want bool
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
			apply(t, db, noon, deciding("MEMORY.md", said, tt.said))
			update(t, db, noon, func(tx *index.Tx) error { return tx.Supersede(id(said), tt.by) })
			block := memory.Block{Text: said, Fingerprint: fingerprint(said), Heading: one(t, db, id(said)).Heading}
			hidden, err := db.Redactions(t.Context(), []string{"MEMORY.md"})
			if err != nil || hidden.Hides("MEMORY.md", 0, block) != tt.want {
				t.Errorf("where it stands: %v, want %v (%v)", !tt.want, tt.want, err)
			}
			if hidden.Hides("memory/new.md", 3, block) != tt.want {
				t.Errorf("where it is not indexed yet: want %v", tt.want)
			}
		})
	}
}
