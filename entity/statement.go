package entity

import (
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/markdown"
	"github.com/memory-tiered/memory/lang"
)

// statement is a relation that a memory states, or a link.
type statement struct {
	relation        string
	isEnded         bool
	subject, object *thing
	value           string // of a property, in place of an object that is no name
	at              int    // the memory
}

var phrases = lang.PhrasesOf("capture")

// isDoubted reports whether a sentence states nothing for sure.
func isDoubted(text string) bool {
	f := lang.Fold(text)
	return strings.ContainsAny(text, "?？") || phrases("hypothetical").Match(f) || phrases("reported").Match(f)
}

// relate adds the relations that trusted memories state. The two ends of one are names.
func (b *builder) relate() {
	for i := range b.notes.Memories {
		m := &b.notes.Memories[i]
		b.addLinks(i, m)
		if m.Trust != memory.TrustTrusted {
			continue
		}
		subject := b.subjectOf(m)
		text := markdown.OwnWords(m.Text)
		for line := range strings.SplitSeq(text, "\n") {
			mark, isOpen := ":", m.IsProperties
			if strings.Contains(line, "::") {
				mark, isOpen = "::", true
			}
			field, value, isField := strings.Cut(strings.ReplaceAll(line, "：", ":"), mark)
			if isField && subject != nil {
				b.addProperty(i, subject, field, value, isOpen)
			}
		}
		if !m.IsProperties && !strings.Contains(text, "::") {
			b.addSentences(i, text, subject)
		}
	}
}

// addLinks adds the links of a memory, from its note.
func (b *builder) addLinks(i int, m *memory.Memory) {
	title := b.titles[m.Path]
	for _, target := range m.Entities {
		to := b.byKey[KeyOf(titleOf(target))]
		if title != nil && to != nil && !slices.Contains(m.Tags, target) {
			b.links = append(b.links, statement{relation: "links to", subject: title, object: to, at: i})
		}
	}
}

// longestSentence is the largest number of words of a sentence. Beyond it, a text is a list or a
// table. A character of a script without blanks is a word.
const longestSentence = 200

// addSentences adds what the sentences of a memory state.
func (b *builder) addSentences(i int, text string, subject *thing) {
	words := slices.DeleteFunc(slices.Clone(b.texts[i]), func(w word) bool { return text[w.at] == ' ' })
	for start, end := range lang.Sentences(text) {
		n := 0
		for n < len(words) && words[n].at < end {
			n++
		}
		s, whole := sentence{b: b, text: text, words: words[:n]}, text[start:end]
		if words = words[n:]; n > longestSentence {
			continue
		}
		s.find(subject, func(p *pattern, x, y name) {
			if !isDoubted(whole) {
				b.addStatement(statement{p.relation, p.isEnded, b.nameOf(text, s.words, x), b.nameOf(text, s.words, y), "", i})
			}
		})
	}
}

// addProperty adds what a property of a note or person states. One that no table has states a
// relation if its value is a name; isOpen tells that such a property counts.
func (b *builder) addProperty(i int, subject *thing, field, value string, isOpen bool) {
	p, isKnown := keys()[KeyOf(strings.NewReplacer("_", " ", "-", " ").Replace(field))]
	if !isKnown && !isOpen {
		return
	}
	if !isKnown {
		p.relation = strings.ToLower(strings.Join(strings.Fields(field), " "))
	}
	for each := range strings.SplitSeq(value, ", ") {
		s := statement{relation: p.relation, subject: subject, at: i}
		bare, isLink := strings.CutPrefix(strings.TrimSpace(each), "[[")
		if bare = strings.TrimSpace(strings.TrimSuffix(bare, "]]")); isLink {
			bare = titleOf(bare)
		}
		words := split(bare)
		if s.object = b.known(words); s.object == nil && isKnown && len(words) > 0 && (isCJK(bare) || runEnd(words, 0) == len(words)) {
			s.object = b.nameOf(bare, words, name{to: len(words)})
		}
		if s.object == nil && isKnown && isOpen && !p.isInverse {
			s.value = bare
		}
		if p.isInverse {
			s.subject, s.object = s.object, s.subject
		}
		b.addStatement(s)
	}
}

// addStatement adds a statement, unless an end of it is no name. Then the value may be the object.
func (b *builder) addStatement(s statement) {
	if s.subject == nil || s.subject == s.object || s.object == nil && s.value == "" {
		return
	}
	for _, t := range []*thing{s.subject, s.object} {
		if t != nil {
			t.isName = true
			t.addSources(sourceRelation)
		}
	}
	b.stated = append(b.stated, s)
}

// nameOf returns the thing that a name in a sentence means, or nil for what is no name.
func (b *builder) nameOf(text string, words []word, n name) *thing {
	if n.thing != nil {
		return n.thing
	}
	run := words[n.from:n.to]
	if len(run) == 0 || !isCJK(run[0].text) && !b.mayBeName(run) {
		return nil
	}
	return b.add(written(text, run), sourceRelation, true)
}

// subjectOf returns what a memory is about if it does not name it: the innermost heading that is
// a name, or for properties the note.
func (b *builder) subjectOf(m *memory.Memory) *thing {
	isCommon := func(w word) bool {
		c := b.counts[w.key]
		return isCased(w) && !isInside(w.key) && (!w.capital || c != nil && c.lower+c.articles > 0 || lang.IsStopWord(w.key) || isLabel(w.key) || isTime(w.key))
	}
	for _, h := range slices.Backward(m.Heading) {
		words := split(h)
		if t := b.byKey[keyOf(words)]; t != nil && (t.isName || !slices.ContainsFunc(words, isCommon)) {
			return t
		}
	}
	if m.IsProperties {
		return b.titles[m.Path]
	}
	return nil
}
