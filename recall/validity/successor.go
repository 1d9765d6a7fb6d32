package validity

import (
	"regexp"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall/language"
	"github.com/memory-tiered/memory/recall/topic"
)

// replacement matches the words before the name of what replaced something.
var replacement = regexp.MustCompile(`(?i)\b(?:replaced (?:by|with)|superseded by|succeeded by|migrated to|moved to|switched to|ersetzt durch|abgelöst durch|umgestellt auf|reemplazad[oa]s? por|sustituid[oa]s? por|remplacée?s? par)\b|替换为|取代|に置き換え|に移行`)

// Succeeds reports whether a memory that holds took the place of an outdated one.
// They share a name in their labels, or it mentions a name of the outdated one. Or
// the outdated one tells that it was replaced by it.
func Succeeds(current, old *memory.Memory) bool {
	currentText, oldText := joinFolded(current.Text), ""
	if at := replacement.FindStringIndex(old.Text); at != nil {
		oldText = joinFolded(old.Text[at[1]:])
	}
	for _, name := range topic.Names(old.Text) {
		if strings.Contains(currentText, " "+strings.Join(name, " ")+" ") {
			return true
		}
	}
	for _, name := range topic.Names(current.Text) {
		if strings.Contains(oldText, " "+strings.Join(name, " ")+" ") {
			return true
		}
	}
	return false
}

func joinFolded(text string) string { return " " + strings.Join(language.FoldedWords(text), " ") + " " }
