package capture

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/lang"
)

// Sections of a trigger table. lang/capture.md describes them.
const (
	sectionRequest        = "request"
	sectionRequestLinked  = "request linked"
	sectionRequestFrame   = "request frame"
	sectionRequestFiller  = "request filler"
	sectionRequestLink    = "request link"
	sectionRequestNot     = "request not"
	sectionRequestTail    = "request tail"
	sectionRequestUnclear = "request unclear"
	sectionTag            = "tag"
	sectionOpener         = "opener"
	sectionLabel          = "label "    // and a category
	sectionCategory       = "category " // and a category
	sectionType           = "type "     // and a memory type
	sectionContinuation   = "continuation"
	sectionQuestion       = "question"
	sectionHypothetical   = "hypothetical"
	sectionReported       = "reported"
	sectionJoke           = "joke"
	sectionTemporary      = "temporary"
	sectionVague          = "vague"
	sectionInstruction    = "instruction"
	sectionPrivate        = "private"
	sectionForget         = "forget"
	sectionTakeBack       = "take back"
	sectionTakeBackNearby = "take back nearby"
	sectionHesitation     = "hesitation"
	sectionHandOver       = "hand over"
	sectionHandBelow      = "hand over below"
	sectionSpeech         = "speech"
	sectionOwnSpeech      = "own speech"
	sectionAgree          = "agree"
	sectionDisagree       = "disagree"
	sectionAbbreviation   = "abbreviation"
	sectionOrdinal        = "ordinal"
)

// categoryOrder is the order in which the categories of a text are tried. The most
// specific come first: "we decided never to use X" is a decision.
var categoryOrder = []memory.Category{memory.CategoryLesson, memory.CategoryDecision, memory.CategoryTask, memory.CategoryPreference,
	memory.CategoryPlan, memory.CategoryRisk, memory.CategoryEntity, memory.CategoryFact}

// triggers returns the patterns of all languages by section, and their word lists. A
// text is matched with every language, because people mix them. The first call
// compiles them: that takes longer than most commands, which capture nothing.
var triggers = sync.OnceValues(mustLoadTables)

// patternsOf returns the patterns of a section.
func patternsOf(section string) patternSet {
	patterns, _ := triggers()
	return patterns[section]
}

// listed reports whether a section that lists words has a word.
func listed(section, word string) bool {
	_, words := triggers()
	return words[section+" "+strings.ToLower(word)]
}

func mustLoadTables() (map[string]patternSet, wordList) {
	patterns, words := map[string][]Pattern{}, wordList{}
	if err := readTables(lang.Lines("capture"), patterns, words); err != nil {
		panic(err)
	}
	sets := map[string]patternSet{}
	for section, list := range patterns {
		sets[section] = newPatternSet(list)
	}
	return sets, words
}

// wordList holds the words of sections that list words, each behind the name of its
// section.
type wordList map[string]bool

// readTables adds the lines of tables.
func readTables(lines iter.Seq[lang.Line], patterns map[string][]Pattern, words wordList) error {
	for line := range lines {
		section := line.Section
		switch {
		case !knownSection(section):
			return fmt.Errorf("%s, line %d: unknown section %q", line.File, line.Number, section)
		case section == sectionAbbreviation || section == sectionOrdinal:
			for word := range strings.FieldsSeq(line.Text) {
				words[section+" "+word] = true
			}
		default:
			p, err := parsePhrase(line.Text)
			if err != nil {
				return fmt.Errorf("%s, line %d: %q in section %q: %w", line.File, line.Number, line.Text, section, err)
			}
			patterns[section] = append(patterns[section], p)
		}
	}
	return nil
}

func knownSection(name string) bool {
	for _, prefix := range []string{sectionLabel, sectionCategory} {
		if word, ok := strings.CutPrefix(name, prefix); ok {
			return slices.Contains(memory.Categories, memory.Category(word))
		}
	}
	if word, ok := strings.CutPrefix(name, sectionType); ok {
		return slices.Contains(memory.Types, memory.Type(word))
	}
	return slices.Contains([]string{sectionRequest, sectionRequestLinked, sectionRequestFrame, sectionRequestFiller, sectionRequestLink,
		sectionRequestNot, sectionRequestTail, sectionRequestUnclear, sectionTag, sectionOpener, sectionContinuation, sectionQuestion,
		sectionHypothetical, sectionReported, sectionJoke, sectionTemporary, sectionVague, sectionInstruction, sectionPrivate,
		sectionForget, sectionTakeBack, sectionTakeBackNearby, sectionHesitation, sectionHandOver, sectionHandBelow, sectionSpeech, sectionOwnSpeech,
		sectionAgree, sectionDisagree, sectionAbbreviation, sectionOrdinal}, name)
}

// in reports whether a pattern of a section matches.
func in(section string, f folded) bool { return patternsOf(section).match(f) }

// categoryOf returns the category that a sentence's words show, or "".
func categoryOf(f folded) memory.Category {
	for _, c := range categoryOrder {
		if in(sectionCategory+string(c), f) {
			return c
		}
	}
	return ""
}

// typeOf returns the memory type that the words of a text show. What is captured
// is a fact unless it says otherwise.
func typeOf(f folded) memory.Type {
	for _, t := range []memory.Type{memory.TypeProcedural, memory.TypeProject, memory.TypeEpisodic} {
		if in(sectionType+string(t), f) {
			return t
		}
	}
	return memory.TypeFactual
}
