package index_test

import (
	"path/filepath"
	"testing"

	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/index/indextest"
)

// TestConformance runs the suite with a vec0 table and without one.
func TestConformance(t *testing.T) {
	for name, vec0 := range map[string]bool{"vec0": true, "without vec0": false} {
		t.Run(name, func(t *testing.T) {
			indextest.Run(t, func(t *testing.T) indextest.Store {
				db := open(t, filepath.Join(t.TempDir(), "tiered.db"), index.Options{})
				if !vec0 {
					withoutVec0(t, db)
				}
				return db
			})
		})
	}
}
