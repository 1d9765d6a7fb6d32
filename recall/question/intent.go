package question

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/lang"
	"github.com/memory-tiered/memory/recall/dates"
)

// Intent is what a question asks for besides its terms: whom it names, what kind
// of answer it wants, and which time it is about.
type Intent struct {
	speakers  []string // named speakers, by their first names in lower case
	wantsTime bool
	WantsPast bool // what held once
	Now       time.Time
	words     map[string]bool // all of them, folded as in labels
	WordCount float64         // words to search for, without the names of speakers
	dates.Named
	WholeTimes  []dates.Span  // all that was written then is asked for, and nothing else
	Terms       []memory.Term // to search for, without the days that the question names
	identifiers []string      // in lower case
	names       []string      // in lower case
	kinds       answerKinds

	// Unknown is set if the embedding model does not know the language of the question,
	// so that its cosines tell little.
	Unknown bool
}

// ParseIntent reads the intent of a question. speakers lists those of the
// workspace; now is in the workspace's time zone.
func ParseIntent(q memory.Query, speakers []string, now time.Time) Intent {
	lower := strings.ToLower(q.Text)
	words := lang.SplitWords(lower)
	in := Intent{
		wantsTime: slices.Contains(words, "when") || slices.Contains(words, "date") || strings.Contains(lower, "how long"),
		Named:     dates.Read(q.Text, now),
	}
	if len(speakers) > 0 {
		in.Rest = q.Text // talk has the times in the same words ("last year"), so they find it
	}
	f := lang.Fold(q.Text)
	in.WantsPast, in.words = asksForPast(f, words), make(map[string]bool, len(words))
	for _, w := range words {
		in.words[lang.FoldPlural(w)] = true
	}
	in.Now, in.names, in.kinds = now, namesIn(in.Rest), wantedKinds(q.Text)
	in.WholeTimes = wholeTimes(in.Named)
	in.Terms = in.termsWithoutDays(q)
	for _, name := range speakers {
		if slices.Contains(words, name) {
			in.speakers = append(in.speakers, name)
		}
	}
	slices.Sort(in.speakers)
	in.countWords(speakers)
	for _, t := range in.Terms {
		if t.Kind == memory.TermIdentifier {
			in.identifiers = append(in.identifiers, strings.ToLower(t.Text))
		}
	}
	return in
}

// termsWithoutDays returns the terms of a question without the days that it names. There
// are none if it asks for a time as a whole, in words that say nothing else.
func (in Intent) termsWithoutDays(q memory.Query) []memory.Term {
	switch {
	case len(in.WholeTimes) > 0 && lang.AllStopWords(in.Words):
		return nil
	case in.Rest == q.Text:
		return q.Terms
	}
	return limitTerms(extractTerms(in.Rest))
}

// countWords sets the number of words to search for. There are in CJK about one for two
// characters, and none for the name of a speaker, which is a field of its own.
func (in *Intent) countWords(speakers []string) {
	in.WordCount = 0
	for _, t := range in.Terms {
		switch {
		case t.Kind == memory.TermCJK:
			in.WordCount += max(1, float64(utf8.RuneCountInString(t.Text))/2)
		case !slices.Contains(speakers, t.Text):
			in.WordCount++
		}
	}
}

// FindsTime reports whether the question asks for a time, and a text has one.
func (in Intent) FindsTime(text string) bool { return in.wantsTime && hasTimeWord(text) }

// IdentifierShare returns the share of the question's identifiers in a text.
func (in Intent) IdentifierShare(text string) float64 {
	if len(in.identifiers) == 0 {
		return 0
	}
	lower, found := strings.ToLower(text), 0
	for _, id := range in.identifiers {
		if strings.Contains(lower, id) {
			found++
		}
	}
	return float64(found) / float64(len(in.identifiers))
}

// NamesAny reports whether a question names a topic: all words of one of its names.
func (in Intent) NamesAny(names [][]string) bool {
	return slices.ContainsFunc(names, in.HasAll)
}

// HasAll reports whether the question has all of some folded words.
func (in Intent) HasAll(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !in.words[w] })
}

// Asks reports whether a prompt is a question, or begins as one.
func Asks(prompt string) bool {
	return strings.ContainsAny(prompt, "?？") || has("asks", lang.Fold(prompt))
}

// wholeTimes returns the times that a question asks for as a whole: "What did I do
// yesterday?" It returns none if the question has a word that tells what is wanted.
func wholeTimes(named dates.Named) []dates.Span {
	for _, w := range named.Words {
		if !lang.IsStopWord(w) && !isDoing(w) && strings.ContainsFunc(w, tellsMore) {
			return nil
		}
	}
	return named.Spans
}

// tellsMore reports whether a character is none of those in Chinese, Japanese and Korean
// that ask what somebody did, and no question mark.
func tellsMore(r rune) bool { return !isDoing(string(r)) && !strings.ContainsRune("、？?。", r) }

// asksForPast reports whether a question, whose words are in lower case, asks for what held
// once. "How old is Mila?" asks for what is so now, and so does "what do old bikes cost?".
func asksForPast(f lang.Folded, words []string) bool {
	return slices.ContainsFunc(words, isPast) || has("asks past", f)
}
