package server_test

import (
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/embed/embedtest"
)

// faults are the faults of a server that the client must report.
var faults = []struct {
	name string
	embedtest.Fault
	want string // in the error
}{
	{"hangs", embedtest.Fault{Hang: true}, "did not answer within"},
	{"another dimension", embedtest.Fault{Change: forEachVector(func(v []float32) []float32 { return v[1:] })}, "255 dimensions, not 256"},
	{"zeros", embedtest.Fault{Change: forEachVector(func(v []float32) []float32 { return make([]float32, len(v)) })}, "is zero"},
	{"empty vectors", embedtest.Fault{Change: forEachVector(func([]float32) []float32 { return []float32{} })}, "is zero"},
	{"fewer vectors", embedtest.Fault{Change: func(v [][]float32) [][]float32 { return v[:len(v)-1] }}, "vectors for"},
	{"more vectors", embedtest.Fault{Change: func(v [][]float32) [][]float32 { return append(v, v[0]) }}, "vectors for"},
	{"one index twice", embedtest.Fault{Body: `{"data":[{"index":1,"embedding":[1]},{"index":1,"embedding":[1]}]}`}, "no vector or two"},
	{"not numbers", embedtest.Fault{Body: `{"data":[{"embedding":[NaN]}]}`}, "not the JSON"},
	{"numbers too large", embedtest.Fault{Body: `{"data":[{"embedding":[1e99]}]}`}, "not the JSON"},
	{"HTML", embedtest.Fault{Body: "<html>Sign in to this network</html>"}, "not the JSON"},
	{"empty body", embedtest.Fault{Body: " "}, "not the JSON"},
	{"cut short", embedtest.Fault{Body: `{"data":[{"embedding":[0.1,`}, "not the JSON"},
	{"400", embedtest.Fault{Status: 400, Body: `{"error":{"message":"input is too long"}}`}, "400 Bad Request: input is too long"},
	{"401", embedtest.Fault{Status: 401, Body: `{"error":{"message":"Incorrect API key: ` + key + `"}}`}, "refuses the key (401)"},
	{"403", embedtest.Fault{Status: 403}, "refuses the key (403)"},
	{"404", embedtest.Fault{Status: 404, Body: `{"error":"model not found"}`}, "does not know the model or the address (404)"},
	{"429", embedtest.Fault{Status: 429, Header: map[string]string{"Retry-After": "0.01"}}, "asks for fewer requests (429)"},
	{"429 for an hour", embedtest.Fault{Status: 429, Header: map[string]string{"Retry-After": "3600"}}, "none for 1h"},
	{"500", embedtest.Fault{Status: 500, Body: "oops"}, "500 Internal Server Error"},
	{"503", embedtest.Fault{Status: 503}, "503 Service Unavailable"},
	{"redirect", embedtest.Fault{Status: 307, Header: map[string]string{"Location": "http://127.0.0.1:1/steal"}}, "redirects to 127.0.0.1:1"},
}

func forEachVector(change func([]float32) []float32) func([][]float32) [][]float32 {
	return func(vectors [][]float32) [][]float32 {
		for i, v := range vectors {
			vectors[i] = change(v)
		}
		return vectors
	}
}

// The error describes the fault and never contains the key. The client works again when
// the server does.
func TestFaultsAreReported(t *testing.T) {
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			s, limit := embedtest.Serve(t), time.Minute
			if f.Hang {
				limit = 100 * time.Millisecond
			}
			e := openWithLimit(t, s.URL, limit)
			for _, kind := range []embed.Kind{embed.Query, embed.Passage} {
				s.SetFault(&f.Fault)
				vectors, err := e.Embed(t.Context(), kind, []string{"the cat sleeps", "on the chair"})
				if err == nil || !strings.Contains(err.Error(), f.want) || vectors != nil {
					t.Fatalf("kind %d: %v, %v; want %q", kind, vectors, err, f.want)
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

// waitUntilHealthy waits until the client sends requests again after a failure.
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
