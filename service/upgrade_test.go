//go:build unix

package service

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// writeBinary replaces the file with a script, as an upgrade does.
func writeBinary(t *testing.T, file, script string) {
	t.Helper()
	if err := os.WriteFile(file+".new", []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(file+".new", file); err != nil {
		t.Fatal(err)
	}
}

func TestReplacedBinaryEndsTheService(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "memory")
	writeBinary(t, binary, "exit 0")
	ended := make(chan error, 1)
	loop := WatchBinary(slog.New(slog.DiscardHandler), binary, 20*time.Millisecond)
	go func() { ended <- loop(t.Context()) }()
	time.Sleep(100 * time.Millisecond)
	if len(ended) > 0 {
		t.Fatalf("the loop ended without a change: %v", <-ended)
	}
	writeBinary(t, binary, "exit 0 # new")
	if err := <-ended; !errors.Is(err, ErrReplaced) {
		t.Errorf("the loop ended with %v", err)
	}
}

func TestBinaryThatDoesNotRunOrIsGoneNeverEndsTheService(t *testing.T) {
	dir := t.TempDir()
	binary, tried := filepath.Join(dir, "memory"), filepath.Join(dir, "tried")
	writeBinary(t, binary, "exit 0")
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	loop := WatchBinary(slog.New(slog.DiscardHandler), binary, 20*time.Millisecond)
	go func() { ended <- loop(ctx) }()
	if err := os.Remove(binary); err != nil {
		t.Fatal(err)
	}
	time.Sleep(100 * time.Millisecond)
	writeBinary(t, binary, "touch '"+tried+"'; exit 1")
	for deadline := time.Now().Add(5 * time.Minute); ; time.Sleep(10 * time.Millisecond) {
		if _, err := os.Stat(tried); err == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the new binary was never tried")
		}
	}
	time.Sleep(100 * time.Millisecond)
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the loop ended with %v", err)
	}
}
