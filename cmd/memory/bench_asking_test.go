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
)

// timing is what one way of asking took.
type timing struct {
	Size    int           `json:"size"`
	What    string        `json:"what"`
	Clients int           `json:"clients"`
	Busy    bool          `json:"busy"` // beside a bulk re-index
	P50     time.Duration `json:"p50"`
	P95     time.Duration `json:"p95"`
	P99     time.Duration `json:"p99"`
}

// size is what a workspace of so many memories takes.
type size struct {
	Size     int           `json:"size"`
	Index    time.Duration `json:"index"`
	Force    time.Duration `json:"force"`
	Disk     int64         `json:"disk"`
	Socket   time.Duration `json:"socket"` // from the start until it answers
	First    time.Duration `json:"first"`  // until a search finds what it should
	Loaded   time.Duration `json:"loaded"` // until words and vectors are in memory
	InMemory int64         `json:"in_memory"`
	Resident int64         `json:"resident"`
}

// TestBenchAsking: search and recall over the socket, by one client and by four,
// idle and beside a bulk re-index, beside plain FTS5 and plain vec0 on the same
// texts and words in the same run.
func TestBenchAsking(t *testing.T) {
	for _, n := range sizes(t, "10000,100000") {
		h := newHome(t)
		texts := corpus(t, h.dir, n)
		base := newPlain(t, texts)
		s := size{Size: n}
		begin := time.Now()
		h.run("index")
		s.Index, begin = time.Since(begin), time.Now()
		h.run("index", "--force")
		s.Force = time.Since(begin)
		client := h.start(&s, texts)
		stats, err := client.Stats(context.Background(), "")
		must(t, err)
		s.Disk, s.InMemory = stats.DBBytes, stats.InMemory.Bytes
		a := asking{t, h, client, texts, n}
		rows := a.alone(base)
		rows = append(rows, a.together(4, 150, false)...)
		done := h.reindex(client)
		rows = append(rows, a.together(1, 1<<20, true, done)...)
		done = h.reindex(client)
		rows = append(rows, a.together(4, 1<<20, true, done)...)
		stats, err = client.Stats(context.Background(), "")
		must(t, err)
		s.Resident = stats.MemoryBytes
		report(t, n, s, rows)
	}
}

// start measures the daemon's start: the socket, the first right answer, and
// when all is in memory.
func (h *home) start(s *size, texts []string) *api.Client {
	begin := time.Now()
	h.daemon = h.command("serve")
	h.daemon.Stderr = os.Stderr
	must(h.tb, h.daemon.Start())
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
		time.Sleep(20 * time.Millisecond) // stats counts every memory: asked all the time, it is what would be measured
		stats, err := client.Stats(ctx, "")
		return err == nil && stats.InMemory.Loaded
	})
	wait(func() bool {
		status, err := client.Status(ctx)
		return err == nil && status.Workspaces[0].Fresh && status.Workspaces[0].Embedding.Pending == 0
	})
	return client
}

// reindex rebuilds the index in the background; done is closed when it has.
func (h *home) reindex(client *api.Client) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, err := client.Index(context.Background(), memory.IndexRequest{Force: true}, func(memory.Progress) {})
		must(h.tb, err)
	}()
	return done
}

// asking asks one workspace.
type asking struct {
	tb     testing.TB
	h      *home
	client *api.Client
	texts  []string
	n      int
}

// query is the first words of some text.
func (a *asking) query(r *rand.Rand) string {
	words := strings.Fields(a.texts[r.IntN(a.n)])
	return strings.Join(words[:min(6, len(words))], " ")
}

func (a *asking) search(client *api.Client, query string) time.Duration {
	begin := time.Now()
	_, err := client.Search(context.Background(), memory.SearchRequest{Query: query})
	must(a.tb, err)
	return time.Since(begin)
}

func (a *asking) recall(client *api.Client, query string) time.Duration {
	begin, no := time.Now(), false
	_, err := client.Recall(context.Background(), memory.RecallRequest{Prompt: query, Record: &no})
	must(a.tb, err)
	return time.Since(begin)
}

// alone asks the daemon and the baselines in turn, thirty times each: often
// enough in turn to share what disturbs them, and long enough that each works
// with its own caches.
func (a *asking) alone(base *plain) []timing {
	const rounds, turn = 11, 30 // the first round warms caches on all sides
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
		{base.words, turn, &words},
		{base.nearest, turn / 5, &nearest}, // it takes long, and always the same
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
	return []timing{a.timed("search", 1, false, search), a.timed("recall", 1, false, recall),
		a.timed("plain FTS5", 1, false, words), a.timed("plain vec0", 1, false, nearest)}
}

// together lets several clients ask at once, so often each or until something is
// done.
func (a *asking) together(clients, times int, busy bool, done ...<-chan struct{}) []timing {
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
	return []timing{a.timed("search", clients, busy, search), a.timed("recall", clients, busy, recall)}
}

func (a *asking) timed(what string, clients int, busy bool, took []time.Duration) timing {
	if len(took) == 0 {
		return timing{Size: a.n, What: what, Clients: clients, Busy: busy}
	}
	label := fmt.Sprintf("%d: %s, %d client(s)", a.n, what, clients)
	if busy {
		label += ", beside a re-index"
	}
	row(a.tb, label, took)
	return timing{a.n, what, clients, busy, percentile(took, .5), percentile(took, .95), percentile(took, .99)}
}

// report keeps the figures of one size where scripts/bench.sh makes the page of
// them.
func report(tb testing.TB, n int, s size, rows []timing) {
	tb.Logf("%d: index %.1f s, --force %.1f s; socket %.0f ms, first answer %.0f ms, in memory after %.1f s; %d MiB on disk, %d MiB in memory, %d MiB resident",
		n, s.Index.Seconds(), s.Force.Seconds(), ms(s.Socket), ms(s.First), s.Loaded.Seconds(), s.Disk>>20, s.InMemory>>20, s.Resident>>20)
	keep(tb, fmt.Sprintf("asking-%d.json", n), map[string]any{"size": s, "timings": rows})
}

// kept is the folder of figures, if they are wanted.
func kept() string { return os.Getenv("BENCH_OUT") }

func keptFiles(pattern string) []string {
	files, _ := filepath.Glob(filepath.Join(kept(), pattern))
	return files
}
