package relations_test

import (
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/capture"
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/engine/relations"
)

func TestOnlyCapturedMemoriesOfTheAuthorAreReplaced(t *testing.T) {
	newer := memory.ID("mem_0123456789abcdef")
	captured := memory.Memory{Source: memory.SourceAutoCapture, Trust: memory.TrustUntrusted}
	with := func(change func(*relations.Memory)) relations.Memory {
		m := relations.Memory{Memory: captured, Relation: capture.Relation{Replaces: true}}
		change(&m)
		return m
	}
	for name, m := range map[string]relations.Memory{
		"no new value":   with(func(m *relations.Memory) { m.Replaces = false }),
		"the same":       with(func(m *relations.Memory) { m.Same = true }),
		"by hand":        with(func(m *relations.Memory) { m.Source = memory.SourceFile }),
		"forgotten":      with(func(m *relations.Memory) { m.Forgotten = true }),
		"pinned":         with(func(m *relations.Memory) { m.Pinned = true }),
		"superseded":     with(func(m *relations.Memory) { m.SupersededBy = &newer }),
		"of another one": with(func(m *relations.Memory) { m.User = "carol" }),
		"more trusted":   with(func(m *relations.Memory) { m.Trust = memory.TrustTrusted }),
		"quarantined":    with(func(m *relations.Memory) { m.Trust = memory.TrustQuarantined }),
	} {
		if old := (relations.Found{List: []relations.Memory{m}}).Replaced(memory.TrustUntrusted, lookup.Author{}); len(old) != 0 {
			t.Errorf("%s: it is replaced", name)
		}
	}
	found := relations.Found{List: []relations.Memory{with(func(*relations.Memory) {})}}
	if old := found.Replaced(memory.TrustUntrusted, lookup.Author{}); len(old) != 1 {
		t.Error("a captured memory with an old value is not replaced")
	}
	if _, ok := found.SameAs(""); ok {
		t.Error("a new value says the same")
	}
}
