package similar

import "strings"

// change is what words such as "moved to" report about a statement. Several may hold.
type change uint16

const (
	becomes  change = 1 << iota // the value is new: "raised to", "now", "from October"
	moves                       // time and day, or the place, may both change
	ends                        // it no longer holds: "no longer", "cancelled"
	denies                      // a plain negation: "not"
	adds                        // it holds beside others: "also"
	retires                     // the next name is what it was before: "from 14 to 16"
	retired                     // the name before it is: "TSLint was replaced by Biome"
	declines                    // the first half of a French negation: "ne … plus"
	finishes                    // its second half
)

// phrase is a list of words that reports a change. "MONTH" stands for any month.
type phrase struct {
	words  []string
	effect change
}

// changePhrases holds the phrases by their first word, the longer ones first.
var changePhrases = func() map[string][]phrase {
	found := map[string][]phrase{}
	for _, group := range []struct {
		effect change
		list   string
	}{
		{becomes, becomesPhrases}, {becomes | moves, movesPhrases}, {ends, endsPhrases}, {denies, deniesPhrases}, {adds, addsPhrases},
		{retires, "from, von, vom"},
		{becomes | retires, "instead of, replaced, replaces, replacing, statt, anstatt, anstelle von, au lieu de, en lugar de, en vez de"},
		{becomes | retired, "was replaced by, was replaced with, were replaced by, is replaced by, wurde ersetzt durch, remplacé par, remplacée par, reemplazado por"},
		{declines, "ne"}, {finishes, "plus"},
	} {
		for text := range strings.SplitSeq(group.list, ",") {
			words := strings.Fields(text)
			list := found[words[0]]
			at := 0
			for at < len(list) && len(list[at].words) >= len(words) {
				at++
			}
			found[words[0]] = append(list[:at:at], append([]phrase{{words, group.effect}}, list[at:]...)...)
		}
	}
	return found
}()

// matchPhrase returns the effect of the longest phrase at the beginning of a list of
// words, and how many words it has.
func matchPhrase(words []string) (effect change, length int) {
	if !listedInClaims.mayHave(words[0]) {
		return 0, 0
	}
	for _, p := range changePhrases[words[0]] {
		if len(p.words) > len(words) {
			continue
		}
		fits := true
		for i, w := range p.words {
			fits = fits && (w == words[i] || w == "MONTH" && months[words[i]])
		}
		if fits {
			return p.effect, len(p.words)
		}
	}
	return 0, 0
}

const becomesPhrases = `now, these days, nowadays, currently, as of MONTH, as of today, as of, from today, since today, from MONTH, since MONTH, starting MONTH, starting in MONTH,
effective, again, instead, correction, corrected, corrected to, update, updated, updated to, new, newly, raised, increased, reduced,
lowered, cut to, went up, went down, goes up, goes down, rose, fell, grew, dropped to, renamed, rebranded, upgraded, downgraded,
updating, switched, switching, changed, migrated, extended, replaced with, became, becomes, turned into, converted, meanwhile,
jetzt, nun, inzwischen, mittlerweile, neuerdings, ab MONTH, seit MONTH, ab heute, seit heute, korrektur, neu, neue, neuer, neues, umbenannt, umgestellt,
gewechselt, erhöht, gesenkt, gestiegen, gesunken, aktualisiert, geändert, stattdessen, verlängert, wieder,
maintenant, désormais, dorénavant, à partir de, depuis MONTH, correctif, rectification, renommé, renommée, augmenté, augmentée,
baissé, baissée, passe à, passé à, passée à, remplacé, remplacée, migré, changé, changée, prolongé, prolongée, nouveau, nouvelle, à nouveau,
ahora, actualmente, ya, a partir de, desde MONTH, corrección, renombrado, renombrada, subió, bajó, aumentó, actualizado, actualizada,
cambiado, cambiada, cambió, pasó a, pasa a, migramos, reemplazado, reemplazada, ampliado, nuevo, nueva, de nuevo`

