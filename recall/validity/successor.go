package validity

import (
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/lang"
	"github.com/memory-tiered/memory/recall/language"
	"github.com/memory-tiered/memory/recall/topic"
)

// Succeeds reports whether a memory that holds took the place of an outdated one.
// They share a name in their labels, or it mentions a name of the outdated one. Or
// the outdated one tells that it was replaced by it.
func Succeeds(current, old *memory.Memory) bool {
	currentText, oldText := joinFolded(current.Text), ""
	if _, end, found := phrases("replaced").Find(lang.Fold(old.Text)); found {
		oldText = joinFolded(old.Text[end:])
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
