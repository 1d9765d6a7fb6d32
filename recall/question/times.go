package question

import (
	"strings"
	"time"

	"github.com/memory-tiered/memory/recall/dates"
	"github.com/memory-tiered/memory/recall/language"
)

// wholeTimes returns the times that a question asks for as a whole: "What did I do
// yesterday?" It returns none if the question has a word that tells what is wanted.
func wholeTimes(named dates.Named, references []dates.Span, now time.Time) []dates.Span {
	for _, w := range named.Rest {
		if !language.IsStopWord(w) && !wordsOfDoing[w] && strings.ContainsFunc(w, tellsMore) {
			return nil
		}
	}
	return append(named.Times(now), references...)
}

// tellsMore reports whether a character is none of charactersOfDoing.
func tellsMore(r rune) bool { return !strings.ContainsRune(charactersOfDoing, r) }

// wordsOfDoing lists words that ask what somebody did, noted or planned, or what
// happened, without a subject.
var wordsOfDoing = language.WordSet(`
do did done happen happens happened happening go going went take taken took make made note notes noted write wrote written
remember remembered log logged record recorded learn learned learnt work worked day days today's new news thing things anything
everything something stuff since till summary summarise summarize recap overview tell show list give plan plans planned say said

was war hat man los passiert passierte geschehen geschah gemacht machte machten machen getan tat tun gab gibt alles etwas neues
seit notiert aufgeschrieben geschrieben notizen erlebt unternommen geplant stand steht tag tage zeig zeige zusammenfassung

hice hizo hicimos hiciste hacer hecho pasó paso pasado ocurrió hay algo todo notas anoté apunté escribí escrito día días resumen

j'ai j'avais depuis fait fais faire faisait passé passe arrivé arrive eu qu'est est-ce s'est quoi notes noté écrit tout jour journée résumé ai as avons`)

// charactersOfDoing are the characters of such questions in Chinese and Japanese.
const charactersOfDoing = "我你他她们們做了什么麼甚发發生过過事情的有些吗嗎呢写寫记記下在是都何をしまたかのは私僕起きっあ出来とがに、？?。"
