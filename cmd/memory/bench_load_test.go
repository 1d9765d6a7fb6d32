//go:build bench

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/internal/must"
)

// timing is how long one kind of request took.
type timing struct {
	Size    int           `json:"size"`
	What    string        `json:"what"`
	Clients int           `json:"clients"`
	Busy    bool          `json:"busy"` // during a bulk re-index
	P50     time.Duration `json:"p50"`
	P95     time.Duration `json:"p95"`
	P99     time.Duration `json:"p99"`
}

// sizeFigures are the time and space that a workspace of Size memories needs.
type sizeFigures struct {
	Size     int           `json:"size"`
	Index    time.Duration `json:"index"`
	Force    time.Duration `json:"force"`
	Disk     int64         `json:"disk"`
	Socket   time.Duration `json:"socket"` // from the start until the socket answers
	First    time.Duration `json:"first"`  // until a search returns the correct hit
	Loaded   time.Duration `json:"loaded"` // until the index is in memory
	InMemory int64         `json:"in_memory"`
	Resident int64         `json:"resident"`
}

// TestBenchRequests measures search and recall over the socket, by one client and by
// four, idle and during a bulk re-index. The baselines are plain FTS5 and plain vec0
// on the same texts and queries in the same run.
func TestBenchRequests(t *testing.T) {
	for _, n := range sizes(t, "10000,100000") {
		h := newHome(t)
		texts := corpus(t, h.dir, n)
		base := newBaseline(t, texts)
		s := sizeFigures{Size: n}
		begin := time.Now()
		h.run("index")
		s.Index, begin = time.Since(begin), time.Now()
		h.run("index", "--force")
		s.Force = time.Since(begin)
		client := h.start(&s, texts)
		stats, err := client.Stats(context.Background(), memory.StatsRequest{})
		must.Do(t, err)
		s.Disk, s.InMemory = stats.DBBytes, stats.InMemory.Bytes
		a := load{t, h, client, texts, n}
		rows := a.sequential(base)
		rows = append(rows, a.concurrent(4, 150, false)...)
		done := h.reindex(client)
		rows = append(rows, a.concurrent(1, 1<<20, true, done)...)
		done = h.reindex(client)
		rows = append(rows, a.concurrent(4, 1<<20, true, done)...)
		stats, err = client.Stats(context.Background(), memory.StatsRequest{})
		must.Do(t, err)
		s.Resident = stats.MemoryBytes
		report(t, n, s, rows)
	}
}

// start starts the service, and measures when its socket answers, when its first
// answer is correct, and when its index is in memory.
func (h *benchHome) start(s *sizeFigures, texts []string) *api.Client {
	begin := time.Now()
	h.daemon = h.command("serve")
	h.daemon.Stderr = os.Stderr
	must.Do(h.tb, h.daemon.Start())
	h.tb.Cleanup(func() { h.daemon.Process.Signal(os.Interrupt); h.daemon.Wait() })
	client, ctx := api.Dial(socketPath(h.state)), context.Background()
	wait := func(ok func() bool) time.Duration {
		for !ok() {
			time.Sleep(time.Millisecond)
		}
		return time.Since(begin)
	}
	s.Socket = wait(func() bool { _, err := client.Health(ctx); return err == nil })
	s.First = wait(func() bool {
		answer, err := client.Search(ctx, memory.SearchRequest{Query: texts[len(texts)/2]})
		return err == nil && len(answer.Hits) > 0 && answer.Hits[0].Text == texts[len(texts)/2]
	})
	s.Loaded = wait(func() bool {
		time.Sleep(20 * time.Millisecond) // stats counts every memory, so frequent calls would distort the result
		stats, err := client.Stats(ctx, memory.StatsRequest{})
		return err == nil && stats.InMemory.Loaded
	})
	wait(func() bool {
		status, err := client.Status(ctx)
		return err == nil && status.Workspaces[0].Fresh && status.Workspaces[0].Embedding.Pending == 0
	})
	return client
}

// reindex rebuilds the index in the background, and closes done at the end.
func (h *benchHome) reindex(client *api.Client) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, err := client.Index(context.Background(), memory.IndexRequest{Force: true}, func(memory.Progress) {})
		must.Do(h.tb, err)
	}()
	return done
}

// load sends requests to one workspace.
type load struct {
	tb     testing.TB
	h      *benchHome
	client *api.Client
	texts  []string
	n      int
}

