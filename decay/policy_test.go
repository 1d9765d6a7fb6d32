package decay_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/decay"
	"github.com/memory-tiered/memory/internal/property"
)

const (
	hour = time.Hour
	day  = 24 * time.Hour
)

// ago returns a time before now.
func ago(d time.Duration) time.Time { return now.Add(-d) }

// Each row is at one side of a limit, so that a test fails if a limit changes.
func TestPolicyMovesAtItsLimits(t *testing.T) {
	const hot, warm, cold, archive = memory.TierHot, memory.TierWarm, memory.TierCold, memory.TierArchive
	old := ago(400 * day)
	for _, tt := range []struct {
		name   string
		h      decay.History
		to     memory.Tier // empty: it stays
		reason string
	}{
		{"HOT for 72 hours", decay.History{Tier: hot, Created: ago(72 * hour)}, "", ""},
		{"HOT for longer", decay.History{Tier: hot, Created: ago(72*hour + time.Second)}, cold, "72 h since it was created"},
		{"HOT, edited 72 hours ago", decay.History{Tier: hot, Created: old, Edited: ago(72 * hour)}, "", ""},
		{"HOT, edited earlier", decay.History{Tier: hot, Created: old, Edited: ago(73 * hour)}, cold, "72 h since it was edited"},
		{"HOT, injected 72 hours ago", decay.History{Tier: hot, Created: ago(20 * day), Injected: ago(72 * hour)}, "", ""},
		{"HOT, injected earlier", decay.History{Tier: hot, Created: ago(20 * day), Injected: ago(73 * hour)}, cold, "72 h since last use"},
		{"HOT, requested 72 hours ago", decay.History{Tier: hot, Created: old, Requested: ago(72 * hour)}, "", ""},
		{"HOT, requested earlier", decay.History{Tier: hot, Created: old, Requested: ago(73 * hour)}, cold, "72 h since last use"},
		{"HOT, made so 72 hours ago", decay.History{Tier: hot, Created: old, HeldUntil: ago(72 * hour)}, "", ""},
		{"HOT, made so earlier", decay.History{Tier: hot, Created: old, HeldUntil: ago(73 * hour)}, cold, "72 h since it was made HOT"},
		{"HOT, created in the future", decay.History{Tier: hot, Created: ago(-day)}, "", ""},
		{"HOT never becomes WARM by uses", decay.History{Tier: hot, Created: ago(hour), Uses: 9, UseDays: 9}, "", ""},

		{"WARM, unused for less than 60 days", decay.History{Tier: warm, Created: ago(60*day - time.Second)}, "", ""},
		{"WARM, unused for 60 days", decay.History{Tier: warm, Created: ago(60 * day)}, cold, "unused for 60 days"},
		{"WARM, injected within 60 days", decay.History{Tier: warm, Created: ago(61 * day), Injected: ago(59 * day)}, "", ""},
		{"WARM, requested within 60 days", decay.History{Tier: warm, Created: old, Requested: ago(59 * day)}, "", ""},
		{"WARM never becomes HOT", decay.History{Tier: warm, Created: ago(hour), Uses: 99, UseDays: 60, Requested: now}, "", ""},

		{"COLD with 3 uses on 2 days", decay.History{Tier: cold, Created: old, Uses: 3, UseDays: 2}, warm, "used often enough, on several days"},
		{"COLD with 2 uses", decay.History{Tier: cold, Created: old, Uses: 2, UseDays: 2}, "", ""},
		{"COLD with uses on one day", decay.History{Tier: cold, Created: old, Uses: 30, UseDays: 1}, "", ""},
		{"COLD and old", decay.History{Tier: cold, Created: old}, "", ""},

		{"injected daily for 120 days: HOT", decay.History{Tier: hot, Created: ago(64 * day), Injected: now}, cold, "only injected, and not asked for in 63 days"},
		{"injected daily, still on trial: HOT", decay.History{Tier: hot, Created: ago(62 * day), Injected: now}, "", ""},
		{"injected daily for 120 days: WARM", decay.History{Tier: warm, Created: ago(120 * day), Injected: now}, cold, "only injected, and not asked for in 120 days"},
		{"injected daily, still on trial: WARM", decay.History{Tier: warm, Created: ago(119 * day), Injected: now}, "", ""},
		{"brought back by injections: WARM", decay.History{Tier: warm, Created: old, Returned: ago(119 * day), Injected: now}, "", ""},
		{"brought back by injections twice", decay.History{Tier: cold, Created: old, Returned: ago(200 * day), TierSince: ago(80 * day), Uses: 80, UseDays: 80}, "", ""},
		{"brought back by a request", decay.History{Tier: cold, Created: old, Returned: ago(200 * day), TierSince: ago(80 * day), Requested: ago(day), Uses: 3, UseDays: 2}, warm, "used often enough, on several days"},
		{"edited since injections brought it back", decay.History{Tier: cold, Created: old, Returned: ago(200 * day), Edited: ago(90 * day), TierSince: ago(80 * day), Uses: 3, UseDays: 2}, warm, "used often enough, on several days"},

		{"expired now", decay.History{Tier: hot, Created: ago(hour), Expires: now}, archive, "it has expired"},
		{"expires soon", decay.History{Tier: hot, Created: ago(hour), Expires: ago(-time.Second)}, "", ""},
		{"expired and COLD with uses", decay.History{Tier: cold, Expires: ago(day), Uses: 3, UseDays: 2}, archive, "it has expired"},
		{"declared today", decay.History{Tier: hot, Created: old, Expires: ago(day), HeldUntil: ago(-hour)}, "", ""},
		{"ARCHIVE", decay.History{Tier: archive, Created: old, Uses: 99, UseDays: 60}, "", ""},
		{"pinned", decay.History{Tier: hot, Pinned: true, Created: old, Expires: old}, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, moves := decay.Next(tt.h, decay.DefaultThresholds(), now)
			if moves != (tt.to != "") || m.To != tt.to || m.Reason != tt.reason {
				t.Errorf("got %v %q, want %q %q", m.To, m.Reason, tt.to, tt.reason)
			}
			if moves && m.From != tt.h.Tier {
				t.Errorf("it moves from %s", m.From)
			}
		})
	}
}

