package question

import (
	"slices"

	"github.com/memory-tiered/memory/recall/dates"
	"github.com/memory-tiered/memory/recall/language"
)

// pastWords lists the words with which a question asks for what held once.
var pastWords = language.WordSet(`previously formerly former earlier originally history historical outdated obsolete deprecated archived superseded
früher früheren ehemals damals ursprünglich alte alten altes veraltet antiguo antigua antiguos anteriormente original obsoleto
autrefois auparavant ancien ancienne anciens anciennes obsolète`)

// pastPhrases matches those of several words, and those of scripts without spaces.
// "How old is Mila?" asks for what is so now, and so does "what do old bikes cost?".
var pastPhrases = newPattern(`\b(?:the|our|my|your|his|her|their|its|which|\pL+['’]s) old\b|\bused? to (?:be|have|use|do|run|live|work|go|take|pay|cost)\b|\bin the past\b|\bback then\b|\bbefore that\b|`+
	`\b(?:did|was|were|had) .*\bbefore\b|\b(?:war|waren|hatte|hatten|nutzten|benutzten|verwendeten|haben|hat) .*\b(?:vorher|zuvor)\b|`+
	`\b(?:était|étaient|avait|avions|avaient|utilisait|utilisions|a|avons) .*\bavant\b|`+
	`\b(?:era|eran|estaba|tenía|teníamos|usaba|usábamos|hubo) .*\bantes\b|以前|过去|原来|昔|かつて|従来`,
	" old,use,past,back then,before,vorher,zuvor,avant,antes,以前,过去,原来,昔,かつて,従来")

// asksForPast reports whether a question in lower case asks for what held once.
func asksForPast(lower string, words []string) bool {
	for _, w := range words {
		if pastWords[w] {
			return true
		}
	}
	return pastPhrases.matches(lower, lower)
}

// PastTimes returns the times that the question names and that are over: "in March 2026".
func (in Intent) PastTimes() (times []dates.Span) {
	for _, s := range slices.Concat(in.Whole(in.Now), in.Spans) {
		if s.IsOver(in.Now) {
			times = append(times, s)
		}
	}
	return times
}
