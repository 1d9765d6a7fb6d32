package similar

import "strings"

// change is what words such as "moved to" report about a statement. Several may hold.
type change uint16

const (
	becomes     change = 1 << iota // the value is new: "raised to", "now", "from October"
	moves                          // time and day, or the place, may both change
	ends                           // it no longer holds: "no longer", "cancelled"
	denies                         // a plain negation: "not"
	adds                           // it holds beside others: "also"
	retires                        // the next name is what it was before: "from 14 to 16"
	retired                        // the name before it is: "TSLint was replaced by Biome"
	declines                       // the first half of a French negation: "ne … plus"
	finishes                       // its second half
	substitutes                    // it stands in for the next name: "instead of"
	doubts                         // it may not hold, or only for a while: "maybe", "if", "is on holiday"
)

// phrase is a list of words that reports a change. "MONTH" stands for any month, which
// may have a day: "from October", "ab 1. Oktober". No words after it tell where a span
// ends: "open from May to June".
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
		{retires, "from, von, vom"}, {becomes | retires, replacesPhrases}, {becomes | retires | substitutes, substitutesPhrases},
		{becomes | retired, replacedPhrases}, {doubts, doubtsPhrases}, {0, leadPhrases},
		{declines, "ne"}, {finishes, "plus, mehr"},
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
		if n := p.match(words); n > 0 {
			return p.effect, n
		}
	}
	return 0, 0
}

// match returns how many words at the beginning of a list the phrase has, or 0.
func (p *phrase) match(words []string) (length int) {
	at := 0
	for _, w := range p.words {
		switch {
		case at == len(words):
			return 0
		case w == "MONTH":
			n := matchMonth(words[at:])
			if at += n; n == 0 || at < len(words) && spanWords[words[at]] {
				return 0
			}
		case w != words[at]:
			return 0
		default:
			at++
		}
	}
	return at
}

// matchMonth returns how many words at the beginning of a list are a month, with or
// without its day: "October", "1. Oktober", "1er octobre", "1 de octubre".
func matchMonth(words []string) (length int) {
	if months[words[0]] {
		return 1
	}
	if words[0][0] < '0' || words[0][0] > '9' {
		return 0
	}
	for n := 1; n < min(len(words), 3); n++ {
		if months[words[n]] {
			return n + 1
		}
		if words[n] != "de" && words[n] != "of" {
			return 0
		}
	}
	return 0
}

// spanWords lists words before the end of a span.
var spanWords = set("to until till through – - bis au jusqu'au jusqu'en al hasta a")

const becomesPhrases = `now, these days, nowadays, currently, as of MONTH, as of today, as of, from today, since today, from MONTH, since MONTH, starting MONTH, starting in MONTH,
from the MONTH, as of the MONTH, effective, again, instead, correction, corrected, corrected to, update, updated, updated to, new, newly, raised, increased, reduced,
lowered, cut to, went up, went down, goes up, goes down, rose, fell, grew, dropped to, renamed, rebranded, upgraded, downgraded,
bumped, upped, lifted, slashed, trimmed, doubled, halved, tripled, shortened, adjusted, revised, amended, swapped, jumped to, climbed to,
increase, increases, rise, reduction, updating, switch, switches, switched, switching, changed, migrated, extended, replaced with, became, becomes, turned into, converted, meanwhile,
jetzt, nun, inzwischen, mittlerweile, neuerdings, ab MONTH, ab dem MONTH, seit MONTH, seit dem MONTH, ab heute, ab jetzt, seit heute, ab sofort, künftig, korrektur, neu, neue, neuer, neues, neuen, neuem, umbenannt, umgestellt, umgestiegen,
angehoben, abgesenkt, herabgesetzt, heraufgesetzt, verkürzt, verdoppelt, halbiert, angepasst, ausgetauscht, wechselt, wechseln, wechselten, gewachsen,
gewechselt, erhöht, gesenkt, gestiegen, gesunken, aktualisiert, geändert, stattdessen, verlängert, wieder,
maintenant, désormais, dorénavant, à partir de, à partir du, à partir du MONTH, à partir de MONTH, à compter du MONTH, depuis MONTH, depuis le MONTH, hausse, baisse, augmentation, relevé, relevée, réduit, réduite, raccourci, doublé, correctif, rectification, renommé, renommée, augmenté, augmentée,
baissé, baissée, passe à, passé à, passée à, remplacé, remplacée, migré, changé, changée, prolongé, prolongée, nouveau, nouvelle, nouvel, à nouveau,
ahora, actualmente, ya, a partir de, a partir del, a partir del MONTH, a partir de MONTH, desde MONTH, desde el MONTH, subida, bajada, aumento, subido, bajado, reducido, reducida, duplicado, cambiamos, pasamos a, corrección, renombrado, renombrada, subió, bajó, aumentó, actualizado, actualizada,
cambiado, cambiada, cambió, pasó a, pasa a, migramos, reemplazado, reemplazada, ampliado, nuevo, nueva, de nuevo`

