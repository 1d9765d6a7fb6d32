package engine_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/embed/embedtest"
)

// recorder is an embedder that lists the texts of memories that it gets.
type recorder struct {
	embedtest.Words
	mu    sync.Mutex
	texts []string
}

func (r *recorder) Embed(ctx context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	if kind == embed.Passage {
		r.mu.Lock()
		r.texts = append(r.texts, texts...)
		r.mu.Unlock()
	}
	return r.Words.Embed(ctx, kind, texts)
}

// taken returns the texts since the last call, sorted.
func (r *recorder) taken() (texts []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	texts, r.texts = r.texts, nil
	slices.Sort(texts)
	return texts
}

// byVector returns the texts that the vector lane finds, with a cosine over zero.
func (w *world) byVector(query string) (texts []string) {
	w.t.Helper()
	answer, err := w.Search(w.t.Context(), memory.SearchRequest{Query: query, Lane: memory.LaneVector})
	if err != nil {
		w.t.Fatal(err)
	}
	for _, h := range answer.Hits {
		if h.VectorScore > 0.01 {
			texts = append(texts, h.Text)
		}
	}
	return texts
}

// The vector of a note contains the topic of its headings, that of talk and a date does
// not. Each topic is embedded once. A heading that is edited changes the vectors below it.
func TestVectorsOfNotesContainTheirTopic(t *testing.T) {
	e := &recorder{Words: embedtest.Words{Dimensions: 4096}}
	w := newWorldEmbedding(t, e, map[string]string{
		"memory/a.md": "# Bicycles\n\n- Leave it inside the shed.\n- Oil weekly.\n",
		"memory/b.md": "# Monday, 8 May 2023\n\n- Rain.\n",
		"memory/c.md": "# Bicycles\n\n- Ann: Hello there.\n- Bob: Goodbye now.\n- Ann: Wait.\n- Bob: No.\n",
	})
	if got := e.taken(); slices.Index(got, "Bicycles") < 0 || len(got) != 8 || slices.Contains(got, "Monday, 8 May 2023") {
		t.Errorf("embedded: %q", got)
	}
	if got := w.byVector("bicycles"); len(got) != 2 || strings.HasPrefix(got[0], "Ann") {
		t.Errorf("near to the heading: %q", got)
	}
	w.write("memory/a.md", "# Skateboards\n\n- Leave it inside the shed.\n- Oil weekly.\n")
	w.index()
	if got := w.byVector("bicycles"); len(got) != 0 {
		t.Errorf("near to the former heading: %q", got)
	}
	if got := w.byVector("skateboards"); len(got) != 2 {
		t.Errorf("near to the new heading: %q", got)
	}
	e.taken()
	w.write("memory/d.md", "# Skateboards\n\n- New wheels.\n")
	w.index()
	if got := e.taken(); !slices.Equal(got, []string{"New wheels."}) {
		t.Errorf("a new note under a known heading: %q", got)
	}
}

// A line above a list may be private, and it is a heading of the list.
func TestServerGetsNoTopics(t *testing.T) {
	e := &recorder{Words: embedtest.Words{IsRemote: true}}
	newWorldEmbedding(t, e, map[string]string{"memory/a.md": "# Bicycles\n\n- Leave it inside the shed.\n"})
	if got := e.taken(); !slices.Equal(got, []string{"Leave it inside the shed."}) {
		t.Errorf("the server got %q", got)
	}
}

// nearTexts gives two texts about staging vectors with a cosine of 0.97.
type nearTexts struct{ embedtest.Words }

func (nearTexts) Embed(_ context.Context, _ embed.Kind, texts []string) (vectors [][]float32, err error) {
	for _, text := range texts {
		v := make([]float32, embedtest.Words{}.Dim())
		switch {
		case strings.HasSuffix(text, "for now"):
			v[0] = 1
		case strings.Contains(text, "staging"):
			v[0], v[1] = 0.97, 0.2431
		default:
			v[2] = 1
		}
		embed.Normalize(v)
		vectors = append(vectors, v)
	}
	return vectors, nil
}

// A new text is compared with the text of a forgotten memory, without the topic that its
// vector contains.
func TestTextsAreComparedWithoutTheirTopics(t *testing.T) {
	w := newWorldEmbedding(t, nearTexts{}, map[string]string{"memory/a.md": "# Machines\n\n- The staging server listens on port 8080\n"})
	w.decide(decideRequest(memory.ActionForget, w.idOf("The staging server listens on port 8080")))
	_, err := w.Store(t.Context(), memory.StoreRequest{Text: "staging listens on port 8080 for now"})
	if !errors.Is(err, memory.ErrConflict) {
		t.Errorf("stored beside a forgotten text that says the same: %v", err)
	}
}
