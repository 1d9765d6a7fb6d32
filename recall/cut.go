package recall

import (
	"slices"
)

// A memory is injected only if it is likely to answer, or if its similarity is at least this
// share of the best one's. Chosen on the tune halves of all sets: the figures are in
// docs/decisions/0006-block.md. In talk an answer is spread over turns, so the share is
// smaller: from 0.3 on, answers are lost.
const (
	shareOfBest     = 0.8
	shareOfBestTalk = 0.25
)

// likely is the similarity from which a memory more likely answers the prompt than
// not. On the golden sets, four in five right memories of a block have it, and half of
// the others.
const likely = 0.5

// In talk, the words of an answer are spread over turns. So if the best memory has
// clearAnswer floors, talk needs only spokenShare of the floor. Fitted on three
// conversations of LoCoMo: docs/decisions/0006-block.md.
const (
	clearAnswer = 1.5
	spokenShare = 0.5
)

// aboveFloor drops the memories that are not similar enough to the question.
func aboveFloor(found []*candidate, s Settings) sieve {
	answered := s.Fusion == FusionRanking && highestSimilarity(found) >= clearAnswer*s.floor()
	return func(c *candidate) (string, float64) {
		floor := s.FloorFor(c.Memory)
		if answered && c.Signals.Speaker != "" {
			floor = min(floor, spokenShare*s.floor())
		}
		if c.similarity < floor {
			return c.tooLow(RejectedBelowFloor), floor
		}
		return "", 0
	}
}

func highestSimilarity(found []*candidate) (highest float64) {
	for _, c := range found {
		highest = max(highest, c.similarity)
	}
	return highest
}

// nearBest drops the memories that are much less similar to the question than the
// best one, and not likely to answer. A memory that the question names, by its topic or by an identifier, stays:
// it answers another part of the question.
func nearBest(found []*candidate, s Settings) sieve {
	if s.Fusion != FusionRanking {
		return nil // the similarity is no probability
	}
	best := highestSimilarity(found)
	return func(c *candidate) (string, float64) {
		share := shareOfBest
		if c.Signals.Speaker != "" {
			share = shareOfBestTalk
		}
		least := min(share*best, likely)
		if c.similarity >= least || c.NamesTopic || c.Identifiers > 0 || c.Pinned {
			return "", 0
		}
		return c.tooLow(RejectedBehindBest), least
	}
}

// shareOfAnswer is the least share of the best fused score that an answer has. Similarities
// are too close for it: with an identifier of the prompt, many are 0.99. Over two days of
// prompts, 12 to 13 % of the memories for prompts came again in a later session. No more answers were
// lost than without a pause. With the best one alone it was 6 to 9 %, and 3 more were lost.
const shareOfAnswer = 0.85

// answers reports whether a memory is what the prompt asks for. It is the best one or close to
// it, or a trigger calls for it.
func (c *candidate) answers(best float64) bool {
	return c.called > 0 || c.fused >= min(best, shareOfAnswer*best)
}

// markEarned marks the answer's memories that their fused score alone would have
// given a place: among the first of found, which are all that competed. Tier, age and
// number of uses play no part in it. So a memory cannot stay popular by being popular.
// leastFor returns the similarity that a memory needs.
func markEarned(found, answer []*candidate, leastFor func(*candidate) float64) {
	best := slices.Clone(found)
	slices.SortFunc(best, byFused)
	for _, c := range best[:min(len(answer), len(best))] {
		c.earned = c.similarity >= leastFor(c)
	}
}
