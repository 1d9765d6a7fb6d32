package question

import "github.com/memory-tiered/memory/internal/lazyregexp"

// pastQuestions match the words that ask how long something is past, a language each, and
// give the word that asks when it was.
var pastQuestions = []struct {
	asked *lazyregexp.Regexp
	when  string
}{
	{lazyregexp.New(`(?i)\bhow (?:long|many (?:days|weeks|months|years)) (?:ago(?: was it (?:that|when))?|is it since|has it been since|(?:have|has) passed since)\b`), "when"},
	{lazyregexp.New(`(?i)\b(?:wie lange ist es her,? (?:dass|seit)|vor wie (?:langer zeit|vielen (?:tagen|wochen|monaten|jahren)))\b`), "wann"},
	{lazyregexp.New(`(?i)(?:il y a|[çc]a fait|cela fait) combien de (?:temps|jours|semaines|mois)(?: que)?\b`), "quand"},
	{lazyregexp.New(`(?i)\bhace cu[aá]nt[oa]s? (?:tiempo|d[ií]as|semanas|meses|años)(?: que)?\b`), "cuándo"},
}

// askWhen asks for the time itself. A note tells when something happened, and not how long
// ago.
func askWhen(text string) string {
	for _, q := range pastQuestions {
		text = q.asked.ReplaceAllString(text, q.when)
	}
	return text
}
