//go:build !nohugot && (amd64 || arm64)

package minilm_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/embed/minilm"
)

func TestFailureIsReportedAndHeals(t *testing.T) {
	notAFolder := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(notAFolder, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	missing := func(string) *exec.Cmd { return exec.Command("/no/such/program") }
	for _, tt := range []struct {
		name, dir, want string
		command         func(string) *exec.Cmd
	}{
		{"out of memory", "", "runtime: out of memory", worker("out of memory")},
		{"ends without output", "", "its process ended", worker("no output")},
		{"no program", "", "start the transformer", missing},
		{"no folder", notAFolder, "make the folder", worker("none")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			command := tt.command
			e := minilm.New(minilm.Options{Dir: tt.dir, Command: func(dir string) *exec.Cmd { return command(dir) }})
			t.Cleanup(func() { e.ReleaseUnused(0) })
			_, err := e.Embed(t.Context(), embed.Query, []string{"a question"})
			if !errors.Is(err, memory.ErrUnavailable) || !strings.Contains(err.Error(), tt.want) || e.Loaded() || e.Failure() == nil {
				t.Fatalf("%v, want %q; loaded is %v", err, tt.want, e.Loaded())
			}
			command = worker("fake")
			if _, again := e.Embed(t.Context(), embed.Query, []string{"a question"}); again == nil {
				t.Error("it is tried again at once")
			}
			e.RetryNow()
			if err := e.Load(t.Context()); err != nil || !e.Loaded() || e.Failure() != nil {
				t.Errorf("after the cause is gone: %v, failure %v", err, e.Failure())
			}
		})
	}
}

// TestKilledProcessIsStartedAgain kills the process, as the system does when the memory
// is full.
func TestKilledProcessIsStartedAgain(t *testing.T) {
	e := newFake(t)
	if err := e.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := e.KillProcess(); err != nil {
		t.Fatal(err)
	}
	for e.Loaded() { // it is noticed without a question
		time.Sleep(time.Millisecond)
	}
	_, err := e.Embed(t.Context(), embed.Query, []string{"a question"})
	for _, err := range []error{err, e.Failure()} {
		if err == nil || !strings.Contains(err.Error(), "signal: killed") {
			t.Errorf("after the process was killed: %v", err)
		}
	}
	e.RetryNow()
	if _, err := e.Embed(t.Context(), embed.Query, []string{"a question"}); err != nil {
		t.Errorf("the second time: %v", err)
	}
}

// neverLoads stands for a disk that does not answer.
func neverLoads() (embed.Embedder, error) { select {} }

func TestProcessThatHangsWhileItLoadsIsEnded(t *testing.T) {
	command := worker("loads forever")
	e := minilm.New(minilm.Options{Command: func(dir string) *exec.Cmd { return command(dir) }})
	e.SetLimits(50*time.Millisecond, 5*time.Minute)
	for range 3 {
		err := e.Load(t.Context())
		if !errors.Is(err, memory.ErrUnavailable) || !strings.Contains(err.Error(), "did not answer within 50ms") || e.Failure() == nil {
			t.Errorf("%v, failure %v", err, e.Failure())
		}
		if e.Loaded() || e.Loading() != 0 {
			t.Errorf("loaded is %v, loading for %s", e.Loaded(), e.Loading())
		}
		if again := e.Load(t.Context()); again == nil || again.Error() != err.Error() {
			t.Errorf("it is not tried again at once: %v", again)
		}
		e.RetryNow()
	}
	command = worker("fake")
	e.SetLimits(5*time.Minute, 5*time.Minute)
	if _, err := e.Embed(t.Context(), embed.Query, []string{"a question"}); err != nil || !e.Loaded() || e.Failure() != nil {
		t.Errorf("after the cause is gone: %v, failure %v", err, e.Failure())
	}
	e.ReleaseUnused(0)
}

func TestProcessThatLoadsEndsWithTheProgram(t *testing.T) {
	e := minilm.New(minilm.Options{Command: worker("loads forever")})
	done := make(chan error, 1)
	go func() { done <- e.Load(context.Background()) }()
	for e.Loading() == 0 {
		time.Sleep(time.Millisecond)
	}
	if e.Loaded() || e.ReleaseUnused(time.Minute) {
		t.Error("a model that loads is loaded, or was released as one that nobody uses")
	}
	if !e.ReleaseUnused(0) {
		t.Error("not ended")
	}
	if err := <-done; err == nil || !strings.Contains(err.Error(), "the program ends") {
		t.Errorf("%v", err)
	}
}

// TestProcessEndsWithItsInput stands for a program that was killed.
func TestProcessEndsWithItsInput(t *testing.T) {
	var out bytes.Buffer
	if err := minilm.ServeWith(t.Context(), strings.NewReader(""), &out, neverLoads); err != nil || out.Len() > 0 {
		t.Errorf("%v, %q", err, out.String())
	}
}

// TestQuestionDoesNotWaitForAProcessThatHangs stands for a process that was stopped, or
// waits for a disk.
func TestQuestionDoesNotWaitForAProcessThatHangs(t *testing.T) {
	for name, batch := range map[string][]string{"itself": nil, "behind a batch": {"a text"}} {
		t.Run(name, func(t *testing.T) {
			command := worker("hangs")
			e := minilm.New(minilm.Options{Command: func(dir string) *exec.Cmd { return command(dir) }})
			e.SetLimits(5*time.Minute, 50*time.Millisecond)
			if err := e.Load(t.Context()); err != nil {
				t.Fatal(err)
			}
			if batch != nil {
				ctx, stopWaiting := context.WithTimeout(t.Context(), 10*time.Millisecond)
				defer stopWaiting()
				if _, err := e.Embed(ctx, embed.Passage, batch); !errors.Is(err, context.DeadlineExceeded) {
					t.Fatalf("the batch: %v", err)
				}
			}
			start := time.Now()
			for range 3 { // those after the first do not wait
				if _, err := e.Embed(t.Context(), embed.Query, []string{"a question"}); !errors.Is(err, memory.ErrUnavailable) {
					t.Errorf("%v", err)
				}
			}
			if waited := time.Since(start); waited > 20*time.Second || e.Loaded() || e.Failure() == nil {
				t.Errorf("waited %s, loaded is %v, failure %v", waited, e.Loaded(), e.Failure())
			}
			if batch != nil {
				_ = e.KillProcess() // what the batch's own limit does after a minute
			}
			command = worker("fake")
			for e.RetryNow(); e.Load(t.Context()) != nil; e.RetryNow() { // until the batch has ended
				time.Sleep(time.Millisecond)
			}
			e.SetLimits(5*time.Minute, 5*time.Minute) // on a busy machine the answer comes late
			if _, err := e.Embed(t.Context(), embed.Query, []string{"a question"}); err != nil || e.Failure() != nil {
				t.Errorf("afterwards: %v, failure %v", err, e.Failure())
			}
			e.ReleaseUnused(0)
		})
	}
}
