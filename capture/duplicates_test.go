package capture_test

import (
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/capture"
)

func TestSimilarityTellsHowATextRelatesToAMemory(t *testing.T) {
	const port = "The staging server listens on port 8080"
	for _, tt := range []struct {
		name, known, text string
		cosine            float64
		want              capture.Relation
	}{
		{"about something else", port, "The heron nests behind the mill", 0.1, capture.Relation{}},
		{"nearly the same words", "Lena prefers meetings in the morning", "Lena prefers the meetings in the morning.", 0, capture.Relation{Same: true}},
		{"other words, near vectors", "staging listens on port 8080 for now", port, 0.96, capture.Relation{Related: true}},
		{"another number, near vectors", port, "The staging server listens on port 8081", 0.99, capture.Relation{Replaces: true}},
		{"a part of a number", "The staging port is 80", "The staging port is 8080", 0.99, capture.Relation{Replaces: true}},
		{"an opposite, near vectors", "The soup of the canteen is too salty", "The soup of the canteen is too bland", 0.98, capture.Relation{Related: true}},
		{"a mistyped word, near vectors", "The garden shed leaks after rain", "The gerden shed leaks after rain", 0.98, capture.Relation{Same: true}},
		{"a word of change", "The meeting is on Monday", "The meeting moved to Tuesday", 0, capture.Relation{Replaces: true}},
		{"a word of change for another thing", "The meeting is on Monday", "The workshop moved to Tuesday", 0, capture.Relation{}},
		{"a part of a word", "We meet in the car", "We meet in the carpentry of the old school", 0, capture.Relation{Related: true}},
		{"more words at the end", "Lena prefers meetings in the morning.", "Lena prefers meetings in the morning, before ten and with tea for all of us", 0, capture.Relation{Related: true, Extends: true}},
		{"a Chinese sentence that goes on", "我们在星期二部署", "我们在星期二部署到生产环境", 0, capture.Relation{Related: true, Extends: true}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := capture.Similarity{}.Compare(t.Context(), tt.text, []capture.Known{{Memory: memory.Memory{Text: tt.known}, Cosine: tt.cosine}})
			if err != nil || len(got) != 1 || got[0] != tt.want {
				t.Errorf("%+v, %v; want %+v", got, err, tt.want)
			}
		})
	}
}