const movesPhrases = `moved, moves, moving, relocated, postponed, rescheduled, shifted, delayed, brought forward, pushed back, pushed to, slipped, slips, put off, slid,
verschoben, verlegt, vorverlegt, umgezogen, gezogen, vertagt, vorgezogen, verschiebt sich, décalé, décalée, repoussé, repoussée, retrasado, retrasada, adelantado, adelantada, déplacé, déplacée, reporté, reportée, avancé, avancée, déménagé,
trasladado, trasladada, movido, movida, aplazado, aplazada, pospuesto, pospuesta, mudó, mudé, mudado`

const endsPhrases = `no longer, not any longer, not anymore, anymore, any more, stopped, quit, gave up, given up, cancelled, canceled,
called off, dropped, dropping, removed, abandoned, discontinued, ended, shut down, retired, decommissioned, expired, got rid of,
nicht mehr, abgesagt, aufgehört, gestrichen, eingestellt, abgeschafft, gekündigt, keine mehr, annulé, annulée, supprimé, supprimée,
abandonné, abandonnée, arrêté, résilié, ya no, cancelado, cancelada, dejó de, dejamos de, eliminado, eliminada, abandonado, anulado, anulada`

const deniesPhrases = `not, never, no, don't, doesn't, isn't, aren't, can't, cannot, won't, nicht, kein, keine, keinen, nie, pas, jamais, nunca`

// After these words comes the former value.
const replacesPhrases = `replace, replaced, replaces, replacing, took over from, takes over from, succeeds, succeeded, previously, formerly, used to be, went from, goes from,
go from, rose from, fell from, grew from, dropped from, up from, down from, vorher, bisher, zuvor, ehemals, stieg von, stiegen von, fiel von, fielen von,
ging von, wuchs von, ersetzt, löst, remplacé, remplacée, remplace, auparavant, anciennement, précédemment, passé de, passée de, passés de, passe de,
passent de, migré de, pasó de, pasa de, pasaron de, pasamos de, cambiamos de, cambió de, migramos de, subió de, bajó de, anteriormente, sustituye a, reemplaza a`

// After these words comes the former value, or that of which this is an exception.
const substitutesPhrases = `instead of, rather than, in place of, statt, anstatt, anstelle von, an stelle von, au lieu de, au lieu du, au lieu, à la place de, à la place du,
plutôt que, en lugar de, en lugar del, en vez de, en vez del`

// Before these words comes the former value.
const replacedPhrases = `was replaced by, was replaced with, were replaced by, is replaced by, has been replaced by, in favour of, in favor of, wurde ersetzt durch,
wurde durch, wurden durch, zugunsten von, remplacé par, remplacée par, est remplacé par, est remplacée par, en faveur de, reemplazado por, reemplazada por,
sustituido por, sustituida por, a favor de, is gone, are gone, is dead, is history, ist weg, sind weg, ist raus, ist geschichte`

