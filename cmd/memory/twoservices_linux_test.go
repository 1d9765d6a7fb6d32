package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/index/indextest"
	"github.com/memory-tiered/memory/index/postgres"
	"github.com/memory-tiered/memory/internal/must"
)

// onServer returns a command of a state folder whose index is in a schema of a server.
func onServer(t *testing.T, o postgres.Options, dir, state string, args ...string) *exec.Cmd {
	t.Helper()
	writeFile(t, filepath.Join(state, "config.yaml"), fmt.Sprintf("embedding: {local: {quality: fast}}\nindex: {backend: postgres, url: %q}\nworkspaces: {main: {path: %q, schema: %q}}\n", o.URL, dir, o.Schema))
	must.Do(t, os.Chmod(state, 0o700))
	c := exec.Command(must.Get(os.Executable())(t), args...)
	c.Args[0], c.Dir, c.Env = "memory", dir, append(terminalEnvironment(dir, state), "MEMORY_WORKSPACE=")
	return c
}

// serveOn starts a service of [onServer], and returns its process.
func serveOn(t *testing.T, o postgres.Options, dir, state string) *os.Process {
	t.Helper()
	c := onServer(t, o, dir, state, "serve")
	must.Do(t, c.Start())
	t.Cleanup(func() {
		_ = c.Process.Signal(syscall.SIGTERM)
		_ = c.Wait()
	})
	for end := time.Now().Add(time.Minute); !daemonAnswers(t.Context(), state); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the service does not answer")
		}
	}
	return c.Process
}

// madeUp returns a sentence of words that no other one has.
func madeUp(r *rand.Rand) string {
	word := func() string {
		w := ""
		for range 4 {
			w += string("bdfgklmnprstvz"[r.IntN(14)]) + string("aeiou"[r.IntN(5)])
		}
		return strings.ToUpper(w[:1]) + w[1:]
	}
	return fmt.Sprintf("%s keeps the lamp of %s in %s.", word(), word(), word())
}

// client stores and finds texts at two services. It asks the other one after an error.
type client struct {
	services []*api.Client
	at       int
}

// try calls a service until one answers. Each error must be one that the other may not have.
func (c *client) try(t *testing.T, call func(*api.Client) error) bool {
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		err := call(c.services[c.at])
		if err == nil {
			return true
		}
		if !errors.Is(err, memory.ErrUnavailable) && !errors.Is(err, api.ErrNoAnswer) || time.Now().After(end) {
			t.Errorf("%v (%T)", err, err)
			return false
		}
		c.at = (c.at + 1) % len(c.services)
	}
}

// storesAndFinds stores a text and finds it. It reports whether it is stored.
func (c *client) storesAndFinds(t *testing.T, text string) bool {
	if !c.try(t, func(s *api.Client) error {
		_, err := s.Store(t.Context(), memory.StoreRequest{Text: text})
		return err
	}) {
		return false
	}
	return c.try(t, func(s *api.Client) error {
		a, err := s.Search(t.Context(), memory.SearchRequest{Query: text})
		if err == nil && (len(a.Hits) == 0 || a.Hits[0].Text != text) {
			t.Errorf("%q is not found: %d hits", text, len(a.Hits))
		}
		return err
	})
}

// Twenty clients ask two services of one index, while the one that writes is killed.
func TestTheSecondServiceOfAnIndexTakesOver(t *testing.T) {
	o := indextest.Postgres(t)
	dir, states := t.TempDir(), []string{t.TempDir(), t.TempDir()}
	writeFile(t, filepath.Join(dir, "MEMORY.md"), "- The heron lives by the mill pond.\n")
	first := serveOn(t, o, dir, states[0])
	serveOn(t, o, dir, states[1])
	reader := api.Dial(socketPath(states[1]))
	defer reader.Close()
	_, err := reader.Store(t.Context(), memory.StoreRequest{Text: "The owl lives in the barn."})
	if !errors.Is(err, memory.ErrUnavailable) || !strings.Contains(err.Error(), fmt.Sprint("pid ", first.Pid)) {
		t.Fatalf("the second service writes: %v", err)
	}
	const clients, texts = 20, 6
	var stored sync.Map
	var count atomic.Int32
	var work sync.WaitGroup
	for n := range clients {
		c := &client{at: n % 2, services: []*api.Client{api.Dial(socketPath(states[0])), api.Dial(socketPath(states[1]))}}
		r := rand.New(rand.NewPCG(uint64(n), 1))
		work.Go(func() {
			for range texts {
				text := madeUp(r)
				if c.storesAndFinds(t, text) {
					stored.Store(text, true)
				}
				count.Add(1)
			}
			for _, s := range c.services {
				_ = s.Close()
			}
		})
	}
	for count.Load() < clients*texts/4 {
		time.Sleep(time.Millisecond)
	}
	killed := time.Now()
	sendSignal(t, first, syscall.SIGKILL)
	(&client{services: []*api.Client{reader}}).storesAndFinds(t, "The owl lives in the barn.")
	t.Logf("the second service writes %v after the first was killed", time.Since(killed).Round(time.Millisecond))
	work.Wait()
	checkOnce(t, reader, dir, &stored, clients*texts)
}

