package memory_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
)

var (
	yes, no = true, false
	noon    = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	day     = time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
)

func TestTheFirstThatSpeaksWins(t *testing.T) {
	half := 0.5
	entry := memory.Declared{Pinned: &yes, Scope: "work"}
	annotation := memory.Declared{Pinned: &no, Importance: &half, Tags: []string{"a"}}
	file := memory.Declared{Type: memory.TypeProject, Scope: "home", Tags: []string{"b", "a"}}
	s := memory.Resolve(memory.Declared{Tier: memory.TierHot, Scope: "path"}, []memory.Declared{entry, annotation, file},
		memory.Observed{Type: memory.TypeEpisodic, Category: memory.CategoryTask, FirstSeen: noon})
	want := memory.State{Tier: memory.TierHot, TierReason: "its path starts HOT", Type: memory.TypeProject,
		Category: memory.CategoryTask, Scope: "work", Importance: 0.5, ImportanceLabel: memory.ImportanceUnknown,
		Trust: memory.TrustTrusted, Source: memory.SourceFile, Created: noon, Tags: []string{"a", "b"}, Pinned: true}
	if !reflect.DeepEqual(s, want) {
		t.Errorf("got\n%+v, want\n%+v", s, want)
	}
}

func TestTheNewerTierWins(t *testing.T) {
	const hot, warm, cold, archive = memory.TierHot, memory.TierWarm, memory.TierCold, memory.TierArchive
	tests := []struct {
		name string
		said memory.Declared
		seen memory.Observed
		want memory.Tier
	}{
		{"nothing said, nothing seen", memory.Declared{}, memory.Observed{}, hot},
		{"aged from its path's tier", memory.Declared{}, memory.Observed{Tier: cold, TierAt: noon}, cold},
		{"declared before it aged", memory.Declared{Tier: warm, Since: noon.Add(-time.Hour)}, memory.Observed{Tier: cold, TierAt: noon}, cold},
		{"declared after it aged", memory.Declared{Tier: warm, Since: noon.Add(time.Hour)}, memory.Observed{Tier: cold, TierAt: noon}, warm},
		{"a day beats what was seen on it", memory.Declared{Tier: warm, Since: day, SinceDay: true}, memory.Observed{Tier: cold, TierAt: noon}, warm},
		{"and yields to the day after", memory.Declared{Tier: warm, Since: day, SinceDay: true}, memory.Observed{Tier: cold, TierAt: noon.AddDate(0, 0, 1)}, cold},
		{"no since: from when it was first seen so", memory.Declared{Tier: warm}, memory.Observed{Tier: cold, TierAt: noon, DeclaredTierSeenAt: noon.Add(time.Hour)}, warm},
		{"a declared ARCHIVE holds", memory.Declared{Tier: archive, Since: day}, memory.Observed{Tier: warm, TierAt: noon.AddDate(1, 0, 0)}, archive},
		{"until pinned", memory.Declared{Tier: archive, Since: day, Pinned: &yes}, memory.Observed{Tier: warm, TierAt: noon.AddDate(1, 0, 0)}, warm},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := memory.Resolve(memory.Declared{Tier: hot}, []memory.Declared{tt.said}, tt.seen); got.Tier != tt.want {
				t.Errorf("got %s (%s), want %s", got.Tier, got.TierReason, tt.want)
			}
		})
	}
}

func TestWhenAMemoryWasCreated(t *testing.T) {
	older := noon.AddDate(0, -1, 0)
	tests := []struct {
		name string
		said memory.Declared
		seen memory.Observed
		want time.Time
	}{
		{"the date in its file's name", memory.Declared{Created: older}, memory.Observed{NoteDate: day, FirstSeen: noon}, day},
		{"else as declared", memory.Declared{Created: older}, memory.Observed{FirstSeen: noon}, older},
		{"else the file's time, if older", memory.Declared{}, memory.Observed{FirstSeen: noon, FileTime: older}, older},
		{"else when first seen", memory.Declared{}, memory.Observed{FirstSeen: noon, FileTime: noon.Add(time.Hour)}, noon},
	}
	for _, tt := range tests {
		if got := memory.Resolve(memory.Declared{}, []memory.Declared{tt.said}, tt.seen).Created; !got.Equal(tt.want) {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
	}
}
