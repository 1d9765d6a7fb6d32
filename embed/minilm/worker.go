package minilm

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/embed/hugot"
)

// The messages between the program and the process with the model, in gob.
type (
	// loaded is the first message of the process.
	loaded struct{ Err string } // empty: the model is loaded
	// request asks for the vectors of some texts.
	request struct{ Texts []string }
	// answer has one vector per text, or an error.
	answer struct {
		Vectors [][]float32
		Err     string
	}
)

// usualLengths are texts of the usual lengths of questions: up to 16 and 32 tokens. The
// model is compiled for each length at its first use, so the process embeds them first.
var usualLengths = []string{"Which port does staging use?", "Which of the two servers did we decide to use for the next release, and who wanted to write down why?"}

// Serve runs the model in this process until in ends, also while it loads. dir is the
// folder of the model's files, which it writes if they are not there. It answers each
// request from in on out.
func Serve(ctx context.Context, in io.Reader, out io.Writer, dir string) error {
	return serve(ctx, in, out, func() (embed.Embedder, error) { return load(ctx, dir) })
}

// serve is [Serve] with a function that loads the model.
func serve(ctx context.Context, in io.Reader, out io.Writer, load func() (embed.Embedder, error)) error {
	requests, answers := receive(in), gob.NewEncoder(out)
	model, err := loadUntilEnd(load, requests)
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err != nil {
		return errors.Join(err, answers.Encode(loaded{err.Error()}))
	}
	if err := answers.Encode(loaded{}); err != nil {
		return fmt.Errorf("report that the transformer is loaded: %w", err)
	}
	for r := range requests {
		if r.err != nil {
			return fmt.Errorf("read a request for the transformer: %w", r.err)
		}
		var a answer
		if a.Vectors, err = model.Embed(ctx, embed.Passage, r.Texts); err != nil {
			a = answer{Err: err.Error()}
		}
		if err := answers.Encode(a); err != nil {
			return fmt.Errorf("answer with vectors: %w", err)
		}
	}
	return nil
}

// received is a request, or why none could be read.
type received struct {
	request
	err error
}

// receive returns the requests. The channel is closed at the end of in.
func receive(in io.Reader) <-chan received {
	requests := make(chan received)
	go func() {
		defer close(requests)
		for decoder := gob.NewDecoder(in); ; {
			var r received
			if r.err = decoder.Decode(&r.request); errors.Is(r.err, io.EOF) {
				return
			}
			requests <- r
			if r.err != nil {
				return
			}
		}
	}()
	return requests
}

// loadUntilEnd loads the model. It returns io.EOF if the requests end before that: the
// program that started this process may have been killed, and loading may never end.
func loadUntilEnd(load func() (embed.Embedder, error), requests <-chan received) (embed.Embedder, error) {
	var model embed.Embedder
	done := make(chan error, 1)
	go func() {
		var err error
		model, err = load()
		done <- err
	}()
	select {
	case err := <-done:
		return model, err
	case <-requests: // nobody asks before the model is loaded
		return nil, io.EOF
	}
}

// load loads the model, and compiles it for the usual lengths of questions.
func load(ctx context.Context, dir string) (embed.Embedder, error) {
	if !Available {
		return nil, ErrUnavailable
	}
	preferAsVictim()
	if _, err := WriteFiles(dir); err != nil {
		return nil, err
	}
	model, err := hugot.Open(hugot.Options{Dir: dir, Name: "all-MiniLM-L6-v2-e4l6", Digest: modelSHA256})
	if err != nil {
		return nil, err
	}
	for _, text := range usualLengths {
		if _, err := model.Embed(ctx, embed.Query, []string{text}); err != nil {
			return nil, err
		}
	}
	return model, nil
}

// preferAsVictim makes Linux end this process first when the machine runs out of
// memory. The program then continues without the transformer.
func preferAsVictim() {
	const file, adjustment = "/proc/self/oom_score_adj", "800" // of 1,000
	if f, err := os.OpenFile(file, os.O_WRONLY, 0); err == nil {
		_, _ = f.WriteString(adjustment) // without it, the system decides by size
		_ = f.Close()
	}
}