const movesPhrases = `moved, moves, moving, relocated, postponed, rescheduled, shifted, delayed, brought forward, pushed back,
verschoben, verlegt, vorverlegt, umgezogen, déplacé, déplacée, reporté, reportée, avancé, avancée, déménagé,
trasladado, trasladada, movido, movida, aplazado, aplazada, pospuesto, pospuesta, mudó, mudado`

const endsPhrases = `no longer, not any longer, not anymore, anymore, any more, stopped, quit, gave up, given up, cancelled, canceled,
called off, dropped, dropping, removed, abandoned, discontinued, ended, shut down, retired, decommissioned, expired, got rid of,
nicht mehr, abgesagt, aufgehört, gestrichen, eingestellt, abgeschafft, gekündigt, keine mehr, annulé, annulée, supprimé, supprimée,
abandonné, abandonnée, arrêté, résilié, ya no, cancelado, cancelada, dejó de, dejamos de, eliminado, eliminada, abandonado, anulado, anulada`

const deniesPhrases = `not, never, no, don't, doesn't, isn't, aren't, can't, cannot, won't, nicht, kein, keine, keinen, nie, pas, jamais, nunca`

const addsPhrases = `also, too, another, additionally, second, both, besides, as well, in addition, further, auch, zusätzlich, außerdem,
weitere, weiterer, weiteres, zweite, zweiter, zweites, aussi, également, en plus, autre, deuxième, también, además, otro, otra, segundo, segunda`

var months = set(`january february march april may june july august september october november december
januar februar märz mai juni juli oktober dezember
janvier février mars avril juin juillet août septembre octobre novembre décembre
enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre`)

var weekdays = set(`monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays
montag dienstag mittwoch donnerstag freitag samstag sonntag montags dienstags mittwochs donnerstags freitags samstags sonntags
lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves viernes sábado domingo`)

// role is what a word does in a claim, if it is neither its subject nor its value.
type role uint8

const (
	fillerWord role = iota + 1
	linkWord        // joins a subject and its value; one may stand for another
	homeWord        // tells where somebody lives: "moved to" gives another value of it
)

var roles = func() map[string]role {
	found := map[string]role{}
	for _, group := range []struct {
		role  role
		words string
	}{{fillerWord, stopWords}, {fillerWord, fillerWords}, {linkWord, linkWords}, {homeWord, homeWords}} {
		for word := range strings.FieldsSeq(group.words) {
			found[word] = group.role
		}
	}
	return found
}()

// roleOf returns the role of a word, or 0.
func roleOf(word string) role {
	if !listedInClaims.mayHave(word) {
		return 0
	}
	return roles[word]
}

// listedInClaims has the shapes of the words that mean something in a claim.
var listedInClaims = func() (s shapes) {
	for word := range changePhrases {
		s.add(word)
	}
	for word := range roles {
		s.add(word)
	}
	for _, days := range []map[string]bool{months, weekdays} {
		for word := range days {
			s.add(word)
		}
	}
	return s
}()

const linkWords = `is are was were be been has have had use uses used using run runs running called named costs cost beträgt kostet
ist sind hat haben heißt nutzen nutze verwenden verwende wird wurde est sont a ont coûte utilise utilisons s'appelle
es son tiene tienen cuesta usa usamos llama decided decide set kept`

const fillerWords = `in on at to for of with by from as our we they it its his her their he she than per into until my your out off
um auf im am bei für von vom zu zum zur mit aus an den dem des wir er sie mein meine unser unsere sein seine ihr ihre bis nach durch
de du des à au aux pour dans en sur avec par ce cette mon ma mes nous il elle notre son sa se que
de del al por para con a su mi nuestro nuestra lo se`

const homeWords = `live lives living based resides wohnt wohne lebt lebe wohnen habite habitent vit habita vive vivo viven`
