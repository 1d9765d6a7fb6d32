package recall

import (
	"cmp"
	"slices"
	"strings"
)

// relationWord is what relates, behind its first word.
type relationWord struct {
	relation
	rest []string
}

// relationWords are those of English, German, Spanish and French by their first
// word, the longest first.
var relationWords = map[string][]relationWord{}

func init() {
	for kind, list := range map[relation]string{
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
			relationWords[all[0]] = append(relationWords[all[0]], relationWord{kind, all[1:]})
		}
	}
	for _, list := range relationWords {
		slices.SortFunc(list, func(a, b relationWord) int {
			return cmp.Or(cmp.Compare(len(b.rest), len(a.rest)), cmp.Compare(b.relation, a.relation))
		})
	}
}

// maxEventWords is of how many words something that happened may be called by: a
// longer clause says more than when.
const maxEventWords = 9

// maxQuestionWords is of how many words a question may be: a longer text is pasted,
// and what it is before or after is its own affair.
const maxQuestionWords = 60

var (
	// spatialWords are the relations that say where as often as when: "nach Berlin",
	// "desde Madrid".
	spatialWords = wordSet("vor nach bis desde hasta depuis")

	// germanPrepositions are those that a noun follows, not a clause.
	germanPrepositions = wordSet("vor nach seit bis während")

	// phrasalVerbs are the verbs that take an after which says nothing of time.
	phrasalVerbs = wordSet("look looks looked looking take takes took taking named ask asks asked run runs ran running")

	// relationStarts are the words with which the next relation begins, of those that are
	// nothing else.
	relationStarts = wordSet("before after since until till during bevor nachdem seitdem antes después avant après")

	// questionWords are the words of which a question is made, behind a phrase that comes
	// first: "after the move how did they …".
	questionWords = wordSet(`how what who whom whose where which why did wer wo wie warum welche welcher welches welchen
qué quién cómo dónde cuándo cuál cuáles cuánto où quand qui quoi comment quel quelle quels quelles combien pourquoi`)

	// nonEventStarts are the words that make a phrase of something else: "after all", "vor
	// allem", "avant tout".
	nonEventStarts = wordSet("all allem allen that then this it now tout todo nada long longtemps mucho hace wie wann when quand cuándo")

	determiners = wordSet(`the a an my your our his her their its this that
der die das dem den des ein eine einem einen einer mein meine meinem meinen meiner dein deinem deiner unser unsere unserem unseren unserer
sein seine seinem seinen seiner ihr ihre ihrem ihren ihrer diesem dieser diesen
el la los las un una mi mis tu tus su sus nuestro nuestra nuestros nuestras aquel aquella este esta que
le les une mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs ce cet cette`)

	// durationWords are words of which a stretch of time is made: "after two weeks" is
	// nothing that happened.
	durationWords = wordSet(`day days week weeks weekend month months year years hour hours minute minutes while moment time times long short ago
tag tage tagen woche wochen monat monate monaten jahr jahre jahren stunde stunden minute minuten zeit weile langem langer kurzem
día días semana semanas mes meses año años hora horas minutos tiempo rato poco mucho
jour jours semaine semaines mois an ans année années heure heures temps moment peu
half quarter last next first new one two three four five six seven eight nine ten eleven twelve many several
zwei drei vier fünf sechs sieben acht neun zehn elf zwölf
dos tres cuatro cinco siete ocho nueve diez once doce deux trois quatre cinq huit neuf dix onze douze`)
)
