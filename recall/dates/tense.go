package dates

import (
	"slices"
	"strings"
	"unicode"

	"github.com/memory-tiered/memory/internal/lazyregexp"
	"github.com/memory-tiered/memory/recall/language"
)

// tense tells whether a question is about what happened or about what is planned.
type tense uint8

const (
	unknownTense tense = iota // a habit, or both
	pastTense
	futureTense
	eitherTense // a past plan
)

// tenseOf reads the tense from the verbs of a question and its words of planning. A past
// plan ("what was planned for Friday") may be of either time.
func tenseOf(tokens []token) tense {
	german := isGerman(tokens)
	isPast, isParticiple, isPresent, isPlan, isFuture := false, false, false, false, false
	for i, t := range tokens {
		switch {
		case planWords[t.lower], t.lower == "steht" && tokens[len(tokens)-1].lower == "an":
			isPlan = true
		case futureVerbs[t.lower], strings.HasSuffix(t.lower, "'ll"):
			isFuture = true
		case t.lower == "was" && german: // German: what
		case pastVerbs[t.lower]:
			isPast = true
		case pastParticiples[t.lower], hasPastEnding(t.lower):
			isParticiple = true
		case presentVerbs[t.lower]:
			isPresent = true
		case german && !unicode.IsUpper(language.FirstRune(t.text)) && participle.MatchString(t.lower):
			isPast = isPast || hasAuxiliary(tokens, i)
		case i > 0 && frenchParticiples[t.lower]:
			isPast = isPast || auxiliaries[t.previous]
		}
	}
	isPast = isPast || isParticiple && !isPresent
	switch {
	case isPast && isPlan:
		return eitherTense
	case isPast:
		return pastTense
	case isPlan || isFuture:
		return futureTense
	}
	return unknownTense
}

// hasPastEnding reports whether a verb has a regular ending of the past.
func hasPastEnding(w string) bool {
	const shortest = 4 // bytes
	isPast := func(ending string) bool { return strings.HasSuffix(w, ending) }
	return len(w) >= shortest && slices.ContainsFunc(pastEndings, isPast) && !strings.HasSuffix(w, "eed") && !noPastForms[w]
}

// sentenceAt returns the bounds of the sentence of a token.
func (r *reader) sentenceAt(i int) (from, to int) {
	for from = i; from > 0 && !r.tokens[from-1].endsSentence(); from-- {
	}
	for to = i; to < len(r.tokens) && (to == i || !r.tokens[to-1].endsSentence()); to++ {
	}
	return from, to
}

// asksAt reports whether the sentence of a token asks, or is the only one. A long text is
// pasted, and asks for no day.
func (r *reader) asksAt(i int) bool {
	if len(r.tokens) > maxQuestionWords {
		return false
	}
	from, to := r.sentenceAt(i)
	return from == 0 && to == len(r.tokens) || questionWords[r.tokens[from].lower] || strings.HasSuffix(r.tokens[to-1].field, "?")
}

// tenseAt returns the tense of the sentence of a token, once it is needed.
func (r *reader) tenseAt(i int) func() tense {
	return func() tense {
		from, to := r.sentenceAt(i)
		return tenseOf(r.tokens[from:to])
	}
}

// isGerman reports whether a question has words that only German has.
func isGerman(tokens []token) bool {
	for _, t := range tokens {
		if germanWords[t.lower] && !alsoEnglish[t.lower] || t.lower == "am" && t.previous != "i" {
			return true
		}
	}
	return false
}

// hasAuxiliary reports whether an auxiliary verb belongs to the participle at i. It stands
// before it, or directly after it at the end of a clause: "das ich gekauft habe".
func hasAuxiliary(tokens []token, i int) bool {
	for k, t := range tokens {
		if auxiliaries[t.lower] && (k < i || k == i+1) {
			return true
		}
	}
	return false
}

var (
	// planWords lists words of plans, of any tense.
	planWords = language.WordSet(`plan plans planned planning scheduled schedule due upcoming coming deadline agenda
geplant plane planen pläne termin termine fällig ansteht anstehen vorgesehen
planeado planeada planes previsto prevista programado programada pendiente pendientes prévu prévue prévus prévues planifié planifiée programmé programmée`)

	// futureVerbs lists verbs of the future and of duties.
	futureVerbs = language.WordSet(`will won't shall must need should gonna werde werden wird muss müssen soll sollen
haré hará haremos harán será serán voy vamos van debo tengo vais allons ferai ferons fera sera seront dois devons faut`)

	// presentVerbs lists verbs with which a participle is not of the past: "is held".
	presentVerbs = language.WordSet("is are am be do does can could may might isn't aren't what's who's where's when's it's that's there's es está")

	// pastParticiples lists irregular verbs whose past form is a participle, too.
	pastParticiples = language.WordSet(`done been made said met bought told found left sent paid sold spent slept thought brought built felt heard held kept lost stood taught won`)

	// pastVerbs lists other verbs in the past tense without a regular ending.
	pastVerbs = language.WordSet(`did didn't was were wasn't weren't had went wrote saw ate gave took came
ran drove flew drank broke began chose fell rode showed spoke swam threw woke happened
war waren hatte hatten wurde wurden gab gaben ging gingen kam kamen sah sahen machte machten passierte geschah fand fanden aß schrieb sagte rief traf trafen
hice hiciste hizo hicimos hicieron fue fueron fui fuimos estuvo estuve estuvimos había habían tuve tuvo tuvimos dije dijo vi vio vimos vino comí comimos hubo
était étaient avait avaient avions j'avais`)

	// pastEndings lists the regular endings: called, llamó, llamaron, compré, appelé.
	pastEndings = strings.Fields("ed ó aron ieron é és ée ées")

	// noPastForms lists words with such an ending that are no verbs in the past.
	noPastForms = language.WordSet("qué porqué red bed café cafés té también hundred sacred kindred wed shed sled été musée lycée journée soirée année matinée entrée idée clé")

	// participle matches German participles: gemacht, angerufen, besucht, repariert.
	participle = lazyregexp.New(`^(?:\pL*ge\pL{2,}(?:t|en)|\pL{2,}iert|(?:be|ver|er|ent|zer|emp)\pL{2,}(?:t|en))$`)

	frenchParticiples = language.WordSet("fait dit vu lu eu été pris mis écrit venu venue reçu bu parti fini appris vendu rendu perdu entendu ouvert offert")

	auxiliaries = language.WordSet("habe hast hat haben habt bin bist ist sind seid j'ai ai as a avons avez ont suis est s'est sommes sont n'ai n'a")

	// alsoEnglish lists those of germanWords that are English words, or French or Spanish.
	alsoEnglish = language.WordSet("was war hat die den mit mich")
)
