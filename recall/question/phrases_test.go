package question

import (
	"testing"

	"github.com/memory-tiered/memory/lang"
)

func TestPhrasesOfTheTables(t *testing.T) {
	for section, texts := range map[string][]string{
		"asks past": {"our old port", "used to be", "use to work", "in the past", "back then", "before that", "what was it before", "was hatten wir vorher",
			"qu'est-ce qu'on avait avant", "qué usaba antes", "以前", "过去", "原来", "昔", "かつて", "従来"},
		"asks": {"tell me", "And, please remind me", "what's up", "Wo ist es", "où est-ce", "dónde está", "これは何か"},
	} {
		for _, text := range texts {
			if !has(section, lang.Fold(text)) {
				t.Errorf("%s: %q has no phrase", section, text)
			}
		}
	}
}

func TestTextsWithoutPhrases(t *testing.T) {
	for section, texts := range map[string][]string{
		"asks past": {"How old is Mila?", "the oldest one", "before lunch"},
		"asks":      {"Somebody asks what it is", "whatever"},
	} {
		for _, text := range texts {
			if has(section, lang.Fold(text)) {
				t.Errorf("%s: %q has a phrase", section, text)
			}
		}
	}
}
