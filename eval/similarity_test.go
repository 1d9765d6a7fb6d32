package eval_test

import (
	"context"
	"slices"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/eval"
)

// TestSimilaritiesCountRightMemoriesAnswersAndNoise has a query with two right memories and a
// wrong one, and one that nothing answers, whose block has an allowed memory too.
func TestSimilaritiesCountRightMemoriesAnswersAndNoise(t *testing.T) {
	at := func(path string, line int, similarity float64) memory.Hit {
		h := hit(path, line, line, 10)
		h.Similarity = similarity
		return h
	}
	blocks := map[string][]memory.Hit{
		"answered": {at("a.md", 1, 0.31), at("a.md", 2, 1), at("b.md", 1, 0.34)},
		"noise":    {at("b.md", 1, 0.32), at("b.md", 2, 0.05), at("c.md", 1, 0.99)},
	}
	noise := golden("noise", "")
	noise.Allowed = []eval.Line{{Path: "c.md", Line: 1}}
	s := eval.System{
		Search: func(context.Context, memory.Lane, eval.Golden) ([]memory.Hit, error) { return nil, nil },
		Inject: func(_ context.Context, g eval.Golden) ([]memory.Hit, error) { return blocks[g.ID], nil },
	}
	r, err := eval.Run(t.Context(), []eval.Golden{golden("answered", "", 1, 2), noise}, nil, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	got := slices.DeleteFunc(r.Similarities, func(b eval.SimilarityBin) bool { return b.Memories == 0 })
	want := []eval.SimilarityBin{
		{From: 0.05, Memories: 1},
		{From: 0.3, Memories: 3, Right: 1, Noise: 1},
		{From: 0.95, Memories: 1, Right: 1, Answers: 1},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	if r.Quality().Similarities != nil {
		t.Error("Quality has the list")
	}
}
