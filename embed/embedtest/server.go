package embedtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	"github.com/memory-tiered/memory/embed"
)

// Server is a fake server over real HTTP. It returns the vectors of [Words] in OpenAI's
// format, in reverse order, or fails as a [Fault] describes.
type Server struct {
	*httptest.Server

	mu       sync.Mutex
	fault    *Fault
	requests []Request
}

// Request is a request that the server received.
type Request struct {
	Path   string
	Header http.Header
	Model  string   `json:"model"`
	Texts  []string `json:"input"`
	Dim    int      `json:"dimensions"`
}

// Fault is a way in which a server fails. Zero fields do not change the answer.
type Fault struct {
	Hang   bool
	Status int
	Header map[string]string
	Body   string
	Change func(vectors [][]float32) [][]float32
	Only   func(texts []string) bool // nil: every request fails
}

// Serve starts a server; it stops with the test.
func Serve(t *testing.T) *Server {
	s := &Server{}
	s.Server = httptest.NewServer(http.HandlerFunc(s.handle))
	t.Cleanup(s.Close)
	return s
}

// SetFault sets how the server fails; nil: it does not.
func (s *Server) SetFault(f *Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = f
}

// Requests returns the requests since the last call.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	requests := s.requests
	s.requests = nil
	return requests
}

func (s *Server) handle(w http.ResponseWriter, r *http.Request) {
	seen := Request{Path: r.URL.Path, Header: r.Header}
	if json.NewDecoder(r.Body).Decode(&seen) != nil {
		return // the client has disconnected
	}
	s.mu.Lock()
	s.requests = append(s.requests, seen)
	f := s.fault
	s.mu.Unlock()
	if f == nil || f.Only != nil && !f.Only(seen.Texts) {
		f = &Fault{}
	}
	if f.Hang {
		<-r.Context().Done()
		return
	}
	for name, value := range f.Header {
		w.Header().Set(name, value)
	}
	if f.Status != 0 {
		w.WriteHeader(f.Status)
	}
	if f.Body != "" || f.Status != 0 {
		fmt.Fprint(w, f.Body)
		return
	}
	vectors, err := Words{}.Embed(r.Context(), embed.Passage, seen.Texts)
	if err != nil {
		return
	}
	for i, v := range vectors {
		if embed.IsZero(v) {
			v[i%len(v)] = 1 // real models have a vector for every text
		}
		for j := range v {
			v[j] *= 3 // the provider must normalise it
		}
	}
	if f.Change != nil {
		vectors = f.Change(vectors)
	}
	var data []any
	for i, v := range slices.Backward(vectors) {
		data = append(data, map[string]any{"index": i, "embedding": v})
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"data": data}) // the client may have disconnected
}
