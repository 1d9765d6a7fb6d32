package memory_test

import (
	"testing"
	"time"

	"github.com/memory-tiered/memory"
)

// when is the time of a decision. Its day differs from the day in UTC.
var when = time.Date(2026, 11, 20, 1, 30, 0, 0, time.FixedZone("", 2*3600))

func TestDecisionChangesDeclaration(t *testing.T) {
	today := time.Date(2026, 11, 20, 0, 0, 0, 0, when.Location())
	warm := memory.Declared{Tier: memory.TierWarm, Since: today, SinceDay: true}
	forgotten := memory.Declared{Forgotten: &yes, ForgottenAt: noon}
	tests := []struct {
		name   string
		d      memory.Decision
		s      memory.Declarations
		want   memory.Declared
		reason string
	}{
		{"forget", memory.Decision{Action: memory.ActionForget}, in("HOT"), memory.Declared{Forgotten: &yes, ForgottenAt: when}, ""},
		{"forget only this memory", memory.Decision{Action: memory.ActionForget, Only: true}, in("HOT"), memory.Declared{Forgotten: &yes, ForgottenAt: when, Only: true}, ""},
		{"forget twice", memory.Decision{Action: memory.ActionForget}, in("HOT", isForgotten, declares(forgotten)), forgotten, "Already forgotten"},
		{"forget every copy of a memory forgotten with --only", memory.Decision{Action: memory.ActionForget},
			in("HOT", isForgotten, declares(memory.Declared{Forgotten: &yes, ForgottenAt: noon, Only: true})), forgotten, ""},
		{"forget a memory restored with --only", memory.Decision{Action: memory.ActionForget}, in("HOT", declares(memory.Declared{Forgotten: &no})), memory.Declared{Forgotten: &yes, ForgottenAt: when}, ""},
		{"forget keeps a pin", memory.Decision{Action: memory.ActionForget}, in("HOT", isPinned, declares(memory.Declared{Pinned: &yes})), memory.Declared{Pinned: &yes, Forgotten: &yes, ForgottenAt: when}, ""},
		{"restore", memory.Decision{Action: memory.ActionRestore}, in("HOT", isForgotten, declares(forgotten)), memory.Declared{}, ""},
		{"restore only this memory", memory.Decision{Action: memory.ActionRestore, Only: true}, in("HOT", isForgotten, declares(forgotten)), memory.Declared{Forgotten: &no}, ""},
		{"restore a memory that is not forgotten", memory.Decision{Action: memory.ActionRestore}, in("HOT"), memory.Declared{}, "Not forgotten"},
		{"restore against an inherited declaration", memory.Decision{Action: memory.ActionRestore}, in("HOT", isForgotten, inherits(forgotten)), memory.Declared{Forgotten: &no}, ""},
		{"pin", memory.Decision{Action: memory.ActionPin}, in("HOT"), memory.Declared{Pinned: &yes}, ""},
		{"pin raises COLD", memory.Decision{Action: memory.ActionPin}, in("COLD"), over(memory.Declared{Pinned: &yes}, warm), ""},
		{"pin raises ARCHIVE", memory.Decision{Action: memory.ActionPin}, in("ARCHIVE", declares(memory.Declared{Tier: memory.TierArchive})), over(memory.Declared{Pinned: &yes}, warm), ""},
		{"pin twice", memory.Decision{Action: memory.ActionPin}, in("WARM", isPinned, declares(memory.Declared{Pinned: &yes})), memory.Declared{Pinned: &yes}, "Already pinned"},
		{"pin again after it was archived", memory.Decision{Action: memory.ActionPin}, in("ARCHIVE", isPinned, declares(memory.Declared{Pinned: &yes, Tier: memory.TierArchive})), over(memory.Declared{Pinned: &yes}, warm), ""},
		{"pin a missing memory keeps its tier", memory.Decision{Action: memory.ActionPin}, in("COLD", isMissing), memory.Declared{Pinned: &yes}, ""},
		{"unpin leaves the tier", memory.Decision{Action: memory.ActionUnpin}, in("WARM", isPinned, declares(over(memory.Declared{Pinned: &yes}, warm))), warm, ""},
		{"unpin against an annotation", memory.Decision{Action: memory.ActionUnpin}, in("WARM", isPinned, inherits(memory.Declared{Pinned: &yes})), memory.Declared{Pinned: &no}, ""},
		{"unpin a memory that is not pinned", memory.Decision{Action: memory.ActionUnpin}, in("WARM"), memory.Declared{}, "Not pinned"},
		{"promote a step", memory.Decision{Action: memory.ActionPromote}, in("COLD"), warm, ""},
		{"promote to HOT", memory.Decision{Action: memory.ActionPromote, To: memory.TierHot}, in("ARCHIVE"), memory.Declared{Tier: memory.TierHot, Since: today, SinceDay: true}, ""},
		{"promote the hottest", memory.Decision{Action: memory.ActionPromote}, in("HOT"), memory.Declared{}, "Already HOT"},
		{"promote downward", memory.Decision{Action: memory.ActionPromote, To: memory.TierCold}, in("WARM"), memory.Declared{}, "Already above COLD"},
		{"demote a step", memory.Decision{Action: memory.ActionDemote}, in("HOT"), warm, ""},
		{"demote the coldest", memory.Decision{Action: memory.ActionDemote}, in("ARCHIVE"), memory.Declared{}, "Already ARCHIVE"},
		{"demote upward", memory.Decision{Action: memory.ActionDemote, To: memory.TierHot}, in("WARM"), memory.Declared{}, "Already below HOT"},
		{"archive", memory.Decision{Action: memory.ActionArchive}, in("HOT"), memory.Declared{Tier: memory.TierArchive, Since: today, SinceDay: true}, ""},
		{"archive twice", memory.Decision{Action: memory.ActionArchive}, in("ARCHIVE"), memory.Declared{}, "Already ARCHIVE"},
		{"move a missing memory", memory.Decision{Action: memory.ActionPromote}, in("COLD", isMissing), memory.Declared{}, memory.TextIsGone},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.d.At = when
			got, reason := tt.d.ApplyTo(tt.s)
			if !same(got, tt.want) || reason != tt.reason {
				t.Errorf("got %+v, %q; want %+v, %q", got, reason, tt.want, tt.reason)
			}
		})
	}
}

