package capture

import (
	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/lang"
)

// phrases returns those of a section in all languages. A text is matched with every language,
// because people mix them. lang/capture.md describes the sections.
var phrases = lang.PhrasesOf("capture")

// The words of the sections that list words.
var (
	isSelf      = lang.Words("capture", "self")
	isMailField = lang.Words("capture", "mail field")
)

// in reports whether a phrase of a section matches.
func in(section string, f lang.Folded) bool { return phrases(section).Match(f) }

// typeOf returns the memory type that the words of a text show. What is captured
// is a fact unless it says otherwise.
func typeOf(f lang.Folded) memory.Type {
	for _, t := range []memory.Type{memory.TypeProcedural, memory.TypeProject, memory.TypeEpisodic} {
		if in("type "+string(t), f) {
			return t
		}
	}
	return memory.TypeFactual
}
