package query_test

import (
	"testing"

	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/index/indextest"
)

// The memories of these tests are those of the conformance suite.
var (
	noon  = indextest.Noon
	id    = indextest.ID
	file  = indextest.File
	join  = indextest.Join
	query = indextest.Words

	open         = indextest.Open
	fresh        = indextest.New
	apply        = indextest.Apply
	embedPending = indextest.EmbedPending
)

func load(t testing.TB, db *index.DB) {
	t.Helper()
	if err := db.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
}
