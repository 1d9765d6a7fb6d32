package entity

import (
	"slices"
	"strings"

	"github.com/memory-tiered/memory/lang"
)

var (
	isInside        = lang.Words("notes", "particle", "in name")
	isArticle       = lang.Words("notes", "article")
	isVerb          = lang.Words("notes", "subject")
	hasNounCapitals = lang.Words("notes", "capital")
)

// builder collects the names of notes.
type builder struct {
	notes  Notes
	texts  [][]word
	counts map[string]*count
	byKey  map[string]*thing
	titles map[string]*thing // of notes, by path
	stated []statement
	links  []statement

	nounCapitals bool // a text of no known language may have capitals of nouns
}

// count is how often a word is written in some way.
type count struct {
	lower    int    // without a capital
	capital  int    // with one, inside a sentence: at its beginning it tells nothing
	articles int    // with one, behind an article
	verbs    int    // that come after it, or make it a possessive: "Lena has", "Lena's"
	verb     string // the last of them
}

// isSubject reports whether a word that begins sentences is a name there.
func (c *count) isSubject() bool { return c.lower == 0 && c.verbs > 0 }

// read splits the texts, and counts how their words are written.
func (b *builder) read() {
	known, nouns := 0, 0
	for _, m := range b.notes.Memories {
		words := split(m.Text)
		b.texts = append(b.texts, words)
		for at := range words {
			b.countWord(words, at)
		}
		if m.Lang != "" {
			known++
		}
		if hasNounCapitals(m.Lang) {
			nouns++
		}
	}
	b.nounCapitals = nouns*10 > known
}

func (b *builder) countWord(words []word, at int) {
	w := words[at]
	c := b.counts[w.key]
	if c == nil {
		c = &count{}
		b.counts[w.key] = c
	}
	if w.joined {
		return
	}
	if !w.capital {
		c.lower++
		return
	}
	if !w.starts {
		c.capital++
	}
	if at > 0 && w.near && isArticle(words[at-1].key) {
		c.articles++
	}
	verb := ""
	if w.owns {
		verb = "'s"
	} else if at+1 < len(words) && words[at+1].near && isVerb(words[at+1].key) {
		verb = words[at+1].key
	}
	if verb != "" && verb != c.verb {
		c.verbs++
		c.verb = verb
	}
}

// recurring is the number of memories from which words with a capital are a name.
const recurring = 2

// recur adds the words that recur with a capital. In one memory, they have to be written as only
// names are.
func (b *builder) recur() {
	type run struct {
		form           string
		memories, last int
	}
	runs := map[string]*run{}
	for i, words := range b.texts {
		m := &b.notes.Memories[i]
		nouns := hasNounCapitals(m.Lang) || m.Lang == "" && b.nounCapitals
		for at := 0; at < len(words); {
			name := words[at:runEnd(words, at)]
			at += max(len(name), 1)
			for len(name) > 0 && !b.mayBegin(name) {
				name = name[1:]
			}
			if len(name) == 0 {
				continue
			}
			for at, part := range append([][]word{name}, parts(name)...) {
				key := keyOf(part)
				r := runs[key]
				if r == nil {
					r = &run{last: -1}
					runs[key] = r
				}
				if r.last != i {
					r.memories, r.last = r.memories+1, i
				}
				if at == 0 && b.isEvident(name, nouns) {
					r.form = written(m.Text, name)
				}
			}
		}
	}
	for _, r := range runs {
		if r.form != "" && r.memories >= recurring {
			b.add(r.form, "recurs", true)
		}
	}
}

// parts returns the shorter names that a run may have, of two words or more. "Captain Ada Vogel" has
// "Ada Vogel", and so has "Ada Vogel zu Hause".
func parts(run []word) (all [][]word) {
	for from := range run {
		for to := from + 2; to <= len(run); to++ {
			if to-from < len(run) && (to == len(run) || !run[to].capital && !run[to].inner) {
				all = append(all, run[from:to])
			}
		}
	}
	return all
}

// runEnd returns the end of the words with a capital that begin at a word of a text. Between two
// of them may be words such as "of".
func runEnd(words []word, at int) int {
	end := at
	for i := at; i < len(words) && (i == at || words[i].near); i++ {
		switch w := words[i]; {
		case w.capital || w.inner:
			end = i + 1
		case end == at || !isInside(w.key) && !lang.AllDigits(w.key):
			return end
		}
	}
	return end
}

// mayBegin reports whether a run may be a name from its first word on. At the beginning of a
// sentence, that is no word that is written without a capital too.
func (b *builder) mayBegin(run []word) bool {
	w := run[0]
	c := b.counts[w.key]
	isStopWord := lang.IsStopWord(w.key) && (w.starts || strings.Contains(w.key, "'")) // "We met Will", and no "I'm"
	isCommon := isStopWord || isTime(w.key) || isLabel(w.key)
	switch {
	case !w.capital && !w.inner:
		return false
	case len(run) > 1:
		return !w.starts || !isCommon && c.capital > c.lower
	}
	return !isCommon && !isAcronym(w) && (w.inner || c.capital > c.lower || c.isSubject())
}

// isEvident reports whether a run that may be a name is written as only names are. Where every
// noun has a capital, one word has to be the subject of several verbs, and to have no article
// anywhere.
func (b *builder) isEvident(run []word, nouns bool) bool {
	w, c := run[0], b.counts[run[0].key]
	if len(run) > 1 || w.inner {
		return true
	}
	if nouns {
		return c.isSubject() && c.articles == 0 && c.verbs > 1
	}
	return !w.starts || c.isSubject()
}

// isNamed reports whether words of a text that are a stated title or heading are used as a name
// there.
func (b *builder) isNamed(words []word) bool {
	w := words[0]
	if len(words) > 1 && w.capital {
		return !w.starts || b.counts[w.key].lower == 0
	}
	return !slices.ContainsFunc(words, isCased) || b.mayBegin(words) && b.isEvident(words, false)
}

// written returns the words of a name as a text has them.
func written(text string, name []word) string {
	last := name[len(name)-1]
	return lang.Clean(text[name[0].at : last.at+len(last.text)])
}
