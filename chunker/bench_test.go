package chunker_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/chunker"
)

// corpus is about a megabyte of typical Markdown: the golden files, repeated.
func corpus(b *testing.B) []byte {
	b.Helper()
	files, err := filepath.Glob("testdata/golden/*.md")
	if err != nil || len(files) == 0 {
		b.Fatal(err)
	}
	var one bytes.Buffer
	for _, f := range files {
		if f == filepath.Join("testdata", "golden", "code.md") || f == filepath.Join("testdata", "golden", "cr.md") {
			continue // its open fence would turn all following files into code
		}
		src, err := os.ReadFile(f)
		if err != nil {
			b.Fatal(err)
		}
		one.Write(src)
		one.WriteString("\n\n")
	}
	return bytes.Repeat(one.Bytes(), 1+(1<<20)/one.Len())
}

func BenchmarkBlocks(b *testing.B) {
	bullets := strings.Repeat("- Prefers tea over coffee in the morning, with a little milk and no sugar.\n", 15_000)
	prose := strings.Repeat(strings.Repeat("The meeting was moved to Thursday because the room is taken. ", 8)+"\n\n", 2_000)
	for name, src := range map[string][]byte{"constructs": corpus(b), "bullets": []byte(bullets), "prose": []byte(prose)} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				if len(chunker.Blocks(src, 0)) == 0 {
					b.Fatal("no blocks")
				}
			}
		})
	}
}

func BenchmarkBullet(b *testing.B) {
	text := strings.Repeat("Deploys go out on Tuesdays, see #deploys and `make #x`.\n", 20)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		chunker.Bullet(text)
	}
}

func BenchmarkChunks(b *testing.B) {
	text := strings.Repeat("The meeting was moved to Thursday because the room is taken. ", 2000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		chunker.Chunks(text)
	}
}
