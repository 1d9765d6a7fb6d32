package ingest_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/internal/must"
)

// BenchmarkFirstScan indexes a new workspace; compare memories/s.
func BenchmarkFirstScan(b *testing.B) {
	for _, n := range []int{1_000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			dir := b.TempDir()
			writeLibrary(b, dir, n)
			for b.Loop() {
				w := openWorld(b, dir, b.TempDir())
				w.scan()
				w.close()
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "memories/s")
		})
	}
}

// BenchmarkOneEdit changes one line among ten thousand.
func BenchmarkOneEdit(b *testing.B) {
	dir := b.TempDir()
	writeLibrary(b, dir, 10_000)
	w := openWorld(b, dir, b.TempDir())
	defer w.close()
	w.scan()
	for name, path := range map[string]string{"known-file": "memory/topic-007.md", "everything": ""} {
		b.Run(name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				w.write("memory/topic-007.md", fmt.Sprintf("- the seventh service listens on port %d", i))
				if path == "" {
					w.scan()
				} else {
					w.scan(path)
				}
			}
		})
	}
}

// writeLibrary writes n memories of fifteen words, twenty in a file.
func writeLibrary(b *testing.B, dir string, n int) {
	b.Helper()
	rnd := rand.New(rand.NewPCG(1, 2))
	for file := range n / 20 {
		var lines []string
		for range 20 {
			words := make([]string, 15)
			for i := range words {
				words[i] = fmt.Sprintf("w%d", rnd.IntN(5000))
			}
			lines = append(lines, "- "+strings.Join(words, " "))
		}
		name := filepath.Join(dir, "memory", fmt.Sprintf("topic-%03d.md", file))
		must.Do(b, os.MkdirAll(filepath.Dir(name), 0o755))
		must.Do(b, os.WriteFile(name, []byte(strings.Join(lines, "\n")+"\n"), 0o644))
	}
}

// BenchmarkStaleEntries edits one file while another has entries whose memories are
// gone. Four times as many entries should take four times as long.
func BenchmarkStaleEntries(b *testing.B) {
	for _, n := range []int{2_500, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			dir := b.TempDir()
			writeLibrary(b, dir, 2_000)
			w := openWorld(b, dir, b.TempDir())
			defer w.close()
			rnd := rand.New(rand.NewPCG(3, 4))
			entries := make([]string, n)
			for i := range entries {
				entries[i] = fmt.Sprintf("  - {id: \"%012x\", quote: \"w%d w%d w%d w%d stale%d\", forgotten: 2026-11-20}\n",
					i, rnd.IntN(5000), rnd.IntN(5000), rnd.IntN(5000), rnd.IntN(5000), i)
			}
			w.write("MEMORY.md", "---\nmemories:\n"+strings.Join(entries, "")+"---\n- a heron\n")
			w.scan()
			for i := 0; b.Loop(); i++ {
				w.write("memory/topic-007.md", fmt.Sprintf("- the seventh service listens on port %d", i))
				w.scan("memory/topic-007.md")
			}
		})
	}
}
