package sqlite_test

import (
	"testing"
	"time"

	"github.com/memory-tiered/memory/index/sqldb"
)

func TestZeroValuesAreNull(t *testing.T) {
	db := newDB(t, dbPath(t))
	noon := sqldb.ToMillis(time.Date(2026, 11, 20, 12, 0, 0, 123_999_999, time.UTC))
	for _, tt := range []struct {
		name  string
		value any
		to    any
		null  bool
		same  func(any) bool
	}{
		{"no time", sqldb.ToMillis(time.Time{}), new(sqldb.Millis), true, func(v any) bool { return *v.(*sqldb.Millis) == 0 }},
		{"a time", noon, new(sqldb.Millis), false, func(v any) bool { return *v.(*sqldb.Millis) == noon }},
		{"no hash", sqldb.Hash{}, new(sqldb.Hash), true, func(v any) bool { return *v.(*sqldb.Hash) == sqldb.Hash{} }},
		{"a hash", sqldb.Hash{7}, new(sqldb.Hash), false, func(v any) bool { return *v.(*sqldb.Hash) == sqldb.Hash{7} }},
		{"no text", sqldb.NullText(""), new(sqldb.NullText), true, func(v any) bool { return *v.(*sqldb.NullText) == "" }},
		{"a text", sqldb.NullText("x"), new(sqldb.NullText), false, func(v any) bool { return *v.(*sqldb.NullText) == "x" }},
	} {
		var null bool
		err := db.Read().One(t.Context(), "SELECT ?1, ?1 IS NULL", []any{tt.value}, tt.to, &null)
		if err != nil || null != tt.null || !tt.same(tt.to) {
			t.Errorf("%s: NULL %v, want %v; %v", tt.name, null, tt.null, err)
		}
	}
	var h sqldb.Hash
	if err := db.Read().One(t.Context(), "SELECT x'0102'", nil, &h); err == nil {
		t.Error("a hash of two bytes was read")
	}
}
