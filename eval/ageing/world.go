package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed/static"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/recall"
)

// world is a workspace in a temporary folder, served by an engine with its own clock.
type world struct {
	*engine.Engine
	dir string
	now time.Time
}

func newWorld(ctx context.Context, start time.Time, settings recall.Settings) (*world, error) {
	dir, err := os.MkdirTemp("", "ageing-")
	if err != nil {
		return nil, err
	}
	embedder, err := static.New()
	if err != nil {
		return nil, err
	}
	w := &world{dir: dir, now: start}
	if err := os.MkdirAll(filepath.Join(dir, "notes", "memory"), 0o755); err != nil {
		return nil, err
	}
	w.Engine, err = engine.Open(ctx, engine.Options{
		Workspaces: []engine.WorkspaceConfig{{Name: "main", Dir: filepath.Join(dir, "notes"), DBPath: filepath.Join(dir, "state", "tiered.db"), Zone: time.UTC}},
		Embedder:   embedder, Recall: settings, AutoRecall: true, Now: func() time.Time { return w.now },
	})
	return w, err
}

// Close removes the workspace.
func (w *world) Close() error { return errors.Join(w.Engine.Close(), os.RemoveAll(w.dir)) }

// write appends lines to a file of the workspace, whose time is that of the clock.
func (w *world) write(path string, lines ...string) error {
	file := filepath.Join(w.dir, "notes", path)
	f, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	for _, line := range lines {
		_, writeErr := fmt.Fprintf(f, "- %s\n", line)
		err = errors.Join(err, writeErr)
	}
	return errors.Join(err, f.Close(), os.Chtimes(file, w.now, w.now))
}

func (w *world) index(ctx context.Context, paths ...string) error {
	_, err := w.Index(ctx, memory.IndexRequest{Paths: paths}, nil)
	return err
}

// dailyNote returns the path of the note of a day.
func dailyNote(at time.Time) string { return "memory/" + at.Format(time.DateOnly) + ".md" }

// fact is one thing to remember, and a prompt that asks for it.
type fact struct{ text, prompt string }

var (
	syllables  = []string{"ka", "lo", "mi", "ven", "tor", "sa", "ru", "del", "pi", "gan", "fe", "zu", "bar", "nel", "ost", "qui"}
	properties = []string{"port", "owner", "deadline", "supplier"}
	sentences  = []string{
		"The %s of %s is %s, as the vendor confirmed on the phone",
		"We changed the %s of %s to %s after the outage in spring",
		"%[2]s: the %[1]s has been %[3]s since the last audit",
		"Remember that %[2]s needs %[3]s as its %[1]s, or the nightly job fails",
		"Agreed with Lena that the %s of %s stays %s until the move",
	}
)

// word returns a made-up word for a number; numbers below 65,536 have different words.
func word(n int) (w string) {
	for range 4 {
		w += syllables[n%len(syllables)]
		n /= len(syllables)
	}
	return w
}

// factNumber returns one of many different facts. Four of them are about the same
// subject, so a block for a prompt about one may contain the others.
func factNumber(i int) fact {
	property, subject := properties[i%len(properties)], word(257*(i/len(properties))+11)
	return fact{text: fmt.Sprintf(sentences[i*7%len(sentences)], property, subject, word(i+20_000)),
		prompt: fmt.Sprintf("What is the %s of %s?", property, subject)}
}
