package question

import (
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall/dates"
	"github.com/memory-tiered/memory/recall/language"
)

// wholeTimes returns the times that a question asks for as a whole: "What did I do
// yesterday?" It returns none if the question has a word that tells what is wanted.
func wholeTimes(named dates.Named, now time.Time) []dates.Span {
	if named.Event != nil {
		return nil
	}
	for _, w := range named.Words {
		if !language.IsStopWord(w) && !wordsOfDoing[w] && strings.ContainsFunc(w, tellsMore) {
			return nil
		}
	}
	return named.Whole(now)
}

// MayDropDays reports whether the relative dates may leave a question in a workspace of
// talk. In a question about a person who speaks, they may be a quotation. "Last weekend" is
// then another weekend, and the text that is wanted has the same words.
func (in Intent) MayDropDays() bool {
	return in.Relative && in.Rest != in.undated && len(in.speakers) == 0
}

// DropDays removes the days from a question and from its terms. If no other term is left,
// it returns all of them.
func (in *Intent) DropDays(terms []memory.Term) []memory.Term {
	kept := map[string]bool{}
	for _, t := range extractTerms(in.undated) {
		kept[t.Text] = true
	}
	rest := slices.DeleteFunc(slices.Clone(terms), func(t memory.Term) bool { return !kept[t.Text] })
	if len(rest) == 0 {
		return terms
	}
	in.Rest = in.undated
	in.WordCount -= float64(len(terms) - len(rest))
	return rest
}

// tellsMore reports whether a character is none of charactersOfDoing.
func tellsMore(r rune) bool { return !strings.ContainsRune(charactersOfDoing, r) }

// dayQuestions matches questions for the days or the number of times of what recurs.
var dayQuestions = newPattern(`\b(?:when|(?:which|what) (?:days?|dates?)|how (?:often|many times)|wann|welche[nm]? tage?n?|wie oft|quand|quels? jours?|combien de fois|cuántas veces|qué (?:días?|fechas?))\b|cuándo|什么时候|哪天|几次|いつ|何回`,
	"when,which,what,how ,wann,welche,wie oft,quand,quel,combien,cuántas,qué ,cuándo,什么时候,哪天,几次,いつ,何回")

// wordsOfDoing lists words that ask what somebody did, noted or planned, or what
// happened, without a subject.
var wordsOfDoing = language.WordSet(`
do did done happen happens happened happening go going went take taken took make made note notes noted write wrote written
remember remembered log logged record recorded learn learned learnt work worked day days today's new news thing things anything
everything something stuff since till summary summarise summarize recap overview tell show list give plan plans planned say said come comes coming due scheduled ago early late

was war hat man los passiert passierte geschehen geschah gemacht machte machten machen getan tat tun gab gibt alles etwas neues
seit notiert aufgeschrieben geschrieben notizen erlebt unternommen geplant stand steht tag tage zeig zeige zusammenfassung kommt kommen ansteht

hice hizo hicimos hiciste hacer hecho pasó paso pasado ocurrió hay algo todo notas anoté apunté escribí escrito día días resumen viene vienen

j'ai j'avais depuis fait fais faire faisait passé passe arrivé arrive eu qu'est est-ce s'est quoi notes noté écrit tout jour journée résumé ai as avons vient viennent prévu`)

// charactersOfDoing are the characters of such questions in Chinese, Japanese and Korean.
const charactersOfDoing = "我你他她们們做了什么麼甚发發生过過事情的有些吗嗎呢写寫记記下在是都何をしまたかのは私僕起きっあ出来とがに、？?。" +
	"뭐무엇을했어요나지니있었슨일"
