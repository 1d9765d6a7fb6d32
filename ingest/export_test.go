package ingest

import (
	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/identity"
)

// Speech is speech.
var Speech = speech

// SpeakersOf returns the speaker of each of a file's lines.
func SpeakersOf(lines []string) (names []string) {
	var blocks []identity.NewBlock
	for _, line := range lines {
		blocks = append(blocks, identity.NewBlock{Path: "memory/a.md", Block: memory.Block{Text: line}})
	}
	speakers := findSpeakers(blocks)
	for _, b := range blocks {
		p := memory.Placement{Path: b.Path, Block: b.Block, Chunks: []memory.Chunk{{Text: b.Block.Text}}}
		setTopic(&p, func(name string) bool { return speakers[speakerKey{b.Path, name}] })
		names = append(names, p.Speaker)
	}
	return names
}
