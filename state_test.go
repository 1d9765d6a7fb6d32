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

func TestStrongestDeclarationWins(t *testing.T) {
	half := 0.5
	entry := memory.Declared{Pinned: &yes, Scope: "work"}
	annotation := memory.Declared{Pinned: &no, Importance: &half, Tags: []string{"a"}}
	file := memory.Declared{Type: memory.TypeProject, Scope: "home", Tags: []string{"b", "a"}}
	s := memory.Resolve(memory.Declared{Tier: memory.TierHot, Scope: "path"}, []memory.Declared{entry, annotation, file},
		memory.Observed{Type: memory.TypeEpisodic, Category: memory.CategoryTask, FirstSeen: noon})
	want := memory.State{Tier: memory.TierHot, TierReason: "the memories of its file start HOT", Type: memory.TypeProject,
		Category: memory.CategoryTask, Scope: "work", Importance: 0.5, ImportanceLabel: memory.ImportanceUnknown,
		Trust: memory.TrustTrusted, Source: memory.SourceFile, Created: noon, CreatedFrom: memory.DateFirstSeen, Tags: []string{"a", "b"}, Pinned: true}
	if !reflect.DeepEqual(s, want) {
		t.Errorf("got\n%+v, want\n%+v", s, want)
	}
}

func TestNewerTierWins(t *testing.T) {
	const hot, warm, cold, archive = memory.TierHot, memory.TierWarm, memory.TierCold, memory.TierArchive
	tests := []struct {
		name string
		said memory.Declared
		seen memory.Observed
		want memory.Tier
	}{
		{"nothing declared, nothing observed", memory.Declared{}, memory.Observed{}, hot},
		{"aged from the default of its path", memory.Declared{}, memory.Observed{Tier: cold, TierAt: noon}, cold},
		{"declared before it aged", memory.Declared{Tier: warm, Since: noon.Add(-time.Hour)}, memory.Observed{Tier: cold, TierAt: noon}, cold},
		{"declared after it aged", memory.Declared{Tier: warm, Since: noon.Add(time.Hour)}, memory.Observed{Tier: cold, TierAt: noon}, warm},
		{"a declared date wins over a tier observed on that day", memory.Declared{Tier: warm, Since: day, SinceDay: true}, memory.Observed{Tier: cold, TierAt: noon}, warm},
		{"a tier observed on the next day wins", memory.Declared{Tier: warm, Since: day, SinceDay: true}, memory.Observed{Tier: cold, TierAt: noon.AddDate(0, 0, 1)}, cold},
		{"without since, the first sight of the declaration counts", memory.Declared{Tier: warm}, memory.Observed{Tier: cold, TierAt: noon, DeclaredTierSeenAt: noon.Add(time.Hour)}, warm},
		{"a declared ARCHIVE holds", memory.Declared{Tier: archive, Since: day}, memory.Observed{Tier: warm, TierAt: noon.AddDate(1, 0, 0)}, archive},
		{"a declared ARCHIVE ends when pinned", memory.Declared{Tier: archive, Since: day, Pinned: &yes}, memory.Observed{Tier: warm, TierAt: noon.AddDate(1, 0, 0)}, warm},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := memory.Resolve(memory.Declared{Tier: hot}, []memory.Declared{tt.said}, tt.seen); got.Tier != tt.want {
				t.Errorf("got %s (%s), want %s", got.Tier, got.TierReason, tt.want)
			}
		})
	}
}

func TestCreationDate(t *testing.T) {
	older := noon.AddDate(0, -1, 0)
	tests := []struct {
		name string
		said memory.Declared
		seen memory.Observed
		want time.Time
	}{
		{"date in the name of the file", memory.Declared{}, memory.Observed{NoteDate: day, FirstSeen: noon}, day},
		{"declared date before the date in the name", memory.Declared{Created: older}, memory.Observed{NoteDate: day, FirstSeen: noon}, older},
		{"declared date", memory.Declared{Created: older}, memory.Observed{FirstSeen: noon}, older},
		{"time of the file, if older", memory.Declared{}, memory.Observed{FirstSeen: noon, FileTime: older}, older},
		{"commit before the time of the file", memory.Declared{}, memory.Observed{FirstSeen: noon, FileTime: older.Add(-time.Hour), Committed: older}, older},
		{"date in the name before the commit", memory.Declared{}, memory.Observed{NoteDate: day, FirstSeen: noon, Committed: older}, day},
		{"commit after it was first seen", memory.Declared{}, memory.Observed{FirstSeen: noon, Committed: noon.Add(time.Hour)}, noon},
		{"first seen", memory.Declared{}, memory.Observed{FirstSeen: noon, FileTime: noon.Add(time.Hour)}, noon},
	}
	for _, tt := range tests {
		if got := memory.Resolve(memory.Declared{}, []memory.Declared{tt.said}, tt.seen).Created; !got.Equal(tt.want) {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
	}
}
