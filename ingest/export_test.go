package ingest

import (
	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker/quote"
	"github.com/memory-tiered/memory/identity"
	"github.com/memory-tiered/memory/ingest/detect"
)

// SpeakersOf returns the speaker of each of a file's lines.
func SpeakersOf(lines []string) (names []string) {
	var blocks []identity.NewBlock
	for _, line := range lines {
		blocks = append(blocks, identity.NewBlock{Path: "memory/a.md", Block: memory.Block{Text: line}})
	}
	speakers := findSpeakers(blocks)
	for _, b := range blocks {
		p := memory.Placement{Path: b.Path, Block: b.Block, Chunks: []memory.Chunk{{Text: b.Block.Text}}}
		detect.SetTopic(&p, func(name string) bool { return speakers[speakerKey{b.Path, name}] })
		names = append(names, p.Speaker)
	}
	return names
}

// ComparedWith returns how many of the texts a quote is compared with to find the
// similar one, and which one that is; -1: none.
func ComparedWith(texts, taken []string, quoted string) (compared, match int) {
	var all []candidate
	ids, isTaken := map[string]memory.ID{}, map[memory.ID]bool{}
	for i, text := range texts {
		f := memory.Fingerprint{byte(i), byte(i >> 8)}
		ids[text] = memory.NewID(f, 0)
		all = append(all, newCandidate(ids[text], "MEMORY.md", text, f))
	}
	for _, text := range taken {
		isTaken[ids[text]] = true
	}
	s := newCandidateIndex(all)
	s.dropTaken(isTaken)
	compared = len(s.sharingRareWords(distinctWords(quote.Normalize(quoted))))
	i, ok := s.findSimilar(memory.Entry{Quote: quoted}, "MEMORY.md", isTaken)
	if !ok {
		i = -1
	}
	return compared, i
}
