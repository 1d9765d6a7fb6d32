package recall_test

import (
	"context"
	"slices"
	"testing"

	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/recall"
)

// recordingEmbedder keeps the texts that it embeds.
type recordingEmbedder struct {
	fixedEmbedder
	texts []string
}

func (e *recordingEmbedder) Embed(ctx context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	e.texts = append(e.texts, texts...)
	return e.fixedEmbedder.Embed(ctx, kind, texts)
}

func TestSpeakersAreRemovedBeforeEmbedding(t *testing.T) {
	for _, tt := range []struct{ ask, want string }{
		{"what does Ann like", "what does like"},
		{"Ann's boat, where?", "boat, where?"},
		{"where is Ann?", "where is ?"},
		{"harbour of Ann, please", "harbour of please"},
		{"Ann harbour", "Ann harbour"}, // one word without the name
		{"Ann", "Ann"},
		{"Annabel sails today", "Annabel sails today"}, // in talk a day stays
	} {
		e := &recordingEmbedder{}
		mustSearch(t, recall.New(&fakeSource{speakers: []string{"ann"}}, e, recall.Defaults()), recall.SearchOptions{Text: tt.ask})
		if want := []string{tt.want}; !slices.Equal(e.texts, want) {
			t.Errorf("%q is embedded as %q, want %q", tt.ask, e.texts, want)
		}
	}
}
