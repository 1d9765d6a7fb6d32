package chunker

import "strings"

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

// ByModel ends the reference of a memory that a language model found in some messages. No name
// of a session or message has a hyphen.
const ByModel = " by-model"

// ModelRef returns the reference of what a language model found in some messages of a session.
func ModelRef(session string, keys []string) string {
	ref := strings.TrimSuffix(SessionRef(session), " ")
	for _, key := range keys {
		ref += " " + RefName(key)
	}
	return strings.TrimPrefix(ref, " ") + ByModel
}
