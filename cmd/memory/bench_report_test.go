//go:build bench

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory/internal/must"
)

// writeFigures writes figures to figuresDir, if there is one.
func writeFigures(tb testing.TB, name string, figures any) {
	if figuresDir() == "" {
		return
	}
	src, err := json.MarshalIndent(figures, "", " ")
	must.Do(tb, err)
	must.Do(tb, os.WriteFile(filepath.Join(figuresDir(), name), src, 0o644))
}

// allFigures holds all measurements.
type allFigures struct {
	sizes   []sizeFigures
	timings []timing
	lanes   []laneFigures
}

type laneFigures struct {
	Size    int              `json:"size"`
	Heap    int64            `json:"heap"`
	Words   [3]time.Duration `json:"words"`
	Vectors [3]time.Duration `json:"vectors"`
	Reading [3]time.Duration `json:"reading the signs"`
}

func readFigures(tb testing.TB) (all allFigures) {
	for _, file := range figureFiles("asking-*.json") {
		var one struct {
			Size    sizeFigures `json:"size"`
			Timings []timing    `json:"timings"`
		}
		readJSON(tb, file, &one)
		all.sizes, all.timings = append(all.sizes, one.Size), append(all.timings, one.Timings...)
	}
	for _, file := range figureFiles("lanes-*.json") {
		var one laneFigures
		readJSON(tb, file, &one)
		all.lanes = append(all.lanes, one)
	}
	slices.SortFunc(all.sizes, func(a, b sizeFigures) int { return a.Size - b.Size })
	slices.SortFunc(all.lanes, func(a, b laneFigures) int { return a.Size - b.Size })
	return all
}

func readJSON(tb testing.TB, file string, to any) {
	src, err := os.ReadFile(file)
	must.Do(tb, err)
	must.Do(tb, json.Unmarshal(src, to))
}

// TestBenchReport writes docs/performance.md and its plot from the figures in
// BENCH_OUT.
func TestBenchReport(t *testing.T) {
	all := readFigures(t)
	if figuresDir() == "" || len(all.sizes) == 0 {
		t.Skip("BENCH_OUT contains no figures")
	}
	docs := filepath.Join("..", "..", "docs")
	must.Do(t, os.WriteFile(filepath.Join(docs, "performance.md"), []byte(page(all)), 0o644))
	must.Do(t, os.WriteFile(filepath.Join(docs, "performance.svg"), []byte(plot(all)), 0o644))
}

func page(all allFigures) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# Performance

`+"`make bench`"+` writes this page. It measured on %s, on a
machine with %d cores (%s/%s, %s) that other programs also use. Compare a time only with the baselines of the same run,
which share its disturbances.

- **Search and recall** are complete requests over the socket, with ranking, scoring and packing.
- **The baselines** run in one process, without a socket, and only retrieve. Plain FTS5 is `+"`ORDER BY bm25(f) LIMIT 100`"+`
  over any of the words. Plain vec0 is the hundred nearest vectors.
- **The run.** Each kind of request runs thirty times, then the next kind, ten times over.
- **The memories** have 8 to 32 words, with the word frequencies of natural text. There are a hundred per file, and ten to
  twenty per heading. A query is the first six words of a memory.

![p95 by number of memories](performance.svg)

## Answers

