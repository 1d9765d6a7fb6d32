package search_test

import (
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/search"
	"github.com/memory-tiered/memory/index/text"
)

// under returns a document under a heading of its own.
func under(heading, id, path string, ordinal int, words string) search.Document {
	d := document(id, path, ordinal, words)
	d.Memory.Heading = []string{heading}
	return d
}

// sectionsOf returns the section scores of the documents that a query finds.
func sectionsOf(x *search.Index, words string, p memory.Predicate) map[memory.ID]float64 {
	var terms []memory.Term
	for word := range strings.FieldsSeq(words) {
		terms = append(terms, memory.Term{Text: word})
	}
	scores := map[memory.ID]float64{}
	for _, s := range x.Search(search.Query{Terms: text.CompileTerms(terms), K: 9, Sections: true}, x.Compile(p)).Signals {
		scores[s.ID] = s.Section
	}
	return scores
}

// TestSectionsAreScoredAsAWhole spreads the words of a query over a section.
func TestSectionsAreScoredAsAWhole(t *testing.T) {
	forgotten := under("two", "f", "a.md", 4, "tide lamp")
	forgotten.Memory.Forgotten = true
	docs := []search.Document{under("one", "a", "a.md", 0, "harbour rope"), under("one", "b", "a.md", 1, "tide rope"), under("one", "c", "a.md", 2, "lamp rope"),
		under("two", "d", "a.md", 3, "harbour buoy"), forgotten, under("three", "e", "b.md", 0, "gravel sail")}
	x := newIndex(docs...)
	for len(docs) < 30 { // so that the words are rare
		d := under("other", string(rune('A'+len(docs))), "c"+string(rune('A'+len(docs)))+".md", 0, "keel mast")
		docs = append(docs, d)
		more := docs[len(docs)-1:]
		x.Prepare(more)
		x.Replace(nil, more)
	}
	scores := sectionsOf(x, "harbour tide lamp", memory.Predicate{})
	if scores["a"] != 1 || scores["b"] != 1 || scores["c"] != 1 {
		t.Errorf("the best section has %v, want 1 for all of its documents", scores)
	}
	if scores["d"] >= 0.9 || scores["d"] <= 0 {
		t.Errorf("a section with one of three words has %v, want less", scores["d"])
	}
	if with := sectionsOf(x, "harbour tide lamp", memory.Predicate{Forgotten: memory.Include}); with["d"] <= scores["d"] {
		t.Errorf("with the forgotten document the section has %v, without it %v", with["d"], scores["d"])
	}
	x.Replace([]memory.ID{"a", "b", "c"}, nil)
	if scores := sectionsOf(x, "harbour tide lamp", memory.Predicate{}); scores["d"] != 1 {
		t.Errorf("after the best section is gone, the other one has %v, want 1", scores["d"])
	}
}
