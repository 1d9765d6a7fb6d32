package recall

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall/question"
	"github.com/memory-tiered/memory/recall/ranking"
)

// addFeedback sets the signal "feedback" of the candidates that a person called wrong or
// useful for questions like this one. The newest verdict about such a question counts.
func (r *Recaller) addFeedback(ctx context.Context, q laneQuery, found []*candidate) error {
	list, err := r.src.Feedback(ctx)
	if err != nil {
		return fmt.Errorf("read feedback: %w", err)
	}
	if len(list) == 0 || len(found) == 0 {
		return nil
	}
	byID := make(map[memory.ID]*candidate, len(found))
	for _, c := range found {
		byID[c.ID] = c
	}
	asked := wordsOf(q.Query)
	for _, f := range list {
		c := byID[f.ID]
		if c == nil {
			continue
		}
		compare := r.set.isWrongAgain
		if f.Verdict == memory.VerdictUseful {
			compare = r.set.asksTheSame
		}
		if alike := compare(asked, wordsOf(question.Parse(f.Query)), c.Memory); alike > 0 {
			c.Feedback = ranking.Feedback(f.Verdict, alike)
		}
	}
	return nil
}

// ramp is the values between which a comparison rises from 0 to 1.
type ramp struct{ from, to float64 }

func (r ramp) at(x float64) float64 { return clampUnit((x - r.from) / (r.to - r.from)) }

// The ramps were chosen on the half "tune" of engine/testdata/feedback.tsv.
var (
	lackRamp     = ramp{0.15, 0.35} // of the words for which a memory was wrong, those that are asked again
	contrastRamp = ramp{0, 0.25}    // how much more these words weigh than those that the memory has now
	sameRamp     = ramp{0.5, 0.8}   // how many words of two questions are related
)

// leastLack is the share of a question from which the words that a memory lacks are why it was
// wrong. Below it, they are words such as "use".
const leastLack = 0.35

// isWrongAgain returns how surely a memory that was wrong for a question is wrong for another
// one, from 0 to 1. It was wrong for the words that it lacks: they have to be asked again.
// Words of the memory that were not asked for then speak against it.
func (s Settings) isWrongAgain(asked, then []string, m *memory.Memory) float64 {
	has := comparedWords(nil, m)
	lacks := without(then, has)
	if s.share(then, lacks) < leastLack {
		lacks = then // it was wrong although it has the words
	}
	again := within(lacks, asked)
	if len(again) == 0 {
		return 0
	}
	against := without(within(asked, has), then)
	contrast := 1.0
	if len(against) > 0 {
		both := slices.Concat(again, against)
		contrast = s.share(both, again) - s.share(both, against)
	}
	return lackRamp.at(s.share(lacks, again)) * contrastRamp.at(contrast)
}

// asksTheSame returns how much two questions ask the same, from 0 to 1. Each has to have the
// words of the other, or related ones.
func (s Settings) asksTheSame(asked, then []string, _ *memory.Memory) float64 {
	return sameRamp.at(min(s.share(asked, then), s.share(then, asked)))
}

// share returns how much of some words others stand for, by meaning if words can be compared.
func (s Settings) share(words, others []string) float64 {
	if len(words) == 0 {
		return 0
	}
	equal := float64(len(within(words, others))) / float64(len(words))
	if s.Align == nil {
		return equal
	}
	align, release := s.Align(words)
	defer release()
	if aligned := align(others); aligned > 0 {
		return aligned
	}
	return equal
}

// within returns the words of which others have a form, and without those of which they have
// none.
func within(words, others []string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return !hasForm(others, w) })
}

func without(words, others []string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return hasForm(others, w) })
}

// hasForm reports whether a list has a word or another form of it: parking for park.
func hasForm(list []string, word string) bool {
	return slices.ContainsFunc(list, func(other string) bool {
		if word == other {
			return true
		}
		const leastStem, longestEnding = 4, 3
		stem := max(leastStem, max(len(word), len(other))-longestEnding)
		return len(word) >= stem && strings.HasPrefix(other, word[:min(stem, len(word))])
	})
}

// tooLow returns why a candidate is not similar enough: a reason, or that a person called it
// wrong.
func (c *candidate) tooLow(reason string) string {
	if c.Feedback < 0 {
		return RejectedFeedback
	}
	return reason
}

// applyFeedback raises or lowers the similarity of the candidates with feedback. It comes
// after all that raises a similarity, so that no rule brings a wrong memory back.
func applyFeedback(found []*candidate) {
	for _, c := range found {
		if c.Feedback != 0 {
			c.similarity = ranking.WithFeedback(c.similarity, c.Feedback)
		}
	}
}
