//go:build bench

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/internal/must"
)

// `make bench` runs these benchmarks of the whole product, with the real binary, a
// real socket and a real disk. They print and assert nothing: a time only means
// something next to the baseline of the same run.

// benchHome is the state folder and the workspace of one benchmark.
type benchHome struct {
	tb         testing.TB
	state, dir string
	daemon     *exec.Cmd
}

func newHome(tb testing.TB) *benchHome {
	root, err := os.MkdirTemp("", "memory-bench")
	must.Do(tb, err)
	tb.Cleanup(func() { os.RemoveAll(root) })
	h := &benchHome{tb: tb, state: filepath.Join(root, "state"), dir: filepath.Join(root, "ws")}
	must.Do(tb, os.MkdirAll(h.dir, 0o755))
	return h
}

func (h *benchHome) command(args ...string) *exec.Cmd {
	c := exec.Command(os.Getenv("MEMORY_BIN"), args...)
	c.Env = append(os.Environ(), "MEMORY_STATE_DIR="+h.state, "MEMORY_WORKSPACE="+h.dir)
	return c
}

func (h *benchHome) run(args ...string) string {
	h.tb.Helper()
	c := h.command(args...)
	c.Stderr = os.Stderr
	out, err := c.Output()
	must.Do(h.tb, err)
	return string(out)
}