// checkOnce checks that each text is once in the files and once in the index.
func checkOnce(t *testing.T, service *api.Client, dir string, stored *sync.Map, want int) {
	t.Helper()
	files := ""
	days, err := filepath.Glob(filepath.Join(dir, "memory", "*.md"))
	for _, day := range days {
		text, readErr := os.ReadFile(day)
		files, err = files+string(text), errors.Join(err, readErr)
	}
	list, listErr := service.List(t.Context(), memory.ListRequest{Limit: new(1000)})
	must.Do(t, errors.Join(err, listErr))
	listed := map[string]int{}
	for _, m := range list.Memories {
		listed[m.Text]++
	}
	n := 0
	stored.Range(func(text, _ any) bool {
		n++
		if inFiles := strings.Count(files, text.(string)); inFiles != 1 || listed[text.(string)] != 1 {
			t.Errorf("%q is %d times in the files and %d times in the index", text, inFiles, listed[text.(string)])
		}
		return true
	})
	if n != want || list.Total != want+2 {
		t.Errorf("%d texts are stored and %d memories are listed, want %d and %d", n, list.Total, want, want+2)
	}
}

func TestARemovedWorkspaceNamesItsSchema(t *testing.T) {
	o := indextest.Postgres(t)
	dir, state := t.TempDir(), t.TempDir()
	writeFile(t, filepath.Join(dir, "MEMORY.md"), "- The heron lives by the mill pond.\n")
	must.Get(onServer(t, o, dir, state, "index").CombinedOutput())(t)
	out := must.Get(onServer(t, o, dir, state, "workspace", "remove", "main").CombinedOutput())(t)
	if want := "DROP SCHEMA \"" + o.Schema + "\" CASCADE"; !strings.Contains(string(out), want) {
		t.Errorf("the answer lacks %s:\n%s", want, out)
	}
}

// What the Markdown does not have moves by an export, from a file to a server and back.
func TestAnExportMovesTheIndexToAServerAndBack(t *testing.T) {
	o := indextest.Postgres(t)
	dir, server, files := t.TempDir(), t.TempDir(), []string{t.TempDir(), t.TempDir()}
	writeFile(t, filepath.Join(dir, "MEMORY.md"), "- The heron lives by the mill pond.\n- The owl lives in the barn.\n")
	run := func(state string, args ...string) string {
		t.Helper()
		c := onServer(t, o, dir, state, args...)
		if state != server {
			must.Do(t, os.Remove(filepath.Join(state, "config.yaml")))
			c.Env = terminalEnvironment(dir, state)
		}
		var notes strings.Builder
		c.Stderr = &notes
		out, err := c.Output()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, notes.String())
		}
		return string(out)
	}
	run(files[0], "recall", "Where does the heron live?")
	run(files[0], "pin", "--query", "heron", "--yes")
	run(files[0], "forget", "--query", "owl", "--yes")
	facts := func(state string) string {
		t.Helper()
		found := strings.Split(run(state, "search", "heron", "--json"), "\n")
		found = slices.DeleteFunc(found, func(line string) bool {
			return !strings.Contains(line, `"use_count"`) && !strings.Contains(line, `"pinned"`) && !strings.Contains(line, `"created_at"`)
		})
		return strings.Join(found, "\n") + "\n" + run(state, "audit") + run(state, "list", "--forgotten")
	}
	want := facts(files[0])
	if !strings.Contains(want, `"use_count": 1`) || !strings.Contains(want, "[FORGOTTEN]") {
		t.Fatalf("nothing to move:\n%s", want)
	}
	for i, states := range [][]string{{files[0], server}, {server, files[1]}} {
		export := filepath.Join(t.TempDir(), "state.ndjson")
		run(states[0], "export", export)
		run(states[1], "import", export)
		if got := facts(states[1]); got != want {
			t.Errorf("after import %d:\n%s\nwant\n%s", i, got, want)
		}
	}
}
