package index_test

import (
	"path/filepath"
	"testing"

	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/index/indextest"
)

// TestConformance runs the suite over sqlite-vec and over the exact scan, which
// therefore agree.
func TestConformance(t *testing.T) {
	for name, scan := range map[string]bool{"vec0": false, "scan": true} {
		t.Run(name, func(t *testing.T) {
			indextest.Run(t, func(t *testing.T) indextest.Store {
				return open(t, filepath.Join(t.TempDir(), "tiered.db"), index.Options{Scan: scan})
			})
		})
	}
}
