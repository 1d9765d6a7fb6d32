package entity

import (
	"slices"

	"github.com/memory-tiered/memory/lang"
)

// form is a name as it is looked for in texts.
type form struct {
	*thing
	words   []word
	isSmall bool // no place with a capital is known yet
}

// match finds every name in every text and heading.
func (b *builder) match() {
	forms := map[string][]form{} // by their first word, the longest first
	for _, t := range b.byKey {
		name := t.form()
		words := split(name)
		if isDivided := func(w word) bool { return !w.near }; !t.isName && slices.ContainsFunc(words[1:], isDivided) {
			continue // a heading such as "Harbour: plans"
		}
		forms[words[0].key] = append(forms[words[0].key], form{t, words, isSmall(name)})
	}
	for _, list := range forms {
		slices.SortFunc(list, func(a, b form) int { return len(b.words) - len(a.words) })
	}
	headings := map[string][]*thing{}
	inHeading := func(h string) []*thing {
		found, known := headings[h]
		if !known {
			found = b.matchIn(forms, split(h), "")
			headings[h] = found
		}
		return found
	}
	for i, m := range b.notes.Memories {
		found := b.matchIn(forms, b.texts[i], m.Text)
		for _, target := range slices.Concat(m.Entities, []string{m.Path}) {
			found = append(found, inHeading(titleOf(target))...)
		}
		for _, h := range m.Heading {
			found = append(found, inHeading(h)...)
		}
		for _, t := range found {
			if n := len(t.At); n == 0 || t.At[n-1] != i {
				t.At = append(t.At, i)
			}
		}
	}
}

// matchIn returns what some words name, by the longest names. They are those of a text, or of a
// heading without one.
func (b *builder) matchIn(forms map[string][]form, words []word, text string) (found []*thing) {
	for at := 0; at < len(words); at++ {
		for _, f := range forms[words[at].key] {
			end := at + len(f.words)
			if end > len(words) || !b.fits(f.words, words[at:end], text != "") {
				continue
			}
			found = append(found, f.thing)
			if text != "" && (!f.isName || f.isSmall) && b.isNamed(words[at:end]) {
				f.isName = true
				f.forms[written(text, words[at:end])]++
			}
			at = end - 1
			break
		}
	}
	return found
}

// fits reports whether words are a name. Where the name has a capital, they have one too. At the
// beginning of a sentence, a word that is also a common one is none.
func (b *builder) fits(name, words []word, isText bool) bool {
	for i, w := range words {
		if w.key != name[i].key || i > 0 && !w.near && name[i].near || name[i].capital && !w.capital {
			return false
		}
	}
	w := words[0]
	isOpen := isText && len(words) == 1 && w.starts && w.capital && name[0].capital
	return !isOpen || b.counts[w.key].lower == 0 && !lang.IsStopWord(w.key)
}
