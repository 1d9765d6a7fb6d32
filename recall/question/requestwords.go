package question

import (
	"strings"

	"github.com/memory-tiered/memory/recall/language"
)

// requestWords lists words that describe a request, and not its subject: "everything you
// know about", "list all notes that mention".
var requestWords = language.WordSet(`
know knows remember recall everything anything something all note notes memory memories information info facts mention mentions mentioned
mentioning remind list lists tell show give find search look see read summarise summarize summary overview saved stored wrote written said
weißt wissen weiss erinnere alles etwas notiz notizen information informationen erzähl erzähle zeig zeige gib liste such suche finde zusammenfassung steht
sais savez sait rappelle tout note notes informations dis dites montre montrez donne donnez liste cherche trouve résumé raconte
recuérdame sabes sabe todo algo nota notas información dime muestra muéstrame dame lista busca encuentra resumen cuéntame cuenta`)

// A request to write has a verb and what is written: "write an email to".
var (
	writingVerbs = language.WordSet(`
write draft send compose reply answer respond schreib schreibe verfasse entwirf sende schick schicke antworte
écris rédige envoie réponds escribe redacta envía manda responde`)
	writings = language.WordSet(`
e email emails mail message letter text reply response answer nachricht brief antwort courriel lettre réponse correo mensaje carta respuesta`)
)

// subjectPrepositions lists the words after which the subject of a request comes.
var subjectPrepositions = language.WordSet(`
about on of for to because regarding concerning mention mentions mentioning
über zu zum zur von vom an für wegen
sur de du des à pour concernant
sobre del a al para`)

// withoutRequest returns a question without the words at its beginning that describe the
// request: "the boiler" of "Tell me everything about the boiler". It also leaves out "in my
// notes" at the end. It returns the question as it is if nothing else is left.
func withoutRequest(text string) string {
	words := strings.Fields(text)
	from, requests, writes := 0, false, false
	for i, field := range words {
		w := bareLower(field)
		writes = writes || writingVerbs[w]
		isRequest := requestWords[w] || writes && (writingVerbs[w] || writings[w])
		if !isRequest && !subjectPrepositions[w] && !language.IsStopWord(w) {
			break
		}
		requests = requests || isRequest
		if requests && subjectPrepositions[w] && i+1 < len(words) {
			from = i + 1
		}
	}
	if from == 0 {
		return text
	}
	rest := strings.Join(withoutNotes(words[from:]), " ")
	if language.AllStopWords(language.SplitWords(strings.ToLower(rest))) {
		return text
	}
	return rest
}

// bareLower returns a word in lower case without punctuation. Of a French verb with its
// pronoun ("sais-tu") it returns the verb.
func bareLower(field string) string {
	verb, _, _ := strings.Cut(strings.Trim(strings.ToLower(field), ".,:;!?¿¡\"'"), "-")
	return verb
}

// withoutNotes removes "in my notes" from the end of a question.
func withoutNotes(words []string) []string {
	i := len(words) - 1
	if i < 0 || !placesOfNotes[bareLower(words[i])] {
		return words
	}
	for i > 0 && language.IsStopWord(bareLower(words[i-1])) {
		i--
	}
	return words[:i]
}

// placesOfNotes lists what a person calls the place that is searched.
var placesOfNotes = language.WordSet("notes memory memories notizen gedächtnis notes mémoire notas memoria")
