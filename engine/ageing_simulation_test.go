package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/recall"
)

// inject puts the memories for a prompt before a model, in a session of the day.
func (a *ageing) inject(prompt string) []memory.Hit {
	a.t.Helper()
	answer := must.Get(a.Recall(a.t.Context(), memory.RecallRequest{Prompt: prompt, Session: a.now.Format("2006-01-02")}))(a.t)
	must.Do(a.t, a.Delivered(a.t.Context(), "", answer.Receipt))
	return answer.Hits
}

// nextDay ends a day: a sweep, then the next morning.
func (a *ageing) nextDay() {
	a.sweep()
	a.now = a.now.AddDate(0, 0, 1)
}

func contains(hits []memory.Hit, text string) bool {
	for _, h := range hits {
		if strings.Contains(h.Text, text) {
			return true
		}
	}
	return false
}

// A popular memory gets a place every day because it is WARM. It would not get it by
// its similarity, so these uses do not count: it becomes COLD, and then has no
// place any more.
func TestNoMemoryStaysPopularByBeingPopular(t *testing.T) {
	var notes strings.Builder
	for i := range 6 {
		fmt.Fprintf(&notes, "- The harbour crane number %d lifts the blue containers <!-- pinned: true -->\n", i)
	}
	a := &ageing{world: world{t: t, dir: t.TempDir()}, now: now, settings: recall.Defaults()}
	a.settings.MaxItems, a.settings.Budgets = 4, recall.Budgets{Warm: 25}
	a.start(map[string]string{"memory/2024-03-04.md": notes.String(), "MEMORY.md": "- The office at the harbour crane for blue containers opens at nine\n"})
	popular := "opens at nine"
	for range 30 { // a month in which it is asked for
		a.use(a.now.Format("2006-01-02"), popular)
		a.nextDay()
	}
	uses := a.best(popular).UseCount
	if tier := a.tierOf(popular); tier != memory.TierWarm || uses < 30 {
		t.Fatalf("after a month it is %s with %d uses", tier, uses)
	}
	coldAfter := 0
	for day := range 120 {
		delivered := contains(a.inject("Which harbour crane lifts the blue containers?"), popular)
		tier := a.tierOf(popular)
		if tier == memory.TierWarm && !delivered {
			t.Fatalf("day %d: it is WARM and has no place: the test shows nothing", day)
		}
		if tier == memory.TierCold && coldAfter == 0 {
			coldAfter = day
			if delivered {
				t.Errorf("day %d: it is COLD and has a place still", day)
			}
		}
		a.nextDay()
	}
	if coldAfter == 0 || coldAfter > 62 {
		t.Errorf("it became COLD after %d days (0: never)", coldAfter)
	}
	if now := a.best(popular).UseCount; now < uses+50 {
		t.Errorf("%d uses, and %d after it was delivered for two months", uses, now)
	}
}

// A memory is the best answer to a prompt that comes every day, and no model ever asks
// for it. It comes back once; then it stays COLD until it is asked for.
func TestDailyInjectionDoesNotKeepAMemoryForEver(t *testing.T) {
	a := newAgeing(t, map[string]string{note: "- The stand-up meeting begins at ten\n- The heron nests behind the mill\n"})
	const meeting = "stand-up meeting"
	var tiers []memory.Tier
	for day := range 365 {
		if !contains(a.inject("When does the stand-up meeting begin?"), meeting) {
			t.Fatalf("day %d: it is not injected", day)
		}
		a.nextDay()
		tiers = append(tiers, a.tierOf(meeting))
	}
	changes, last := []string{}, memory.Tier("")
	for day, tier := range tiers {
		if tier != last {
			changes, last = append(changes, fmt.Sprintf("%s on day %d", tier, day)), tier
		}
	}
	if got, want := strings.Join(changes, ", "), "HOT on day 0, COLD on day 63, WARM on day 66, COLD on day 186"; got != want {
		t.Errorf("it was %s; want %s", got, want)
	}
	for range 3 {
		a.use("tool "+a.now.Format("2006-01-02"), meeting)
		a.nextDay()
	}
	if tier := a.tierOf(meeting); tier != memory.TierWarm {
		t.Errorf("after three requests it is %s", tier)
	}
}