func TestActionsParseInAnyCase(t *testing.T) {
	for _, a := range memory.Actions {
		if got, err := memory.ParseAction(" " + string(a[0]-'a'+'A') + string(a[1:])); err != nil || got != a {
			t.Errorf("%s: %s, %v", a, got, err)
		}
	}
	if _, err := memory.ParseAction("obliterate"); err == nil {
		t.Error("obliterate is no action")
	}
}

func in(tier memory.Tier, more ...func(*memory.Declarations)) memory.Declarations {
	s := memory.Declarations{Memory: memory.Memory{Tier: tier}}
	for _, m := range more {
		m(&s)
	}
	return s
}

func isForgotten(s *memory.Declarations) { s.Memory.Forgotten = true }
func isPinned(s *memory.Declarations)    { s.Memory.Pinned = true }
func isMissing(s *memory.Declarations)   { s.Memory.Missing = true }

func declares(d memory.Declared) func(*memory.Declarations) {
	return func(s *memory.Declarations) { s.Own = d }
}
func inherits(d memory.Declared) func(*memory.Declarations) {
	return func(s *memory.Declarations) { s.Inherited = d }
}

func over(d, weaker memory.Declared) memory.Declared { return d.Over(weaker) }

func same(a, b memory.Declared) bool {
	truth := func(p *bool) string {
		if p == nil {
			return ""
		}
		return map[bool]string{true: "yes", false: "no"}[*p]
	}
	return a.Tier == b.Tier && a.Since.Equal(b.Since) && a.SinceDay == b.SinceDay && a.Only == b.Only &&
		truth(a.Pinned) == truth(b.Pinned) && truth(a.Forgotten) == truth(b.Forgotten) && a.ForgottenAt.Equal(b.ForgottenAt)
}
