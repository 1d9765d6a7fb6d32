package capture

import (
	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/lang"
)

// categoryOrder is the order in which the categories of a text are tried. The most
// specific come first: "we decided never to use X" is a decision.
var categoryOrder = []memory.Category{memory.CategoryLesson, memory.CategoryDecision, memory.CategoryTask, memory.CategoryPreference,
	memory.CategoryPlan, memory.CategoryRisk, memory.CategoryEntity, memory.CategoryFact}

// phrases returns those of a section in all languages. A text is matched with every language,
// because people mix them. lang/capture.md describes the sections.
var phrases = lang.PhrasesOf("capture")

// The words of the sections that list words.
var (
	isAbbreviation = lang.Words("capture", "abbreviation")
	isOrdinal      = lang.Words("capture", "ordinal")
	isSelf         = lang.Words("capture", "self")
	isMailField    = lang.Words("capture", "mail field")
)

// in reports whether a phrase of a section matches.
func in(section string, f lang.Folded) bool { return phrases(section).Match(f) }

// categoryOf returns the category that a sentence's words show, or "".
func categoryOf(f lang.Folded) memory.Category {
	for _, c := range categoryOrder {
		if in("category "+string(c), f) {
			return c
		}
	}
	return ""
}

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
