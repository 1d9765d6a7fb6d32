package question

import (
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/lang"
	"github.com/memory-tiered/memory/recall/dates"
	"github.com/memory-tiered/memory/recall/language"
)

// wholeTimes returns the times that a question asks for as a whole: "What did I do
// yesterday?" It returns none if the question has a word that tells what is wanted.
func wholeTimes(named dates.Named, now time.Time) []dates.Span {
	if named.Event != nil {
		return nil
	}
	for _, w := range named.Words {
		if !language.IsStopWord(w) && !isDoing(w) && strings.ContainsFunc(w, tellsMore) {
			return nil
		}
	}
	return named.Whole(now)
}

// MayDropDays reports whether the relative dates may leave a question in a workspace of
// talk. In a question about a person who speaks, they may be a quotation. "Last weekend" is
// then another weekend, and the text that is wanted has the same words.
func (in Intent) MayDropDays() bool {
	return in.Relative && in.Rest != in.undated && len(in.speakers) == 0
}

// DropDays removes the days from a question and from its terms. If no other term is left,
// it returns all of them.
func (in *Intent) DropDays(terms []memory.Term) []memory.Term {
	kept := map[string]bool{}
	for _, t := range extractTerms(in.undated) {
		kept[t.Text] = true
	}
	rest := slices.DeleteFunc(slices.Clone(terms), func(t memory.Term) bool { return !kept[t.Text] })
	if len(rest) == 0 {
		return terms
	}
	in.Rest = in.undated
	in.WordCount -= float64(len(terms) - len(rest))
	return rest
}

// tellsMore reports whether a character is none of those in Chinese, Japanese and Korean
// that ask what somebody did, and no question mark.
func tellsMore(r rune) bool { return !isDoing(string(r)) && !strings.ContainsRune("、？?。", r) }

// asksForPast reports whether a question, whose words are in lower case, asks for what held
// once. "How old is Mila?" asks for what is so now, and so does "what do old bikes cost?".
func asksForPast(f lang.Folded, words []string) bool {
	return slices.ContainsFunc(words, isPast) || has("asks past", f)
}

// PastTimes returns the times that the question names and that are over: "in March 2026".
func (in Intent) PastTimes() (times []dates.Span) {
	for _, s := range slices.Concat(in.Whole(in.Now), in.Spans) {
		if s.IsOver(in.Now) {
			times = append(times, s)
		}
	}
	return times
}

// askWhen asks for the time itself instead of how long it is past: "how long ago" becomes
// "when". A note tells when something happened, and not how long ago.
func askWhen(text string) string {
	for _, section := range lang.Sections("question", "ago ") {
		f := lang.Fold(text)
		if start, end, found := phrasesOf(section).FindFolded(f); found { // with the spaces around it
			text = text[:f.Original(start+1)] + strings.TrimPrefix(section, "ago ") + text[f.Original(end-1):]
		}
	}
	return text
}
