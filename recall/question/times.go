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
func wholeTimes(named dates.Named, references []dates.Span, now time.Time) []dates.Span {
	for _, w := range named.Rest {
		if !language.IsStopWord(w) && !wordsOfDoing[w] && strings.ContainsFunc(w, tellsMore) {
			return nil
		}
	}
	return append(named.Times(now), references...)
}

// NamesRelativeDate reports whether a question has words of relative dates that may leave
// the search. In a question about a person who speaks, they may be a quotation. "Last
// weekend" is then another weekend, and the text that is wanted has the same words.
func (in Intent) NamesRelativeDate() bool { return len(in.relative) > 0 && len(in.speakers) == 0 }

// RemoveRelativeDates returns a question without the words of its relative dates. A
// question of little else is returned unchanged.
func (in Intent) RemoveRelativeDates(text string) string {
	return removeWords(text, func(word string) bool { return in.relative[word] })
}

// DropRelativeDates returns the terms that are no words of relative dates, and counts only
// these as words of the question. If no other term is left, it returns all of them.
func (in *Intent) DropRelativeDates(terms []memory.Term) []memory.Term {
	isDated := func(t memory.Term) bool { return t.Kind == memory.TermWord && in.relative[t.Text] }
	rest := slices.DeleteFunc(slices.Clone(terms), isDated)
	if len(rest) == 0 {
		return terms
	}
	in.WordCount -= float64(len(terms) - len(rest))
	return rest
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
