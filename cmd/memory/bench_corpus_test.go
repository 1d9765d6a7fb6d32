//go:build bench

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/memory-tiered/memory/embed/static"
	"github.com/memory-tiered/memory/internal/must"
)

// corpus writes n memories as bullets and returns their texts. A file has a hundred,
// a heading ten to twenty. The words are English, with the frequencies of natural
// text (Zipf).
func corpus(tb testing.TB, dir string, n int) []string {
	random := rand.New(rand.NewPCG(7, uint64(n)))
	zipf := rand.NewZipf(random, 1.1, 20, 30_000)
	texts := make([]string, n)
	must.Do(tb, os.MkdirAll(filepath.Join(dir, "memory"), 0o755))
	const perFile = 100
	for file := 0; file*perFile < n; file++ {
		day := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, file%1000)
		var b strings.Builder
		fmt.Fprintf(&b, "# %s\n", day.Format("Monday, 2 January 2006"))
		left := 0 // memories until the next heading
		for i := file * perFile; i < min(n, (file+1)*perFile); i++ {
			if left == 0 {
				fmt.Fprintf(&b, "\n## %s %s\n\n", word(zipf.Uint64()), word(zipf.Uint64()))
				left = 10 + random.IntN(11)
			}
			left--
			words := make([]string, 8+random.IntN(25))
			for j := range words {
				words[j] = word(zipf.Uint64())
			}
			texts[i] = strings.Join(words, " ")
			fmt.Fprintf(&b, "- %s\n", texts[i])
		}
		name := fmt.Sprintf("%s-%d.md", day.Format(time.DateOnly), file/1000)
		must.Do(tb, os.WriteFile(filepath.Join(dir, "memory", name), []byte(b.String()), 0o644))
	}
	must.Do(tb, os.WriteFile(filepath.Join(dir, "MEMORY.md"), []byte("# Memory\n"), 0o644))
	return texts
}

// word returns the word of a frequency rank. Frequent words are English; rare words
// are invented, like names.
func word(rank uint64) string {
	if english := english(); rank < uint64(len(english)) {
		return english[rank]
	}
	const consonants, vowels = "bdfgklmnprstvz", "aeiou"
	var b strings.Builder
	for n := rank + 70; n > 0; n /= 70 {
		b.WriteByte(consonants[n%14])
		b.WriteByte(vowels[n/14%5])
	}
	return b.String()
}

// english returns words that the model knows, in random order. It begins with one
// word and adds words of similar meaning again and again. So a query's words have
// synonyms among the others, as in natural text.
var english = sync.OnceValue(func() []string {
	model := static.New()
	const enough = 6000
	thesaurus, seen, all := model.Thesaurus(), map[string]bool{"water": true}, []string{"water"}
	for i := 0; i < len(all) && len(all) < enough; i++ {
		for _, a := range thesaurus.SimilarWords(all[i]) {
			if !seen[a.Text] {
				seen[a.Text] = true
				all = append(all, a.Text)
			}
		}
	}
	rand.New(rand.NewPCG(5, 3)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
})
