package postgres_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory/index/query"
	"github.com/memory-tiered/memory/index/sqlite"
	"github.com/memory-tiered/memory/internal/glob"
)

// TestFunctionsReturnWhatThoseOfSQLiteReturn compares the functions of both systems.
func TestFunctionsReturnWhatThoseOfSQLiteReturn(t *testing.T) {
	lite, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "a.db"), sqlite.Options{Functions: query.Functions})
	if err != nil {
		t.Fatal(err)
	}
	defer lite.Close()
	server, _ := prepared(t)
	for _, expression := range []string{
		`(SELECT group_concat(value) FROM json_each('["a","b c","ü"]'))`, `(SELECT count(*) FROM json_each('[]'))`,
		`(SELECT sum(CAST(value AS INTEGER)) FROM json_each('[1,20,300]'))`, `(SELECT group_concat(key) FROM json_each('{"a":1,"b":null}'))`,
		`(SELECT group_concat(value) FROM json_each('{"a":{"b":["x","y"]}}', '$.a.b'))`, `(SELECT count(*) FROM json_each('{}', '$.a'))`,
		`json_extract('{"a":"x"}', '$.a')`, `json_extract('{"a":{"b":true}}', '$.a.b')`, `json_extract('{"a":false}', '$.a')`,
		`json_extract('{"a":12}', '$.a')`, `json_extract('{"a":null}', '$.a')`, `json_extract('{}', '$.a')`, `json_extract('{"a":[]}', '$.a')`,
		`json_remove('{"a":1,"b":2}', '$.a')`, `json_remove('{"a":1}', '$.b')`, `json_remove('{"a":1}', '$.a') <> '{}'`,
		`json_valid('{"a":[1]}')`, `json_valid('{a')`, `json_valid('')`,
		`hex(x'00ffa1')`, `hex(x'')`, `hex(unhex('00ffa1'))`, `length(zeroblob(32))`, `hex(zeroblob(2))`,
		`instr('abcb', 'b')`, `instr('abc', 'x')`, `instr('äbc', 'c')`, `iif(1 < 2, 'a', 'b')`, `iif(1 > 2, 'a', 'b')`, `length(char(1))`,
		`max(1, 3, 2)`, `min(5, 4)`, `ifnull(NULL, 'a')`, `lower('ABC')`, `'A' < 'a'`, `'a_b' LIKE 'a\_b' ESCAPE '\'`, `substr('abc', 1, 2)`,
		`is_of_session('work', 'agent/work/one')`, `is_of_session('agent', 'agent/work')`, `is_of_session('agent/work', 'agent/work/a')`,
		`is_of_session('work/', 'work')`, `is_of_session('', 'work')`, `is_of_session('wor', 'agent/work')`, `is_of_session('x', 'x')`,
		`path_matches('notes/', 'notes/a.md')`, `path_matches('./notes', 'notes')`, `path_matches('not', 'notes/a.md')`, `path_matches('[z-a', '[')`,
	} {
		want, got := value(t, lite.Read().One, expression), value(t, server.Read().One, expression)
		if got != want {
			t.Errorf("%s is %q, and %q in SQLite", expression, got, want)
		}
	}
}

// value returns the value of an expression as both systems write it: SQLite has no booleans, and
// PostgreSQL's JSON has spaces.
func value(t *testing.T, one queryOne, expression string) string {
	t.Helper()
	var v any
	if err := one(t.Context(), "SELECT "+expression, nil, &v); err != nil {
		t.Errorf("%s: %v", expression, err)
	}
	return strings.ReplaceAll(strings.NewReplacer("true", "1", "false", "0").Replace(fmt.Sprint(v)), " ", "")
}

type queryOne func(ctx context.Context, query string, args []any, to ...any) error

// TestPathsMatchAsInGo compares path_matches with the matcher in Go.
func TestPathsMatchAsInGo(t *testing.T) {
	db, _ := prepared(t)
	pattern := rapid.StringMatching(`(\*\*/|[ab]/|[ab*?]{1,2}/|\[[!^]?(a-b|a-b-|[ab]|-|a-)\]/){0,3}(\*\*|[ab.*?]{1,3}|\[a-b\]|\\\*|\[\]|[é.+(|])`)
	name := rapid.StringMatching(`([ab]{1,2}/){0,3}[ab.*é+(|]{1,3}`)
	rapid.Check(t, func(t *rapid.T) {
		p, n := pattern.Draw(t, "pattern"), name.Draw(t, "name")
		var got bool
		if err := db.Read().One(context.Background(), "SELECT path_matches(?, ?)", []any{p, n}, &got); err != nil {
			t.Fatal(err)
		}
		if want := glob.Compile(p).Match(n); got != want {
			t.Fatalf("%q matches %q: %v, want %v", p, n, got, want)
		}
	})
}