func TestThresholdsAreConfigurable(t *testing.T) {
	short := decay.Thresholds{HotAge: hour, WarmUnused: day, ColdUses: 1, ColdDays: 1}
	for _, h := range []decay.History{
		{Tier: memory.TierHot, Created: ago(2 * hour)}, {Tier: memory.TierWarm, Created: ago(day)},
		{Tier: memory.TierCold, Created: ago(day), Uses: 1, UseDays: 1},
	} {
		if _, moves := decay.Next(h, decay.DefaultThresholds(), now); moves {
			t.Errorf("%s moves with the default thresholds", h.Tier)
		}
		if _, moves := decay.Next(h, short, now); !moves {
			t.Errorf("%s stays with short thresholds", h.Tier)
		}
	}
	for _, bad := range []decay.Thresholds{
		{HotAge: 0, WarmUnused: 1, ColdUses: 1, ColdDays: 1}, {HotAge: 1, WarmUnused: -1, ColdUses: 1, ColdDays: 1},
		{HotAge: 1, WarmUnused: 1, ColdUses: 0, ColdDays: 1}, {HotAge: 1, WarmUnused: 1, ColdUses: 1, ColdDays: 0},
	} {
		if bad.Validate() == nil {
			t.Errorf("%+v is valid", bad)
		}
	}
	if err := decay.DefaultThresholds().Validate(); err != nil {
		t.Error(err)
	}
}

// history draws a history with times on both sides of every limit.
func history(t *rapid.T) decay.History {
	when := func(label string) time.Time {
		if rapid.Bool().Draw(t, "no "+label) {
			return time.Time{}
		}
		return now.Add(-time.Duration(rapid.IntRange(-24*40, 24*400).Draw(t, label)) * hour)
	}
	return decay.History{Tier: rapid.SampledFrom(memory.Tiers).Draw(t, "tier"), Pinned: rapid.IntRange(0, 5).Draw(t, "pinned") == 0,
		Created: when("created"), Edited: when("edited"), Expires: when("expires"), HeldUntil: when("held"), TierSince: when("since"),
		Injected: when("injected"), Requested: when("requested"), Returned: when("returned"),
		Uses: rapid.IntRange(0, 5).Draw(t, "uses"), UseDays: rapid.IntRange(0, 4).Draw(t, "days")}
}

func TestPolicyKeepsItsPromises(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		h, limits := history(t), decay.DefaultThresholds()
		m, moves := decay.Next(h, limits, now)
		again, movesAgain := decay.Next(h, limits, now)
		switch {
		case m != again || moves != movesAgain:
			t.Fatalf("the same history gives %v and %v", m, again)
		case h.Pinned && moves:
			t.Fatalf("a pinned memory moves to %s", m.To)
		case !moves:
			return
		case m.To == memory.TierHot, m.To == m.From, m.From != h.Tier, m.Reason == "":
			t.Fatalf("it moves from %s to %s: %q", m.From, m.To, m.Reason)
		case m.To == memory.TierArchive && (h.Expires.IsZero() || h.Expires.After(now)):
			t.Fatalf("it becomes ARCHIVE and has not expired: %+v", h)
		}
		// After a move, the same sweep has nothing more to do with the memory.
		next := h
		next.Tier, next.TierSince, next.Uses, next.UseDays = m.To, now, 0, 0
		if m.ByInjection {
			next.Returned = now
		}
		if second, more := decay.Next(next, limits, now); more && m.To != memory.TierWarm {
			t.Fatalf("%v is followed by %v", m, second)
		}
	})
}

// A memory that nothing uses never becomes more prominent than a use made it.
func TestUnusedMemoriesOnlySink(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		h := history(t)
		h.Uses, h.UseDays = 0, 0
		later := now.Add(time.Duration(rapid.IntRange(0, 24*500).Draw(t, "later")) * hour)
		tier, last := decay.At(h, decay.DefaultThresholds(), now, later)
		if order(tier) < order(h.Tier) {
			t.Fatalf("%s became %s: %q", h.Tier, tier, last.Reason)
		}
		if moved := tier != h.Tier; moved != (last.Reason != "") || moved && (last.From != h.Tier || last.To != tier) {
			t.Fatalf("from %s to %s by %+v", h.Tier, tier, last)
		}
	})
}

func order(tier memory.Tier) int {
	for i, t := range memory.Tiers {
		if t == tier {
			return i
		}
	}
	return -1
}

// Two sweeps may separate now from a later time: the first brings a memory back, and
// it sinks again before the second.
func TestAtAppliesWhatIsDueNowFirst(t *testing.T) {
	h := decay.History{Tier: memory.TierCold, Created: ago(400 * day), TierSince: ago(9 * day), Injected: ago(day), Uses: 3, UseDays: 2}
	for days, want := range map[int]memory.Tier{1: memory.TierWarm, 59: memory.TierWarm, 61: memory.TierCold} {
		if tier, _ := decay.At(h, decay.DefaultThresholds(), now, now.AddDate(0, 0, days)); tier != want {
			t.Errorf("in %d days it is %s, want %s", days, tier, want)
		}
	}
}
