package language

import (
	"maps"
	"slices"
	"strings"
)

// stopWords lists words that tell nothing about the answer. They match nearly every
// memory and would take most of the keyword lane's time. The lists of other languages omit
// the words of ambiguousWords.
var stopWords = WordSet(english + otherLanguages)

const english = `
a about above after again against all also am an and any are aren't as at be because been before being below between both but by
can can't cannot could couldn't did didn't do does doesn't doing don't down during each e.g etc few for from further get gets got
had hadn't has hasn't have haven't having he he'd he'll he's her here hers herself him himself his how however i i'd i'll i'm i've
i.e if in into is isn't it it's its itself just let let's me might more most must my myself nor not of off on once only or other
ought our ours ourselves out over own please same shall she she'd she'll she's should shouldn't so some such tell than that that's
the their theirs them themselves then there there's these they they'd they'll they're they've this those through to too under
until up upon us very was wasn't we we'd we'll we're we've were weren't what what's when where where's whether which while who
who's whom whose why will with won't would wouldn't yes you you'd you'll you're you've your yours yourself yourselves
im ive dont didnt doesnt isnt wasnt whats thats lets cant
`

const otherLanguages = `
aber als alle allen aller alles am auch auf aus bei beim bis bitte bzw da dabei dafür damit dann das dass davon dazu dein deine
deinem deinen deiner dem denn der des dich dir doch du ein eine einem einen einer eines darf darfst diese diesem diesen dieser
dieses durch durfte dürfen er es etwas euch euer eure fürs für geben geht gegen gibt habe haben habt hast hatte hatten hätte
hätten immer ins ich ihm ihn ihr ihre ihrem ihren ihrer im ist ja jede jeder jedes kann kannst kein keine keinem keinen keiner
konnte könnte können machen macht machst mein meine meinem meinen meiner mich mir mochte möchte möchten müssen muss musst musste
mussten nach nicht nichts noch nur ob oder ohne schon sehr seid sein seine seinem seinen seiner seit sich sie sind soll sollen
sollst sollte sollten über um und uns unser unsere unserem unseren unserer unter vom von vor wann warum wegen weil welche welcher
welches wem wen wenn wer werden wie wieder wieviel wieviele wir wird wo wofür woher wohin wollen wollte womit worden worüber
wovon wozu wurde wurden würde zu zum zur zwischen

al alguien alguna algunas alguno algunos aquí así cada como cuál cuáles cuánta cuántas cuántos cuando cuándo cuanto cuánto de
debe deben debo del desde donde dónde durante el ella ellas ellos en entre eran eres es esa ese eso esta está estaba estaban
están estar este esto estos estoy fue fueron ha haber había habían hace hacer han hasta la las le les lo los más mi mis muy nos
nosotros nuestra nuestro mucha muchas mucho muchos ningún ninguna ninguno ni o otra otras otro otros para pero por porque
puede pueden puedo qué que quién se ser sido sobre soy su sus también te tenemos tener tengo tenía tiene tienen tienes toda
todas todos tu tus un una unas uno unos y ya yo

à alors aussi autre autres au aux avaient avais avait avec avez avoir avons c ça ce cela celle celui ces cet cette ces d dans
des du donc doit dois doivent elle elles est et étaient étais était êtes être eux faire fait faites faut il ils j je l jamais
leur leurs lequel laquelle lui ma mais même mes moi n ne nos notre nous ont ou où par pas peut peuvent peux pouvez pourquoi qu
quand quel quelle quelles quels qui quoi qu'ai qu'as qu'avons qu'avez ai-je as-tu avons-nous avez-vous rien sa sans ses si sommes sont suis sur ta tes toi tous toute toutes très trop une vos
votre vous

ao aos das dos ela eles em essa esse isso na nas nem no não nos num numa onde os pela pelo quando quem são seu seus sua suas uma
você

che chi ci cosa cui da dal dalla dei del della delle di gli ha il io lei loro lui mio nel nella non perché più quale quando sono
sul sulla sua suo ti tra uno vi

aan bij dat de deze dit een en er geen het hun ik is je jij jouw maar mijn naar niet nog om ons onze ook op te toen uit waar
waarom wanneer wat welke wie wij ze zijn zo
`

// ambiguousWords lists stop words of other languages that name a thing in English. Examples are German
// die, was, hat and war, Spanish con and hay, French pour and plus. They are stop words in a
// foreign text.
var ambiguousWords = WordSet(`
ab bin den die gab hab hat man mal mit war was
algo con era hay he mal sin son todo va voy
avant chez comment encore font mon on plus pour sous tout ton vers
dove mia per ho
had hoe men met van`)

// IsStopWord reports whether a word, in lower case, is a stop word.
func IsStopWord(word string) bool { return stopWords[word] }

// IsStopWordIn returns a function that reports whether a word, in lower case, is a stop
// word in a text.
func IsStopWordIn(text string) func(word string) bool {
	if !IsForeign(text) {
		return IsStopWord
	}
	return func(word string) bool { return stopWords[word] || ambiguousWords[word] }
}

// AmbiguousWords returns the words, in lower case, that are stop words in foreign texts alone.
func AmbiguousWords() []string { return slices.Collect(maps.Keys(ambiguousWords)) }

// StopWords returns all stop words, in lower case.
func StopWords() []string { return slices.Collect(maps.Keys(stopWords)) }

// WordSet returns the set of the words in a list separated by white space.
func WordSet(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}
