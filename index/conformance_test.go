package index_test

import (
	"path/filepath"
	"testing"

	"github.com/memory-tiered/memory/index"
)

// TestConformance runs the suite with a vec0 table and without one.
func TestConformance(t *testing.T) {
	for name, vec0 := range map[string]bool{"vec0": true, "without vec0": false} {
		t.Run(name, func(t *testing.T) {
			runSuite(t, func(t *testing.T) store {
				db := open(t, filepath.Join(t.TempDir(), "tiered.db"), index.Options{})
				if !vec0 {
					withoutVec0(t, db)
				}
				return db
			})
		})
	}
}
