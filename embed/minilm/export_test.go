package minilm

import (
	"encoding/gob"
	"io"
	"time"
)

// ServeFake answers like [Serve], with the same vector for every text. It loads no
// model.
func ServeFake(in io.Reader, out io.Writer) error {
	requests, answers := gob.NewDecoder(in), gob.NewEncoder(out)
	err := answers.Encode(loaded{})
	for err == nil {
		var r request
		if err = requests.Decode(&r); err == nil {
			vectors := make([][]float32, len(r.Texts))
			for i := range vectors {
				vectors[i] = make([]float32, Dim)
				vectors[i][0] = 1
			}
			err = answers.Encode(answer{Vectors: vectors})
		}
	}
	return err
}

// ServeNothing loads like [Serve], reads requests, and never answers.
func ServeNothing(in io.Reader, out io.Writer) error {
	if err := gob.NewEncoder(out).Encode(loaded{}); err != nil {
		return err
	}
	_, err := io.Copy(io.Discard, in)
	return err
}

// ServeWith is [Serve] with a function that loads the model.
var ServeWith = serve

// SetLimits sets how long loading and a question may take. No process may run.
func (e *Embedder) SetLimits(load, question time.Duration) {
	e.limits.load, e.limits.question = load, question
}

// Expand expands packed weights.
var Expand = expand

// WriteWith replaces a file by what write writes, on a disk with some room.
func WriteWith(dir string, free int64, write func(io.Writer) error) error {
	f := file{name: "model.onnx", write: write}
	return f.replace(dir, free)
}

// ErrPacked reports damaged weights.
var ErrPacked = errPacked

// RetryNow makes the next use start the model again, although it failed a moment ago.
func (e *Embedder) RetryNow() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.failedAt = e.failedAt.Add(-pause)
}

// KillProcess kills the process with the model, as the system does without memory.
func (e *Embedder) KillProcess() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.process.command.Process.Kill()
}