// serve starts the service and waits until its index is up to date.
func (h *benchHome) serve() *api.Client {
	h.daemon = h.command("serve")
	h.daemon.Stderr = os.Stderr
	must.Do(h.tb, h.daemon.Start())
	h.tb.Cleanup(func() { h.daemon.Process.Signal(os.Interrupt); h.daemon.Wait() })
	client := api.Dial(socketPath(h.state))
	for {
		status, err := client.Status(context.Background())
		if err == nil && len(status.Workspaces) == 1 && status.Workspaces[0].Fresh && status.Workspaces[0].Embedding.Pending == 0 {
			return client
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// sizes returns the numbers of memories to measure: BENCH_SIZES if it is set.
func sizes(tb testing.TB, defaults string) []int {
	if s := os.Getenv("BENCH_SIZES"); s != "" {
		defaults = s
	}
	var out []int
	for _, s := range strings.Split(defaults, ",") {
		n, err := strconv.Atoi(s)
		must.Do(tb, err)
		out = append(out, n)
	}
	return out
}

func percentile(d []time.Duration, p float64) time.Duration {
	d = slices.Clone(d)
	slices.Sort(d)
	return d[min(len(d)-1, int(p*float64(len(d))))]
}

func logTimes(tb testing.TB, name string, d []time.Duration) {
	tb.Logf("%-44s n=%-4d p50 %8.2f ms   p95 %8.2f ms   max %8.2f ms", name, len(d), ms(percentile(d, .5)), ms(percentile(d, .95)), ms(percentile(d, 1)))
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// TestBenchIndexing measures the memories indexed per second, and how that changes
// with their number.
func TestBenchIndexing(t *testing.T) {
	for _, n := range sizes(t, "1000,10000,100000") {
		h := newHome(t)
		corpus(t, h.dir, n)
		begin := time.Now()
		h.run("index")
		first := time.Since(begin)
		begin = time.Now()
		h.run("index")
		again := time.Since(begin)
		begin = time.Now()
		h.run("index", "--force")
		force := time.Since(begin)
		size := int64(0)
		files, _ := filepath.Glob(filepath.Join(h.state, "workspaces", "ws", "tiered.db*"))
		for _, f := range files {
			if info, err := os.Stat(f); err == nil {
				size += info.Size()
			}
		}
		t.Logf("%7d memories: first index %6.2f s (%6.0f/s), nothing changed %5.3f s, --force %6.2f s, index on disk %6.1f MiB",
			n, first.Seconds(), float64(n)/first.Seconds(), again.Seconds(), force.Seconds(), float64(size)/(1<<20))
	}
}

// TestBenchEdits measures the time from saving a file until search finds the text.
func TestBenchEdits(t *testing.T) {
	h := newHome(t)
	corpus(t, h.dir, 10_000)
	h.run("index")
	client := h.serve()
	var one []time.Duration
	for i := range 200 {
		path := filepath.Join(h.dir, "memory", fmt.Sprintf("edit-%d.md", i%20))
		f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		must.Do(t, err)
		token := fmt.Sprintf("zqedit%dx", i)
		_, err = fmt.Fprintf(f, "- this line contains %s\n", token)
		must.Do(t, err)
		must.Do(t, f.Close())
		one = append(one, h.waitUntilFound(client, token))
	}
	logTimes(t, "edit until found, one by one", one)

	begin := time.Now()
	for i := range 300 {
		path := filepath.Join(h.dir, "memory", fmt.Sprintf("checkout-%d.md", i))
		must.Do(t, os.WriteFile(path, []byte(fmt.Sprintf("- the zqcheckout%dx of many files\n", i)), 0o644))
	}
	wrote := time.Since(begin)
	for i := range 300 {
		h.waitUntilFound(client, fmt.Sprintf("zqcheckout%dx", i))
	}
	t.Logf("300 new files written in %.0f ms, all found %.0f ms after the first", ms(wrote), ms(time.Since(begin)))
}

func (h *benchHome) waitUntilFound(client *api.Client, token string) time.Duration {
	begin, one := time.Now(), 1
	for {
		answer, err := client.Search(context.Background(), memory.SearchRequest{Query: token, Limit: &one, Lane: memory.LaneText})
		must.Do(h.tb, err)
		if len(answer.Hits) > 0 && strings.Contains(answer.Hits[0].Text, token) {
			return time.Since(begin)
		}
		if time.Since(begin) > 30*time.Second {
			h.tb.Fatalf("%s not found", token)
		}
		time.Sleep(2 * time.Millisecond)
	}
}

// TestBenchDeciding measures a decision over the socket, until it is in the file,
// synced, and every reader sees it. The baseline replaces the same file by one of
// the same length and syncs it with its folder. That is the price of any safe
// write.
func TestBenchDeciding(t *testing.T) {
	for _, n := range sizes(t, "10000") {
		h := newHome(t)
		corpus(t, h.dir, n)
		h.run("index")
		client := h.serve()
		list, err := client.List(context.Background(), memory.ListRequest{})
		must.Do(t, err)
		random := rand.New(rand.NewPCG(3, 4))
		took := map[memory.Action][]time.Duration{}
		var plain []time.Duration
		for range 100 {
			m := list.Memories[random.IntN(len(list.Memories))]
			for _, action := range []memory.Action{memory.ActionPin, memory.ActionForget, memory.ActionRestore, memory.ActionUnpin} {
				begin := time.Now()
				_, err := client.Decide(context.Background(), memory.DecideRequest{Action: action, IDs: []string{string(m.ID)}})
				must.Do(t, err)
				took[action] = append(took[action], time.Since(begin))
			}
			plain = append(plain, replaceFile(t, filepath.Join(h.dir, "plain.txt"), filepath.Join(h.dir, m.Path)))
		}
		begin := time.Now()
		a, err := client.Decide(context.Background(), memory.DecideRequest{Action: memory.ActionPin, Filter: &memory.Filter{Path: "memory/2024-01-*"}, All: true})
		must.Do(t, err)
		bulk := time.Since(begin)
		t.Logf("%d memories:", n)
		logTimes(t, "  a file of that size replaced and synced", plain)
		for _, action := range []memory.Action{memory.ActionPin, memory.ActionForget, memory.ActionRestore, memory.ActionUnpin} {
			logTimes(t, "  "+string(action)+" over the socket", took[action])
			t.Logf("    p50 as a ratio to the plain write: %.1f", float64(percentile(took[action], .5))/float64(percentile(plain, .5)))
		}
		t.Logf("  pin of %d memories in one command: %.0f ms", len(a.Changed), ms(bulk))
	}
}

// replaceFile replaces the file name by the content of like, with all syncs.
func replaceFile(tb testing.TB, name, like string) time.Duration {
	text, err := os.ReadFile(like)
	must.Do(tb, err)
	begin := time.Now()
	f, err := os.Create(name + ".new")
	must.Do(tb, err)
	_, err = f.Write(text)
	must.Do(tb, err)
	must.Do(tb, f.Sync())
	must.Do(tb, f.Close())
	must.Do(tb, os.Rename(name+".new", name))
	folder, err := os.Open(filepath.Dir(name))
	must.Do(tb, err)
	must.Do(tb, folder.Sync())
	must.Do(tb, folder.Close())
	return time.Since(begin)
}

// logMemory logs the memory that the service uses, as the system counts it.
func (h *benchHome) logMemory(tb testing.TB) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", h.daemon.Process.Pid))
	if err != nil {
		tb.Log("  resident memory: this system does not report it")
		return
	}
	for _, l := range strings.Split(string(status), "\n") {
		if strings.HasPrefix(l, "VmRSS") || strings.HasPrefix(l, "VmHWM") {
			tb.Log("  " + strings.Join(strings.Fields(l), " "))
		}
	}
}

// TestBenchIdle measures the service's processor time without requests and changes,
// for IDLE_SECONDS (default 300).
func TestBenchIdle(t *testing.T) {
	seconds, err := strconv.Atoi(os.Getenv("IDLE_SECONDS"))
	if err != nil {
		seconds = 300
	}
	h := newHome(t)
	corpus(t, h.dir, 10_000)
	h.run("index")
	h.serve()
	time.Sleep(5 * time.Second)
	before, ok := cpuTicks(h.daemon.Process.Pid)
	if !ok {
		t.Skip("this system does not report the processor time of a process")
	}
	time.Sleep(time.Duration(seconds) * time.Second)
	after, _ := cpuTicks(h.daemon.Process.Pid)
	t.Logf("idle for %d s: %.3f %% of a core", seconds, float64(after-before)/float64(seconds)) // a tick is 10 ms: ticks/s = %
	h.logMemory(t)
}

func cpuTicks(pid int) (int, bool) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, false
	}
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return user + system, true
}
