package sqldb_test

import (
	"slices"
	"testing"
	"time"

	"github.com/memory-tiered/memory/index/sqldb"
)

func TestMillisKeepMilliseconds(t *testing.T) {
	at := time.Date(2026, 11, 20, 12, 0, 0, 123_999_999, time.FixedZone("", 3600))
	m := sqldb.ToMillis(at)
	if want := at.Truncate(time.Millisecond).UTC(); !m.Time().Equal(want) || m.Time().Location() != time.UTC || !m.Pointer().Equal(want) {
		t.Errorf("%v, %v; want %v", m.Time(), m.Pointer(), want)
	}
	if m := sqldb.ToMillis(time.Unix(0, 0)); m.Time().Format(time.DateOnly) != "1970-01-01" {
		t.Errorf("the beginning of 1970 is %v", m.Time())
	}
	if m := sqldb.Millis(0); !m.Time().IsZero() || m.Pointer() != nil {
		t.Errorf("zero is %v, %v", m.Time(), m.Pointer())
	}
}

func TestJSONListsComeBack(t *testing.T) {
	for _, words := range [][]string{nil, {"a"}, {"", `"quoted"`, "日本"}} {
		s := sqldb.JSONList(words)
		if got := sqldb.ParseJSONList(s); !slices.Equal(got, words) {
			t.Errorf("%q became %s and %q", words, s, got)
		}
	}
	for _, bad := range []string{"", "null", "{", `{"a":1}`, "[1]"} {
		if got := sqldb.ParseJSONList(bad); len(got) > 0 {
			t.Errorf("%q is %q", bad, got)
		}
	}
	if got := sqldb.JSONNumbers(nil); got != "[]" {
		t.Errorf("no numbers are %s", got)
	}
	if got := sqldb.JSONNumbers([]int32{1, -2}); got != "[1,-2]" {
		t.Errorf("numbers are %s", got)
	}
}
