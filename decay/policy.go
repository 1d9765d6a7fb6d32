package decay

import (
	"fmt"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
)

const day = 24 * time.Hour

// Thresholds decide when a memory changes its tier.
type Thresholds struct {
	HotAge     time.Duration // a HOT memory that was not used for longer becomes COLD
	WarmUnused time.Duration // a WARM memory that was not used for so long becomes COLD
	ColdUses   int           // uses since it became COLD that make a COLD memory WARM …
	ColdDays   int           // … if they were on so many days
}

// DefaultThresholds returns the product's thresholds.
func DefaultThresholds() Thresholds {
	return Thresholds{HotAge: 72 * time.Hour, WarmUnused: 60 * day, ColdUses: 3, ColdDays: 2}
}

// Validate returns the first error, with the key of the configuration.
func (t Thresholds) Validate() error {
	for _, n := range []struct {
		key string
		ok  bool
	}{
		{"tiers.hot.ttlHours", t.HotAge > 0}, {"tiers.warm.demotionDays", t.WarmUnused > 0},
		{"tiers.cold.promotionUses", t.ColdUses > 0}, {"tiers.cold.promotionDays", t.ColdDays > 0},
	} {
		if !n.ok {
			return memory.Invalid(n.key, "%s has to be above zero", n.key)
		}
	}
	return nil
}

// trial is how long injections count as uses after a memory was confirmed. An
// injection is the program's own guess. Without a limit, a memory that is injected
// every day and never of use would keep its tier for ever. The limit is as long as
// the wait of a WARM memory, so that seasonal questions have a chance to come up.
const trial = 60 * day

// History is what was declared and observed about one memory, as far as its tier
// depends on it. Zero times mean never.
type History struct {
	ID        memory.ID
	Tier      memory.Tier
	Pinned    bool
	Created   time.Time
	Edited    time.Time
	Expires   time.Time
	HeldUntil time.Time // a declared tier holds until then; age counts from there
	TierSince time.Time // when the memory got its tier

	Injected  time.Time // the last injection that it owed to its similarity alone
	Requested time.Time // the last time that a model asked for it with a tool
	Returned  time.Time // when injections alone moved it from COLD to WARM
	Uses      int       // of either kind, since TierSince
	UseDays   int       // days of Uses
}

// Move is a move that the policy makes. ByInjection reports that injections alone
// brought the memory back, which counts as its Returned.
type Move struct {
	memory.TierMove
	ByInjection bool
}

// Next returns the move that a sweep at now makes, and false if the memory keeps
// its tier. Pinned memories never move, nothing becomes HOT, and only an expiry
// date leads to ARCHIVE.
func Next(h History, t Thresholds, now time.Time) (Move, bool) {
	if h.Pinned || h.Tier == memory.TierArchive || !now.After(h.HeldUntil) {
		return Move{}, false
	}
	if !h.Expires.IsZero() && !h.Expires.After(now) {
		return h.move(memory.TierArchive, "it has expired"), true
	}
	idle := now.Sub(h.lastUse())
	switch {
	case h.Tier == memory.TierHot && idle > t.HotAge:
		return h.move(memory.TierCold, h.hotReason(t)), true
	case h.Tier == memory.TierWarm && idle >= t.WarmUnused:
		return h.move(memory.TierCold, h.warmReason(t)), true
	case h.Tier == memory.TierCold && h.Uses >= t.ColdUses && h.UseDays >= t.ColdDays && h.mayReturn():
		m := h.move(memory.TierWarm, "used often enough, on several days")
		m.ByInjection = !h.Requested.After(h.TierSince)
		return m, true
	}
	return Move{}, false
}

// At returns the tier that a memory has at a later time if nothing uses it, with
// the last move that leads there. Moves that are due now happen now.
func At(h History, t Thresholds, now, at time.Time) (tier memory.Tier, last Move) {
	first := h.Tier
	for _, when := range []time.Time{now, at} {
		m, moves := Next(h, t, when)
		if !moves {
			continue
		}
		h.apply(m, when)
		last = m
		last.From = first
	}
	return h.Tier, last
}

// apply changes the history as a sweep does.
func (h *History) apply(m Move, at time.Time) {
	h.Tier, h.TierSince, h.Uses, h.UseDays = m.To, at, 0, 0
	if m.ByInjection {
		h.Returned = at
	}
}

func (h *History) move(to memory.Tier, reason string) Move {
	return Move{TierMove: memory.TierMove{ID: h.ID, From: h.Tier, To: to, Reason: reason}}
}

// Explain returns the reason for a tier, for a person: "COLD since 2026-11-20
// because unused for 60 days". The date is that of at in its zone.
func Explain(m memory.TierMove, at time.Time) string {
	because := "because "
	if strings.Contains(m.Reason, " since ") {
		because += "it is over "
	}
	return fmt.Sprintf("%s since %s %s%s", m.To, at.Format(time.DateOnly), because, m.Reason)
}

// confirmed returns when something other than an injection last showed that the
// memory matters: it was created, edited, given its tier, or asked for.
func (h *History) confirmed() time.Time {
	return latest(h.Created, h.Edited, h.HeldUntil, h.Requested)
}

// lastUse returns the time from which the memory counts as unused. Injections count
// until the trial is over.
func (h *History) lastUse() time.Time {
	start := latest(h.confirmed(), h.Returned)
	return latest(start, earliest(h.Injected, start.Add(trial)))
}

// mayReturn reports whether the uses of a COLD memory may bring it back. Injections
// alone do so once; then a model has to ask for the memory, or a person to touch it.
func (h *History) mayReturn() bool {
	return h.Requested.After(h.TierSince) || !h.Returned.After(h.confirmed())
}

func (h *History) hotReason(t Thresholds) string {
	age := hoursText(t.HotAge)
	switch last := h.lastUse(); {
	case h.outlivedTrial():
		return fmt.Sprintf("only injected, and not asked for in %s", daysText(trial+t.HotAge))
	case last.Equal(h.Injected), last.Equal(h.Requested):
		return age + " since last use"
	case last.Equal(h.Edited):
		return age + " since it was edited"
	case last.Equal(h.HeldUntil):
		return age + " since it was made HOT"
	}
	return age + " since it was created"
}

func (h *History) warmReason(t Thresholds) string {
	if h.outlivedTrial() {
		return fmt.Sprintf("only injected, and not asked for in %s", daysText(trial+t.WarmUnused))
	}
	return "unused for " + daysText(t.WarmUnused)
}

// outlivedTrial reports whether there were injections that no longer count.
func (h *History) outlivedTrial() bool { return h.Injected.After(h.lastUse()) }

func hoursText(d time.Duration) string { return fmt.Sprintf("%g h", d.Hours()) }

func daysText(d time.Duration) string { return fmt.Sprintf("%g days", d.Hours()/24) }

func latest(times ...time.Time) (last time.Time) {
	for _, t := range times {
		if t.After(last) {
			last = t
		}
	}
	return last
}

func earliest(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
