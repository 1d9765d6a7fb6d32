package ingest

import (
	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/identity"
)

// SplitSpeech is what tests see of the inside.
var SplitSpeech = splitSpeech

// SpeakersOf says who speaks each of a file's lines.
func SpeakersOf(lines []string) (who []string) {
	var fresh []identity.NewBlock
	for _, line := range lines {
		fresh = append(fresh, identity.NewBlock{Path: "memory/a.md", Block: memory.Block{Text: line}})
	}
	known := findSpeakers(fresh)
	for _, f := range fresh {
		p := memory.Placement{Path: f.Path, Block: f.Block, Chunks: []memory.Chunk{{Text: f.Block.Text}}}
		setSpeaker(&p, known)
		who = append(who, p.Speaker)
	}
	return who
}
