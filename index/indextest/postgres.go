package indextest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/memory-tiered/memory/index/postgres"
)

// Postgres returns options for a new schema of the server at MEMORY_TEST_POSTGRES, which the
// test drops at its end. Without that URL, the test is skipped: postgres.sh starts a server.
func Postgres(t testing.TB) postgres.Options {
	t.Helper()
	url := os.Getenv("MEMORY_TEST_POSTGRES")
	if url == "" {
		t.Skip("MEMORY_TEST_POSTGRES names no server: index/indextest/postgres.sh starts one")
	}
	o := postgres.Options{URL: url, Schema: fmt.Sprintf("%.30s %x", t.Name(), rand.Uint64())}
	t.Cleanup(func() {
		if err := postgres.Drop(context.Background(), o.URL, o.Schema); err != nil {
			t.Error(err)
		}
	})
	return o
}
