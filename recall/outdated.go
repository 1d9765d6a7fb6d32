package recall

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/memory-tiered/memory"
)

// validity is what the author of a memory marked about it. Later values weigh more.
type validity uint8

const (
	holds    validity = iota
	finished          // a checked task, or under a heading such as "Done"
	outdated          // struck out, or under a heading such as "Outdated"
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

// headingMarks remembers the marks of headings: the candidates of a question share
// most of them.
type headingMarks map[string]validity

// validityOf reads the author's marks of a memory.
func (marks headingMarks) validityOf(m *memory.Memory) validity {
	text := strings.TrimSpace(m.Text)
	mark := holds
	if strings.HasPrefix(text, "[x] ") || strings.HasPrefix(text, "[X] ") {
		mark, text = finished, strings.TrimSpace(text[len("[x] "):])
	}
	if isStruckOut(text) {
		return outdated
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
func (v validity) String() string { return [...]string{"", "done", "outdated"}[v] }

// isStruckOut reports whether a text is between two pairs of tildes as a whole.
func isStruckOut(text string) bool {
	const tildes = "~~"
	return len(text) > 2*len(tildes) && strings.HasPrefix(text, tildes) && strings.Index(text[len(tildes):], tildes) == len(text)-2*len(tildes)
}

// bracketed matches a remark at the end of a heading: "Rollout plan (archived)".
var bracketed = regexp.MustCompile(`[(\[（]([^()\[\]（）]+)[)\]）]\s*$`)

// headingValidity reads a heading that is a mark ("Done"), begins with one before a
// punctuation mark ("Outdated, kept for the record"), or ends with one in brackets.
// "Archive server" is a topic and no mark.
func headingValidity(heading string) validity {
	lower := strings.ToLower(strings.TrimSpace(heading))
	first := strings.TrimSpace(lower)
	if i := strings.IndexFunc(lower, func(r rune) bool { return !isAlnum(r) && r != ' ' }); i > 0 {
		first = strings.TrimSpace(lower[:i])
	} else if i == 0 {
		first = strings.TrimSpace(strings.TrimFunc(lower, func(r rune) bool { return !unicode.IsLetter(r) }))
	}
	mark := markOf(first)
	if remark := bracketed.FindStringSubmatch(lower); remark != nil {
		mark = max(mark, markOf(strings.TrimSpace(remark[1])))
	}
	return mark
}

func markOf(phrase string) validity {
	switch {
	case outdatedWords[phrase]:
		return outdated
	case finishedWords[phrase]:
		return finished
	}
	return holds
}

// pastWords lists the words with which a question asks for what held once.
var pastWords = wordSet(`previously formerly former earlier originally history historical old outdated obsolete deprecated archived superseded
früher früheren ehemals damals ursprünglich alte alten alter altes veraltet antiguo antigua antiguos anteriormente original obsoleto
autrefois auparavant ancien ancienne anciens anciennes obsolète`)

// pastPhrases matches those of several words, and those of scripts without spaces.
var pastPhrases = regexp.MustCompile(`\bused to\b|\bin the past\b|\bback then\b|\bbefore that\b|以前|过去|原来|昔|かつて|従来`)

// asksForPast reports whether a question in lower case asks for what held once.
func asksForPast(lower string, words []string) bool {
	for _, w := range words {
		if pastWords[w] {
			return true
		}
	}
	return pastPhrases.MatchString(lower)
}

// replacement matches the words before the name of what replaced something.
var replacement = regexp.MustCompile(`(?i)\b(?:replaced (?:by|with)|superseded by|succeeded by|migrated to|moved to|switched to|ersetzt durch|abgelöst durch|umgestellt auf|reemplazad[oa]s? por|sustituid[oa]s? por|remplacée?s? par)\b|替换为|取代|に置き換え|に移行`)

// succeeds reports whether a memory that holds took the place of an outdated one: they
// share a name in their labels, it mentions a name of the outdated one, or the outdated
// one tells that it was replaced by it.
func succeeds(current, old *memory.Memory) bool {
	currentText, oldText := joinFolded(current.Text), ""
	if at := replacement.FindStringIndex(old.Text); at != nil {
		oldText = joinFolded(old.Text[at[1]:])
	}
	for _, name := range labelNames(old.Text) {
		if strings.Contains(currentText, " "+strings.Join(name, " ")+" ") {
			return true
		}
	}
	for _, name := range labelNames(current.Text) {
		if strings.Contains(oldText, " "+strings.Join(name, " ")+" ") {
			return true
		}
	}
	return false
}

func joinFolded(text string) string { return " " + strings.Join(foldedWords(text), " ") + " " }

// holdingNow drops the memories that their author marked as outdated, unless the
// question asks for the past.
func holdingNow(found []*candidate, in intent) (kept []*candidate, rejected []Rejection) {
	for _, c := range found {
		if c.validity == outdated && !in.wantsPast {
			rejected = append(rejected, c.reject(RejectedOutdated))
			continue
		}
		kept = append(kept, c)
	}
	return kept, rejected
}
