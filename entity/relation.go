package entity

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/memory-tiered/memory/lang"
)

var (
	hasOneValue = lang.Words("relations", "one value")
	isMutual    = lang.Words("relations", "mutual")
	isAnd       = lang.Words("relations", "and")
	isNoName    = lang.Set(func() []string { return lang.List("relations", "no name") })
)

// pattern is a phrase of the tables that states a relation: lang/relations.md.
type pattern struct {
	relation string
	isEnded  bool
	parts    []part
}

// key is the key of a property that states a relation.
type key struct {
	relation  string
	isInverse bool // the value is the subject
}

// keys has the keys of all languages.
var keys = sync.OnceValue(func() map[string]key {
	all := map[string]key{}
	for line := range lang.Lines("relations") {
		kind, relation, _ := strings.Cut(line.Section, " ")
		if kind == "key" || kind == "inverse" {
			for word := range strings.FieldsSeq(line.Text) {
				all[KeyOf(strings.ReplaceAll(word, "_", " "))] = key{relation, kind == "inverse"}
			}
		}
	}
	return all
})

// part is a name, X or Y, or a choice of words.
type part struct {
	name       string
	owns       bool       // a possessive: X's
	choices    [][]string // the keys of their words; the last one may end with "~"
	isOptional bool
}

// patterns has the patterns of all languages, by the first word of their longest part.
var patterns = sync.OnceValue(func() map[string][]*pattern {
	all := map[string][]*pattern{}
	for line := range lang.Lines("relations") {
		kind, relation, _ := strings.Cut(line.Section, " ")
		if kind != "relation" && kind != "ended" {
			continue
		}
		p := &pattern{relation, kind == "ended", parseParts(line.Text)}
		for _, choice := range p.anchor().choices {
			all[choice[0]] = append(all[choice[0]], p)
		}
	}
	return all
})

func parseParts(text string) (parts []part) {
	for field := range strings.FieldsSeq(text) {
		bare := strings.Trim(field, "[]")
		p := part{isOptional: bare != field}
		if name, _, owns := strings.Cut(bare, "'"); name == "X" || name == "Y" {
			p.name, p.owns = name, owns
		}
		for choice := range strings.SplitSeq(bare, "|") {
			var keys []string
			for _, w := range split(strings.ReplaceAll(choice, "_", " ")) {
				keys = append(keys, w.key)
			}
			if strings.HasSuffix(choice, "~") {
				keys = append(keys[:max(0, len(keys)-1)], strings.Join(keys[max(0, len(keys)-1):], "")+"~")
			}
			p.choices = append(p.choices, keys)
		}
		parts = append(parts, p)
	}
	return parts
}

// anchor returns the part that a text without a relation has least.
func (p *pattern) anchor() (longest part) {
	length := func(p part) int { return len(strings.Join(p.choices[0], "")) }
	for _, each := range p.parts {
		isFixed := each.name == "" && !each.isOptional && each.choices[0][0] != "~"
		if isFixed && (longest.choices == nil || length(each) > length(longest)) {
			longest = each
		}
	}
	if longest.choices == nil {
		panic(fmt.Errorf("relation %s: a phrase has no word of its own", p.relation))
	}
	return longest
}

// sentence is the text in which patterns are looked for.
type sentence struct {
	b     *builder
	text  string // with those around it
	words []word
	names map[string]name
}

// name is a name in a sentence, or the subject.
type name struct {
	from, to int // its words
	*thing       // nil: not known yet
}

// reach is the number of words, or characters of a script without blanks, before the word by
// which a pattern is found.
const reach = 2*longestName + longestCJK

// find yields the relations that a sentence states. subject is what it is about if it does not
// name it; nil: nothing.
func (s *sentence) find(subject *thing, found func(p *pattern, x, y name)) {
	for i, w := range s.words {
		for _, p := range patterns()[w.key] {
			first := p.parts[0]
			s.names = map[string]name{first.name: {thing: subject}}
			if subject != nil && i < reach && first.name != "" && !first.owns && s.match(p.parts[1:], -1, 0) {
				found(p, s.names["X"], s.names["Y"])
				continue
			}
			if first.name != "" && p.parts[1].name != "" {
				continue // between them is nothing that tells them apart
			}
			for at := max(0, i-reach); at <= i; at++ {
				if s.match(p.parts, at, at) {
					found(p, s.names["X"], s.names["Y"])
					if first.name != "" {
						for _, other := range s.namesUntil(at) {
							s.names[first.name] = other
							found(p, s.names["X"], s.names["Y"])
						}
					}
					break
				}
			}
		}
	}
}

// namesUntil returns the names that begin a sentence before a word: of "Ada, Bo and Carl work",
// Ada and Bo. "and" or a comma follows each, and "and" the last one.
func (s *sentence) namesUntil(at int) (names []name) {
	for next := 0; next < at; {
		found := s.namesAt(-1, next, false)
		if len(found) == 0 || found[0].to >= at {
			return nil
		}
		names, next = append(names, found[0]), found[0].to
		hasComma := strings.HasPrefix(s.gap(next), ",")
		if isAnd(s.words[next].key) {
			if next++; next == at {
				return names
			}
		} else if !hasComma {
			return nil
		}
	}
	return nil
}

