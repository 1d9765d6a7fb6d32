package index_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/decay"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/index/indextest"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/internal/property"
)

const aDay = 24 * time.Hour

// move runs a sweep over everything that may move.
func move(t testing.TB, db *index.DB, now time.Time) (moves []memory.TierMove) {
	t.Helper()
	found := must.Get(db.Movable(t.Context(), decay.DefaultThresholds(), now))(t)
	var ids []memory.ID
	for _, h := range found {
		ids = append(ids, h.ID)
	}
	update(t, db, now, func(tx *index.Tx) (err error) {
		moves, err = tx.Move(ids, decay.DefaultThresholds(), time.UTC)
		return err
	})
	return moves
}

// hotNote returns a batch with one note that is created at noon and starts HOT.
func hotNote(text string) memory.Batch {
	b := file("memory/2026-11-02.md", text)
	b.Files[0].Defaults.Tier = memory.TierHot
	return b
}

func TestMoveNamesTheReasonAndSparesWhatChanged(t *testing.T) {
	db := fresh(t)
	b := hotNote("the heron hunts at dusk")
	heron := b.Placements[0].ID
	apply(t, db, noon, b)
	created := one(t, db, heron).CreatedAt
	if moves := move(t, db, created.Add(72*time.Hour)); len(moves) != 0 {
		t.Errorf("after 72 hours: %v", moves)
	}
	late := created.Add(100 * time.Hour)
	want := memory.TierMove{ID: heron, From: memory.TierHot, To: memory.TierCold, Reason: "72 h since it was created"}
	if moves := move(t, db, late); len(moves) != 1 || moves[0] != want {
		t.Errorf("after 100 hours: %v", moves)
	}
	if m := one(t, db, heron); m.Tier != memory.TierCold || m.TierReason != "COLD since "+late.Format(time.DateOnly)+" because it is over 72 h since it was created" {
		t.Errorf("%s: %s", m.Tier, m.TierReason)
	}
	if moves := move(t, db, late); len(moves) != 0 {
		t.Errorf("the same sweep again: %v", moves)
	}
}

func TestOnlyEarnedUsesBringAMemoryBack(t *testing.T) {
	for _, tt := range []struct {
		kind index.UseKind
		want memory.Tier
	}{{index.UseDelivered, memory.TierCold}, {index.UseInjected, memory.TierWarm}, {index.UseRequested, memory.TierWarm}} {
		db := fresh(t)
		b := hotNote("the heron hunts at dusk")
		heron := b.Placements[0].ID
		apply(t, db, noon, b)
		start := noon.AddDate(1, 0, 0)
		move(t, db, start)
		for i := range 3 {
			at := start.Add(time.Duration(i)*aDay + time.Hour)
			must.Do(t, db.AddUses(t.Context(), at, []index.Use{{ID: heron, Session: fmt.Sprint(i), At: at, Kind: tt.kind}}))
		}
		move(t, db, start.Add(3*aDay))
		if m := one(t, db, heron); m.Tier != tt.want || m.UseCount != 3 || len(m.UseDays) != 3 {
			t.Errorf("kind %d: %s with %d uses on %v (%s)", tt.kind, m.Tier, m.UseCount, m.UseDays, m.TierReason)
		}
	}
}

// A session may first show a memory, and ask for it later on the same day. That is one use.
func TestUseIsCountedOnceAndKeepsItsBestKind(t *testing.T) {
	db := fresh(t)
	b := hotNote("the heron hunts at dusk")
	heron := b.Placements[0].ID
	apply(t, db, noon, b)
	for i, kind := range []index.UseKind{index.UseDelivered, index.UseRequested, index.UseInjected, index.UseRequested} {
		at := noon.Add(time.Duration(i) * time.Minute)
		must.Do(t, db.AddUses(t.Context(), at, []index.Use{{ID: heron, Session: "s", At: at, Kind: kind}}))
	}
	found, err := db.Movable(t.Context(), decay.Thresholds{ColdUses: 9, ColdDays: 9}, noon.Add(time.Hour))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	if h := found[0]; h.Uses != 1 || h.UseDays != 1 || !h.Requested.Equal(noon.Add(time.Minute)) || !h.Injected.IsZero() {
		t.Errorf("%+v", h)
	}
	if m := one(t, db, heron); m.UseCount != 1 {
		t.Errorf("%d uses", m.UseCount)
	}
}

