package engine_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed/server"
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
// is found by keywords, and the answer and status report what is pending and why. A busy
// machine embeds nothing within a short limit, so longer ones are tried too.
func TestIndexDoesNotWaitForAnEmbeddingServer(t *testing.T) {
	for name, newServer := range map[string]func(wait time.Duration) faultyServer{
		"500": func(time.Duration) faultyServer {
			return faultyServer{reason: "500 Internal Server Error", before: func(w http.ResponseWriter, _ *http.Request) bool {
				http.Error(w, "oops", http.StatusInternalServerError)
				return false
			}}
		},
		"hangs": func(wait time.Duration) faultyServer {
			return faultyServer{reason: "has not embedded everything within " + wait.String(), before: func(_ http.ResponseWriter, r *http.Request) bool {
				<-r.Context().Done()
				return false
			}}
		},
		"slow": func(wait time.Duration) faultyServer {
			return faultyServer{some: true, reason: "has not embedded everything within " + wait.String(), before: func(_ http.ResponseWriter, r *http.Request) bool {
				select {
				case <-time.After(wait / 5):
				case <-r.Context().Done():
				}
				return true
			}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var err error
			for wait := 500 * time.Millisecond; wait < time.Minute; wait *= 3 {
				if err = indexWithServer(t, newServer(wait), wait); err == nil {
					return
				}
			}
			t.Error(err)
		})
	}
}

// faultyServer is a server that does not embed everything in time.
type faultyServer struct {
	before func(http.ResponseWriter, *http.Request) bool // as embedServer has it
	some   bool                                          // some texts are embedded in time
	reason string
}

func indexWithServer(t *testing.T, faulty faultyServer, wait time.Duration) error {
	t.Helper()
	model, err := server.Open(server.Options{Provider: "openai", Base: embedServer(t, faulty.before), Model: "test", Dimensions: 4,
		Pace: &server.Pace{QueryTimeout: wait, RequestTimeout: time.Minute, MaxTries: 4, Pause: wait, MaxPause: time.Minute}})
	if err != nil {
		return err
	}
	w := &world{t: t, dir: t.TempDir()}
	var b strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&b, "- item %d of a long list\n", i)
	}
	w.write("MEMORY.md", b.String())
	db := filepath.Join(t.TempDir(), "tiered.db")
	open := func() (*engine.Engine, error) {
		return engine.Open(t.Context(), onBackend(t, engine.Options{EmbedWait: wait,
			Workspaces: []engine.WorkspaceConfig{{Name: "main", Dir: w.dir, DBPath: db, Zone: time.UTC}},
			Embedder:   model, Recall: recall.Defaults(), ContextTTL: time.Hour}))
	}
	e, err := open()
	if err != nil {
		return err
	}
	answer, err := e.Index(t.Context(), memory.IndexRequest{}, nil)
	err = errors.Join(err, faulty.checkStatus(t, e, answer), e.Close())
	if answer.Memories != 1000 || answer.Pending+answer.Embedded != 1000 || answer.Pending == 0 || answer.Embedded > 0 != faulty.some {
		err = errors.Join(err, fmt.Errorf("index answers %+v", answer))
	}
	if !strings.Contains(answer.PendingReason, faulty.reason) {
		err = errors.Join(err, fmt.Errorf("the reason is %q, not %q", answer.PendingReason, faulty.reason))
	}
	if err != nil {
		return err
	}
	if e, err = open(); err != nil {
		return err
	}
	defer e.Close()
	found, err := e.Search(t.Context(), memory.SearchRequest{Query: "item 7", Lane: memory.LaneText})
	if err != nil || len(found.Hits) == 0 {
		return fmt.Errorf("keyword search finds %d, %v", len(found.Hits), err)
	}
	return faulty.checkStatus(t, e, answer) // another process knows the reason too
}

func (s faultyServer) checkStatus(t *testing.T, e *engine.Engine, answer memory.IndexAnswer) error {
	t.Helper()
	status, err := e.Status(t.Context())
	if err != nil {
		return err
	}
	if at := status.Workspaces[0].Embedding; at.Pending != answer.Pending || strings.Contains(at.Error, s.reason) == s.some {
		return fmt.Errorf("status reports %+v", at)
	}
	return nil
}