// query returns the first words of a random text.
func (a *load) query(r *rand.Rand) string {
	words := strings.Fields(a.texts[r.IntN(a.n)])
	return strings.Join(words[:min(6, len(words))], " ")
}

func (a *load) search(client *api.Client, query string) time.Duration {
	begin := time.Now()
	_, err := client.Search(context.Background(), memory.SearchRequest{Query: query})
	must.Do(a.tb, err)
	return time.Since(begin)
}

func (a *load) recall(client *api.Client, query string) time.Duration {
	begin, no := time.Now(), false
	_, err := client.Recall(context.Background(), memory.RecallRequest{Prompt: query, Record: &no})
	must.Do(a.tb, err)
	return time.Since(begin)
}

// sequential runs the service and the baselines in turn, thirty requests each. The
// turns are short enough that all share the same disturbances, and long enough that
// each works with its own caches.
func (a *load) sequential(base *baseline) []timing {
	const rounds, turn = 11, 30 // the first round only warms the caches
	r := rand.New(rand.NewPCG(1, 2))
	var search, recall, words, nearest []time.Duration
	timed := func(ask func(string)) time.Duration {
		query, begin := a.query(r), time.Now()
		ask(query)
		return time.Since(begin)
	}
	kinds := []struct {
		ask   func(string)
		times int
		took  *[]time.Duration
	}{
		{func(q string) { a.search(a.client, q) }, turn, &search},
		{func(q string) { a.recall(a.client, q) }, turn, &recall},
		{base.searchWords, turn, &words},
		{base.searchVectors, turn / 5, &nearest}, // it takes long, and varies little
	}
	for round := range rounds {
		for _, kind := range kinds {
			for range kind.times {
				if took := timed(kind.ask); round > 0 {
					*kind.took = append(*kind.took, took)
				}
			}
		}
	}
	return []timing{a.summarise("search", 1, false, search), a.summarise("recall", 1, false, recall),
		a.summarise("plain FTS5", 1, false, words), a.summarise("plain vec0", 1, false, nearest)}
}

// concurrent runs several clients at once. Each sends a number of requests, or stops
// when done is closed.
func (a *load) concurrent(clients, times int, busy bool, done ...<-chan struct{}) []timing {
	var mu sync.Mutex
	var all sync.WaitGroup
	var search, recall []time.Duration
	over := func() bool {
		for _, d := range done {
			select {
			case <-d:
				return true
			default:
			}
		}
		return false
	}
	for c := range clients {
		all.Go(func() {
			client, r := api.Dial(socketPath(a.h.state)), rand.New(rand.NewPCG(3, uint64(c)))
			defer client.Close()
			for i := 0; i < times && !over(); i++ {
				s, p := a.search(client, a.query(r)), a.recall(client, a.query(r))
				mu.Lock()
				search, recall = append(search, s), append(recall, p)
				mu.Unlock()
			}
		})
	}
	all.Wait()
	return []timing{a.summarise("search", clients, busy, search), a.summarise("recall", clients, busy, recall)}
}

func (a *load) summarise(what string, clients int, busy bool, took []time.Duration) timing {
	if len(took) == 0 {
		return timing{Size: a.n, What: what, Clients: clients, Busy: busy}
	}
	label := fmt.Sprintf("%d: %s, %d client(s)", a.n, what, clients)
	if busy {
		label += ", during a re-index"
	}
	logTimes(a.tb, label, took)
	return timing{a.n, what, clients, busy, percentile(took, .5), percentile(took, .95), percentile(took, .99)}
}

// report writes the figures of one size for scripts/bench.sh, which makes the page
// from them.
func report(tb testing.TB, n int, s sizeFigures, rows []timing) {
	tb.Logf("%d: index %.1f s, --force %.1f s; socket %.0f ms, first answer %.0f ms, in memory after %.1f s; %d MiB on disk, %d MiB in memory, %d MiB resident",
		n, s.Index.Seconds(), s.Force.Seconds(), ms(s.Socket), ms(s.First), s.Loaded.Seconds(), s.Disk>>20, s.InMemory>>20, s.Resident>>20)
	writeFigures(tb, fmt.Sprintf("asking-%d.json", n), map[string]any{"size": s, "timings": rows})
}

// figuresDir returns the folder of the figures; empty if they are not kept.
func figuresDir() string { return os.Getenv("BENCH_OUT") }

func figureFiles(pattern string) []string {
	files, _ := filepath.Glob(filepath.Join(figuresDir(), pattern))
	return files
}
