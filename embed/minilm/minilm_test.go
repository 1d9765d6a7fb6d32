//go:build !nohugot && (amd64 || arm64)

package minilm_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/embed/embedtest"
	"github.com/memory-tiered/memory/embed/minilm"
	"github.com/memory-tiered/memory/internal/atomicfile"
)

// workerVariable makes the test binary the process with the model. Its value is a fault
// that the process has, fake (without a model), or none.
const workerVariable = "MEMORY_TEST_WORKER"

func TestMain(m *testing.M) {
	switch fault := os.Getenv(workerVariable); fault {
	case "":
		code := m.Run()
		if shared != "" {
			_ = os.RemoveAll(shared)
		}
		os.Exit(code)
	case "out of memory":
		fmt.Fprintln(os.Stderr, "fatal error: runtime: out of memory\n\ngoroutine 1 [running]:")
		os.Exit(2)
	case "no output":
		os.Exit(0)
	case "fake":
		_ = minilm.ServeFake(os.Stdin, os.Stdout) // it ends with its input
	case "loads forever":
		_ = minilm.ServeWith(context.Background(), os.Stdin, os.Stdout, neverLoads) // likewise
	case "hangs":
		_ = minilm.ServeNothing(os.Stdin, os.Stdout) // likewise
	default:
		if err := minilm.Serve(context.Background(), os.Stdin, os.Stdout, os.Args[len(os.Args)-1]); err != nil {
			os.Exit(1)
		}
	}
}

// shared is the folder of the expanded weights. The tests that need them share it,
// because writing 90 MB takes a second.
var shared string

var sharedFolder = sync.OnceValue(func() string {
	dir, err := os.MkdirTemp("", "minilm-test-*")
	if err != nil {
		panic(err)
	}
	shared = dir
	return dir
})

// worker returns the command of a process with a fault.
func worker(fault string) func(string) *exec.Cmd {
	return func(dir string) *exec.Cmd {
		c := exec.Command(os.Args[0], dir)
		c.Env = append(os.Environ(), workerVariable+"="+fault)
		return c
	}
}

// newModel returns an embedder whose process has the model. The tests with the race
// detector are short ones.
func newModel(t *testing.T) *minilm.Embedder {
	t.Helper()
	if testing.Short() {
		t.Skip("the library that runs the model does not pass the pointer checks of the race detector")
	}
	e := minilm.New(minilm.Options{Dir: sharedFolder(), Command: worker("none")})
	t.Cleanup(func() { e.ReleaseUnused(0) })
	return e
}

// newFake returns an embedder whose process has no model.
func newFake(t *testing.T) *minilm.Embedder {
	t.Helper()
	e := minilm.New(minilm.Options{Command: worker("fake")})
	t.Cleanup(func() { e.ReleaseUnused(0) })
	return e
}

// The reference vectors were computed from the same weights by another library.
func TestVectorsMatchReference(t *testing.T) {
	src, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var want []struct {
		Text   string
		Vector []float32
	}
	if err := json.Unmarshal(src, &want); err != nil || len(want) != 20 {
		t.Fatal(len(want), err)
	}
	e := newModel(t)
	for _, w := range want {
		if w.Text == "" {
			continue // the model has a vector for it; Embed returns the zero vector
		}
		if len(w.Text) > 200 && !everything() {
			continue // compiling the model for its length takes seconds
		}
		got, err := e.Embed(t.Context(), embed.Passage, []string{w.Text})
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range w.Vector {
			if d := math.Abs(float64(got[0][i] - x)); d > 2e-5 { // rounding, after six layers
				t.Errorf("%.40q: number %d is %f, not %f", w.Text, i, got[0][i], x)
				break
			}
		}
	}
}

// everything reports whether tests may take minutes: make model-test runs them.
func everything() bool { return os.Getenv("MEMORY_TEST_MODEL") != "" }

func TestConformance(t *testing.T) {
	if !everything() {
		t.Skip("a large batch takes a minute; make model-test runs it")
	}
	e := newModel(t)
	embedtest.Run(t, func(*testing.T) embed.Embedder { return e })
}

