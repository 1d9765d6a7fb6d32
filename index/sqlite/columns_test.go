package sqlite_test

import (
	"slices"
	"testing"
	"time"

	"github.com/memory-tiered/memory/index/sqlite"
)

func TestZeroValuesAreNull(t *testing.T) {
	db := newDB(t, dbPath(t))
	noon := sqlite.ToMillis(time.Date(2026, 11, 20, 12, 0, 0, 123_999_999, time.UTC))
	for _, tt := range []struct {
		name  string
		value any
		to    any
		null  bool
		same  func(any) bool
	}{
		{"no time", sqlite.ToMillis(time.Time{}), new(sqlite.Millis), true, func(v any) bool { return *v.(*sqlite.Millis) == 0 }},
		{"a time", noon, new(sqlite.Millis), false, func(v any) bool { return *v.(*sqlite.Millis) == noon }},
		{"no hash", sqlite.Hash{}, new(sqlite.Hash), true, func(v any) bool { return *v.(*sqlite.Hash) == sqlite.Hash{} }},
		{"a hash", sqlite.Hash{7}, new(sqlite.Hash), false, func(v any) bool { return *v.(*sqlite.Hash) == sqlite.Hash{7} }},
		{"no text", sqlite.NullText(""), new(sqlite.NullText), true, func(v any) bool { return *v.(*sqlite.NullText) == "" }},
		{"a text", sqlite.NullText("x"), new(sqlite.NullText), false, func(v any) bool { return *v.(*sqlite.NullText) == "x" }},
	} {
		var null bool
		err := db.Read().One(t.Context(), "SELECT ?1, ?1 IS NULL", []any{tt.value}, tt.to, &null)
		if err != nil || null != tt.null || !tt.same(tt.to) {
			t.Errorf("%s: NULL %v, want %v; %v", tt.name, null, tt.null, err)
		}
	}
	var h sqlite.Hash
	if err := db.Read().One(t.Context(), "SELECT x'0102'", nil, &h); err == nil {
		t.Error("a hash of two bytes was read")
	}
}

func TestMillisKeepMilliseconds(t *testing.T) {
	at := time.Date(2026, 11, 20, 12, 0, 0, 123_999_999, time.FixedZone("", 3600))
	m := sqlite.ToMillis(at)
	if want := at.Truncate(time.Millisecond).UTC(); !m.Time().Equal(want) || m.Time().Location() != time.UTC || !m.Pointer().Equal(want) {
		t.Errorf("%v, %v; want %v", m.Time(), m.Pointer(), want)
	}
	if m := sqlite.ToMillis(time.Unix(0, 0)); m.Time().Format(time.DateOnly) != "1970-01-01" {
		t.Errorf("the beginning of 1970 is %v", m.Time())
	}
	if m := sqlite.Millis(0); !m.Time().IsZero() || m.Pointer() != nil {
		t.Errorf("zero is %v, %v", m.Time(), m.Pointer())
	}
}

func TestJSONListsComeBack(t *testing.T) {
	for _, words := range [][]string{nil, {"a"}, {"", `"quoted"`, "日本"}} {
		s := sqlite.JSONList(words)
		if got := sqlite.ParseJSONList(s); !slices.Equal(got, words) {
			t.Errorf("%q became %s and %q", words, s, got)
		}
	}
	for _, bad := range []string{"", "null", "{", `{"a":1}`, "[1]"} {
		if got := sqlite.ParseJSONList(bad); len(got) > 0 {
			t.Errorf("%q is %q", bad, got)
		}
	}
	if got := sqlite.JSONNumbers(nil); got != "[]" {
		t.Errorf("no numbers are %s", got)
	}
	if got := sqlite.JSONNumbers([]int32{1, -2}); got != "[1,-2]" {
		t.Errorf("numbers are %s", got)
	}
}
