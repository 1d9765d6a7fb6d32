package indextest

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/index/postgres"
)

// The environment of tests. backend is set to postgres where all tests of the index run on a
// server.
const (
	server  = "MEMORY_TEST_POSTGRES"
	backend = "MEMORY_TEST_BACKEND"
)

// SQLiteOnly skips a test about files of SQLite where the tests run on a server.
func SQLiteOnly(t testing.TB) {
	t.Helper()
	if os.Getenv(backend) == "postgres" {
		t.Skip("it is about a file of SQLite")
	}
}

var schemas sync.Map // by the path of the database

// onBackend returns the options for the database that tests open at a path.
func onBackend(t testing.TB, path string, o index.Options) index.Options {
	t.Helper()
	if os.Getenv(backend) != "postgres" {
		return o
	}
	schema, known := schemas.Load(path)
	if !known {
		schema = schemaNamed(t, fmt.Sprintf("%x", sha256.Sum256([]byte(path)))[:32]) // the same in a child of the test
		schemas.Store(path, schema)
	}
	on := schema.(postgres.Options)
	o.Server, o.Schema = on.URL, on.Schema
	return o
}

// Server returns the URL of the server where all tests run on it, or else the empty string.
func Server() string {
	if os.Getenv(backend) != "postgres" {
		return ""
	}
	return os.Getenv(server)
}

// DropSchema drops the schema that the file beside the path of a database names, if there is one.
func DropSchema(path string) error {
	name, _ := os.ReadFile(index.SchemaFile(path))
	if len(name) == 0 || Server() == "" {
		return nil
	}
	return postgres.Drop(context.Background(), Server(), strings.TrimSpace(string(name)))
}

// usedPaths are the paths of the databases of each running test, by test.
var usedPaths sync.Map

// OnServer returns the URL of the server where all tests run on it. The end of the test drops
// the schemas of the databases, after all that it opened is closed.
func OnServer(t Cleaner, paths ...string) string {
	t.Helper()
	used, known := usedPaths.LoadOrStore(t, &sync.Map{})
	for _, path := range paths {
		used.(*sync.Map).Store(path, true)
	}
	if !known {
		t.Cleanup(func() {
			usedPaths.Delete(t)
			used.(*sync.Map).Range(func(path, _ any) bool {
				if err := DropSchema(path.(string)); err != nil {
					t.Error(err)
				}
				return true
			})
		})
	}
	return Server()
}

// Cleaner is a test, also one of rapid.
type Cleaner interface {
	Helper()
	Cleanup(fn func())
	Error(args ...any)
}

// HasPostgres reports whether the tests have a server.
func HasPostgres() bool { return os.Getenv(server) != "" }

// OnEachBackend runs a test on SQLite, and on a server if the tests have one.
func OnEachBackend(t *testing.T, test func(t *testing.T)) {
	t.Run("sqlite", test)
	t.Run("postgres", func(t *testing.T) {
		UseServer(t)
		test(t)
	})
}

// UseServer makes the rest of a test use the server, or skips the test without one.
func UseServer(t *testing.T) {
	t.Helper()
	_ = Postgres(t)
	t.Setenv(backend, "postgres")
}

// Postgres returns options for a new schema of the server at MEMORY_TEST_POSTGRES, which the
// test drops at its end. Without that URL, the test is skipped: postgres.sh starts a server.
func Postgres(t testing.TB) postgres.Options {
	t.Helper()
	return schemaNamed(t, fmt.Sprintf("%.30s %x", t.Name(), rand.Uint64()))
}

func schemaNamed(t testing.TB, name string) postgres.Options {
	t.Helper()
	url := os.Getenv(server)
	if url == "" {
		t.Skip(server + " names no server: index/indextest/postgres.sh starts one")
	}
	o := postgres.Options{URL: url, Schema: name}
	t.Cleanup(func() {
		if err := postgres.Drop(context.Background(), o.URL, o.Schema); err != nil {
			t.Error(err)
		}
	})
	return o
}
