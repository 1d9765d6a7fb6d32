package capture

import "github.com/memory-tiered/memory/internal/secrets"

// withoutSecrets returns the text of a candidate of used sentences from n, without the
// sentences with a secret. rest is empty where nothing is left, and kind where there is no secret.
func (x *extraction) withoutSecrets(p paragraph, n, used int, text string) (rest, kind string) {
	var kept paragraph
	for i := range used {
		part := p[n+i]
		if i == 0 {
			part.text = text
		}
		if found, ok := x.secretOf(p, n+i, part.text, false); ok {
			kind = found
		} else {
			kept = append(kept, part)
		}
	}
	if len(kept) == 0 {
		return "", kind
	}
	rest = join(kept[0].text, kept[1:])
	if found, ok := secrets.Find(rest); ok {
		return "", found
	}
	return rest, kind
}

// secretOf returns the kind of the secret in sentence i, of which text is kept. The value of
// what a user asks to remember may be in the next sentence, or its name in the one before.
// What was said before may ask for it, and what is said next may name it. A secret that a
// neighbour has by itself makes none of this sentence.
func (x *extraction) secretOf(p paragraph, i int, text string, explicit bool) (kind string, ok bool) {
	for _, each := range []string{p[i].text, text} {
		if kind, ok = secrets.Find(each); ok {
			return kind, true
		}
	}
	before, after := x.before, x.after
	if i > 0 {
		before = append([]string{p[i-1].text}, before...)
	}
	if i+1 < len(p) {
		after = p[i+1].text
	}
	if explicit && i > 0 {
		rest := secrets.Remove(p[i-1].rest)
		if rest != p[i-1].rest {
			rest += "." // its value is there: none follows
		}
		if kind, ok = together(p[i-1].text, text, rest+" "+text); ok {
			return kind, true
		}
	}
	if explicit && i+1 < len(p) {
		if kind, ok = together(after, text, text+" "+secrets.Remove(after)); ok {
			return kind, true
		}
	}
	if kind, ok = secretReply(before, text); ok {
		return kind, true
	}
	return secrets.FindNamedAfter(text, after)
}

// together returns the kind of the secret that a text and its neighbour have only together.
// both are the two without what is a secret of the neighbour alone. A text that names a secret
// belongs to the one beside it.
func together(neighbour, text, both string) (kind string, ok bool) {
	if kind, ok = secrets.Find(neighbour); ok && secrets.Names(text) {
		return kind, true
	}
	return secrets.Find(both)
}
