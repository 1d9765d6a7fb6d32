package question

import (
	"strings"

	"github.com/memory-tiered/memory/internal/lazyregexp"
)

// asks matches the beginning of a sentence that asks without a question mark.
var asks = lazyregexp.New(`(?i)^(?:(?:and|so|but|und|et|y)[, ]+)?(?:please |bitte )?(?:tell me|remind me|what|which|where|when|who|whose|how|why|sag mir|wer|wo|wann|wie|welche[rsn]?|warum|dis-moi|rappelle-moi|quel(?:le)?s?|où|quand|qui|comment|combien|dime|recuérdame|qué|cuál(?:es)?|dónde|cuándo|quién|cómo)\b`)

// Asks reports whether a prompt is a question, or begins as one.
func Asks(prompt string) bool {
	sentence := strings.TrimSpace(prompt)
	return strings.ContainsAny(prompt, "?？") || asks.MatchString(sentence) || strings.HasSuffix(sentence, "か")
}