`, time.Now().UTC().Format("2 January 2006"), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version())
	b.WriteString("| memories | request | clients | background load | p50 ms | p95 ms | p99 ms | p95 / plain FTS5 |\n|--:|---|--:|---|--:|--:|--:|--:|\n")
	for _, s := range all.sizes {
		base := findTiming(all.timings, s.Size, "plain FTS5", 1, false)
		for _, r := range all.timings {
			if r.Size != s.Size {
				continue
			}
			background := "–"
			if r.Busy {
				background = "re-index"
			}
			fmt.Fprintf(&b, "| %d | %s | %d | %s | %.2f | %.2f | %.2f | %.2f |\n", r.Size, r.What, r.Clients, background,
				ms(r.P50), ms(r.P95), ms(r.P99), float64(r.P95)/float64(max(1, base.P95)))
		}
	}
	b.WriteString("\n## Start and size\n\n| memories | first index s | `index --force` s | socket ms | first correct answer ms | loaded after s | on disk MiB | index in memory MiB | resident MiB |\n|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, s := range all.sizes {
		fmt.Fprintf(&b, "| %d | %.1f | %.1f | %.0f | %.0f | %.1f | %d | %d | %d |\n", s.Size, s.Index.Seconds(), s.Force.Seconds(),
			ms(s.Socket), ms(s.First), s.Loaded.Seconds(), s.Disk>>20, s.InMemory>>20, s.Resident>>20)
	}
	b.WriteString(`
The first index comes in slices. [Decision 8](decisions/0008-slices.md) has its processor time, peak memory and first answer,
before and after. Resident memory is measured after the re-indexes. It includes the database pages that the system has mapped. Answers come
from the database until the index in memory is loaded; ` + "`memory stats`" + ` shows which. With ` + "`search.inMemory: false`" + ` it is
never loaded.
`)
	if len(all.lanes) > 0 {
		b.WriteString("\n## The lanes alone\n\nIn one process, a hundred results, p50 / p95 in ms. \"Reading the signs\" reads every sign code once and does nothing with\nit; it shows the limit that the memory's bandwidth sets.\n\n| memories | words in context | vectors | reading the signs | heap MiB |\n|--:|--:|--:|--:|--:|\n")
		for _, l := range all.lanes {
			fmt.Fprintf(&b, "| %d | %.2f / %.2f | %.2f / %.2f | %.2f / %.2f | %d |\n", l.Size, ms(l.Words[0]), ms(l.Words[1]),
				ms(l.Vectors[0]), ms(l.Vectors[1]), ms(l.Reading[0]), ms(l.Reading[1]), l.Heap>>20)
		}
	}
	b.WriteString("\n## Measure again\n\n```\nmake bench            # 10,000 and 100,000 memories, and this page\nmake bench-lanes      # the lanes alone at 100,000 and 1,000,000\nBENCH_SIZES=1000 make bench\n```\n")
	return b.String()
}

func findTiming(all []timing, n int, what string, clients int, busy bool) timing {
	for _, r := range all {
		if r.Size == n && r.What == what && r.Clients == clients && r.Busy == busy {
			return r
		}
	}
	return timing{}
}

// plot draws the 95th percentiles of one client without background load as bars.
func plot(all allFigures) string {
	const barHeight, gap, left, width = 18, 6, 190, 720
	var bars strings.Builder
	longest, y := time.Duration(1), 30
	for _, r := range all.timings {
		if r.Clients == 1 && !r.Busy {
			longest = max(longest, r.P95)
		}
	}
	colours := map[string]string{"search": "#2b6cb0", "recall": "#2f855a"}
	for _, s := range all.sizes {
		for _, what := range []string{"recall", "search", "plain FTS5", "plain vec0"} {
			r := findTiming(all.timings, s.Size, what, 1, false)
			colour := colours[what]
			if colour == "" {
				colour = "#a0aec0"
			}
			long := float64(width-left-90) * float64(r.P95) / float64(longest)
			fmt.Fprintf(&bars, `<text x="%d" y="%d" text-anchor="end">%s, %d</text><rect x="%d" y="%d" width="%.1f" height="%d" fill="%s"/><text x="%.1f" y="%d">%.2f ms</text>`+"\n",
				left-8, y+13, what, s.Size, left, y, max(1, long), barHeight, colour, float64(left)+max(1, long)+6, y+13, ms(r.P95))
			y += barHeight + gap
		}
		y += gap
	}
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">
<rect width="100%%" height="100%%" fill="white"/>
<text x="%d" y="18" font-weight="bold">95 of 100 answers come within (one client)</text>
%s</svg>
`, width, y+6, left, bars.String())
}
