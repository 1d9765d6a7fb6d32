package question

import (
	"slices"
	"strings"

	"github.com/memory-tiered/memory/internal/lazyregexp"
	"github.com/memory-tiered/memory/recall/language"
)

// Part is a part of a prompt that is also searched alone.
type Part struct {
	Text   string
	IsCode bool // an identifier: only a memory that contains it answers
	IsItem bool // one of the things asked for together: only its best memory answers
}

const (
	maxParts      = 6
	fewWords      = 16 // a prompt of so many words needs no reduction
	maxItemsWords = 40 // words of a prompt that lists several things, at most
	maxItemWords  = 9  // and of each thing
	leastItems    = 3
)

// Parts returns the parts of a message that people ask for. They are questions behind what
// they tell, the things of a list, and the error codes in what they paste. Most messages
// have none.
func Parts(message string) (parts []Part) {
	words := len(strings.Fields(message))
	if words > fewWords {
		for _, q := range questions(message) {
			parts = append(parts, Part{Text: q})
		}
		for _, code := range codes(message) {
			parts = append(parts, Part{Text: code, IsCode: true})
		}
	}
	if words <= maxItemsWords && len(parts) == 0 {
		parts = append(parts, items(message)...)
	}
	return parts[:min(len(parts), maxParts)]
}

var (
	// sentenceEnd matches the end of a sentence.
	sentenceEnd = lazyregexp.New(`[.!?]+(?:\s+|$)|[。！？]+|\n+`)
	// asks matches the beginning of a sentence that asks without a question mark.
	asks = lazyregexp.New(`(?i)^(?:(?:and|so|but|und|et|y)[, ]+)?(?:please |bitte )?(?:tell me|remind me|what|which|where|when|who|whose|how|why|sag mir|wer|wo|wann|wie|welche[rsn]?|warum|dis-moi|rappelle-moi|quel(?:le)?s?|où|quand|qui|comment|combien|dime|recuérdame|qué|cuál(?:es)?|dónde|cuándo|quién|cómo)\b`)
	// code matches an identifier in capital letters: ERR_LEDGER_409, INC-2041.
	code = lazyregexp.New(`\b[A-Z][A-Z0-9]*(?:[_-][A-Z0-9]+)+\b`)
	// between matches what separates the things of a list.
	between = lazyregexp.New(`(?i)\s*(?:[;\n、，；]|,\s)\s*(?:and |und |et |y |e )?|\s+(?:and|und|et|y)\s+`)
)

// Asks reports whether a prompt is a question, or begins as one.
func Asks(prompt string) bool {
	return strings.ContainsAny(prompt, "?？") || asksInWords(strings.TrimSpace(prompt))
}

// asksInWords reports whether a sentence asks, also without a question mark.
func asksInWords(sentence string) bool {
	return asks.MatchString(sentence) || strings.HasSuffix(sentence, "か")
}

// questions returns the sentences of a text that ask, if others tell.
func questions(text string) (asked []string) {
	tells := false
	for start := 0; start < len(text); {
		end, next := len(text), len(text)
		if at := sentenceEnd.FindStringIndex(text[start:]); at != nil {
			end, next = start+at[0], start+at[1]
		}
		sentence := strings.TrimSpace(text[start:end])
		isQuestion := strings.ContainsAny(text[end:next], "?？") || asksInWords(sentence)
		switch {
		case isQuestion && !IsTrivial(sentence) && !isAboutMaterial(sentence):
			asked = append(asked, strings.TrimSpace(text[start:next]))
		case sentence != "" && !isQuestion:
			tells = true
		}
		start = next
	}
	if !tells {
		return nil
	}
	return asked
}

// codes returns the identifiers in capital letters, each once. A digit or an underscore
// must be in them.
func codes(text string) (found []string) {
	for _, c := range code.FindAllString(text, -1) {
		if strings.ContainsAny(c, "_0123456789") && !slices.Contains(found, c) {
			found = append(found, c)
		}
	}
	return found
}

// request matches the words before the first thing of a list.
var request = lazyregexp.New(`(?i)^(?:please |can you |could you )?(?:tell me|remind me(?: of| about)?|i need|i want|give me|list|show me|sag mir|ich brauche|dis-moi|il me faut|dime|necesito)\s+`)

// items returns the things that a prompt lists, if there are at least leastItems. A question
// after something else ("My head is pounding, what can I take?") makes no list. Neither does
// a list to work on ("Sort this list: …").
func items(text string) (found []Part) {
	text = strings.TrimSpace(text)
	if handsOverMaterial(text) {
		return nil
	}
	list := request.ReplaceAllString(text, "")
	asksAll := list != text || asks.MatchString(list)
	for _, item := range between.Split(list, -1) {
		item = strings.Trim(item, " .!?。？！\t")
		if item == "" {
			continue
		}
		if !asksAll && asks.MatchString(item) || strings.ContainsAny(item, "!?。？！") || strings.Contains(item, ". ") || len(strings.Fields(item)) > maxItemWords || language.AllStopWords(language.SplitWords(strings.ToLower(item))) {
			return nil
		}
		found = append(found, Part{Text: item, IsItem: true})
	}
	if len(found) < leastItems {
		return nil
	}
	return found
}
