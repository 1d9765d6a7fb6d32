package ingest

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/identity"
	"github.com/memory-tiered/memory/lang"
)

// maxNameLen is the maximum length of a speaker's name in characters. A longer
// text before a colon is a sentence.
const maxNameLen = 30

// speech splits "Name: text". It returns the name and the offset of the
// text, or "" if the text has another form.
func speech(text string) (name string, from int) {
	rest := strings.TrimLeft(text, "*_")
	mark := text[:len(text)-len(rest)]
	colon := strings.IndexByte(rest, ':')
	if colon <= 0 {
		return "", 0
	}
	name = strings.TrimRight(rest[:colon], "*_")
	if len(name) < colon {
		mark = "" // **Name**: the mark closes before the colon
	}
	after := rest[colon+1:]
	speech := strings.TrimLeft(after, " \t")
	if mark != "" { // **Name:** the mark closes after the colon
		speech = strings.TrimLeft(strings.TrimPrefix(after, mark), " \t")
	}
	if !isName(name) || len(speech) == len(after) || speech == "" {
		return "", 0
	}
	return name, len(text) - len(speech)
}

// isLabel reports a word of lang/notes.md that is no name.
var isLabel = lang.Words("notes", "label")

// isName reports whether a text can be a speaker's name: up to three words that
// begin with a capital letter, if their script has capitals.
func isName(s string) bool {
	if utf8.RuneCountInString(s) > maxNameLen || s != strings.TrimSpace(s) || isLabel(strings.ToLower(s)) {
		return false
	}
	words := strings.Fields(s)
	for _, w := range words {
		first, _ := utf8.DecodeRuneInString(w)
		if !unicode.IsLetter(first) || unicode.IsLower(first) || strings.ContainsFunc(w, isNotInNames) {
			return false
		}
	}
	return len(words) > 0 && len(words) <= 3
}

func isNotInNames(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) && !strings.ContainsRune(".'’-", r)
}

// setTopic notes what the embedding of a placement's text contains besides it. A speaker is a
// field of its own and adds nothing to the meaning, so the name is left out. Other texts get
// the topics of their headings: what somebody says seldom has to do with the heading of the
// conversation.
func setTopic(p *memory.Placement, isSpeaker func(name string) bool) {
	name, from := speech(p.Block.Text)
	if name == "" || !isSpeaker(name) || len(p.Chunks) == 0 {
		for i := range p.Chunks {
			chunker.SetTopic(&p.Chunks[i], p.Block.Heading)
		}
		return
	}
	p.Speaker = name
	if first := &p.Chunks[0]; from < len(first.Text) && strings.HasPrefix(first.Text, p.Block.Text[:from]) {
		first.SpeechStart, first.Fingerprint = from, chunker.Fingerprint(first.Text[from:])
	}
}

// findSpeakers returns the speakers of each file. A speaker's name begins at
// least two of the file's texts, under headings where most texts begin with a
// name. Other lines with a colon have no speaker.
func findSpeakers(blocks []identity.NewBlock) map[speakerKey]bool {
	names := map[speakerKey]int{}
	type section struct{ path, heading string }
	total, named := map[section]int{}, map[section]int{}
	at := func(b identity.NewBlock) section { return section{b.Path, strings.Join(b.Block.Heading, "\n")} }
	for _, b := range blocks {
		total[at(b)]++
		if name, _ := speech(b.Block.Text); name != "" {
			named[at(b)]++
			names[speakerKey{b.Path, name}]++
		}
	}
	speakers := map[speakerKey]bool{}
	for _, b := range blocks {
		name, _ := speech(b.Block.Text)
		if key := (speakerKey{b.Path, name}); name != "" && names[key] > 1 && 2*named[at(b)] > total[at(b)] {
			speakers[key] = true
		}
	}
	return speakers
}

// speakerKey is a name in a file.
type speakerKey struct{ path, name string }
