package ingest

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/identity"
)

// maxNameLen is how many characters a speaker's name has at most: more is a
// sentence that a colon ends.
const maxNameLen = 30

// nonNames begin a line as a speaker's name does and are none.
var nonNames = wordSet(`note notes todo fixme done decision decided action fact question answer q a status result reason why how what when
where who update warning tip idea plan risk task goal summary context example step lesson hint see http https`)

// splitSpeech cuts "Name: what is said" in two. No name: the text is not of that form.
func splitSpeech(text string) (name string, from int) {
	rest := strings.TrimLeft(text, "*_")
	mark := text[:len(text)-len(rest)]
	colon := strings.IndexByte(rest, ':')
	if colon <= 0 {
		return "", 0
	}
	name = strings.TrimRight(rest[:colon], "*_")
	if len(name) < colon {
		mark = "" // **Name**: the mark ends with the name
	}
	after := rest[colon+1:]
	said := strings.TrimLeft(after, " \t")
	if mark != "" { // **Name:** the mark ends behind the colon
		said = strings.TrimLeft(strings.TrimPrefix(after, mark), " \t")
	}
	if !isName(name) || len(said) == len(after) || said == "" {
		return "", 0
	}
	return name, len(text) - len(said)
}

// isName says whether a speaker may be called so: a few words that begin with a
// capital, where their script has any.
func isName(s string) bool {
	if utf8.RuneCountInString(s) > maxNameLen || s != strings.TrimSpace(s) || nonNames[strings.ToLower(s)] {
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

// findSpeakers finds out who speaks in each file: names that begin two of its texts
// or more, under headings where most texts begin so. A line that merely has a
// colon is nobody's.
func findSpeakers(fresh []identity.NewBlock) map[speakerKey]bool {
	names := map[speakerKey]int{}
	type section struct{ path, heading string }
	all, named := map[section]int{}, map[section]int{}
	at := func(f identity.NewBlock) section { return section{f.Path, strings.Join(f.Block.Heading, "\n")} }
	for _, f := range fresh {
		all[at(f)]++
		if name, _ := splitSpeech(f.Block.Text); name != "" {
			named[at(f)]++
			names[speakerKey{f.Path, name}]++
		}
	}
	who := map[speakerKey]bool{}
	for _, f := range fresh {
		name, _ := splitSpeech(f.Block.Text)
		if key := (speakerKey{f.Path, name}); name != "" && names[key] > 1 && 2*named[at(f)] > all[at(f)] {
			who[key] = true
		}
	}
	return who
}

// speakerKey is a name in a file.
type speakerKey struct{ path, name string }

// setSpeaker says who speaks a placement, and takes the name out of what is
// embedded: who speaks is a field of its own, and says nothing about what is said.
func setSpeaker(p *memory.Placement, who map[speakerKey]bool) {
	name, from := splitSpeech(p.Block.Text)
	if !who[speakerKey{p.Path, name}] || len(p.Chunks) == 0 {
		return
	}
	p.Speaker = name
	if first := &p.Chunks[0]; from < len(first.Text) && strings.HasPrefix(first.Text, p.Block.Text[:from]) {
		first.SpeechStart, first.Fingerprint = from, chunker.Fingerprint(first.Text[from:])
	}
}
