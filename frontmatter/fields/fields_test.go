package fields_test

import (
	"slices"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter/fields"
	"github.com/memory-tiered/memory/frontmatter/protecting"
)

// read reads one key of an entry.
func read(t *testing.T, key, text string) (d memory.Declared, err error) {
	t.Helper()
	f := fields.Find(key, fields.EntryLevel)
	if f == nil {
		t.Fatalf("no key %s", key)
	}
	var n yaml.Node
	if err := yaml.Unmarshal([]byte(text), &n); err != nil {
		t.Fatal(err)
	}
	err = f.Read(&d, fields.Value{Node: n.Content[0], Zone: time.UTC})
	return d, err
}

func TestKeysReadBackWhatTheyWrite(t *testing.T) {
	for _, tt := range []struct{ key, text string }{
		{"pinned", "true"}, {"forgotten", "2026-05-08"}, {"forgotten", "false"}, {"only", "true"}, {"tier", "cold"}, {"memory_type", "episodic"},
		{"category", "fact"}, {"scope", `"work"`}, {"importance", "0.5"}, {"importance_label", "must_remember"}, {"trust", "untrusted"},
		{"source_ref", `"mail \"7\""`}, {"created", "2026-05-08"}, {"expires", "2027-01-01T10:30:00Z"}, {"private", "true"}, {"tags", `["a", "b c"]`},
	} {
		d, err := read(t, tt.key, tt.text)
		if got := fields.Find(tt.key, fields.EntryLevel).Write(d, time.UTC); err != nil || got != tt.text {
			t.Errorf("%s: %s is written as %s (%v)", tt.key, tt.text, got, err)
		}
	}
}

func TestKeysAreFoundInAnyCaseAndOnTheirLevel(t *testing.T) {
	if f := fields.Find(" Type ", fields.FileLevel); f == nil || f.Key != "memory_type" {
		t.Errorf("Type is %v", f)
	}
	if f := fields.Find("pinned", fields.FileLevel); f != nil {
		t.Error("a file can be pinned")
	}
}

func TestAnInvalidValueProtects(t *testing.T) {
	for _, key := range []string{"forgotten", "private", "trust"} {
		if d, err := read(t, key, "[maybe]"); err == nil || !protecting.Protects(d) {
			t.Errorf("%s: [maybe] declares %+v with the error %v", key, d, err)
		}
	}
}

func TestMergeTakesTheValueThatHidesMore(t *testing.T) {
	yes, no := true, false
	a := memory.Declared{Forgotten: &yes, Trust: memory.TrustTrusted, Tier: memory.TierHot}
	b := memory.Declared{Forgotten: &no, Trust: memory.TrustQuarantined, Tier: memory.TierCold}
	for _, order := range [][2]memory.Declared{{a, b}, {b, a}} {
		d, contradictions := fields.Merge(order[0], order[1], time.UTC)
		if !fields.IsForgotten(d) || d.Trust != memory.TrustQuarantined || d.Tier != memory.TierCold {
			t.Errorf("merged: %+v", d)
		}
		if want := []string{"trust", "forgotten", "tier"}; !slices.Equal(contradictions, want) {
			t.Errorf("contradictions %v, want %v", contradictions, want)
		}
	}
}
