package embedtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/memory-tiered/memory/embed"
)

// Server is a fake of a provider's server over real HTTP. It returns the vectors of
// [Words] in the provider's format, or fails as a [Fault] describes.
type Server struct {
	*httptest.Server
	Dialect Dialect

	mu       sync.Mutex
	fault    *Fault
	requests []Request
}

// Dialect is the format of a provider's requests and answers.
type Dialect struct {
	Texts  func(body []byte) []string
	Answer func(vectors [][]float32) any
}

// Request is a request that the server received.
type Request struct {
	Path   string
	Header http.Header
	Body   string
	Texts  []string
}

// Fault is a way in which a server fails. Zero fields do not change the answer.
type Fault struct {
	Name   string
	Hang   bool
	Status int
	Header map[string]string
	Body   string
	Change func(vectors [][]float32) [][]float32
	Want   string // in the error
}

// Faults are the faults that every provider over HTTP must report.
var Faults = []Fault{
	{Name: "hangs", Hang: true, Want: "did not answer within"},
	{Name: "another dimension", Change: forEachVector(func(v []float32) []float32 { return v[1:] }), Want: "255 dimensions, not 256"},
	{Name: "zeros", Change: forEachVector(func(v []float32) []float32 { return make([]float32, len(v)) }), Want: "is zero"},
	{Name: "empty vectors", Change: forEachVector(func([]float32) []float32 { return []float32{} }), Want: "is zero"},
	{Name: "fewer vectors", Change: func(v [][]float32) [][]float32 { return v[:len(v)-1] }, Want: "vectors for"},
	{Name: "more vectors", Change: func(v [][]float32) [][]float32 { return append(v, v[0]) }, Want: "vectors for"},
	{Name: "not numbers", Body: `{"data":[{"embedding":[NaN]}],"embeddings":[{"values":[NaN]}]}`, Want: "not the JSON"},
	{Name: "numbers too large", Body: `{"data":[{"embedding":[1e99]}],"embeddings":[{"values":[1e99]}]}`, Want: "not the JSON"},
	{Name: "HTML", Body: "<html>Sign in to this network</html>", Want: "not the JSON"},
	{Name: "empty body", Body: " ", Want: "not the JSON"},
	{Name: "cut short", Body: `{"data":[{"embedding":[0.1,`, Want: "not the JSON"},
	{Name: "400", Status: 400, Body: `{"error":{"message":"input is too long"}}`, Want: "400 Bad Request: input is too long"},
	{Name: "401", Status: 401, Body: `{"error":{"message":"Incorrect API key: KEY-of-the-test"}}`, Want: "refuses the key (401)"},
	{Name: "403", Status: 403, Want: "refuses the key (403)"},
	{Name: "404", Status: 404, Body: `{"error":"model not found"}`, Want: "does not know the model or the address (404)"},
	{Name: "429", Status: 429, Header: map[string]string{"Retry-After": "0.01"}, Want: "asks for fewer requests (429)"},
	{Name: "429 for an hour", Status: 429, Header: map[string]string{"Retry-After": "3600"}, Want: "none for 1h"},
	{Name: "500", Status: 500, Body: "oops", Want: "500 Internal Server Error"},
	{Name: "503", Status: 503, Want: "503 Service Unavailable"},
	{Name: "redirect", Status: 307, Header: map[string]string{"Location": "http://127.0.0.1:1/steal"}, Want: "redirects to 127.0.0.1:1"},
}

func forEachVector(change func([]float32) []float32) func([][]float32) [][]float32 {
	return func(vectors [][]float32) [][]float32 {
		for i, v := range vectors {
			vectors[i] = change(v)
		}
		return vectors
	}
}

// Serve starts a server; it stops with the test.
func Serve(t *testing.T, d Dialect) *Server {
	s := &Server{Dialect: d}
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
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client has disconnected
	}
	texts := s.Dialect.Texts(body)
	s.mu.Lock()
	s.requests = append(s.requests, Request{r.URL.Path, r.Header, string(body), texts})
	f := s.fault
	s.mu.Unlock()
	if f == nil {
		f = &Fault{}
	}
	if f.Hang {
		<-r.Context().Done()
		return
	}
	vectors, err := Words{}.Embed(r.Context(), embed.Passage, texts)
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
	_ = json.NewEncoder(w).Encode(s.Dialect.Answer(vectors)) // the client may have disconnected
}

// RunFaults tests a provider over HTTP with every fault. The provider must return an
// error that describes the fault, no vectors, and never the key. It must work again
// when the server does. limit is the time limit of a request, which only a server that
// hangs has to exceed.
func RunFaults(t *testing.T, d Dialect, key string, open func(t *testing.T, base string, limit time.Duration) embed.Embedder) {
	for _, f := range Faults {
		t.Run(f.Name, func(t *testing.T) {
			s := Serve(t, d)
			limit := time.Minute
			if f.Hang {
				limit = 100 * time.Millisecond
			}
			e := open(t, s.URL, limit)
			for _, kind := range kinds {
				f.Body = strings.ReplaceAll(f.Body, "KEY-of-the-test", key)
				s.SetFault(&f)
				vectors, err := e.Embed(t.Context(), kind, []string{"the cat sleeps", "on the chair"})
				if err == nil || !strings.Contains(err.Error(), f.Want) || vectors != nil {
					t.Fatalf("kind %d: %v, %v; want %q", kind, vectors, err, f.Want)
				}
				if strings.Contains(err.Error(), key) {
					t.Errorf("the error shows the key: %v", err)
				}
				s.SetFault(nil)
				waitUntilHealthy(t, e, kind)
			}
		})
	}
}

// waitUntilHealthy waits until the provider sends requests again after a failure.
func waitUntilHealthy(t *testing.T, e embed.Embedder, kind embed.Kind) {
	t.Helper()
	for end := time.Now().Add(5 * time.Minute); ; time.Sleep(5 * time.Millisecond) {
		vectors, err := e.Embed(t.Context(), kind, []string{"the cat sleeps", "on the chair"})
		if err == nil {
			err = embed.Check(vectors, 2, e.Dim())
		}
		if err == nil {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("it still fails although the server works: %v", err)
		}
	}
}
