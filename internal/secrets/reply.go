package secrets

import (
	"strings"

	"github.com/memory-tiered/memory/internal/lazyregexp"
)

// maxNaming bounds the message before a reply: what is asked for stands at its end.
const maxNaming = 600

// naming is what a message tells about a secret whose value may follow.
type naming uint8

const (
	unnamed naming = iota
	named          // it has a word for a secret: "My password changed."
	awaited        // the value is to follow: "What is your PIN?", "My password follows."
)

var (
	// anyWord matches the words for a secret of any kind.
	anyWord = lazyregexp.New(secretWord + `|` + pinWord + `|` + passwordWord + `|` + codeWord + `|` + codeCJK + `|` + keyWord + `|(?i:\bcv[vc]2?\b)`)

	// otherThing matches a thing that has such a word in its name: "password manager".
	otherThing = lazyregexp.New(`(?:` + passwordWord + `|` + secretWord + `)` + compoundNoun)

	// asks matches a request for the value of what the sentence names.
	asks = lazyregexp.New(`(?i)\b(?:what|what's|whats|which|tell|give|send|share|enter|type|provide|confirm|repeat|spell|remind|need|know|have|got|` +
		`wie|was|welche[rsn]?|sag|sage|sagen|nenn|nenne|nennen|gib|geben|schick|brauche|hast|haben|verrate|` +
		`quel|quelle|quels|dis|dites|donne|donnez|envoie|envoyez|rappelle|rappelez|as-tu|avez-vous|` +
		`cuál|cual|qué|dime|dame|dígame|envía|envíame|recuérdame|tienes|tiene)(?:\P{L}|$)|何|教えて|なんです|什么|多少|告诉|告訴|输入|輸入|请问`)
	// asksOtherwise matches a question about the secret that its value does not answer.
	asksOtherwise = lazyregexp.New(`(?i)^\s*(?:(?:and|und|et|y|but|so|ok)\s+)?(?:when|where|who|whose|why|how (?:often|long|many|old|safe|strong)|wann|wo|wer|warum|wie (?:oft|lange|viele|sicher)|quand|où|qui|pourquoi|combien|cuándo|dónde|quién|por qué)\b`)
	// announces matches a sentence after which the value comes.
	announces = lazyregexp.New(`(?i)(?:\b(?:follows|following|here(?:'s| is| are| comes| you go)|comes next|coming up|next message|about to (?:tell|give|send)|(?:let me|i'll|i will|gonna) (?:tell|give|send)|` +
		`folgt|folgen|hier (?:ist|kommt|kommen|sind)|kommt (?:jetzt|gleich)|suit|voici|voilà|sigue|siguiente|aquí (?:está|va|viene)|te (?:digo|doy|paso))\b|以下|如下|接下来|次に|これから|\b(?:is|ist|lautet|est|es)|[:=：…是は]|->|\.\.\.)\s*$|` +
		`(?i)\b(?:here(?:'s| is| comes)|hier (?:ist|kommt)|voici|aquí (?:está|va))\s`)
	// asksToOpen matches a question how something opens, without a word for a secret.
	asksToOpen = lazyregexp.New(`(?i)\b(?:what|which|how|was|wie|womit|welche[rsn]?|quoi|comment|que|qu'est-ce|cómo|qué|con qué)\b[^.!?\n]*?\b(?:` + opens + `|open|unlock|disarm|get in(?:to|side)?|let (?:me|us|you) in|log(?:s|ged)? (?:in|on)(?:to)?|sign in(?:to)?|punch(?:ed)? in|` +
		`dial|keypad|magic word|öffne|öffnen|entsperre|entsperren|reinkomm\p{L}*|rein|hinein|einlogg\p{L}*|anmelde\p{L}*|ouvr\p{L}+|entr(?:e|er|ez)|déverrouill\p{L}*|abr(?:o|es|ir|imos)|entr(?:o|ar|as)|desbloque\p{L}*)\b[^.!\n]*\?`)
	// pointsBack matches a sentence that names what stands before it: "That's the wifi password."
	pointsBack = lazyregexp.New(`(?i)^\s*(?:\p{L}+,?\s+)?(?:that|this|it|which|these|those|das|dies|es|ça|cela|ce|eso|esa|esta|es)(?:['’]s|\s+(?:is|was|are|were|ist|war|sind|est|était|es|era))\s|^\s*(?:c['’]est|es)\s|^(?:それ|これ|这|那|這)`)
)

