package static

import (
	"strings"
	"sync"

	"github.com/memory-tiered/memory"
)

// Thesaurus finds words of similar meaning, and compares words, by their rows in a model's
// table. It is safe for concurrent use.
type Thesaurus struct {
	table    func() *table
	similar  func() *similarWords // nil: none
	vectors  wordVectors          // for Align
	aligners sync.Pool            // of *aligner
}

// Thesaurus returns the model's thesaurus. It parses the table at the first use.
func (e *Embedder) Thesaurus() *Thesaurus { return &Thesaurus{table: e.table, similar: e.similar} }

// SimilarWords returns the words whose meaning is most similar to a word's, nearest
// first, without the word itself. The weight is their cosine. A word that the vocabulary
// lacks as a whole has none: those of the sum of its pieces made the answers worse.
func (t *Thesaurus) SimilarWords(word string) []memory.Expansion {
	table := t.table()
	id, whole := table.wordStarts[strings.ToLower(word)]
	if !whole || t.similar == nil {
		return nil
	}
	return t.similar().lookup(id, table.tokens)
}
