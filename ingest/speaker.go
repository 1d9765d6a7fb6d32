package ingest

import (
	"strings"

	"github.com/memory-tiered/memory/identity"
)

// findSpeakers returns the speakers of each file. A speaker's name begins at
// least two of the file's texts, under headings where most texts begin with a
// name. Other lines with a colon have no speaker.
func findSpeakers(blocks []identity.NewBlock) map[speakerKey]bool {
	names := map[speakerKey]int{}
	type section struct{ path, heading string }
	total, named := map[section]int{}, map[section]int{}
	at := func(b identity.NewBlock) section { return section{b.Path, strings.Join(b.Block.Heading, "\n")} }
	for _, b := range blocks {
		total[at(b)]++
		if name, _ := speech(b.Block.Text); name != "" {
			named[at(b)]++
			names[speakerKey{b.Path, name}]++
		}
	}
	speakers := map[speakerKey]bool{}
	for _, b := range blocks {
		name, _ := speech(b.Block.Text)
		if key := (speakerKey{b.Path, name}); name != "" && names[key] > 1 && 2*named[at(b)] > total[at(b)] {
			speakers[key] = true
		}
	}
	return speakers
}

// speakerKey is a name in a file.
type speakerKey struct{ path, name string }
