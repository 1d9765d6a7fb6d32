package dates

import (
	"cmp"
	"slices"
	"strings"

	"github.com/memory-tiered/memory/recall/language"
)

// relationPhrase expresses a relation. Its first word is the key in
// relationPhrases.
type relationPhrase struct {
	Relation
	rest []string // the other words
}

// relationPhrases maps first words to the phrases of English, German, Spanish and
// French, the longest first.
var relationPhrases = map[string][]relationPhrase{}

func init() {
	for kind, list := range map[Relation]string{
		relBefore:  "before, prior to, bevor, ehe, vor, antes de, antes del, antes de que, antes que, avant, avant de, avant que",
		relAfter:   "after, following, nachdem, nach, después de, después del, después de que, después que, tras, après, après que",
		relSince:   "since, ever since, seit, seitdem, desde, desde que, depuis, depuis que",
		relUntil:   "until, till, up until, bis, bis zu, bis zum, bis zur, hasta, hasta que, jusqu'à, jusqu'à ce que, jusqu'au, jusqu'aux, jusqu'en",
		relDuring:  "during, während, durante, pendant, pendant que, lors de, lors du, lors des",
		relAround:  "around, around the time of, alrededor de, alrededor del, autour de, autour du",
		relBetween: "between, from, zwischen, von, vom, entre, de, desde, du",
	} {
		for words := range strings.SplitSeq(list, ", ") {
			all := strings.Fields(words)
			relationPhrases[all[0]] = append(relationPhrases[all[0]], relationPhrase{kind, all[1:]})
		}
	}
	for _, list := range relationPhrases {
		slices.SortFunc(list, func(a, b relationPhrase) int {
			return cmp.Or(cmp.Compare(len(b.rest), len(a.rest)), cmp.Compare(b.Relation, a.Relation))
		})
	}
}

// maxEventWords is the most words that name an event. A longer clause does more
// than give a time.
const maxEventWords = 9

// maxQuestionWords is the length up to which a text is searched for events. A longer
// one is pasted, and its relations are not about the answer.
const maxQuestionWords = 60

var (
	// spatialWords lists relations that are spatial as often as temporal: "nach
	// Berlin", "desde Madrid".
	spatialWords = language.WordSet("vor nach bis desde hasta depuis")

	// germanPrepositions lists German relations with a noun after them, not a clause.
	germanPrepositions = language.WordSet("vor nach seit bis während")

	// phrasalVerbs lists verbs whose "after" is not temporal: "look after".
	phrasalVerbs = language.WordSet("look looks looked looking take takes took taking named ask asks asked run runs ran running")

	// relationStarts lists words that can only begin the next relation.
	relationStarts = language.WordSet("before after since until till during bevor nachdem seitdem antes después avant après")

	// questionWords lists words that begin the question itself after a leading event:
	// "after the move how did they …".
	questionWords = language.WordSet(`how what who whom whose where which why did wer wo wie warum welche welcher welches welchen
qué quién cómo dónde cuándo cuál cuáles cuánto où quand qui quoi comment quel quelle quels quelles combien pourquoi`)

	// nonEventStarts lists words that make an idiom or a question of a relation, not an
	// event: "after all", "vor allem", "avant tout".
	nonEventStarts = language.WordSet("all allem allen that then this it now tout todo nada long longtemps mucho hace wie wann when quand cuándo")

	// determiners lists articles, possessives and demonstratives.
	determiners = language.WordSet(`the a an my your our his her their its this that
der die das dem den des ein eine einem einen einer mein meine meinem meinen meiner dein deinem deiner unser unsere unserem unseren unserer
sein seine seinem seinen seiner ihr ihre ihrem ihren ihrer diesem dieser diesen
el la los las un una mi mis tu tus su sus nuestro nuestra nuestros nuestras aquel aquella este esta que
le les une mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs ce cet cette`)

	// durationWords lists words that express a duration: "after two weeks" names no
	// event.
	durationWords = language.WordSet(`day days week weeks weekend month months year years hour hours minute minutes while moment time times long short ago
tag tage tagen woche wochen monat monate monaten jahr jahre jahren stunde stunden minute minuten zeit weile langem langer kurzem
día días semana semanas mes meses año años hora horas minutos tiempo rato poco mucho
jour jours semaine semaines mois an ans année années heure heures temps moment peu
half quarter last next first new one two three four five six seven eight nine ten eleven twelve many several
zwei drei vier fünf sechs sieben acht neun zehn elf zwölf
dos tres cuatro cinco siete ocho nueve diez once doce deux trois quatre cinq huit neuf dix onze douze`)
)
