package store_test

import (
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/capture"
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/engine/store"
)

func TestOnlyCapturedMemoriesOfTheAuthorAreReplaced(t *testing.T) {
	newer := memory.ID("mem_0123456789abcdef")
	captured := memory.Memory{Source: memory.SourceAutoCapture, Trust: memory.TrustUntrusted}
	with := func(change func(*store.Related)) store.Related {
		m := store.Related{Memory: captured, Relation: capture.Relation{Replaces: true}}
		change(&m)
		return m
	}
	for name, m := range map[string]store.Related{
		"no new value":   with(func(m *store.Related) { m.Replaces = false }),
		"the same":       with(func(m *store.Related) { m.Same = true }),
		"by hand":        with(func(m *store.Related) { m.Source = memory.SourceFile }),
		"forgotten":      with(func(m *store.Related) { m.Forgotten = true }),
		"pinned":         with(func(m *store.Related) { m.Pinned = true }),
		"superseded":     with(func(m *store.Related) { m.SupersededBy = &newer }),
		"of another one": with(func(m *store.Related) { m.User = "carol" }),
		"more trusted":   with(func(m *store.Related) { m.Trust = memory.TrustTrusted }),
		"quarantined":    with(func(m *store.Related) { m.Trust = memory.TrustQuarantined }),
	} {
		if old := (store.Found{List: []store.Related{m}}).Replaced(memory.TrustUntrusted, lookup.Author{}); len(old) != 0 {
			t.Errorf("%s: it is replaced", name)
		}
	}
	found := store.Found{List: []store.Related{with(func(*store.Related) {})}}
	if old := found.Replaced(memory.TrustUntrusted, lookup.Author{}); len(old) != 1 {
		t.Error("a captured memory with an old value is not replaced")
	}
	if _, ok := found.SameAs(""); ok {
		t.Error("a new value says the same")
	}
}
