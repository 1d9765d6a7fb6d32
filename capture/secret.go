package capture

import "github.com/memory-tiered/memory/internal/secrets"

// secretOf returns the kind of a secret in a candidate of used sentences from n. The value
// of what a user asks to remember may be in the next sentence, or its name in the one before.
// What was said before may ask for it, and what is said next may name it.
func (x *extraction) secretOf(p paragraph, n, used int, text string, explicit bool) (kind string, ok bool) {
	all, before, after := []string{p[n].text, text}, x.before, x.after
	if n > 0 {
		before = append([]string{p[n-1].text}, before...)
	}
	if n+used < len(p) {
		after = p[n+used].text
	}
	if explicit && n+used < len(p) {
		all = append(all, text+" "+p[n+used].text)
	}
	if explicit && n > 0 {
		all = append(all, p[n-1].text+" "+text)
	}
	for _, each := range all {
		if kind, ok = secrets.FindLikely(each); ok {
			return kind, true
		}
	}
	if kind, ok = secretReply(before, text); ok {
		return kind, true
	}
	return secrets.FindNamedAfter(text, after)
}