const doubtsPhrases = `maybe, perhaps, possibly, might, could, should, would, if, whether, unless, whenever, idea, consider, considering, considers, considered,
proposal, proposed, proposes, suggestion, suggested, suggests, wants, want, wanted, wish, evaluate, evaluating, try, trying, tried, just once, only once, this time, this once, for now, just for,
on holiday, on vacation, on leave, is ill, is sick, is away, is out, vielleicht, eventuell, könnte, könnten, sollte, sollten, würde, würden, falls, wenn, ob, idee, vorschlag,
überlegen, überlegt, möchte, möchten, diesmal, nur einmal, im urlaub, ist krank, vertritt, vertretung, peut-être, pourrait, pourrions, devrait, devrions, si, idée, proposition,
envisage, envisageons, voudrait, cette fois, en vacances, en congé, est malade, quizás, quizá, tal vez, podría, podríamos, debería, deberíamos, propuesta, considerar,
quiere, esta vez, una vez, de vacaciones, está enfermo, está enferma`

// These words tell how a text was meant, and are no subject.
const leadPhrases = `the plan is to, plan is to, we plan to, we decided to, decision, entscheidung, décision, decisión, der plan ist, nous avons décidé de, decidimos`

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
	arrowWord       // a former number, and the one that took its place: "20:00 → 21:30"
)

var roles = func() map[string]role {
	found := map[string]role{}
	for _, group := range []struct {
		role  role
		words string
	}{{fillerWord, stopWords}, {fillerWord, fillerWords}, {linkWord, linkWords}, {homeWord, homeWords}, {arrowWord, "→ -> => ➜"}, {fillerWord, titleWords}} {
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
ist sind hat haben heißt nutzen nutze verwenden verwende wird wurde est sont a ont coûte utilise utilisons s'appelle sommes avons
es son tiene tienen cuesta usa usamos llama hemos decided decide set kept`

const fillerWords = `in on at to for of with by from as our we they it its his her their he she than per into since because until my your out off
um auf im am bei beim für fürs von vom zu zum zur mit aus an den dem des wir er sie mein meine unser unsere sein seine ihr ihre bis nach durch weil denn
de du des à au aux pour dans en sur avec par ce cette mon ma mes nous il elle notre son sa se que parce
de del al por para con a su mi nuestro nuestra lo se porque`

const homeWords = `live lives living based resides wohnt wohne lebt lebe wohnen habite habitent vit habita vive vivo viven`

const titleWords = `mr mrs ms dr prof herr herrn frau mme mlle señor señora sr sra`

var (
	titles = set(titleWords)

	// determiners may come between a link and its value: "is the Blue Room".
	determiners = set(titleWords + ` a an the our my your der die das den dem ein eine einen einem unser unsere mein meine
le la les l' un une notre mon ma el los las una mi nuestro nuestra`)

	indefinites = set("a an ein eine einen un une una")

	// targetWords come before the new value after a word of change: "switched to Bitwarden".
	targetWords = set("to auf nach zu zum zur à au a al by with durch par por")

	// fromWords may tell where something is from, and what it was before.
	fromWords = set("from von vom")

	// formerWords at the beginning of a part of a sentence come before a former value.
	formerWords = set("was were before old war waren früher alt était étaient avant era eran antes")

	// wasWords tell what was, which need not have changed.
	wasWords = set("was were been war waren était étaient era eran fue")

	// listWords join the things of a list.
	listWords = set("and or und oder et ou y e o &")

	// pastWords begin what somebody did once: "took the 8:15 train".
	pastWords = set(`had hatte hatten went bought paid ran met ate saw took gave got made sold read watched wrote drove flew slept came told said sent did felt
kaufte zahlte traf fuhr nahm gekauft bezahlt getroffen gefahren gegangen gegessen gesehen genommen acheté payé pris allé allée compré pagué tomé fui fuimos compramos`)
)