// Names reports whether the value of a secret may follow a text: it has a word for a
// secret, or asks how something opens.
func Names(text string) bool { return namingOf(text) != unnamed }

// Awaits reports whether a text asks for a secret, or announces one: its value comes next.
func Awaits(text string) bool { return namingOf(text) == awaited }

func namingOf(text string) naming {
	end := fold(endOf(text)).text
	if strings.ContainsAny(end, "?") && asksToOpen.MatchString(end) {
		return awaited
	}
	if !secretStem.MatchString(end) {
		return unnamed
	}
	level := unnamed
	for len(end) > 0 {
		sentence := end
		if at := sentenceEnd.FindStringIndex(end); at != nil {
			sentence, end = end[:at[1]], end[at[1]:]
		} else {
			end = ""
		}
		if sentence = otherThing.ReplaceAllString(sentence, ""); anyWord.MatchString(sentence) {
			level = max(level, levelOf(strings.TrimSpace(sentence)))
		}
	}
	return level
}

// levelOf returns what a sentence with a word for a secret tells about its value.
func levelOf(sentence string) naming {
	const fewWords = 5 // "The password for the wifi?"
	isQuestion := strings.HasSuffix(sentence, "?")
	switch {
	case asksOtherwise.MatchString(sentence):
		return named
	case asks.MatchString(sentence) && (isQuestion || !pointsBack.MatchString(sentence)):
		return awaited
	case isQuestion && len(strings.Fields(sentence)) <= fewWords && !isStateQuestion.MatchString(sentence):
		return awaited
	case announces.MatchString(strings.TrimRight(sentence, ".!。 ")):
		return awaited
	}
	return named
}

// isStateQuestion matches the beginning of a question that yes or no answers.
var isStateQuestion = lazyregexp.New(`(?i)^(?:is|are|was|were|did|does|do|has|should|must|ist|sind|war|wurde|muss|est|sont|es|está|fue)\s`)

// FindReply returns the kind of the secret that a text states as the reply to another one:
// "What is your PIN?" and "It is 2580." A reply that names the secret itself is found by
// [Find].
func FindReply(before, text string) (kind string, found bool) {
	level := namingOf(before)
	if level == unnamed || !readReply(before, text).states(level) {
		return "", false
	}
	switch end := fold(endOf(before)).text; {
	case regexpCode.MatchString(end):
		return "one-time code", true
	case regexpKey.MatchString(end):
		return "token", true
	}
	return "password", true
}

// PointsBack reports whether a text names what was said before it as a secret: "That's the
// wifi password."
func PointsBack(text string) bool {
	first := fold(strings.ToValidUTF8(text[:min(len(text), maxNaming)], "")).text
	if at := sentenceEnd.FindStringIndex(first); at != nil {
		first = first[:at[0]]
	}
	return pointsBack.MatchString(first) && secretStem.MatchString(first) && anyWord.MatchString(otherThing.ReplaceAllString(first, ""))
}

// FindNamedAfter returns the kind of the secret that a text states, if the text after it
// names it so.
func FindNamedAfter(text, after string) (kind string, found bool) {
	if !PointsBack(after) || !readReply(after, text).states(awaited) {
		return "", false
	}
	return "password", true
}

var (
	regexpCode = lazyregexp.New(codeWord + `|` + codeCJK)
	regexpKey  = lazyregexp.New(keyWord)
)

// endOf returns the end of a long text.
func endOf(text string) string {
	return strings.ToValidUTF8(text[max(0, len(text)-maxNaming):], "")
}
