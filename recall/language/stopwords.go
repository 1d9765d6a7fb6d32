package language

import (
	"maps"
	"slices"
	"strings"
)

// stopWords lists words that tell nothing about the answer. They match nearly every
// memory and would take most of the keyword lane's time. The lists of other
// languages omit words that have a meaning in English. These are German die, was,
// hat, man, bin and den, and Spanish sin, son, con, era and hay. They are also
// Dutch men, met, van and hoe, French on, chat, pour and ton, and Italian dove and
// mia.
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
aber als am auch auf aus bei bis da das dass dein deine dem denn der des dich dir doch du ein eine einem einen einer eines
er es euch für gegen haben habe ich ihm ihn ihr ihre im ist ja kann kannst können mein meine mich mir nach nicht noch nur ob oder
sehr seid sein seine sich sie sind über um und uns unser unsere unter vom von vor wann warum weil welche welcher welches wem wen
wenn wer werden wie wieder wir wird wo wurde wurden zu zum zur zwischen

al como cuál cuáles cuando cuándo cuanto cuánto de del desde donde dónde el ella ellas ellos en entre eran eres es esa ese
eso esta está están este esto estos fue fueron ha han hasta la las le les lo los más mi mis muy nos nosotros nuestra nuestro
o para pero por porque qué que quién se ser sido sobre soy su sus también te tenemos tiene tienen tu tus un una unas uno unos y ya yo

à au aux avec c ce ces cet cette ces d dans des du elle elles est et eux il ils j je l leur leurs lui ma mais mes moi n ne nos notre
nous ou où par pas pourquoi qu quand quel quelle quelles quels qui sa sans ses si sont sur ta tes toi une vos votre vous

ao aos das dos ela eles em essa esse isso na nas nem no não nos num numa onde os pela pelo quando quem são seu seus sua suas uma você

che chi ci cosa cui da dal dalla dei del della delle di gli ha il io lei loro lui mio nel nella non perché più quale quando
sono sul sulla sua suo ti tra uno vi

aan bij dat de deze dit een en er geen het hun ik is je jij jouw maar mijn naar niet nog om ons onze ook op te toen uit
waar waarom wanneer wat welke wie wij ze zijn zo
`

// IsStopWord reports whether a word, in lower case, is a stop word.
func IsStopWord(word string) bool { return stopWords[word] }

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
