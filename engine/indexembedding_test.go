package engine_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed/openai"
	"github.com/memory-tiered/memory/embed/wire"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/recall"
)

// embedServer starts a server with the embeddings API. It calls before for each
// request, which reports false if it has answered.
func embedServer(t *testing.T, before func(w http.ResponseWriter, r *http.Request) bool) (url string) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct{ Input []string }
		if json.NewDecoder(r.Body).Decode(&body) != nil || !before(w, r) {
			return
		}
		type vector struct {
			Embedding []float32 `json:"embedding"`
		}
		var answer struct {
			Data []vector `json:"data"`
		}
		for range body.Input {
			answer.Data = append(answer.Data, vector{[]float32{1, 0, 0, 0}})
		}
		_ = json.NewEncoder(w).Encode(answer)
	}))
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	return server.URL
}

// Index with a server that fails, hangs or is slow ends at its time limit. The text
// is found by keywords, and the answer and status report what is pending and why.
func TestIndexDoesNotWaitForAnEmbeddingServer(t *testing.T) {
	const wait = 1500 * time.Millisecond // in which a slow machine embeds something
	for _, c := range []struct {
		name   string
		before func(http.ResponseWriter, *http.Request) bool
		some   bool // some texts are embedded in time
		reason string
	}{
		{"500", func(w http.ResponseWriter, _ *http.Request) bool {
			http.Error(w, "oops", http.StatusInternalServerError)
			return false
		}, false, "500 Internal Server Error"},
		{"hangs", func(_ http.ResponseWriter, r *http.Request) bool {
			<-r.Context().Done()
			return false
		}, false, "has not embedded everything within 1.5s"},
		{"slow", func(_ http.ResponseWriter, r *http.Request) bool {
			select {
			case <-time.After(wait / 5):
			case <-r.Context().Done():
			}
			return true
		}, true, "has not embedded everything within 1.5s"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			model, err := openai.New(openai.Options{Base: embedServer(t, c.before), Model: "test", Dimensions: 4,
				Pace: &wire.Pace{QueryTimeout: wait, RequestTimeout: time.Minute, MaxTries: 4, Pause: wait, MaxPause: time.Minute}})
			if err != nil {
				t.Fatal(err)
			}
			w := &world{t: t, dir: t.TempDir()}
			var b strings.Builder
			for i := range 1000 {
				fmt.Fprintf(&b, "- item %d of a long list\n", i)
			}
			w.write("MEMORY.md", b.String())
			db := filepath.Join(t.TempDir(), "tiered.db")
			open := func() *engine.Engine {
				e, err := engine.Open(t.Context(), engine.Options{EmbedWait: wait,
					Workspaces: []engine.WorkspaceConfig{{Name: "main", Dir: w.dir, DBPath: db, Zone: time.UTC}},
					Embedder:   model, Recall: recall.Defaults(), ContextTTL: time.Hour})
				if err != nil {
					t.Fatal(err)
				}
				return e
			}
			e := open()
			answer, err := e.Index(t.Context(), memory.IndexRequest{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if answer.Memories != 1000 || answer.Pending+answer.Embedded != 1000 || answer.Pending == 0 || answer.Embedded > 0 != c.some {
				t.Errorf("index answers %+v", answer)
			}
			if !strings.Contains(answer.PendingReason, c.reason) {
				t.Errorf("the reason is %q, not %q", answer.PendingReason, c.reason)
			}
			checkStatus := func(e *engine.Engine) {
				t.Helper()
				status, err := e.Status(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if at := status.Workspaces[0].Embedding; at.Pending != answer.Pending || strings.Contains(at.Error, c.reason) == c.some {
					t.Errorf("status reports %+v", at)
				}
			}
			checkStatus(e)
			if err := e.Close(); err != nil {
				t.Fatal(err)
			}
			e = open()
			defer e.Close()
			checkStatus(e) // another process knows the reason too
			found, err := e.Search(t.Context(), memory.SearchRequest{Query: "item 7", Lane: memory.LaneText})
			if err != nil || len(found.Hits) == 0 {
				t.Errorf("keyword search finds %d, %v", len(found.Hits), err)
			}
		})
	}
}
