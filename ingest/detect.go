package ingest

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/memory-tiered/memory"
)

// marks is the default entity extractor: what a person has marked.
type marks struct{}

// Entities are the targets of [[links]], then the #tags.
func (marks) Entities(b memory.Block) []string {
	out := slices.Clone(b.Links)
	for _, tag := range b.Annotations.Tags {
		if !slices.Contains(out, tag) {
			out = append(out, tag)
		}
	}
	return out
}

// detectors recognise what a text is about by how people begin such sentences;
// the first that matches wins. The words are English and German.
var detectors = []struct {
	category memory.Category
	pattern  *regexp.Regexp
}{
	{memory.CategoryTask, regexp.MustCompile(`(?i)^\[[ x]\]|^(todo|to do|task|aufgabe)\b`)},
	{memory.CategoryDecision, regexp.MustCompile(`(?i)\b(decided|decision|we chose|agreed (to|that|on)|settled on|entschieden|entscheidung|beschlossen)\b`)},
	{memory.CategoryPreference, regexp.MustCompile(`(?i)\b(prefers?|preferred|favou?rite|likes? (to|the|his|her|it|their|tea|coffee)|loves?|hates?|dislikes?|would rather|rather than|bevorzugt|lieber|mag (kein|keine|es|gern))\b`)},
	{memory.CategoryLesson, regexp.MustCompile(`(?i)\b(lesson|learned that|learnt that|turned out|next time|in hindsight|gelernt)\b`)},
	{memory.CategoryRisk, regexp.MustCompile(`(?i)\b(risk|risky|danger|careful|beware|warning|never (run|deploy|use|touch|delete)|vorsicht|risiko)\b`)},
	{memory.CategoryPlan, regexp.MustCompile(`(?i)\b(plans? (to|for|is)|planning|going to|will (move|start|launch|ship|release)|roadmap|intends?|geplant|plant)\b`)},
	{memory.CategoryEntity, regexp.MustCompile(`(?i)^\S+( \S+){0,3} (is|ist) (a|an|the|our|my|his|her|ein|eine|der|die|unser|unsere) `)},
}

func detectCategory(b memory.Block) memory.Category {
	if b.Kind == memory.KindCode || b.Kind == memory.KindTable || b.Kind == memory.KindHTML {
		return memory.CategoryFact
	}
	for _, d := range detectors {
		if d.pattern.MatchString(b.Text) {
			return d.category
		}
	}
	return memory.CategoryFact
}

var (
	procedure = regexp.MustCompile(`(?i)\b(how to|steps? to|to (deploy|install|build|release|restore|reset|run)\b.*\b(run|use|first|then)|always (run|use|do)|so geht)\b`)
	project   = regexp.MustCompile(`(?i)\b(project|milestone|sprint|deadline|release \d|roadmap|projekt|meilenstein)\b`)
)

// detectType reads the type off the text, else off the place: what a dated note
// says happened, what other files say is so.
func detectType(b memory.Block, file string, dated bool) memory.Type {
	switch {
	case b.Kind == memory.KindList || procedure.MatchString(b.Text):
		return memory.TypeProcedural
	case project.MatchString(b.Text) && path.Base(file) != "USER.md":
		return memory.TypeProject
	case dated:
		return memory.TypeEpisodic
	}
	return memory.TypeFactual
}

// common are words that hardly any text of a language does without, and that
// the other languages here do not have.
var common = map[string][]string{
	"en": {"the", "and", "is", "of", "to", "with", "for", "was", "that", "it", "on", "are"},
	"de": {"der", "die", "das", "und", "ist", "nicht", "mit", "für", "auf", "ein", "eine", "wird"},
	"es": {"el", "la", "los", "las", "y", "es", "con", "para", "por", "una", "del", "que"},
	"fr": {"le", "les", "et", "est", "avec", "pour", "une", "dans", "sur", "pas", "des", "du"},
}

// detectLang names a text's language, ISO 639-1, where it is plain: by script,
// else by common words. Empty where it is not.
func detectLang(text string) string {
	var han, kana, hangul, cyrillic, letters int
	for _, r := range text {
		switch {
		case unicode.In(r, unicode.Hiragana, unicode.Katakana):
			kana++
		case unicode.Is(unicode.Han, r):
			han++
		case unicode.Is(unicode.Hangul, r):
			hangul++
		case unicode.Is(unicode.Cyrillic, r):
			cyrillic++
		case unicode.IsLetter(r):
			letters++
		}
	}
	switch most := max(letters/3, 1); { // an ideograph says as much as three letters
	case kana > 0 && kana+han > most:
		return "ja"
	case han > most:
		return "zh"
	case hangul > most:
		return "ko"
	case cyrillic > letters:
		return "ru"
	}
	best, bestCount := "", 0
	words := strings.Fields(strings.ToLower(text))
	for _, lang := range []string{"en", "de", "es", "fr"} {
		count := 0
		for _, w := range words {
			if slices.Contains(common[lang], strings.Trim(w, ".,;:!?()")) {
				count++
			}
		}
		if count > bestCount {
			best, bestCount = lang, count
		}
	}
	return best
}
