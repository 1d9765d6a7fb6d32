package indextest

import (
	"crypto/sha256"
	"hash/fnv"
	"math"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
)

// Noon is the time at which the tests run.
var Noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// Fingerprint hashes a text with its white space folded, as the chunker does.
func Fingerprint(text string) memory.Fingerprint {
	return sha256.Sum256([]byte(strings.Join(strings.Fields(text), " ")))
}

// ID returns the id of the first memory with a text.
func ID(text string) memory.ID { return memory.NewID(Fingerprint(text), 0) }

// File returns a batch of one new file with one memory per line.
func File(path string, lines ...string) memory.Batch {
	b := memory.Batch{Files: []memory.FileState{{Path: path, Hash: sha256.Sum256([]byte(path + "\n" + strings.Join(lines, "\n"))),
		Stamp: "1", Size: int64(len(lines)), ModTime: Noon.Add(-time.Hour)}}}
	for i, line := range lines {
		b.Placements = append(b.Placements, Placement(path, i, line))
	}
	return b
}

// Placement returns the placement of a text in a line of a file.
func Placement(path string, ordinal int, text string) memory.Placement {
	f := Fingerprint(text)
	return memory.Placement{ID: memory.NewID(f, 0), Path: path, Ordinal: ordinal, Change: memory.Added,
		Block: memory.Block{Kind: memory.KindItem, Text: text, Start: 100 * ordinal, End: 100*ordinal + len(text),
			LineStart: ordinal + 1, LineEnd: ordinal + 1, Fingerprint: f},
		Chunks: []memory.Chunk{{Text: text, Fingerprint: f}}}
}

// Join merges batches into one.
func Join(batches ...memory.Batch) (all memory.Batch) {
	for _, b := range batches {
		all.Files, all.Placements = append(all.Files, b.Files...), append(all.Placements, b.Placements...)
		all.Removed, all.Missing = append(all.Removed, b.Removed...), append(all.Missing, b.Missing...)
	}
	return all
}

// Words returns a query of words.
func Words(words ...string) memory.Query {
	q := memory.Query{Text: strings.Join(words, " ")}
	for _, w := range words {
		q.Terms = append(q.Terms, memory.Term{Text: w})
	}
	return q
}

// Identifier returns a query of one identifier.
func Identifier(s string) memory.Query {
	return memory.Query{Text: s, Terms: []memory.Term{{Text: s, Kind: memory.TermIdentifier}}}
}

// Model and Dim describe the vectors of [Embed].
const (
	Model = "bag-of-words"
	Dim   = 32
)

// Embed returns near vectors for texts with common words. The empty text has the zero
// vector, like a text of which a model knows no word.
func Embed(text string) []float32 {
	v := make([]float32, Dim)
	for _, w := range strings.Fields(strings.ToLower(text)) {
		h := fnv.New64a()
		_, _ = h.Write([]byte(w)) // never fails
		x := h.Sum64()
		for i := range v {
			v[i] += float32(int64(x>>(i%32)&7)) - 3.5
		}
	}
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum > 0 {
		for i := range v {
			v[i] /= float32(math.Sqrt(sum))
		}
	}
	return v
}
