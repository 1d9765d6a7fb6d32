package chunker

import (
	"strings"

	"github.com/memory-tiered/memory"
)

// SessionRef returns how the references to all messages of a session begin.
func SessionRef(session string) string {
	if session == "" {
		return ""
	}
	return RefName(session) + " "
}

// maxRef is the length of each part of a source reference. Hosts use shorter names.
const maxRef = 80

// RefName returns a name as a source reference has it, without what could end a comment or
// an annotation.
func RefName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._:/@+#", r) {
			return r
		}
		return '_'
	}, name)
	return name[:min(len(name), maxRef)]
}

// ByModel ends the reference of a memory that a language model derived. No name of a session or
// message has a hyphen.
const ByModel = " by-model"

// TextRef returns the reference to a text, wherever it is. No name of a message begins like it.
func TextRef(f memory.Fingerprint) string { return "=" + f.String()[:len("3f8a91c2b7d0")] }

// MessageRef returns the reference to a message of a user, as a memory that was captured from it
// has it as its origin.
func MessageRef(ref, user string) string { return ref + "\x00" + user }

// ModelRef returns the reference of what a language model derived from some messages of a
// session, and from the texts of some memories.
func ModelRef(session string, keys []string, texts []memory.Fingerprint) string {
	var sources []string
	for _, key := range keys {
		sources = append(sources, RefName(key))
	}
	for _, f := range texts {
		sources = append(sources, TextRef(f))
	}
	return SessionRef(session) + strings.Join(sources, " ") + ByModel
}

// SourcesOf returns the references to the sources of a derived memory of a user: those of
// [TextRef] and, with and without a session, of [MessageRef]. Other memories have none.
func SourcesOf(ref, user string) (sources []string) {
	names, isDerived := strings.CutSuffix(ref, ByModel)
	session, _, _ := strings.Cut(names, " ")
	for i, name := range strings.Fields(names) {
		switch {
		case !isDerived:
		case strings.HasPrefix(name, "="):
			sources = append(sources, name)
		case i > 0:
			sources = append(sources, MessageRef(session+" "+name, user), MessageRef(name, user))
		default:
			sources = append(sources, MessageRef(name, user))
		}
	}
	return sources
}