// match reports whether parts of a pattern match the words from one on. The match begins at the
// word from; -1: with the subject, before the first word.
func (s *sentence) match(parts []part, from, at int) bool {
	if len(parts) == 0 {
		return true
	}
	p := parts[0]
	if at < len(s.words) && (at == max(from, 0) || s.isJoined(at)) {
		for _, choice := range p.choices {
			if p.name == "" && s.has(choice, at) && s.match(parts[1:], from, at+len(choice)) {
				return true
			}
		}
		if p.name != "" {
			for _, n := range s.namesAt(from, at, len(parts) == 1) {
				if s.names[p.name] = n; (!p.owns || s.words[n.to-1].owns) && s.match(parts[1:], from, n.to) {
					return true
				}
			}
		}
	}
	return p.isOptional && s.match(parts[1:], from, at)
}

// has reports whether the words from one on are those of a choice.
func (s *sentence) has(choice []string, at int) bool {
	for i, key := range choice {
		if at+i >= len(s.words) || i > 0 && !s.isJoined(at+i) {
			return false
		}
		begin, isBegin := strings.CutSuffix(key, "~")
		if w := s.words[at+i].key; w != key && !(isBegin && strings.HasPrefix(w, begin)) {
			return false
		}
	}
	return true
}

// gap returns what is before a word.
func (s *sentence) gap(at int) string {
	before := s.words[at-1]
	return s.text[before.at+len(before.text) : s.words[at].at]
}

// isJoined reports whether a word may belong to the same clause as the one before.
func (s *sentence) isJoined(at int) bool {
	return at > 0 && (s.words[at].near || !strings.ContainsAny(s.gap(at), ",;.!?|—–…，；。！？"))
}

// namesAt returns the names that may begin at a word. In the middle of a sentence, one follows
// no stop word: in "somebody from Acme lives in Bremen", Acme does not.
func (s *sentence) namesAt(from, at int, isLast bool) []name {
	isFirst := at == from
	switch {
	case isFirst && s.isJoined(at) && lang.IsStopWord(s.words[at-1].key) && s.namesUntil(at) == nil:
		return nil
	case isCJK(s.words[at].text):
		return s.cjkNamesAt(at, isLast, isFirst)
	case !isFirst && isArticle(s.words[at].key) && at+1 < len(s.words) && s.isJoined(at+1):
		at++
	}
	var found []name
	if end := runEnd(s.words[:min(len(s.words), at+longestName+1)], at); end > at && s.b.mayBeName(s.words[at:end]) {
		found = append(found, name{from: at, to: end})
	}
	for end := min(at+longestName, len(s.words)); end > at; end-- {
		if t := s.b.known(s.words[at:end]); t != nil && s.b.fits(split(t.form()), s.words[at:end], true) {
			found = append(found, name{at, end, t})
			break
		}
	}
	slices.SortStableFunc(found, func(a, b name) int { return b.to - a.to })
	return found
}

// The number of characters of a name in a script without capitals.
const shortestCJK, longestCJK = 2, 12

// cjkNamesAt returns the names that may begin at a character: a known one, or all up to the next
// particle or sign. One that is not known begins a clause.
func (s *sentence) cjkNamesAt(at int, isLast, isFirst bool) (found []name) {
	mayBeNew := at == 0 || s.gap(at) != "" || !isFirst
	for end := at + 1; end <= min(len(s.words), at+longestCJK); end++ {
		if last := s.words[end-1]; lang.ScriptOf(lang.FirstRune(last.text)) == lang.Hiragana || end-1 > at && s.gap(end-1) != "" {
			break
		}
		mayBeNew = mayBeNew && !endsNoName(s.words[at:end])
		if t := s.b.known(s.words[at:end]); t != nil {
			found = append(found, name{at, end, t})
		} else if mayBeNew && end-at >= shortestCJK {
			found = append(found, name{from: at, to: end})
		}
	}
	if isLast && len(found) > 0 {
		return found[len(found)-1:]
	}
	return found
}

// endsNoName reports whether characters end with a word that no name has.
func endsNoName(words []word) bool {
	key := ""
	for _, w := range slices.Backward(words) {
		if key = w.key + key; isNoName(key) {
			return true
		}
	}
	return false
}

// known returns what some words name for sure, or nil.
func (b *builder) known(words []word) *thing {
	if t := b.byKey[keyOf(words)]; t != nil && t.isName {
		return t
	}
	return nil
}

// mayBeName reports whether a run is written as a name, where a relation says that it is one.
func (b *builder) mayBeName(run []word) bool {
	w := run[0]
	isCommon := lang.IsStopWord(w.key) || isTime(w.key) || isLabel(w.key) || w.starts && b.counts[w.key] != nil && b.counts[w.key].lower > 0
	return (w.capital || w.inner) && !isCommon
}