// A later expiry date brings a memory out of the ARCHIVE, and a declared tier holds.
func TestExpiryMovesToArchiveUntilItIsChanged(t *testing.T) {
	db := fresh(t)
	b := hotNote("the fair is open")
	fair := b.Placements[0].ID
	b.Files[0].Declared.Expires = noon.Add(time.Hour)
	apply(t, db, noon, b)
	if moves := move(t, db, noon.Add(2*time.Hour)); len(moves) != 1 || moves[0].To != memory.TierArchive {
		t.Errorf("%v", moves)
	}
	if m := one(t, db, fair); m.Tier != memory.TierArchive {
		t.Errorf("%s", m.Tier)
	}
	b.Files[0].Declared.Expires = noon.Add(9 * time.Hour)
	apply(t, db, noon.Add(3*time.Hour), b)
	if m := one(t, db, fair); m.Tier != memory.TierHot {
		t.Errorf("with a later date it is %s (%s)", m.Tier, m.TierReason)
	}
}

// A clock that was ahead for a while leaves times that a later decision cannot beat.
func TestCorrectFutureLetsADecisionWin(t *testing.T) {
	db := fresh(t)
	b := hotNote("the heron hunts at dusk")
	heron := b.Placements[0].ID
	apply(t, db, noon, b)
	move(t, db, noon.AddDate(10, 0, 0))
	b.Files[0].Declared.Tier, b.Files[0].Declared.Since = memory.TierWarm, noon.Add(time.Minute)
	apply(t, db, noon.Add(2*time.Minute), b)
	if m := one(t, db, heron); m.Tier != memory.TierCold {
		t.Fatalf("%s", m.Tier)
	}
	n := 0
	update(t, db, noon, func(tx *index.Tx) (err error) { n, err = tx.CorrectFuture(500); return err })
	if m := one(t, db, heron); m.Tier != memory.TierWarm || n != 1 {
		t.Errorf("%s (%s), %d corrected", m.Tier, m.TierReason, n)
	}
	update(t, db, noon, func(tx *index.Tx) (err error) { n, err = tx.CorrectFuture(500); return err })
	if n != 0 {
		t.Errorf("%d corrected again", n)
	}
}

// What the query leaves out, the policy does not move.
func TestMovableMissesNothing(t *testing.T) {
	dir, n := t.TempDir(), 0
	property.Check(t, func(rt *rapid.T) {
		n++
		db := must.Get(indextest.TryOpen(t, filepath.Join(dir, fmt.Sprint(n), "tiered.db"), index.Options{}))(rt)
		defer db.Close()
		b := file("memory/2026-11-02.md")
		for i := range 20 {
			one := file("memory/2026-11-02.md", fmt.Sprintf("memory %d of many", i))
			p := one.Placements[0]
			p.Ordinal = i
			declared := &p.Block.Annotations
			declared.Tier = rapid.SampledFrom([]memory.Tier{"", memory.TierHot, memory.TierWarm, memory.TierCold}).Draw(rt, "tier")
			declared.Created = noon.AddDate(0, 0, -rapid.IntRange(-5, 200).Draw(rt, "age"))
			declared.Since = declared.Created.AddDate(0, 0, rapid.IntRange(0, 90).Draw(rt, "declared after"))
			if rapid.IntRange(0, 4).Draw(rt, "expires") == 0 {
				declared.Expires = noon.AddDate(0, 0, rapid.IntRange(-9, 9).Draw(rt, "in"))
			}
			if rapid.IntRange(0, 4).Draw(rt, "pinned") == 0 {
				declared.Pinned = yes()
			}
			b.Placements = append(b.Placements, p)
		}
		must.Do(rt, db.Apply(t.Context(), noon, b))
		for i := range rapid.IntRange(0, 40).Draw(rt, "uses") {
			at := noon.Add(-time.Duration(rapid.IntRange(0, 2000).Draw(rt, "hours ago")) * time.Hour)
			use := index.Use{ID: b.Placements[i%20].ID, Session: fmt.Sprint(i), At: at, Kind: index.UseKind(rapid.IntRange(0, 2).Draw(rt, "kind"))}
			must.Do(rt, db.AddUses(t.Context(), at, []index.Use{use}))
		}
		found := must.Get(db.Movable(t.Context(), decay.DefaultThresholds(), noon))(rt)
		var listed []memory.ID
		for _, h := range found {
			listed = append(listed, h.ID)
		}
		var all []memory.ID
		for _, p := range b.Placements {
			all = append(all, p.ID)
		}
		var moves []memory.TierMove
		must.Do(rt, db.Update(t.Context(), noon, func(tx *index.Tx) (err error) {
			moves, err = tx.Move(all, decay.DefaultThresholds(), time.UTC)
			return err
		}))
		for _, m := range moves {
			if !slices.Contains(listed, m.ID) {
				rt.Fatalf("%+v is not among the movable memories", m)
			}
		}
	})
}
