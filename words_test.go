package memory_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
)

func TestWordsParseInAnyCase(t *testing.T) {
	var m struct {
		Tier  memory.Tier            `json:"tier"`
		Type  memory.Type            `json:"memory_type"`
		Label memory.ImportanceLabel `json:"label"`
		Trust memory.TrustTier       `json:"trust"`
	}
	in := `{"tier":"hot","memory_type":"Episodic","label":"Must-Remember","trust":"UNTRUSTED"}`
	must.Do(t, json.Unmarshal([]byte(in), &m))
	out, _ := json.Marshal(m)
	if want := `{"tier":"HOT","memory_type":"episodic","label":"must_remember","trust":"untrusted"}`; string(out) != want {
		t.Errorf("got %s, want %s", out, want)
	}
}

func TestErrorForUnknownWordListsKnownWords(t *testing.T) {
	_, err := memory.ParseTier("Tepid")
	var e *memory.Error
	if !errors.As(err, &e) || !errors.Is(err, memory.ErrInvalid) || e.Field != "tier" ||
		!strings.Contains(e.Message, `"Tepid"`) || !strings.Contains(e.Hint, "hot, warm, cold, archive") {
		t.Errorf("got %#v", err)
	}
}

func TestScopeMatches(t *testing.T) {
	tests := []struct {
		has, asked memory.Scope
		want       bool
	}{{"work", "work", true}, {"work", "home", false}, {"", "home", true}, {"global", "home", true}, {"work", "", true}}
	for _, tt := range tests {
		if got := tt.has.Matches(tt.asked); got != tt.want {
			t.Errorf("scope %q, query scope %q: %v", tt.has, tt.asked, got)
		}
	}
}

func TestIDAndPrefix(t *testing.T) {
	f := memory.Fingerprint{1, 2, 3}
	a, b := memory.NewID(f, 0), memory.NewID(f, 1)
	if a == b || a != memory.NewID(f, 0) {
		t.Error("an id must depend on fingerprint and occurrence, and on nothing else")
	}
	if len(a) != 36 || a[14] != '8' || len(a.Short()) != 8 || len(a.InFile()) != 12 {
		t.Errorf("%s is not a UUID of version 8", a)
	}
	if a != "38361009-f8b6-8deb-bdd6-79174c04738d" {
		t.Errorf("the id of a text of everybody is %s: ids of earlier versions must stay", a)
	}
	lena, ben := memory.NewUserID(f, "lena", 0), memory.NewUserID(f, "ben", 0)
	if memory.NewUserID(f, "", 0) != a || lena == a || lena == ben || lena != memory.NewUserID(f, "lena", 0) || lena == memory.NewUserID(f, "lena", 1) {
		t.Error("the id of a user's text must depend on the user too")
	}
	prefix, err := memory.ParseIDPrefix(" " + strings.ToUpper(a.InFile()))
	if err != nil || !strings.HasPrefix(string(a), prefix) {
		t.Errorf("prefix %q of %s: %v", prefix, a, err)
	}
	for _, bad := range []string{"", "3f8", "xyz1", "3f8a 91c2", strings.Repeat("a", 33)} {
		if _, err := memory.ParseIDPrefix(bad); !errors.Is(err, memory.ErrInvalid) || !strings.HasPrefix(err.Error(), "Invalid memory ID format") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestListEncodesAsArray(t *testing.T) {
	out := must.Get(json.Marshal(memory.Hit{Memory: memory.Memory{CreatedAt: time.Unix(0, 0).UTC()}}))(t)
	for _, want := range []string{`"tags":[]`, `"heading":[]`, `"use_days":[]`, `"edited_at":null`, `"superseded_by":null`, `"created_at":"1970-01-01T00:00:00Z"`} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%s is not in %s", want, out)
		}
	}
	if strings.Contains(string(out), "factors") {
		t.Error("factors stand only where they were asked for")
	}
}

func TestErrorMatchesKindAndCause(t *testing.T) {
	cause := errors.New("no space left")
	err := error(memory.Unavailable(cause, "write MEMORY.md").WithHint("free some space"))
	if !errors.Is(err, memory.ErrUnavailable) || !errors.Is(err, cause) || err.Error() != "write MEMORY.md: no space left" {
		t.Errorf("got %v", err)
	}
}
