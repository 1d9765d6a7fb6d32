package chunker

import (
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter/protecting"
	"github.com/memory-tiered/memory/internal/markdown"
)

// unclosedComment returns the part of a text that looks like a comment without a
// correct end, such as <!-- private -- >, and the words in it.
func unclosedComment(raw string) (comment, words string) {
	for _, x := range findMarkup(raw, markdown.Code(raw)) {
		if x.kind != markupComment || x.escapeStart < x.start || strings.Contains(raw[x.end:], "-->") {
			continue
		}
		line, below, _ := strings.Cut(strings.TrimLeft(raw[x.end:], blanks), "\n")
		words, _, _ = strings.Cut(line, ">")
		return strings.TrimRight(strings.TrimSuffix(raw[x.start:], below), blanks), strings.Trim(words, " \t-–—!")
	}
	return "", ""
}

// applyUnclosed reports an annotation in a comment without a correct end. If it
// protects, it withholds the file.
func (a *annotator) applyUnclosed(raw string) {
	if !strings.Contains(raw, "<!--") {
		return
	}
	comment, words := unclosedComment(raw)
	if comment == "" {
		return
	}
	a.noteMisplaced(comment, "<!-- "+words+" -->", "the comment has no end; write it as <!-- "+shorten(words)+" -->", false)
}

// noteMisplaced notes an annotation that applies to no memory, as it is written and as it is
// meant. If it protects, it withholds the file, because nobody can tell what it means.
func (a *annotator) noteMisplaced(written, meant, message string, onlyProtecting bool) {
	var one memory.Block
	trial := annotator{zone: a.zone}
	isOurs := trial.applyComment(&one, meant) || len(trial.notes) > 0
	declared := trial.withheld.Over(one.Annotations)
	switch protects := protecting.Protects(declared); {
	case protects:
		message = a.withhold(declared.User != "", message)
	case !isOurs || onlyProtecting:
		return
	}
	a.notes = append(a.notes, note{written, message})
}

// findMarks returns what looks like a mark that protects and is outside the grammar of
// comments, such as <!- private --> and [private:: true]. Some may be behind backslashes.
func findMarks(raw string, code markdown.Spans) []protecting.Mark {
	return slices.DeleteFunc(protecting.InText(raw), func(m protecting.Mark) bool { return code.Contains(m.Start) })
}

// applyMarks reports what looks like a mark. It withholds the file.
func (a *annotator) applyMarks(raw string) {
	if !protecting.MayHave(raw) {
		return
	}
	for _, m := range findMarks(raw, markdown.Code(raw)) {
		if m.Start == 0 || raw[m.Start-1] != '\\' {
			a.notes = append(a.notes, note{raw[m.Start:m.End], a.withhold(m.Name == "user", "it looks like "+m.Name+", and cannot be read; write it as <!-- "+m.Name+": … -->")})
		}
	}
}

// withhold withholds the file of a mark that protects, and adds that to a message.
func (a *annotator) withhold(ofUser bool, message string) string {
	protecting.Withhold(&a.withheld, ofUser)
	return message + "; until you correct it, the whole file counts as private"
}

// applyOdd withholds the file of a block whose annotations protect and may mean more than its
// text. Such are the lead-in of a list, and HTML, which may be around other memories.
func (a *annotator) applyOdd(b *memory.Block, raw string, leads bool) {
	if (leads || b.Kind == memory.KindHTML) && protecting.Protects(b.Annotations) {
		line, _, _ := strings.Cut(strings.TrimSpace(raw), "\n")
		a.notes = append(a.notes, note{line, a.withhold(b.Annotations.User != "", "it may be about other memories; write it at the end of each memory's line")})
	}
}
