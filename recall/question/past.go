package question

import (
	"regexp"

	"github.com/memory-tiered/memory/recall/language"
)

// pastWords lists the words with which a question asks for what held once.
var pastWords = language.WordSet(`previously formerly former earlier originally history historical old outdated obsolete deprecated archived superseded
früher früheren ehemals damals ursprünglich alte alten alter altes veraltet antiguo antigua antiguos anteriormente original obsoleto
autrefois auparavant ancien ancienne anciens anciennes obsolète`)

// pastPhrases matches those of several words, and those of scripts without spaces.
var pastPhrases = regexp.MustCompile(`\bused to\b|\bin the past\b|\bback then\b|\bbefore that\b|以前|过去|原来|昔|かつて|従来`)

// asksForPast reports whether a question in lower case asks for what held once.
func asksForPast(lower string, words []string) bool {
	for _, w := range words {
		if pastWords[w] {
			return true
		}
	}
	return pastPhrases.MatchString(lower)
}
