package receipts_test

import (
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/receipts"
)

var now = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

func TestStateExcludesByItsFirstReason(t *testing.T) {
	past, other := now.Add(-time.Hour), memory.ID("mem_0123456789abcdef")
	for want, m := range map[string]memory.Memory{
		"":                      {Tier: memory.TierWarm, Scope: "work"},
		memory.ReasonForgotten:  {Forgotten: true, Private: true},
		memory.ReasonMissing:    {Missing: true, Path: "memory/a.md"},
		memory.ReasonPrivate:    {Private: true, Tier: memory.TierArchive},
		memory.ReasonArchived:   {Tier: memory.TierArchive},
		memory.ReasonExpired:    {ExpiresAt: &past},
		memory.ReasonScope:      {Scope: "home"},
		memory.ReasonTrust:      {Trust: memory.TrustQuarantined},
		memory.ReasonImportance: {ImportanceLabel: memory.ImportanceIgnore},
		memory.ReasonSuperseded: {SupersededBy: &other},
	} {
		reason, detail := receipts.ReasonOfState(m, memory.View{Model: true, Pushed: true, Scope: "work", Now: now})
		if reason != want || (detail == "") != (want == "") {
			t.Errorf("reason %q (%s), want %q", reason, detail, want)
		}
	}
}

func TestMissNeedsHalfTheFloorIfPinned(t *testing.T) {
	miss := memory.NearMiss{Reason: memory.ReasonBelowFloor, Similarity: 0.05}
	for pinned, want := range map[bool]string{false: "similarity 0.05 < 0.20", true: "similarity 0.05 < 0.10"} {
		if got := receipts.ReasonOfMiss(miss, memory.Receipt{Floor: 0.2}, memory.Memory{Pinned: pinned}); got != want {
			t.Errorf("pinned %v: %s", pinned, got)
		}
	}
	full := memory.Receipt{Selected: map[memory.Tier]int{memory.TierWarm: 2},
		Injected: []memory.InjectedID{{ID: "mem_aaaaaaaaaaaaaaaa", Similarity: 0.7}, {ID: "mem_bbbbbbbbbbbbbbbb", Similarity: 0.4}}}
	got := receipts.ReasonOfMiss(memory.NearMiss{Reason: memory.ReasonTierBudget, Similarity: 0.3}, full, memory.Memory{})
	if !strings.Contains(got, "all 2 places are taken (WARM 2)") || !strings.Contains(got, "the lowest of theirs is 0.40 ("+memory.ID("mem_bbbbbbbbbbbbbbbb").Short()) {
		t.Error(got)
	}
}
