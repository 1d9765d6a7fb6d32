package ranking_test

import (
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall/ranking"
)

func TestStandingOut(t *testing.T) {
	for _, tt := range []struct {
		name             string
		cosines, aligned []float64
		static, sentence int // notes that stand out
	}{
		{"far above the others", []float64{0.1, 0.4, 0.1, 0.1}, nil, 1, 1},
		{"with another one", []float64{0.1, 0.4, 0.38, 0.1}, nil, 2, 2},
		{"a little above", []float64{0.1, 0.17, 0.1, 0.1}, nil, 0, 1},
		{"not above", []float64{0.1, 0.13, 0.1, 0.1}, nil, 0, 0},
		{"a little above, with the nearest words", []float64{0.1, 0.17, 0.1, 0.1}, []float64{0, 0.2, 0.1, 0}, 1, 1},
		{"a little above, with other words nearer", []float64{0.1, 0.17, 0.1, 0.1}, []float64{0, 0.2, 0.3, 0}, 0, 1},
		{"alone", []float64{0.5}, nil, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for sentence, want := range map[bool]int{false: tt.static, true: tt.sentence} {
				var notes []ranking.NoteAbout
				for i, cosine := range tt.cosines {
					n := ranking.NoteAbout{Features: &ranking.Features{Signals: memory.Signals{Cosine: cosine}}}
					if tt.aligned != nil {
						n.Alignment = tt.aligned[i]
					}
					notes = append(notes, n)
				}
				if got := ranking.StandingOut(notes, sentence); len(got) != want {
					t.Errorf("sentence transformer: %v: %d notes, want %d", sentence, len(got), want)
				}
			}
		})
	}
}
