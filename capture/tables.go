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
	sectionRequest         = "request"
	sectionRequestAfter    = "request after"
	sectionRequestTail     = "request tail"
	sectionRequestQuestion = "request question"
	sectionTag             = "tag"
	sectionOpener          = "opener"
	sectionAddition        = "addition"
	sectionLabel           = "label " // and a category
	sectionType            = "type "  // and a memory type
	sectionContinuation    = "continuation"
	sectionQuestion        = "question"
	sectionHypothetical    = "hypothetical"
	sectionReported        = "reported"
	sectionJoke            = "joke"
	sectionTemporary       = "temporary"
	sectionVague           = "vague"
	sectionInstruction     = "instruction"
	sectionPrivate         = "private"
	sectionForget          = "forget"
	sectionTakeBack        = "take back"
	sectionTakeBackNearby  = "take back nearby"
	sectionHesitation      = "hesitation"
	sectionHandOver        = "hand over"
	sectionHandBelow       = "hand over below"
	sectionSpeech          = "speech"
	sectionOwnSpeech       = "own speech"
	sectionAgree           = "agree"
	sectionDisagree        = "disagree"
	sectionAbbreviation    = "abbreviation"
	sectionOrdinal         = "ordinal"
)

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
		case section == sectionAbbreviation || section == sectionOrdinal || section == sectionAddition:
			for word := range strings.FieldsSeq(line.Text) {
				words[section+" "+word] = true
			}
		default:
			p, err := ParsePattern(line.Text)
			if err != nil {
				return fmt.Errorf("%s, line %d: %q in section %q: %w", line.File, line.Number, line.Text, section, err)
			}
			patterns[section] = append(patterns[section], p)
		}
	}
	return nil
}

func knownSection(name string) bool {
	if word, ok := strings.CutPrefix(name, sectionLabel); ok {
		return slices.Contains(memory.Categories, memory.Category(word))
	}
	if word, ok := strings.CutPrefix(name, sectionType); ok {
		return slices.Contains(memory.Types, memory.Type(word))
	}
	return slices.Contains([]string{sectionRequest, sectionRequestAfter, sectionRequestTail, sectionRequestQuestion, sectionTag, sectionOpener, sectionAddition, sectionContinuation, sectionQuestion,
		sectionHypothetical, sectionReported, sectionJoke, sectionTemporary, sectionVague, sectionInstruction, sectionPrivate,
		sectionForget, sectionTakeBack, sectionTakeBackNearby, sectionHesitation, sectionHandOver, sectionHandBelow, sectionSpeech, sectionOwnSpeech,
		sectionAgree, sectionDisagree, sectionAbbreviation, sectionOrdinal}, name)
}

// in reports whether a pattern of a section matches.
func in(section string, f folded) bool { return patternsOf(section).match(f) }

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
