package recall_test

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/property"
	"github.com/memory-tiered/memory/recall"
)

func TestScoreIsTheCompositeFormula(t *testing.T) {
	days := func(n float64) time.Time { return now.Add(-time.Duration(n * 24 * float64(time.Hour))) }
	for _, tt := range []struct {
		name       string
		m          memory.Memory
		similarity float64
		want       float64
	}{
		{"new and never used", memory.Memory{CreatedAt: now}, 0.8, 0.5*0.8 + 0.3},
		{"one factual half-life", memory.Memory{CreatedAt: days(90)}, 0.8, 0.4 + 0.3/math.E},
		{"procedural", memory.Memory{CreatedAt: days(180), Type: memory.TypeProcedural}, 0, 0.3 / math.E},
		{"project", memory.Memory{CreatedAt: days(45), Type: memory.TypeProject}, 0, 0.3 / math.E},
		{"episodic", memory.Memory{CreatedAt: days(10), Type: memory.TypeEpisodic}, 0, 0.3 / math.E},
		{"pinned never fades", memory.Memory{CreatedAt: days(9999), Type: memory.TypeEpisodic, Pinned: true}, 0, 0.3},
		{"edited since", memory.Memory{CreatedAt: days(999), EditedAt: ptr(days(90))}, 0, 0.3 / math.E},
		{"used since", memory.Memory{CreatedAt: days(999), EditedAt: ptr(days(500)), LastAccessedAt: ptr(now)}, 0, 0.3},
		{"from the future", memory.Memory{CreatedAt: days(-30)}, 0, 0.3},
		{"COLD", memory.Memory{CreatedAt: now, Tier: memory.TierCold}, 0, 0.15},
		{"ARCHIVE", memory.Memory{CreatedAt: now, Tier: memory.TierArchive}, 0, 0},
		{"similar, used and in the ARCHIVE", memory.Memory{CreatedAt: now, Tier: memory.TierArchive, UseCount: 9, Importance: 1}, 1, 0},
		{"a hundred uses", memory.Memory{CreatedAt: now, UseCount: 100}, 1, 1},
		{"more than a hundred uses", memory.Memory{CreatedAt: now, UseCount: 100_000}, 1, 1},
		{"nine uses", memory.Memory{CreatedAt: now, UseCount: 9}, 0, 0.3 + 0.2*math.Log(10)/math.Log(101)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, _ := recall.Score(tt.m, tt.similarity, now, recall.Defaults()); math.Abs(got-tt.want) > 1e-9 {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestFactorsAddUpToTheScore(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		s := recall.Defaults()
		s.Similarity, s.Recency, s.Frequency = rapid.Float64Range(0, 1).Draw(t, "similarity"), rapid.Float64Range(0, 1).Draw(t, "recency"), rapid.Float64Range(0, 1).Draw(t, "frequency")
		m := memory.Memory{
			CreatedAt: now.Add(time.Duration(rapid.Int64Range(-1e16, 1e16).Draw(t, "age"))),
			UseCount:  rapid.IntRange(-1, 1<<30).Draw(t, "uses"),
			Type:      rapid.SampledFrom(memory.Types).Draw(t, "type"), Tier: rapid.SampledFrom(memory.Tiers).Draw(t, "tier"),
			Importance: rapid.Float64Range(0, 1).Draw(t, "importance"), Pinned: rapid.Bool().Draw(t, "pinned"),
		}
		score, factors := recall.Score(m, rapid.Float64Range(0, 1).Draw(t, "similar"), now, s)
		var sum float64
		names := map[string]bool{}
		for _, f := range factors {
			sum += f.Points
			if f.Value < 0 || f.Value > 1 || math.Abs(f.Points-f.Value*f.Weight) > 1e-12 || names[f.Name] {
				t.Fatalf("factor %+v", f)
			}
			names[f.Name] = true
		}
		if math.Abs(sum-score) > 1e-9 || !names["similarity"] || !names["recency"] || !names["frequency"] {
			t.Fatalf("score %v of %+v", score, factors)
		}
	})
}

func TestValidateNamesTheKeyOfAnInvalidSetting(t *testing.T) {
	if err := recall.Defaults().Validate(); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, field string
		change      func(*recall.Settings)
	}{
		{"preset", "scoring.preset", func(s *recall.Settings) { s.Preset = "best" }},
		{"no lane", "search.vectorWeight", func(s *recall.Settings) { s.VectorWeight, s.TextWeight = 0, 0 }},
		{"a floor between the default and 0", "injection.floor", func(s *recall.Settings) { s.Floor = -0.5 }},
		{"budgets over 100", "injection.budgets", func(s *recall.Settings) { s.Budgets.Cold = 6 }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := recall.Defaults()
			tt.change(&s)
			wantInvalid(t, s.Validate(), tt.field)
		})
	}
}

func TestWeightsOfMoreThanOneAreDividedByTheirSum(t *testing.T) {
	s := recall.Defaults()
	s.Similarity, s.Recency, s.Frequency = 1, 1, 0.5
	m := memory.Memory{UseCount: 100, CreatedAt: now}
	if score, _ := recall.Score(m, 1, now, s); math.Abs(score-1) > 1e-9 {
		t.Errorf("the best score is %v", score)
	}
	if score, factors := recall.Score(m, 0, now, s); math.Abs(score-0.6) > 1e-9 || factors[0].Weight != 0.4 {
		t.Errorf("without similarity: %v, factors %+v", score, factors)
	}
}
