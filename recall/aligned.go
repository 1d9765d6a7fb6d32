package recall

import (
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/lang"
)

// The words of the best comparedNotes are compared with those of the question. With 50
// notes the answers are the same. What counts is the difference from
// the mean of the best averagedNotes, so that notes and talk can be ordered together.
const (
	comparedNotes    = 30
	averagedNotes    = 20
	usualWords       = 64
	maxComparedWords = 256 // of a note and its headings; a longer one has nearly every word
)

// alignNotes sets the signals "aligned" and "alignment" of the best notes: how well their words match
// those of the question in meaning. In talk everything is near to everything else, so
// it does not count there. docs/decisions/0009-aligned-words.md has the figures.
func alignNotes(found []*candidate, q laneQuery, s Settings) {
	if s.Align == nil || !q.useVectors || len(q.Terms) == 0 {
		return
	}
	notes := notesOf(found, q.sentenceModel)
	if len(notes) == 0 {
		return
	}
	slices.SortFunc(notes, byFused)
	notes = notes[:min(comparedNotes, len(notes))]
	align, release := s.Align(wordsOf(q.Query))
	defer release()
	mean, averaged, words := 0.0, min(len(notes), averagedNotes), make([]string, 0, usualWords)
	var strange []func([]string) float64
	for _, name := range strangeNames(found, q) {
		related, release := s.Align([]string{name})
		defer release()
		strange = append(strange, related)
	}
	for i, c := range notes {
		words = comparedWords(words, c.Memory)
		c.alignment = align(words)
		isUnrelated := func(related func([]string) float64) bool { return related(words) < leastRelatedName }
		if c.LacksName = slices.ContainsFunc(strange, isUnrelated); c.LacksName {
			c.values.SetStrange()
		}
		if i < averaged {
			mean += c.alignment / float64(averaged)
		}
	}
	for _, c := range found {
		if c.Signals.Speaker == "" {
			c.values.SetUnaligned()
		}
	}
	for _, c := range notes {
		c.values.SetAlignment(c.alignment, mean)
	}
}

// leastRelatedName is the cosine from which a word stands for a name: Lisbon for Portugal.
// Names of people are below it. From 0.2 to 0.3 the blocks are nearly the same.
const leastRelatedName = 0.25

// strangeNames returns the names of the question that no candidate has. Other words may
// stand for most words, but seldom for a name. So a note that has none of them hardly
// answers. The keyword lane finds every note with a name.
func strangeNames(found []*candidate, q laneQuery) []string {
	return slices.DeleteFunc(q.intent.ProperNames(), func(name string) bool {
		isName := func(w string) bool { return w == name }
		return slices.ContainsFunc(found, func(c *candidate) bool {
			return lang.AnyWord(c.Text, isName) || slices.ContainsFunc(c.Heading, func(h string) bool { return lang.AnyWord(h, isName) })
		})
	})
}

// notesOf returns the candidates without a speaker, and sets their fused scores.
func notesOf(found []*candidate, sentenceModel bool) []*candidate {
	notes := make([]*candidate, 0, len(found))
	for _, c := range found {
		if c.Signals.Speaker == "" {
			c.fused = c.values.Sum(sentenceModel)
			notes = append(notes, c)
		}
	}
	return notes
}

// wordsOf returns the words of a question to search for, in lower case.
func wordsOf(q memory.Query) (words []string) {
	for _, t := range q.Terms {
		if t.Kind == memory.TermWord {
			words = append(words, t.Text)
		}
	}
	return words
}

// comparedWords returns the words of a memory and of its headings, in lower case and
// without stop words. Of a long text it reads no more than it needs. The words take the
// place of those that buffer has.
func comparedWords(buffer []string, m *memory.Memory) (words []string) {
	words = buffer[:0]
	for _, h := range m.Heading {
		words = appendContentWords(words, h)
	}
	for rest := m.Text; rest != "" && len(words) < maxComparedWords; {
		var part string
		part, rest = cutAtSpace(rest, comparedPart)
		words = appendContentWords(words, part)
	}
	return words[:min(len(words), maxComparedWords)]
}

// appendContentWords appends the words of a text in lower case, without stop words.
func appendContentWords(words []string, text string) []string {
	all := lang.AppendWords(words, strings.ToLower(text))
	for _, w := range all[len(words):] {
		if w != "" && !lang.IsStopWord(w) {
			words = append(words, w)
		}
	}
	return words
}

// comparedPart is the number of bytes in which comparedWords reads a text: few texts are
// longer.
const comparedPart = 2048

// cutAtSpace cuts a text at its first space after n bytes.
func cutAtSpace(text string, n int) (part, rest string) {
	if len(text) > n {
		if i := strings.IndexByte(text[n:], ' '); i >= 0 {
			return text[:n+i], text[n+i+1:]
		}
	}
	return text, ""
}
