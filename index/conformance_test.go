package index_test

import (
	"path/filepath"
	"testing"

	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/index/indextest"
)

func TestConformance(t *testing.T) {
	indextest.OnEachBackend(t, func(t *testing.T) {
		runSuite(t, func(t *testing.T) store {
			return open(t, filepath.Join(t.TempDir(), "tiered.db"), index.Options{})
		})
	})
}
