// Command vectors serves the embedding model of the binary as an embeddings endpoint of
// OpenAI's form. So a benchmark can give another memory the same vectors. It prints its
// address.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/embed/static"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "vectors:", err)
		os.Exit(1)
	}
}

func run() error {
	embedder := static.New()
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("http://%s/v1\n", listener.Addr())
	server := &http.Server{Handler: handler(embedder), ReadHeaderTimeout: time.Minute}
	return server.Serve(listener)
}

// handler answers requests for embeddings, whatever their path and model are.
func handler(embedder embed.Embedder) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request struct {
			Input inputs `json:"input"`
		}
		if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		vectors, err := embedder.Embed(r.Context(), embed.Passage, request.Input)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		type item struct {
			Object    string    `json:"object"`
			Index     int       `json:"index"`
			Embedding []float32 `json:"embedding"`
		}
		data := make([]item, len(vectors))
		for i, v := range vectors {
			data[i] = item{"embedding", i, v}
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"object": "list", "model": embedder.Model(), "data": data})
	})
}

// inputs is one text or a list of texts.
type inputs []string

// UnmarshalJSON reads either form.
func (in *inputs) UnmarshalJSON(src []byte) error {
	var one string
	if json.Unmarshal(src, &one) == nil {
		*in = inputs{one}
		return nil
	}
	return json.Unmarshal(src, (*[]string)(in))
}
