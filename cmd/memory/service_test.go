package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestLastLines(t *testing.T) {
	for _, tt := range []struct {
		text string
		n    int
		want string
	}{
		{"a\nb\nc\n", 2, "b\nc\n"},
		{"a\nb\nc", 2, "b\nc"},
		{"a\nb\nc\n", 3, "a\nb\nc\n"},
		{"a\nb\nc\n", 9, "a\nb\nc\n"},
		{"a\nb\n", 0, ""},
		{"a", 0, ""},
		{"", 5, ""},
		{"\n\n", 1, "\n"},
	} {
		if got := string(lastLines([]byte(tt.text), tt.n)); got != tt.want {
			t.Errorf("the last %d lines of %q are %q, want %q", tt.n, tt.text, got, tt.want)
		}
	}
}

// logOutput is a buffer that one goroutine writes and another one reads.
type logOutput struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *logOutput) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

func (o *logOutput) waitFor(t *testing.T, text string) {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Minute); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		o.mu.Lock()
		found := strings.Contains(o.b.String(), text)
		o.mu.Unlock()
		if found {
			return
		}
	}
	t.Fatalf("%q was not printed", text)
}

func TestFollowedLogGoesOnInTheNextFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "memory.log")
	write := func(text string) {
		f, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString(text); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	write("first\n")
	var out logOutput
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	a := &app{out: &out}
	go func() { ended <- a.showLog(ctx, file, 10, true) }()
	out.waitFor(t, "first\n")
	write("second\n")
	out.waitFor(t, "second\n")
	if err := os.Rename(file, file+".1"); err != nil {
		t.Fatal(err)
	}
	write("third\n")
	out.waitFor(t, "third\n")
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
