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

// Server is a provider's server, as far as it is asked for vectors: it gives
// those of [Words], over real HTTP, in the provider's own way or in a wrong one.
type Server struct {
	*httptest.Server
	Dialect Dialect

	mu    sync.Mutex
	fault *Fault
	seen  []Seen
}

// Dialect is how a provider asks and is answered.
type Dialect struct {
	Texts  func(body []byte) []string
	Answer func(vectors [][]float32) any
}

// Seen is a request that has come.
type Seen struct {
	Path   string
	Header http.Header
	Body   string
	Texts  []string
}

// Fault is a way to be wrong: what it leaves zero is as it should be.
type Fault struct {
	Name   string
	Hang   bool
	Status int
	Header map[string]string
	Body   string
	Change func(vectors [][]float32) [][]float32
	Want   string // in the error
}

// Faults are those that every provider over HTTP has to survive.
var Faults = []Fault{
	{Name: "hangs", Hang: true, Want: "did not answer within"},
	{Name: "another dimension", Change: each(func(v []float32) []float32 { return v[1:] }), Want: "255 dimensions, not 256"},
	{Name: "zeros", Change: each(func(v []float32) []float32 { return make([]float32, len(v)) }), Want: "says nothing"},
	{Name: "empty vectors", Change: each(func([]float32) []float32 { return []float32{} }), Want: "says nothing"},
	{Name: "fewer vectors", Change: func(v [][]float32) [][]float32 { return v[:len(v)-1] }, Want: "vectors for"},
	{Name: "more vectors", Change: func(v [][]float32) [][]float32 { return append(v, v[0]) }, Want: "vectors for"},
	{Name: "not numbers", Body: `{"data":[{"embedding":[NaN]}],"embeddings":[{"values":[NaN]}]}`, Want: "not the JSON"},
	{Name: "numbers too large", Body: `{"data":[{"embedding":[1e99]}],"embeddings":[{"values":[1e99]}]}`, Want: "not the JSON"},
	{Name: "a page", Body: "<html>Sign in to this network</html>", Want: "not the JSON"},
	{Name: "nothing", Body: " ", Want: "not the JSON"},
	{Name: "cut short", Body: `{"data":[{"embedding":[0.1,`, Want: "not the JSON"},
	{Name: "400", Status: 400, Body: `{"error":{"message":"input is too long"}}`, Want: "400 Bad Request: input is too long"},
	{Name: "401", Status: 401, Body: `{"error":{"message":"Incorrect API key: KEY-of-the-test"}}`, Want: "refuses the key (401)"},
	{Name: "403", Status: 403, Want: "refuses the key (403)"},
	{Name: "404", Status: 404, Body: `{"error":"model not found"}`, Want: "knows no such model or address (404)"},
	{Name: "429", Status: 429, Header: map[string]string{"Retry-After": "0.01"}, Want: "wants fewer requests (429)"},
	{Name: "429 for long", Status: 429, Header: map[string]string{"Retry-After": "3600"}, Want: "none for 1h"},
	{Name: "500", Status: 500, Body: "oops", Want: "500 Internal Server Error"},
	{Name: "503", Status: 503, Want: "503 Service Unavailable"},
	{Name: "elsewhere", Status: 307, Header: map[string]string{"Location": "http://127.0.0.1:1/steal"}, Want: "the key stays here"},
}

func each(change func([]float32) []float32) func([][]float32) [][]float32 {
	return func(vectors [][]float32) [][]float32 {
		for i, v := range vectors {
			vectors[i] = change(v)
		}
		return vectors
	}
}

// Serve starts a server that ends with the test.
func Serve(t *testing.T, d Dialect) *Server {
	s := &Server{Dialect: d}
	s.Server = httptest.NewServer(http.HandlerFunc(s.handle))
	t.Cleanup(s.Close)
	return s
}

// Be makes it wrong; nil: right again.
func (s *Server) Be(f *Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = f
}

// Seen gives the requests that have come since it was last asked.
func (s *Server) Seen() []Seen {
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := s.seen
	s.seen = nil
	return seen
}

func (s *Server) handle(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // who asked has gone
	}
	texts := s.Dialect.Texts(body)
	s.mu.Lock()
	s.seen = append(s.seen, Seen{r.URL.Path, r.Header, string(body), texts})
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
			v[i%len(v)] = 1 // a model has a vector for whatever is sent
		}
		for j := range v {
			v[j] *= 3 // to be made unit length
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
	_ = json.NewEncoder(w).Encode(s.Dialect.Answer(vectors)) // who asked may have gone
}

// Survives holds a provider to what every one over HTTP does: a wrong answer is
// an error that says so and gives no vectors, and it heals when the server does.
// key is what the server must be sent and nobody else ever.
func Survives(t *testing.T, d Dialect, key string, open func(t *testing.T, base string) embed.Embedder) {
	for _, f := range Faults {
		t.Run(f.Name, func(t *testing.T) {
			s := Serve(t, d)
			e := open(t, s.URL)
			for _, kind := range kinds {
				f.Body = strings.ReplaceAll(f.Body, "KEY-of-the-test", key)
				s.Be(&f)
				vectors, err := e.Embed(t.Context(), kind, []string{"the cat sleeps", "on the chair"})
				if err == nil || !strings.Contains(err.Error(), f.Want) || vectors != nil {
					t.Fatalf("kind %d: %v, %v; want %q", kind, vectors, err, f.Want)
				}
				if strings.Contains(err.Error(), key) {
					t.Errorf("the error shows the key: %v", err)
				}
				s.Be(nil)
				heals(t, e, kind)
			}
		})
	}
}

// heals waits for a provider that has been left alone after a failure.
func heals(t *testing.T, e embed.Embedder, kind embed.Kind) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		vectors, err := e.Embed(t.Context(), kind, []string{"the cat sleeps", "on the chair"})
		if err == nil {
			err = embed.Check(vectors, 2, e.Dim())
		}
		if err == nil {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("it does not heal: %v", err)
		}
	}
}