func TestUnusualTextsHaveAVector(t *testing.T) {
	e := newModel(t)
	if err := os.Chmod(sharedFolder(), 0o700); err != nil {
		t.Fatal(err)
	}
	texts := []string{"🎉", "ไม่มีคำนี้", "", "\x00\xff"}
	if everything() {
		texts = append(texts, strings.Repeat("a long text of many words ", 1700))
	}
	vectors, err := e.Embed(t.Context(), embed.Query, texts)
	if err != nil || embed.Check(vectors, len(texts), minilm.Dim) != nil {
		t.Fatal(err)
	}
	for i, text := range texts {
		if isBlank := text == ""; embed.IsZero(vectors[i]) != isBlank {
			t.Errorf("%.20q: zero vector is %v", text, !isBlank)
		}
	}
	if info, err := os.Stat(sharedFolder()); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the library changed the folder to %v (%v)", info.Mode(), err)
	}
}

func TestDamagedFilesAreWrittenAgain(t *testing.T) {
	if testing.Short() {
		t.Skip("writes and reads 90 MB several times, in one goroutine")
	}
	dir := sharedFolder()
	if _, err := minilm.WriteFiles(dir); err != nil {
		t.Fatal(err)
	}
	if written, err := minilm.WriteFiles(dir); written || err != nil {
		t.Errorf("intact files: written is %v, %v", written, err)
	}
	onnx := filepath.Join(dir, "model.onnx")
	for name, damage := range map[string]func() error{
		"cut short":         func() error { return os.Truncate(onnx, 1<<20) },
		"one byte changed":  func() error { return changeByte(onnx, 50<<20) },
		"tokenizer missing": func() error { return os.Remove(filepath.Join(dir, "tokenizer.json")) },
		"a named pipe": func() error {
			config := filepath.Join(dir, "config.json")
			return errors.Join(os.Remove(config), syscall.Mkfifo(config, 0o600))
		},
		"an empty folder": func() error { return errors.Join(os.Remove(onnx), os.Mkdir(onnx, 0o700)) },
		"half of a write": func() error {
			return os.WriteFile(filepath.Join(filepath.Dir(onnx), atomicfile.TemporaryPrefix(onnx)+"1"), []byte("half"), 0o600)
		},
	} {
		if err := damage(); err != nil {
			t.Fatal(err)
		}
		if written, err := minilm.WriteFiles(dir); err != nil || written == strings.HasPrefix(name, "half") {
			t.Errorf("%s: written is %v, %v", name, written, err)
		}
		if written, err := minilm.WriteFiles(dir); written || err != nil {
			t.Errorf("%s, the second time: written is %v, %v", name, written, err)
		}
	}
}

// A folder with files of somebody stays, and is named, until it is moved away.
func TestFolderInThePlaceOfAFileIsReported(t *testing.T) {
	dir := t.TempDir()
	config := filepath.Join(dir, "config.json")
	if err := os.MkdirAll(filepath.Join(config, "notes"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := minilm.WriteFiles(dir); err == nil || !strings.Contains(err.Error(), config) {
		t.Errorf("a folder in its place: %v", err)
	}
	if _, err := os.Stat(filepath.Join(config, "notes")); err != nil {
		t.Error(err)
	}
}

func changeByte(path string, at int64) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	var b [1]byte
	_, err = f.ReadAt(b[:], at)
	b[0] ^= 1
	_, err2 := f.WriteAt(b[:], at)
	return errors.Join(err, err2, f.Close())
}

func TestFullDiskIsReportedAndLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	for free, want := range map[int64]string{-1: "needs 90 MB", 1 << 30: "needs 90 MB", 50_000_000: "needs 157 MB, and 50 MB are free"} {
		err := minilm.WriteWith(dir, free, func(w io.Writer) error {
			_, err := w.Write(make([]byte, 1<<20))
			return errors.Join(err, syscall.ENOSPC)
		})
		if err == nil || !strings.Contains(err.Error(), "no room") || !strings.Contains(err.Error(), want) {
			t.Errorf("%d bytes are free: %v", free, err)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestUnusedModelIsReleasedAndQuestionsStayCached(t *testing.T) {
	e := newFake(t)
	before, err := e.Embed(t.Context(), embed.Query, []string{"a question"})
	if err != nil {
		t.Fatal(err)
	}
	if e.ReleaseUnused(time.Hour) || !e.Loaded() {
		t.Error("released although it was used a moment ago")
	}
	if !e.ReleaseUnused(0) || e.Loaded() {
		t.Error("not released")
	}
	after, err := e.Embed(t.Context(), embed.Query, []string{"a question"})
	if err != nil || e.Loaded() || after[0][0] != before[0][0] {
		t.Errorf("a question that was asked before: %v; loaded is %v", err, e.Loaded())
	}
}
