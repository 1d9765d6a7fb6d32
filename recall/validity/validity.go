package validity

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall/language"
)

// Mark is what the author of a memory marked about it. Later values weigh more.
type Mark uint8

const (
	Holds    Mark = iota
	finished      // a checked task, or under a heading such as "Done"
	Outdated      // struck out, or under a heading such as "Outdated"
)

// The words of a heading that mark what is under it, in English, German, Spanish,
// French, Chinese and Japanese.
var (
	outdatedWords = phraseSet(`outdated, obsolete, deprecated, archive, archives, archived, superseded, retired, abandoned, discontinued, no longer valid, no longer true,
veraltet, überholt, archiv, archiviert, abgelöst, nicht mehr gültig, obsoleto, obsoleta, obsoletos, obsoletas, archivado, archivados, ya no válido,
obsolète, obsolètes, périmé, périmés, archivé, archivés, plus valable, 过时, 已过时, 归档, 存档, 已归档, 已废弃, 古い情報, 廃止, アーカイブ`)
	finishedWords = phraseSet(`done, finished, completed, complete, resolved, closed, erledigt, abgeschlossen, fertig, hecho, terminado, completado, resuelto,
fait, terminé, achevé, résolu, 完成, 已完成, 已解决, 完了, 済み, 解決済み`)
)

func phraseSet(list string) map[string]bool {
	set := map[string]bool{}
	for phrase := range strings.SplitSeq(list, ",") {
		set[strings.Join(strings.Fields(phrase), " ")] = true
	}
	return set
}

// Marks remembers the marks of headings: the candidates of a question share
// most of them.
type Marks map[string]Mark

// Of reads the author's marks of a memory.
func (marks Marks) Of(m *memory.Memory) Mark {
	text := strings.TrimSpace(m.Text)
	mark := Holds
	if strings.HasPrefix(text, "[x] ") || strings.HasPrefix(text, "[X] ") {
		mark, text = finished, strings.TrimSpace(text[len("[x] "):])
	}
	if isStruckOut(text) {
		return Outdated
	}
	for _, h := range m.Heading {
		v, known := marks[h]
		if !known {
			v = headingValidity(h)
			marks[h] = v
		}
		mark = max(mark, v)
	}
	return mark
}

// String returns the mark that a line of the block has, or nothing.
func (v Mark) String() string { return [...]string{"", "done", "outdated"}[v] }

// isStruckOut reports whether a text is between two pairs of tildes as a whole.
func isStruckOut(text string) bool {
	const tildes = "~~"
	return len(text) > 2*len(tildes) && strings.HasPrefix(text, tildes) && strings.Index(text[len(tildes):], tildes) == len(text)-2*len(tildes)
}

// bracketed matches a remark at the end of a heading: "Rollout plan (archived)".
var bracketed = regexp.MustCompile(`[(\[（]([^()\[\]（）]+)[)\]）]\s*$`)

// headingValidity reads a heading that is a mark ("Done"). It may also begin with
// one before a punctuation mark ("Outdated, kept for the record"), or end with one
// in brackets. "Archive server" is a topic and no mark.
func headingValidity(heading string) Mark {
	lower := strings.ToLower(strings.TrimSpace(heading))
	first := strings.TrimSpace(lower)
	if i := strings.IndexFunc(lower, func(r rune) bool { return !language.IsAlnum(r) && r != ' ' }); i > 0 {
		first = strings.TrimSpace(lower[:i])
	} else if i == 0 {
		first = strings.TrimSpace(strings.TrimFunc(lower, func(r rune) bool { return !unicode.IsLetter(r) }))
	}
	mark := markOf(first)
	if !endsWithBracket(lower) {
		return mark
	}
	if remark := bracketed.FindStringSubmatch(lower); remark != nil {
		mark = max(mark, markOf(strings.TrimSpace(remark[1])))
	}
	return mark
}

// endsWithBracket is a quick test that most headings do not pass.
func endsWithBracket(heading string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimSpace(heading))
	return last == ')' || last == ']' || last == '）'
}

func markOf(phrase string) Mark {
	switch {
	case outdatedWords[phrase]:
		return Outdated
	case finishedWords[phrase]:
		return finished
	}
	return Holds
}
